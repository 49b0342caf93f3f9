"""Bounds of lowered accesses: an element is accessed where its index lies within the view, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fly_functions import FailedError, outcome
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.cf import AssertOp

from tilewright.ir.reader import Source, read
from tilewright.passes.registry import pass_of

# What C makes of n and a number: quotients are rounded towards zero, so remainders may be negative.
INDICES: dict[str, Callable[[int, int], int]] = {
    "add": lambda n, by: n + by,
    "mul": lambda n, by: n * by,
    "div": lambda n, by: abs(n) // by * (1 if n >= 0 else -1),
    "mod": lambda n, by: abs(n) % by * (1 if n >= 0 else -1),
}
ARITH = {"add": "addi", "mul": "muli", "div": "divsi", "mod": "remsi"}


def by_fly(name: str, by: int, kind: str) -> str:
    return f"""%i = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
%b = fly.static : !fly.int_tuple<{by}>
%k = fly.int_tuple_{name}(%i, %b) : (!fly.int_tuple<?>, !fly.int_tuple<{by}>) -> !fly.int_tuple<{kind}>"""


def by_arith(name: str, by: int, kind: str) -> str:
    return f"""%b = arith.constant {by} : i32
%i = arith.{ARITH[name]} %n, %b : i32
%k = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<{kind}>"""


def stored(index: str, view: str, kind: str = "?") -> func.FuncOp:
    """A store to the element %k of a view, lowered."""
    text = f"""func.func @f(%n: i32, %m: !fly.memref<i32, register, {view}>) {{
{index}
fly.memref.store(%n, %m, %k) : (i32, !fly.memref<i32, register, {view}>, !fly.int_tuple<{kind}>) -> ()
return
}}"""
    module = read(Source("a.mlir", text)).module
    pass_of("fly-layout-lowering").apply(Context(), module)
    return next(op for op in module.ops if isinstance(op, func.FuncOp))


def passes(function: func.FuncOp, n: int) -> bool:
    try:
        outcome(function, [n, None])
    except FailedError:
        return False
    return True


@pytest.mark.parametrize("view", ["1:1", "7:1", "8:1", "(2,4):(1,2)", "(2,4):(4,1)"])
@pytest.mark.parametrize("by", [1, 3, 4, 8])
@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize("index", [by_fly, by_arith])
def test_an_element_is_accessed_exactly_where_its_index_lies_within_the_view(
    index: Callable[[str, int, str], str], name: str, by: int, view: str
) -> None:
    kind = f"?{{div={by}}}" if name == "mul" and by > 1 else "?"
    function = stored(index(name, by, kind), view, kind)
    count = {"1": 1, "7": 7}.get(view[0], 8)
    for n in (*range(-20, 21), 2**31 - 9, -(2**31)):
        place = INDICES[name](n, by)
        if abs(place) < 2**31 - 1:
            assert passes(function, n) == (0 <= place < count), (n, place)


@pytest.mark.parametrize("view", ["2147483647:0", "(32768,65536):(0,0)", "(65536,65536):(0,0)"])
def test_a_view_of_more_elements_than_the_index_can_count_is_bounded_below(view: str) -> None:
    function = stored("%k = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>", view)
    for n in (0, 1, 2**31 - 2, -1, -(2**31)):
        assert passes(function, n) == (n >= 0)


@pytest.mark.parametrize("less", [0, 1, 5])
@pytest.mark.parametrize("extent", [1, 6, 7, 8, 9])
def test_what_a_range_proves_is_not_asked_and_what_it_does_not_is(extent: int, less: int) -> None:
    """An index of which it is known that it lies in [-less, 8 - less)."""
    index = f"""%b = arith.constant 7 : i32
%c = arith.constant {less} : i32
%a = arith.andi %n, %b : i32
%i = arith.subi %a, %c : i32
%k = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>"""
    function = stored(index, f"{extent}:1")
    asked = any(isinstance(op, AssertOp) for op in function.body.block.ops)
    assert asked == (less > 0 or extent < 8)
    for n in range(-16, 16):
        assert passes(function, n) == (0 <= n % 8 - less < extent)
