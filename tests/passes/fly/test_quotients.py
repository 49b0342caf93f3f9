"""Quotients of extents: the lowering gives and refuses what the op does, also where the quotient cancels."""

from __future__ import annotations

from itertools import product

import pytest
from fly_functions import FailedError, outcome
from xdsl.context import Context
from xdsl.dialects import func

from tilewright.ir.reader import Source, read
from tilewright.passes.registry import pass_of

QUOTIENTS = {
    "by itself": ("%a", "%a"),
    "by another": ("%a", "%b"),
    "of its product": ("%p", "%b"),
    "of what is known": ("%k", "%b"),
}
NUMBERS = (-3, -1, 0, 1, 2, 6)


def functions(op: str, lhs: str, rhs: str) -> list[func.FuncOp]:
    """A function of two integers, as it stands and behind the lowering."""
    unknown = "!fly.int_tuple<?>"
    left = "!fly.int_tuple<6>" if lhs == "%k" else unknown
    source = f"""func.func @f(%x: i32, %y: i32) -> {unknown} {{
    %a = fly.make_int_tuple(%x) : (i32) -> {unknown}
    %b = fly.make_int_tuple(%y) : (i32) -> {unknown}
    %p = fly.int_tuple_mul(%a, %b) : ({unknown}, {unknown}) -> {unknown}
    %k = fly.static : !fly.int_tuple<6>
    %r = fly.{op}({lhs}, {rhs}) : ({left}, {unknown}) -> {unknown}
    return %r : {unknown} }}"""
    found = []
    for name in ("", "fly-layout-lowering"):
        module = read(Source("a.mlir", source)).module
        if name:
            pass_of(name).apply(Context(), module)
        found.append(next(op for op in module.ops if isinstance(op, func.FuncOp)))
    return found


def answer(function: func.FuncOp, numbers: list[int]) -> str:
    try:
        return str(outcome(function, numbers)[0])
    except FailedError:
        return "refused"


@pytest.mark.parametrize("which", QUOTIENTS)
@pytest.mark.parametrize("op", ["ceil_div", "shape_div"])
def test_a_quotient_is_refused_where_the_op_refuses_it(op: str, which: str) -> None:
    before, after = functions(op, *QUOTIENTS[which])
    answers = {numbers: answer(before, list(numbers)) for numbers in product(NUMBERS, NUMBERS)}
    assert len(set(answers.values())) > 1
    for numbers, expected in answers.items():
        assert answer(after, list(numbers)) == expected, numbers
