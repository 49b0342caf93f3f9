"""The sign that an integer expression has in a script, where types are those of Python's operands.

In the IR unsigned elements are `ui32` in memory and `i32` in arithmetic, where the ops carry the sign. A script has no
such casts: `a + b` is unsigned because `a` is. Only where that rule would give another sign, it needs a `T.cast`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, Signedness, UnrealizedConversionCastOp, i1
from xdsl.ir import Operation, SSAValue

from tilewright.ir.core.facts import BINARY, CONVERSIONS, EITHER, SIGNED, UNSIGNED, Binary, Conversion, predicate_of

_ROWS: tuple[Binary | Conversion, ...] = (*BINARY, *CONVERSIONS)
_READS: Mapping[type[Operation], str] = {row.op: row.reads for row in _ROWS if row.reads in (UNSIGNED, SIGNED)}
_UNSIGNED_RESULTS = tuple(row.op for row in _ROWS if row.gives == UNSIGNED)
_AS_OPERANDS: tuple[type[Operation], ...] = (*(row.op for row in _ROWS if row.reads == EITHER), arith.SelectOp)


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
    if isinstance(op, _AS_OPERANDS) and is_integer(value):
        return operand_sign(op) or SIGNED
    return own_sign(value)


def operand_sign(op: Operation) -> str | None:
    """The sign that an op's integer operands need to have in a script."""
    if reads := _READS.get(type(op)):
        return reads
    if isinstance(op, arith.CmpiOp) and predicate_of(op).reads == UNSIGNED:
        return UNSIGNED
    signs = {shown_sign(operand) for operand in op.operands if is_integer(operand)}
    return UNSIGNED if UNSIGNED in signs else SIGNED if SIGNED in signs else None
