"""How ops are written in Python: signs with their binding strengths, calls, literals."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, i1
from xdsl.ir import Operation

from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.index import KINDS

# Binding strength in Python: what binds tighter has a higher number.
CONDITIONAL, OR, AND_, NOT, COMPARE = 0, 1, 2, 3, 4
SUM, UNARY, ATOM = 9, 11, 12
STRENGTH: Mapping[str, int] = {
    "or": OR,
    "and": AND_,
    "|": 5,
    "^": 6,
    "&": 7,
    "<<": 8,
    ">>": 8,
    "+": SUM,
    "-": SUM,
    "*": 10,
    "/": 10,
    "//": 10,
    "%": 10,
}
# Compound operands of these stand in parentheses whether they need them or not, as readers expect.
BITWISE = frozenset(["&", "|", "^", "<<", ">>"])
SIGNS: Mapping[type[Operation], str] = {
    **{kind.op: kind.sign for kind in KINDS},
    arith.AddfOp: "+",
    arith.SubfOp: "-",
    arith.MulfOp: "*",
    arith.DivfOp: "/",
    arith.FloorDivSIOp: "//",
    arith.ShRSIOp: ">>",
}
ON_BOOLS: Mapping[str, str] = {"&": "and", "|": "or"}
CALLS: Mapping[type[Operation], str] = {
    arith.MinSIOp: "T.min",
    arith.MaxSIOp: "T.max",
    arith.MinUIOp: "T.min",
    arith.MaxUIOp: "T.max",
    arith.MinimumfOp: "T.min",
    arith.MaximumfOp: "T.max",
}
CASTS = (
    arith.IndexCastOp,
    arith.SIToFPOp,
    arith.UIToFPOp,
    arith.FPToSIOp,
    arith.FPToUIOp,
    arith.ExtFOp,
    arith.TruncFOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
)
_INTEGER_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
_FLOAT_COMPARISONS: Mapping[int, str] = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}


def sign_of(op: Operation) -> str | None:
    """The sign between the op's two operands, if it is written with one."""
    sign = SIGNS.get(type(op))
    return ON_BOOLS.get(sign, sign) if sign and op.results[0].type == i1 else sign


def comparison_sign(op: arith.CmpiOp | arith.CmpfOp) -> str:
    """`<` and so on."""
    number = op.predicate.value.data
    return _INTEGER_COMPARISONS[number] if isinstance(op, arith.CmpiOp) else _FLOAT_COMPARISONS.get(number, "?")


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
