"""How ops are written in Python: signs with their binding strengths, calls, literals."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, i1
from xdsl.ir import Operation

from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.facts import BINARY, CONVERSIONS, PRECEDENCE, predicate_of
from tilewright.ir.core.functions import FLOAT_FUNCTIONS

CONDITIONAL, NOT, COMPARE, SUM = PRECEDENCE["if"], PRECEDENCE["not"], PRECEDENCE["=="], PRECEDENCE["+"]
UNARY, ATOM = 11, 12
# Compound operands of these stand in parentheses whether they need them or not, as readers expect.
BITWISE = frozenset(["&", "|", "^", "<<", ">>"])
SIGNS: Mapping[type[Operation], str] = {row.op: row.sign for row in BINARY if row.sign in PRECEDENCE}
ON_BOOLS: Mapping[str, str] = {"&": "and", "|": "or"}
CALLS: Mapping[type[Operation], str] = {
    **{row.op: f"T.{row.sign}" for row in BINARY if row.sign.isalpha()},
    math.FmaOp: "T.fma",
    arith.DivSIOp: "T.truncdiv",
    arith.RemSIOp: "T.truncmod",
    **{row.op: f"T.{row.name}" for row in FLOAT_FUNCTIONS},
}
CASTS = tuple(row.op for row in CONVERSIONS)


def sign_of(op: Operation) -> str | None:
    """The sign between the op's two operands, if it is written with one."""
    sign = SIGNS.get(type(op))
    return ON_BOOLS.get(sign, sign) if sign and op.results[0].type == i1 else sign


def comparison_sign(op: arith.CmpiOp | arith.CmpfOp) -> str:
    """`<` and so on."""
    predicate = predicate_of(op)
    return predicate.sign if isinstance(op, arith.CmpiOp) or predicate.plain else "?"


def literal(op: arith.ConstantOp) -> str:
    """The constant in Python: the shortest text that rounds to the same value of its type."""
    if isinstance(op.value, IntegerAttr):
        value = op.value.value.data
        return str(bool(value)) if op.value.type == i1 else str(value)
    assert isinstance(op.value, FloatAttr)
    number, kind = op.value.value.data, op.value.type
    if not isfinite(number):
        return f'T.{element_dtype(kind)}("{number}")'
    texts = (repr(float(f"{number:.{digits}g}")) for digits in range(1, 18))
    return next((text for text in texts if _rounded(float(text), kind) == number), repr(number))


def _rounded(number: float, kind: AnyFloat) -> float | None:
    try:
        return FloatAttr(number, kind).value.data
    except OverflowError:
        return None
