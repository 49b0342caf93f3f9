"""What an op gives as numbers: where its type is inferred, in the form of the type, and within a bound of work."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from cpu import within
from fly_calls import Call, call, forgotten
from strategies import Dice, int_tuple, like

from tilewright.errors import LayoutError, NotationError
from tilewright.ir.fly import infer
from tilewright.ir.fly.infer import infer_value
from tilewright.ir.fly.table import TABLE
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import Asked, Value
from tilewright.ir.fly.worked import Worked, has_form, worked
from tilewright.layout.inttuple import flatten
from tilewright.passes.fly.lowered import BY_RULE


def inferred(words: Call) -> Value | None:
    name, texts, _ = words
    with suppress(LayoutError):
        return infer_value(name, [read(text) for text in texts], parameters(words))
    return None


def parameters(words: Call) -> tuple[object, ...]:
    name, _, given = words
    return tuple(attribute.read(name, given) for attribute in TABLE[name].attributes)


def numbers(words: Call) -> Worked | None:
    with suppress(LayoutError):
        return worked(words[0], tuple(words[1]), parameters(words))
    return None


def agree(words: Call) -> bool:
    kind, done = inferred(words), numbers(words)
    return (kind is None) == (done is None) and (done is None or has_form(done.value, kind))


def test_what_has_a_type_has_numbers_in_its_form_and_nothing_else_has() -> None:
    judged = 0
    for seed in range(1500):
        words = call(Dice(seed))
        if words[0] not in BY_RULE or not any("?" in text for text in words[1]):
            continue
        with suppress(NotationError):
            assert agree(words), words
            judged += 1
    assert judged > 200


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("flat_product", ["!fly.layout<((2,8,8),?):((?{i64},48,6),?)>", "!fly.layout<(4,2):(4,2)>"]),
        ("flat_product", ["!fly.layout<(((?),6),?):(((?),2),?)>", "!fly.layout<(3):(1)>"]),
        ("blocked_product", ["!fly.layout<((4,2,3),4):((48,?,576),12)>", "!fly.layout<(2,3):(?,6)>"]),
        ("tiled_divide", ["!fly.layout<(3,(2,?{i64 div=2},8),?{i64 div=3}):(1,(3,6,48),384)>", "!fly.layout<(2):(4)>"]),
        ("tile_to_shape", ["!fly.layout<(3,?{div=3}):(?{div=3},2)>", "!fly.int_tuple<(9,6)>", "!fly.int_tuple<(0,1)>"]),
    ],
)
def test_layouts_whose_conditions_depend_on_one_another_agree(name: str, texts: list[str]) -> None:
    assert agree((name, texts, {}))


# ---- wide operands


def wide(count: int, shape: str = "?", stride: str = "?") -> str:
    return f"!fly.layout<({','.join([shape] * count)}):({','.join([stride] * count)})>"


def tuple_of(leaves: list[str]) -> str:
    return f"!fly.int_tuple<({','.join(leaves)})>"


WIDE = {
    "complement": [wide(1000)],
    "logical_product": [wide(1000), wide(2)],
    "logical_divide": [wide(1000, "?", "1"), "!fly.layout<?:?>"],
    "blocked_product": [wide(1000), wide(1000)],
    "raked_product": [wide(1000, "2"), wide(1000, "2")],
    "tile_to_shape": [wide(100), tuple_of(["?"] * 100), tuple_of([str(i) for i in range(100)])],
    "composition": [wide(1000), wide(1000)],
    "zipped_divide": [
        "!fly.layout<(((?,?),(2,2,?{div=3})),4,4):(((?{div=4},?),(?{div=4},?{div=2},27648)),?{div=16},?)>",
        "!fly.layout<(?{i64},?{div=2}):(1,?)>",
    ],
}


@pytest.mark.parametrize("name", WIDE)
def test_wide_operands_end_soon_and_are_refused_with_the_number_of_terms(name: str) -> None:
    with within(4):  # an inference and a lowering, of a second each; twice that on slow machines
        found = agree((name, WIDE[name], {}))
    assert found


def test_a_refusal_says_how_many_terms_there_are() -> None:
    with pytest.raises(LayoutError, match="take more than 200000 terms to work out"):
        infer("complement", [wide(300)])


def test_a_few_leaves_are_not_too_many() -> None:
    assert infer("complement", [wide(12)]).startswith("!fly.layout<(?,?")
    assert infer("zipped_divide", WIDE["zipped_divide"]).startswith("!fly.layout<((")


# ---- comparisons


def orders(pick: Dice) -> tuple[list[Any], list[Any]]:
    """Two int tuples with run-time leaves, and values: equal or greater by one, but for some leaves, or more modes."""
    first: Any = int_tuple(pick, 1, 3)
    step = pick.integer(0, 1)
    second: Any = like(first, [leaf + (step if pick.integer(0, 5) else 1 - step) for leaf in flatten((first,))])
    if isinstance(second, tuple) and not pick.integer(0, 3):
        second = second[:-1] if pick.integer(0, 1) and len(second) > 1 else (*second, 4)
    kinds = [forgotten(pick, side) for side in (first, second)]
    return kinds, [first, second]


@pytest.mark.parametrize("name", ["elem_less", "equal"])
def test_a_comparison_of_run_time_tuples_is_that_of_their_values(name: str) -> None:
    told = Counter[bool]()
    for seed in range(1200):
        kinds, values = orders(Dice(seed))
        texts = list(map(write, kinds))
        if infer(name, texts) != "i1":
            continue
        done = worked(name, tuple(texts))
        numbers = [n for kind, value in zip(kinds, values, strict=True) for n in taken(kind, value)]
        assert isinstance(done.value, Asked)
        found = done.at(numbers).truth(done.value.truth)
        assert str(found).lower() == infer(name, list(map(write, values))), (texts, values)
        told[bool(found)] += 1
    assert min(told[True], told[False]) > 50


def taken(kind: Value, value: Value) -> list[int]:
    """The numbers that a value has where a type has run-time leaves."""
    pairs = zip(flatten((kind,)), flatten((value,)), strict=True)
    return [number for leaf, number in pairs if not isinstance(leaf, int)]


def test_a_number_may_stand_for_a_long_chain_of_numbers() -> None:
    """What an integer is in 500 run-time extents stands for 499 quotients, one inside the other."""
    count, number = 500, 0b1011001110001
    layout = "({0}):({0})".format(",".join("?" * count))
    op = worked("crd2idx", ("!fly.int_tuple<?>", f"!fly.layout<{layout}>"))
    found = op.at([number, *[2] * count, *range(1, count + 1)]).value(op.value)
    assert found == sum(place + 1 for place in range(count) if number >> place & 1)
