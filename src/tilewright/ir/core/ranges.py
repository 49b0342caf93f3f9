"""Range facts: an interval that holds every value which an index can take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.core.attributes import BLOCK, GRID
from tilewright.ir.core.counting import counted
from tilewright.ir.core.facts import BINARY_OF, Binary, Rule
from tilewright.ir.core.intervals import BITS, UNKNOWN, Range, either, is_natural
from tilewright.ir.core.lanes import WARP_SIZES, WarpSizeOp
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.mlir.arith import IndexCastUIOp

if TYPE_CHECKING:
    from xdsl.dialects import gpu

Index: TypeAlias = SSAValue | int
MAX_DEPTH = 200
# Of ops of one name each, whose class the type of their table cannot say; dialects that a file lacks are not loaded.
OpRule: TypeAlias = Callable[["Ranges", Any], Range]


class Ranges:
    """The ranges of the indices of one function, each computed once."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Range] = {}
        self._depth = 0

    @property
    def _rules(self) -> Mapping[str, OpRule]:
        return _RULES

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
        return is_natural(self.of(index))

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
            if isinstance(loop, scf.ForOp) and value.index == 0:
                return self._rising(loop.lb, loop.step, loop.ub)
            count = counted(value)
            return self._rising(*count) if count else UNKNOWN
        op = cast(Operation, value.owner)
        if row := BINARY_OF.get(type(op)):
            interval = self._rule(row)
            return interval(self.of(op.operands[0]), self.of(op.operands[1])) if interval else UNKNOWN
        rule = self._rules.get(op.name)
        return rule(self, op) if rule else UNKNOWN

    def _rule(self, row: Binary) -> Rule | None:
        return row.rule

    def _rising(self, start: Index, step: Index, stop: Index | None) -> Range:
        """What begins with `start`, grows by `step`, and is below `stop`."""
        by, last = self.of(step)[0], None if stop is None else self.of(stop)[1]
        return (self.of(start)[0] if by and by > 0 else None), (last - 1 if last is not None else None)


class TightRanges(Ranges):
    """Ranges with an upper bound for `or` and `xor`, and for what `min`, `max`, choices and casts give.

    The folding rules do without the former on purpose, so that a swizzled index keeps its `%`, as in TIRx's
    text; proofs of bounds and the width of an index cannot.
    """

    @property
    def _rules(self) -> Mapping[str, OpRule]:
        return _TIGHT_RULES

    def _rule(self, row: Binary) -> Rule | None:
        return row.tight or row.rule


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


def _lookup(ranges: Ranges, op: LookupOp) -> Range:
    return min(op.table), max(op.table)


def _thread(ranges: Ranges, op: gpu.ThreadIdOp) -> Range:
    extent = launch_extent(op, BLOCK, op.dimension.data)
    return 0, None if extent is None else extent - 1


def _block(ranges: Ranges, op: gpu.BlockIdOp) -> Range:
    extent = launch_extent(op, GRID, op.dimension.data)
    return 0, None if extent is None else extent - 1


def _extent(ranges: Ranges, op: gpu.BlockDimOp | gpu.GridDimOp) -> Range:
    return 1, None


def _select(ranges: Ranges, op: arith.SelectOp) -> Range:
    return either(ranges.of(op.lhs), ranges.of(op.rhs))


def _index_cast(ranges: Ranges, op: arith.IndexCastOp | IndexCastUIOp) -> Range:
    wide, narrow = op.input.type, op.result.type
    if isinstance(narrow, IntegerType):  # the bits that are left are the number if it fits
        low, high = ranges.of(op.input)
        top = 1 << (narrow.width.data - 1)
        fits = low is not None and high is not None and -top <= low and high < top
        return (low, high) if fits else UNKNOWN
    if not isinstance(wide, IntegerType) or wide.width.data >= BITS:
        return UNKNOWN  # of 64 bits all that is known is where they wrap
    if isinstance(op, IndexCastUIOp):
        return 0, (1 << wide.width.data) - 1
    top = 1 << (wide.width.data - 1)
    return -top, top - 1


_RULES: Mapping[str, OpRule] = {
    arith.ConstantOp.name: _constant,
    LookupOp.name: _lookup,
    "gpu.thread_id": _thread,
    "gpu.block_id": _block,
    "gpu.block_dim": _extent,
    "gpu.grid_dim": _extent,
    WarpSizeOp.name: lambda ranges, op: WARP_SIZES,
}
_TIGHT_RULES: Mapping[str, OpRule] = {
    **_RULES,
    arith.SelectOp.name: _select,
    arith.IndexCastOp.name: _index_cast,
    IndexCastUIOp.name: _index_cast,
}
