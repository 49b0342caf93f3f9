"""`lower-buffers`: buffers become flat memory, coordinates become offsets, bounds that are not proved assertions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError, LayoutError
from tilewright.ir.core.bounds import assert_within
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.location import place, through
from tilewright.ir.core.ranges import Ranges, TightRanges
from tilewright.ir.core.rewrite import erase, replace
from tilewright.ir.core.walk import only, operations
from tilewright.ir.memory import offset_of
from tilewright.ir.tile.address import AddressOp
from tilewright.ir.tile.asynchronous import CpAsyncOp, sized_copies
from tilewright.ir.tile.atoms import AtomOp, Place
from tilewright.ir.tile.ops import (
    AllocBufferOp,
    AtomicOp,
    LoadOp,
    MatchBufferOp,
    RegionOp,
    StorageOp,
    StoreOp,
    offsets,
    storage_type,
)
from tilewright.ir.tile.ordered import OrderedOp
from tilewright.ir.tile.printing import InspectOp
from tilewright.ir.tile.remote import RemoteOp
from tilewright.ir.tile.types import GLOBAL, BufferType


@dataclass(frozen=True)
class LowerBuffers(ModulePass):
    """Leaves no `!tile.buffer`: views become their arguments, allocations `memref.alloca`, elements flat accesses.

    `bounds`: is a coordinate that is not known to lie inside asserted to?

    Raises:
        CompileError: an element is accessed through a layout that is no memory, or a region is left.
    """

    name = "lower-buffers"
    bounds: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        memories: dict[SSAValue, SSAValue] = {}
        ranges = TightRanges() if self.bounds else None
        for inner in only(operations(op), *_LOWERED):
            _lower(inner, memories, ranges)
        for buffer in reversed(memories):
            erase(cast(Operation, buffer.owner))


_LOWERED = (
    *(RegionOp, MatchBufferOp, AllocBufferOp, RemoteOp, StorageOp, LoadOp, StoreOp, InspectOp),
    *(AtomicOp, AddressOp, OrderedOp, AtomOp),
)


def _lower(op: Operation, memories: dict[SSAValue, SSAValue], ranges: Ranges | None) -> None:
    if isinstance(op, RegionOp):
        raise CompileError(f"regions are lowered with their primitives; run `dispatch` first\n{place(op)}".rstrip())
    if isinstance(op, MatchBufferOp):
        memories[op.result] = _viewed(op)
    elif isinstance(op, AllocBufferOp):
        memories[op.result] = _allocated(op)
    elif isinstance(op, RemoteOp) and op.memory in memories:
        memories[op.result] = _remote(op, memories[op.memory])
    elif isinstance(op, StorageOp):
        _hand_on(op)
        replace(op, memories[op.buffer])
    elif isinstance(op, LoadOp | StoreOp):
        _access(op, op.buffer, memories[op.buffer], ranges)
    elif isinstance(op, InspectOp) and op.memory in memories:
        op.operands[0] = memories[op.memory]
    elif isinstance(op, AtomicOp | AddressOp) and isinstance(op.memory.type, BufferType):
        _access(op, op.memory, memories[op.memory], ranges)
    elif isinstance(op, OrderedOp) and isinstance(op.place[0].type, BufferType):
        _ordered(op, memories, ranges)
    elif isinstance(op, AtomOp):
        _atom(op, memories, ranges)


def _viewed(op: MatchBufferOp) -> SSAValue:
    # An argument takes the name under which the kernel uses it; of two views, the first's.
    views = [use.operation.result for use in op.source.uses if isinstance(use.operation, MatchBufferOp)]
    if isinstance(op.source, BlockArgument) and op.source.name_hint not in [view.name_hint for view in views]:
        op.source.name_hint = op.result.name_hint
    return op.source


def _hand_on(op: StorageOp) -> None:
    """Views of a view that begins further on begin so much further on, too."""
    further = offsets(op.buffer)
    views = [use.operation for use in op.result.uses if isinstance(use.operation, MatchBufferOp)]
    for view in views if further else ():
        index = IndexBuilder(Builder(InsertPoint.before(view)))
        parts = further if view.offset is None else [*further, view.offset]
        view.operands = [view.source, index.value(index.sum_of([(part, 1) for part in parts]))]


def _allocated(op: AllocBufferOp) -> SSAValue:
    made = memref.AllocaOp(operands=[[], []], result_types=[storage_type(op.result)])
    made.attributes.update(op.attributes)
    made.location = op.location
    Builder(InsertPoint.before(op)).insert(made)
    made.memref.name_hint = op.result.name_hint
    return made.memref


def _remote(op: RemoteOp, memory: SSAValue) -> SSAValue:
    made = Builder(InsertPoint.before(op)).insert(RemoteOp(memory, op.rank))
    made.location, made.result.name_hint = op.location, op.result.name_hint
    return made.result


def _ordered(op: OrderedOp, memories: dict[SSAValue, SSAValue], ranges: Ranges | None) -> None:
    buffer, indices = op.place
    made = op.on(memories[buffer], [_offset(op, buffer, indices, ranges)])
    Builder(InsertPoint.before(op)).insert(made)
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    erase(op)


def _atom(op: AtomOp, memories: dict[SSAValue, SSAValue], ranges: Ranges | None) -> None:
    """The same atom on flat memory."""
    flat = [_flattened(op, place, memories, ranges) for place in op.places]
    made = op.on(flat)
    made.location = op.location
    Builder(InsertPoint.before(op)).insert(made)
    erase(op)


def _flattened(
    op: AtomOp, where: Place, memories: dict[SSAValue, SSAValue], ranges: Ranges | None
) -> tuple[SSAValue, Sequence[SSAValue]]:
    if not isinstance(where.memory.type, BufferType):
        return where
    return memories[where.memory], [
        _offset(op, where.memory, where.indices, None if op.clips and where.space == GLOBAL else ranges)
    ]


def _access(
    op: LoadOp | StoreOp | AtomicOp | AddressOp, accessed: SSAValue, memory: SSAValue, ranges: Ranges | None
) -> None:
    later = isinstance(op, AddressOp) and sized_copies(op)
    builder, offset = Builder(InsertPoint.before(op)), _offset(op, accessed, op.indices, None if later else ranges)
    if isinstance(op, LoadOp):
        loaded = builder.insert(memref.LoadOp.get(memory, [offset]))
        loaded.location = _location(op, accessed)
        replace(op, loaded.res)
    elif isinstance(op, AddressOp):
        if ranges is not None and isinstance(op.memory.type, BufferType):
            _assert_reads(op, accessed, ranges)
        found = builder.insert(AddressOp(memory, [offset]))
        found.location = op.location
        replace(op, found.result)
    elif isinstance(op, AtomicOp):
        changed = builder.insert(AtomicOp(op.kind.data, op.value, memory, [offset], op.words))
        changed.location = _location(op, accessed)
        replace(op, changed.result)
    else:
        builder.insert(memref.StoreOp.get(op.value, memory, [offset])).location = _location(op, accessed)
        erase(op)


def _location(op: Operation, accessed: SSAValue) -> LocationAttr:
    """That of the op, with its view: faults name the coordinate there. One that begins further on has none to name."""
    plain = not isinstance(accessed.type, BufferType) or len(accessed.type.shape) < 2 or bool(offsets(accessed))
    return op.location if plain else through(op.location, accessed.type)


def _assert_reads(op: AddressOp, accessed: SSAValue, ranges: Ranges) -> None:
    for copy in sized_copies(op):
        _assert_read(copy, op, accessed, ranges)


def _assert_read(copy: CpAsyncOp, op: AddressOp, accessed: SSAValue, ranges: Ranges) -> None:
    """Of what the copy reads: where its size is 0, the address may lie anywhere."""
    builder, size = Builder(InsertPoint.before(copy)), copy.size
    assert size is not None, "it has a size"
    index = IndexBuilder(builder, ranges)
    for axis, (coordinate, extent) in enumerate(zip(op.indices, cast(BufferType, accessed.type).shape, strict=True)):
        if not ranges.within(coordinate, 0, extent):
            none = index.value(0)
            some = builder.insert(arith.CmpiOp(size, none, "ne")).result
            read = builder.insert(arith.SelectOp(some, coordinate, none)).result
            assert_within(index, read, accessed, axis, extent, op)


def _offset(op: Operation, accessed: SSAValue, indices: Sequence[SSAValue], ranges: Ranges | None) -> SSAValue:
    """Where the element lies, worked out before the op.

    By the ranges: a coordinate that is not known to lie inside is asserted to; without them it may lie anywhere.
    """
    builder = Builder(InsertPoint.before(op))
    index = IndexBuilder(builder)
    buffer = cast(BufferType, accessed.type)
    checked = zip(indices, buffer.shape, strict=True) if ranges is not None else ()
    for axis, (coordinate, extent) in enumerate(checked):
        assert_within(IndexBuilder(builder, ranges), coordinate, accessed, axis, extent, op)
    try:
        found = offset_of(index, buffer.layout, buffer.shape, list(indices))
        for offset in offsets(accessed):
            found = index.add(found, offset)
        return index.value(found)
    except LayoutError as error:
        raise CompileError(f"{accessed.name_hint}: {error}\n{place(op)}".rstrip()) from error
