"""Where the same op stands many times, what is told again is what would be worked out, text for text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from fly_functions import NUMBERS, compared

from tilewright.cli.opt import processed
from tilewright.cli.opt_words import Request
from tilewright.ir.fly.infer import result_types
from tilewright.ir.reader import Source
from tilewright.ir.text import parse_module
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.polynomial import Variable
from tilewright.layout.symbolic.symint import Integer
from tilewright.passes.fly import emission, repeated, worked_out
from tilewright.passes.fly.emission import Emission
from tilewright.passes.fly.repeated import Course, Noted, Numbers
from tilewright.passes.registry import pass_of

ONE, LAYOUT = "!fly.int_tuple<?>", "!fly.layout<(4,?):(?,1)>"
ARGUMENTS, LAYOUTS = 4, 4
(COMPLEMENT,) = result_types("complement", [LAYOUT])
# Of an integer: as it is, of few bits, of more, a multiple.
BOUNDS = (None, None, ("andi", 7), ("andi", 63), ("muli", 4))
CONSTANTS = (3, 4)
ODD = (1, 3, 5, 9, 35)  # of which no low bits are 0, by which an op might divide
OPS = ("int_tuple_add", "int_tuple_mod", "int_tuple_div", "ceil_div", "shape_div", "crd2idx", "crd2idx")


def function(random: Random, ops: int) -> str:
    """Few ops on few numbers, in any order: known integers among them, numbers that are given twice, or asked again."""
    lines, pool = list[str](), list[tuple[str, str]]()
    for i in range(ARGUMENTS):
        lines += bounded(f"%a{i}", f"%b{i}", random.choice(BOUNDS))
        lines.append(f"%t{i} = fly.make_int_tuple(%b{i}) : (i32) -> {ONE}")
        pool.append((f"%t{i}", ONE))
    for c in CONSTANTS:
        lines.append(f"%k{c} = fly.make_int_tuple() : () -> !fly.int_tuple<{c}>")
        pool.append((f"%k{c}", f"!fly.int_tuple<{c}>"))
    made = list[str]()
    for i in range(random.randint(0, LAYOUTS)):
        # Which asks conditions of the layout.
        lines.append(f"%c{i} = fly.complement(%l{i}) : ({LAYOUT}) -> {COMPLEMENT}")
        lines.append(f"%s{i} = fly.size(%c{i}) : ({COMPLEMENT}) -> {ONE}")
        lines.append(f"%y{i} = fly.get_scalar(%s{i}) : ({ONE}) -> i32")
        made.append(f"%y{i}")
    for i in range(ops):
        first, second = random.choice(pool[:ARGUMENTS] + pool[-2:]), random.choice(pool[: ARGUMENTS + 2])
        name = random.choice(OPS)
        if first[1] != ONE:
            continue
        other = (f"%l{random.randrange(LAYOUTS)}", LAYOUT) if name == "crd2idx" else second
        lines.append(f"%r{i} = fly.{name}({first[0]}, {other[0]}) : ({first[1]}, {other[1]}) -> {ONE}")
        lines.append(f"%x{i} = fly.get_scalar(%r{i}) : ({ONE}) -> i32")
        pool.append((f"%r{i}", ONE))
        made.append(f"%x{i}")
    kinds = ", ".join(["i32"] * len(made))
    arguments = ", ".join([*(f"%a{i}: i32" for i in range(ARGUMENTS)), *(f"%l{i}: {LAYOUT}" for i in range(LAYOUTS))])
    body = "\n  ".join([*lines, f"func.return {', '.join(made)} : {kinds}"])
    return f"func.func @f({arguments}) -> ({kinds}) {{\n  {body}\n}}\n"


def bounded(name: str, new: str, by: tuple[str, int] | None) -> list[str]:
    op, number = by or ("addi", 0)
    constant = f"{new}c = arith.constant {number} : i32"
    return [constant, f"{new} = arith.{op} {name}, {new}c : i32"]


def lowered(text: str) -> str:
    printed, told = processed(Source("a.mlir", text), Request(passes=(pass_of("fly-layout-lowering"),)))
    assert not told, str(told[0])
    return printed


def directly(
    op: object, given: object, to: Emission, work: Callable[[Emission | Noted], Sequence[Integer]]
) -> Sequence[Integer]:
    """Instead of courses."""
    return work(to)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are long sooner, so that short functions have many that are computed on the way."""
    for name, value in {"MANY": 8, "NESTING": 1, "NESTING_OF_MANY": 0, "TERMS": 2}.items():
        monkeypatch.setattr(emission, name, value)
    repeated._course.cache_clear()  # what is long decides a course


@pytest.fixture(autouse=True, scope="module")
def forgotten() -> Iterator[None]:
    """Courses of short numbers are no others' ones."""
    yield
    repeated._course.cache_clear()


@pytest.mark.parametrize("seed", range(24))
def test_the_text_is_as_without_courses(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = function(Random(seed), 24)
    found = lowered(text)
    monkeypatch.setattr(worked_out, "numbers_of", directly)
    assert lowered(text) == found


@pytest.mark.parametrize("seed", range(6))
def test_so_it_is_where_numbers_are_as_long_as_they_may_be(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    repeated._course.cache_clear()
    test_the_text_is_as_without_courses(seed, monkeypatch)


@pytest.mark.parametrize("seed", range(8))
def test_the_numbers_are_those_of_the_reference(seed: int) -> None:
    random = Random(seed)
    module = parse_module(function(random, 16))
    numbers = [random.choice(ODD) for _ in range(ARGUMENTS)]
    layouts = [Layout((4, random.choice(NUMBERS)), (random.choice(NUMBERS), 1)) for _ in range(LAYOUTS)]
    fates = compared(module, [*numbers, *layouts])
    assert set(fates) <= {"same", "fails"}


def test_courses_are_followed_and_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the laws above would say nothing."""
    fates = list[bool]()
    followed = Course.followed

    def noted(self: Course, variables: Sequence[Variable], to: Emission) -> Numbers | None:
        found = followed(self, variables, to)
        fates.append(found is None)
        return found

    monkeypatch.setattr(Course, "followed", noted)
    for seed in range(10):
        lowered(function(Random(seed), 24))
    assert fates.count(True) > 2
    assert fates.count(False) > 20
