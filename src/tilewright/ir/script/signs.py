"""The sign that an integer expression has in a script, where types are those of Python's operands.

In the IR unsigned elements are `ui32` in memory and `i32` in arithmetic, where the ops carry the sign. A script has no
such casts: `a + b` is unsigned because `a` is. Only where that rule would give another sign, it needs a `T.cast`.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, Signedness, UnrealizedConversionCastOp, i1
from xdsl.ir import Operation, SSAValue

UNSIGNED, SIGNED = "uint", "int"
_UNSIGNED_OPS = (
    arith.DivUIOp,
    arith.RemUIOp,
    arith.ShRUIOp,
    arith.MinUIOp,
    arith.MaxUIOp,
    arith.UIToFPOp,
    arith.ExtUIOp,
)
_UNSIGNED_RESULTS = (*_UNSIGNED_OPS, arith.FPToUIOp)
_SIGNED_OPS = (arith.FloorDivSIOp, arith.ShRSIOp, arith.MinSIOp, arith.MaxSIOp, arith.SIToFPOp, arith.ExtSIOp)
_NEUTRAL_OPS = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.ShLIOp,
    arith.SelectOp,
    arith.CmpiOp,
    arith.TruncIOp,
)
_FIRST_UNSIGNED_PREDICATE = 6


def is_integer(value: SSAValue) -> bool:
    """Is it an integer element (no index, no bool)?"""
    return isinstance(value.type, IntegerType) and value.type.width.data > 1


def width(value: SSAValue) -> int:
    """The bits of an integer element."""
    assert isinstance(value.type, IntegerType)
    bits: int = value.type.width.data
    return bits


def own_sign(value: SSAValue) -> str | None:
    """The sign by the value's type in the IR, which memory has; None where there is none."""
    if not is_integer(value):
        return None
    assert isinstance(value.type, IntegerType)
    return UNSIGNED if value.type.signedness.data is Signedness.UNSIGNED else SIGNED


def shown_sign(value: SSAValue) -> str | None:
    """The sign of the value's text in a script; None where the text suits both."""
    op = value.owner
    if isinstance(op, UnrealizedConversionCastOp):
        return UNSIGNED if own_sign(value) == UNSIGNED else shown_sign(op.inputs[0])
    if isinstance(op, arith.ConstantOp):
        return None
    if isinstance(op, _UNSIGNED_RESULTS) and is_integer(value):
        return own_sign(value) if op.operands[0].type == i1 else UNSIGNED
    if isinstance(op, _NEUTRAL_OPS) and is_integer(value):
        return operand_sign(op)
    return own_sign(value)


def operand_sign(op: Operation) -> str | None:
    """The sign that an op's integer operands need to have in a script."""
    if isinstance(op, _UNSIGNED_OPS):
        return UNSIGNED
    if isinstance(op, _SIGNED_OPS):
        return SIGNED
    if isinstance(op, arith.CmpiOp) and op.predicate.value.data >= _FIRST_UNSIGNED_PREDICATE:
        return UNSIGNED
    signs = {shown_sign(operand) for operand in op.operands if is_integer(operand)}
    return UNSIGNED if UNSIGNED in signs else SIGNED if SIGNED in signs else None
