"""Integers that hold what an index would: arithmetic of them is arithmetic of indices, where no result can wrap.

Kernels of `fx` count in 32 bits. What is known of indices (where they lie, how they simplify, that they are sums over
threads and blocks) is known of these too once they are indices.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.facts import UNSIGNED, predicate_of
from tilewright.ir.core.ranges import TightRanges
from tilewright.ir.core.rewrite import erase

INDEX = IndexType()
_WHOLE = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.MinSIOp, arith.MaxSIOp)
# Of numbers that are not negative these are what the ops on bits are, as which indices are divided; of quotients of
# others no range is known, so that they count as inexact.
_DIVISIONS: Mapping[type[Operation], type[Operation]] = {
    arith.DivSIOp: arith.DivUIOp,
    arith.FloorDivSIOp: arith.DivUIOp,
    arith.DivUIOp: arith.DivUIOp,
    arith.RemSIOp: arith.RemUIOp,
    arith.RemUIOp: arith.RemUIOp,
}


def widen(func: Operation) -> None:
    """Changes the function in place: uses of integers as indices, and comparisons of them, take the indices."""
    work = _Work()
    for op in list(func.walk()):
        work.visit(op)


class _Work:
    """`twins` are the indices that integers are equal to; those of `plain` ones were no indices before."""

    def __init__(self) -> None:
        self.ranges, self.twins, self.plain = TightRanges(), dict[SSAValue, SSAValue](), set[SSAValue]()

    def visit(self, op: Operation) -> None:
        """Finds the twin of an op's result, or takes those of its operands."""
        if isinstance(op, arith.IndexCastOp):
            self._cast(op)
        elif isinstance(op, arith.CmpiOp):
            self._compared(op)
        elif isinstance(op, arith.ConstantOp) and _bits(op.result) is not None:
            assert isinstance(op.value, IntegerAttr)
            self._note(op.result, op, arith.ConstantOp(IntegerAttr(op.value.value.data, INDEX)))
            self.plain.add(op.result)
        elif isinstance(op, arith.ExtSIOp) and op.input in self.twins:
            self.twins[op.result] = self.twins[op.input]
            self.plain.update([op.result] * (op.input in self.plain))
        elif isinstance(op, (*_WHOLE, *_DIVISIONS)) and self._is_counted(op):
            self._binary(op)

    def _is_counted(self, op: Operation) -> bool:
        """Is one of the operands an index, as far as is known?"""
        return any(value in self.twins and value not in self.plain for value in op.operands)

    def _cast(self, op: arith.IndexCastOp) -> None:
        twin = self.twins.get(op.input)
        if twin is not None:
            op.result.replace_all_uses_with(twin)
            return
        bits = _bits(op.result)
        if bits is not None and self._fits(op.input, bits):
            self.twins[op.result] = op.input

    def twin(self, value: SSAValue) -> SSAValue:
        """The index that an integer is equal to; one that was none is cast where it is made."""
        if value not in self.twins:
            cast = arith.IndexCastOp(value, INDEX)
            owner = value.owner
            place = InsertPoint.after(owner) if isinstance(owner, Operation) else InsertPoint.at_start(owner)
            Builder(place).insert(cast)
            self.twins[value] = cast.result
            self.plain.add(value)
        return self.twins[value]

    def _binary(self, op: Operation) -> None:
        kind = _DIVISIONS.get(type(op), type(op))
        self._note(op.results[0], op, kind.create(operands=list(map(self.twin, op.operands)), result_types=[INDEX]))

    def _note(self, value: SSAValue, op: Operation, twin: Operation) -> None:
        """The twin, if it is exact; else it is gone."""
        bits = _bits(value)
        if bits is None:
            return
        twin.location = op.location
        Builder(InsertPoint.after(op)).insert(twin)
        twin.results[0].name_hint = value.name_hint
        if self._fits(twin.results[0], bits):
            self.twins[value] = twin.results[0]
        else:
            erase(twin)

    def _fits(self, index: SSAValue, bits: int) -> bool:
        return self.ranges.within(index, -(1 << bits - 1), 1 << bits - 1)

    def _compared(self, op: arith.CmpiOp) -> None:
        if predicate_of(op).reads != UNSIGNED and _bits(op.lhs) is not None and self._is_counted(op):
            made = arith.CmpiOp(self.twin(op.lhs), self.twin(op.rhs), op.predicate.value.data)
            made.location = op.location
            Builder(InsertPoint.before(op)).insert(made)
            op.result.replace_all_uses_with(made.result)


def _bits(value: SSAValue) -> int | None:
    """Those of an integer in which numbers are counted."""
    kind = value.type
    return kind.width.data if isinstance(kind, IntegerType) and kind.width.data in (32, 64) else None
