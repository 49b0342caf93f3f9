"""Range facts: an interval that holds every value which an index can take."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeGuard, cast

from xdsl.dialects import arith, gpu, scf
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.core.attributes import BLOCK, GRID
from tilewright.ir.core.lookup import LookupOp

Index: TypeAlias = SSAValue | int
# Lowest and highest value; None where there is no bound.
Range: TypeAlias = tuple[int | None, int | None]

UNKNOWN: Range = (None, None)
NATURAL: Range = (0, None)
MAX_DEPTH = 200


class Ranges:
    """The ranges of the indices of one function, each computed once."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Range] = {}
        self._depth = 0

    def of(self, index: Index) -> Range:
        """An interval that holds every value of the index."""
        if isinstance(index, int):
            return index, index
        if index not in self._known:
            if self._depth == MAX_DEPTH:
                return UNKNOWN
            self._depth += 1
            self._known[index] = self._compute(index)
            self._depth -= 1
        return self._known[index]

    def within(self, index: Index, low: int, high: int) -> bool:
        """Is low <= index < high certain?"""
        lo, hi = self.of(index)
        return lo is not None and hi is not None and low <= lo and hi < high

    def natural(self, index: Index) -> bool:
        """Is index >= 0 certain?"""
        lo = self.of(index)[0]
        return lo is not None and lo >= 0

    def sum_within(self, terms: Iterable[tuple[Index, int]], low: int, high: int) -> bool:
        """Is low <= sum of index * factor < high certain?"""
        lo = hi = 0
        for index, factor in terms:
            ends = self.of(index)
            if ends[0] is None or ends[1] is None:
                return False
            lo, hi = lo + min(ends[0] * factor, ends[1] * factor), hi + max(ends[0] * factor, ends[1] * factor)
        return low <= lo and hi < high

    def _compute(self, value: SSAValue) -> Range:
        if isinstance(value, BlockArgument):
            loop = value.owner.parent_op()
            return self._induction(loop) if isinstance(loop, scf.ForOp) and value.index == 0 else UNKNOWN
        op = cast(Operation, value.owner)
        rule = _RULES.get(type(op))
        return rule(self, op) if rule else UNKNOWN

    def _induction(self, loop: scf.ForOp) -> Range:
        step = self.of(loop.step)[0]
        last = self.of(loop.ub)[1]
        return (self.of(loop.lb)[0] if step and step > 0 else None), (last - 1 if last is not None else None)


class TightRanges(Ranges):
    """Ranges with an upper bound for `or` and `xor`, and for what `min`, `max` and casts give.

    The folding rules do without the former on purpose; proofs of bounds and the width of an index cannot.
    """

    def _compute(self, value: SSAValue) -> Range:
        op = value.owner
        if isinstance(op, arith.OrIOp | arith.XOrIOp) and self.natural(op.lhs) and self.natural(op.rhs):
            tops = [self.of(op.lhs)[1], self.of(op.rhs)[1]]
            return 0, None if None in tops else (1 << max(top.bit_length() for top in tops if top is not None)) - 1
        if isinstance(op, arith.MinSIOp | arith.MaxSIOp | arith.SelectOp) or self._natural_extreme(op):
            (a, b), (c, d) = (self.of(operand) for operand in op.operands[-2:])
            return (None if a is None or c is None else min(a, c)), (None if b is None or d is None else max(b, d))
        if isinstance(op, arith.IndexCastOp) and isinstance(op.input.type, IntegerType):
            bits = op.input.type.width.data
            # Of 64 bits all that is known is where they wrap.
            return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if bits < 64 else UNKNOWN
        return super()._compute(value)

    def _natural_extreme(self, op: Any) -> TypeGuard[Operation]:
        return isinstance(op, arith.MinUIOp | arith.MaxUIOp) and self.natural(op.lhs) and self.natural(op.rhs)


def constant_of(index: Index) -> int | None:
    """The integer, if the index is one."""
    if isinstance(index, int):
        return index
    op = index.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        return op.value.value.data
    return None


def launch_extent(op: Operation, attribute: str, dimension: str) -> int | None:
    """What the enclosing function's `tile.grid` or `tile.block` says about one dimension."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    extents = parent.attributes.get(attribute) if parent else None
    return extents.get_values()["xyz".index(dimension)] if isinstance(extents, DenseArrayBase) else None


def _constant(ranges: Ranges, op: arith.ConstantOp) -> Range:
    value = constant_of(op.result)
    return value, value


def _add(ranges: Ranges, op: arith.AddiOp) -> Range:
    (a, b), (c, d) = ranges.of(op.lhs), ranges.of(op.rhs)
    return (None if a is None or c is None else a + c), (None if b is None or d is None else b + d)


def _sub(ranges: Ranges, op: arith.SubiOp) -> Range:
    (a, b), (c, d) = ranges.of(op.lhs), ranges.of(op.rhs)
    return (None if a is None or d is None else a - d), (None if b is None or c is None else b - c)


def _mul(ranges: Ranges, op: arith.MuliOp) -> Range:
    (a, b), (c, d) = ranges.of(op.lhs), ranges.of(op.rhs)
    if a is not None and b is not None and c is not None and d is not None:
        corners = [x * y for x in (a, b) for y in (c, d)]
        return min(corners), max(corners)
    return NATURAL if ranges.natural(op.lhs) and ranges.natural(op.rhs) else UNKNOWN


def _div(ranges: Ranges, op: Any) -> Range:
    (a, b), divisor = ranges.of(op.lhs), constant_of(op.rhs)
    if divisor is None or divisor <= 0 or ((a is None or a < 0) and isinstance(op, arith.DivUIOp)):
        return UNKNOWN
    return (None if a is None else a // divisor), (None if b is None else b // divisor)


def _rem(ranges: Ranges, op: arith.RemUIOp) -> Range:
    divisor = constant_of(op.rhs)
    return (0, divisor - 1) if divisor and divisor > 0 and ranges.natural(op.lhs) else UNKNOWN


def _and(ranges: Ranges, op: arith.AndIOp) -> Range:
    tops = [ranges.of(side)[1] for side in (op.lhs, op.rhs) if ranges.natural(side)]
    return (0, min((top for top in tops if top is not None), default=None)) if tops else UNKNOWN


def _bitwise(ranges: Ranges, op: Any) -> Range:
    # No upper bound is taken from `or` and `xor`, so that a swizzled index keeps its `%`, as in document 000's text.
    return NATURAL if ranges.natural(op.lhs) and ranges.natural(op.rhs) else UNKNOWN


def _shl(ranges: Ranges, op: arith.ShLIOp) -> Range:
    (a, b), places = ranges.of(op.lhs), constant_of(op.rhs)
    if a is None or a < 0 or places is None or not 0 <= places < 64:
        return UNKNOWN
    return a << places, (None if b is None else b << places)


def _shr(ranges: Ranges, op: arith.ShRUIOp) -> Range:
    (a, b), places = ranges.of(op.lhs), constant_of(op.rhs)
    if a is None or a < 0 or places is None or places < 0:
        return UNKNOWN
    return a >> places, (None if b is None else b >> places)


def _lookup(ranges: Ranges, op: LookupOp) -> Range:
    return min(op.table), max(op.table)


def _thread(ranges: Ranges, op: gpu.ThreadIdOp) -> Range:
    extent = launch_extent(op, BLOCK, op.dimension.data)
    return 0, None if extent is None else extent - 1


def _block(ranges: Ranges, op: gpu.BlockIdOp) -> Range:
    extent = launch_extent(op, GRID, op.dimension.data)
    return 0, None if extent is None else extent - 1


_RULES: dict[type[Operation], Callable[[Ranges, Any], Range]] = {
    arith.ConstantOp: _constant,
    arith.AddiOp: _add,
    arith.SubiOp: _sub,
    arith.MuliOp: _mul,
    arith.DivUIOp: _div,
    arith.FloorDivSIOp: _div,
    arith.RemUIOp: _rem,
    arith.AndIOp: _and,
    arith.OrIOp: _bitwise,
    arith.XOrIOp: _bitwise,
    arith.ShLIOp: _shl,
    arith.ShRUIOp: _shr,
    LookupOp: _lookup,
    gpu.ThreadIdOp: _thread,
    gpu.BlockIdOp: _block,
}
