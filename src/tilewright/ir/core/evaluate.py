"""Ops of `arith` on integers, from the table of facts: the reference that knows no simulator and no lowering."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation

from tilewright.errors import SimulationError
from tilewright.ir.core.facts import BINARY_OF, COMPARED, CONVERSIONS, SIGNED, UNSIGNED, predicate_of
from tilewright.ir.core.intervals import BITS

_CONVERTS = {row.op: row for row in CONVERSIONS}


def evaluated(op: Operation, operands: Sequence[int]) -> int:
    """The result of an integer op, as a signed number of its type (of `i1`, 0 or 1).

    Raises:
        SimulationError: the op has no result for these operands, or is no integer op of `arith`.
    """
    kind, bits = op.results[0].type, _bits(op.results[0].type)
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        return wrapped(op.value.value.data, kind)
    if isinstance(op, arith.CmpiOp):
        asked = predicate_of(op)
        a, b = (_read(x, op.lhs.type, asked.reads) for x in operands)
        return int(COMPARED[asked.sign](a, b))
    if isinstance(op, arith.SelectOp):
        return operands[1] if operands[0] else operands[2]
    row = BINARY_OF.get(type(op))
    if row is not None and row.meaning is not None and row.reads is not None:
        a, b = (_read(x, kind, row.reads) for x in operands)
        if row.undefined(b, bits):
            raise SimulationError(f"{op.name} of {a} and {b} is not defined")
        return wrapped(int(row.meaning(a, b)), kind)
    if type(op) in _CONVERTS and isinstance(kind, IntegerType | IndexType):
        return wrapped(_number(operands[0], op.operands[0].type, _CONVERTS[type(op)].reads or SIGNED), kind)
    raise SimulationError(f"{op.name} is no integer op of arith")


def wrapped(value: int, kind: Attribute) -> int:
    """The signed number that the bits of the type make of an integer; of `i1` 0 or 1."""
    bits = _bits(kind)
    low = value & ((1 << bits) - 1)
    return low - (1 << bits) if bits > 1 and low >> (bits - 1) else low


def _number(value: int, kind: Attribute, reads: str) -> int:
    """The number that a cast reads: the one bit of `i1` is its sign, too."""
    return -value if reads == SIGNED and _bits(kind) == 1 else _read(value, kind, reads)


def _read(value: int, kind: Attribute, reads: str) -> int:
    bits = _bits(kind)
    return value & ((1 << bits) - 1) if reads == UNSIGNED or bits == 1 else value


def _bits(kind: Attribute) -> int:
    return int(kind.width.data) if isinstance(kind, IntegerType) else BITS
