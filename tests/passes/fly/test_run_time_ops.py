"""What inference accepts of layouts with run-time leaves, the lowering lowers, to the numbers of the reference."""

from __future__ import annotations

from random import Random

import pytest
from fly_functions import NUMBERS, ONE, TWO, compared
from repeated_fly import called
from xdsl.dialects.func import FuncOp

from tilewright.errors import TilewrightError
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.infer import result_types
from tilewright.ir.fly.leaves import mapped
from tilewright.ir.text import parse_module

OPS = {**dict.fromkeys(ONE, 1), **dict.fromkeys(TWO, 2), "crd2crd": 3, "tile_to_shape": 3}
DRAWS = 4
LOWERED = {"same", "fails"}  # for some values an op may not be defined, which assertions say


def a_profile(random: Random, depth: int = 0) -> str:
    if depth == 2 or random.random() < 0.4:
        return "x"
    return f"({','.join(a_profile(random, depth + 1) for _ in range(random.randint(1, 2)))})"


def filled(profile: str, random: Random) -> str:
    return "".join(random.choice("????1248") if letter == "x" else letter for letter in profile)


def a_type(random: Random, profile: str, of: str) -> str:
    if of == "int_tuple":
        return f"!fly.int_tuple<{filled(profile, random)}>"
    return f"!fly.layout<{filled(profile, random)}:{filled(profile, random)}>"


def types(op: str, random: Random) -> list[str]:
    if op == "tile_to_shape":
        profile = f"({a_profile(random, 1)},{a_profile(random, 1)})"
        layout, shape = (a_type(random, profile, of) for of in ("layout", "int_tuple"))
        return [layout, shape, f"!fly.int_tuple<({random.choice(['0,1', '1,0'])})>"]
    kinds = [random.choice(("layout", "layout", "int_tuple")) for _ in range(OPS[op])]
    return [a_type(random, a_profile(random), of) for of in kinds]


def text(op: str, given: list[str]) -> str:
    return called(op, *((lambda _, one=one: one) for one in given))(1)


def is_inferred(op: str, given: list[str]) -> bool:
    try:
        return bool(result_types(op, given))
    except TilewrightError:
        return False


def judged(op: str, given: list[str], random: Random) -> list[str]:
    module = parse_module(text(op, given))
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    kinds = [kind.value for kind in function.function_type.inputs.data if isinstance(kind, FlyType)]
    return compared(module, [mapped(kind, lambda leaf: leaf.div * random.choice(NUMBERS)) for kind in kinds])


@pytest.mark.parametrize("op", OPS)
def test_what_is_inferred_is_lowered(op: str) -> None:
    random = Random(op)
    drawn = (types(op, random) for _ in range(DRAWS))
    found = [(given, judged(op, given, random)) for given in drawn if is_inferred(op, given)]
    assert [row for row in found if not set(row[1]) <= LOWERED] == []


def test_a_product_of_nested_run_time_layouts_is_lowered() -> None:
    """It has remainders that are known to be 0, which were taken to be positive."""
    layout = "!fly.layout<(((?,?),?),?):(((?,?),?),?)>"
    assert set(judged("logical_product", [layout, layout], Random(1))) <= LOWERED
