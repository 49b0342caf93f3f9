"""`lower-buffers`: buffers become flat memory, coordinates become offsets, bounds that are not proved assertions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError, LayoutError
from tilewright.ir.core.bounds import assert_within
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.location import place
from tilewright.ir.core.ranges import Ranges, TightRanges
from tilewright.ir.core.rewrite import erase, replace
from tilewright.ir.memory import offset_of
from tilewright.ir.tile.address import AddressOp
from tilewright.ir.tile.ops import (
    AllocBufferOp,
    AtomicOp,
    LoadOp,
    MatchBufferOp,
    RegionOp,
    StorageOp,
    StoreOp,
    storage_type,
)
from tilewright.ir.tile.printing import InspectOp
from tilewright.ir.tile.types import BufferType


@dataclass(frozen=True)
class LowerBuffers(ModulePass):
    """Leaves no `!tile.buffer`: views become their arguments, allocations `memref.alloca`, elements flat accesses.

    Raises:
        CompileError: an element is accessed through a layout that is no memory, or a region is left.
    """

    name = "lower-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        memories: dict[SSAValue, SSAValue] = {}
        ranges = TightRanges()
        for inner in list(op.walk()):
            _lower(inner, memories, ranges)
        for buffer in memories:
            erase(cast(Operation, buffer.owner))


def _lower(op: Operation, memories: dict[SSAValue, SSAValue], ranges: Ranges) -> None:
    if isinstance(op, RegionOp):
        raise CompileError(f"regions are lowered with their primitives; run `dispatch` first\n{place(op)}".rstrip())
    if isinstance(op, MatchBufferOp):
        memories[op.result] = _viewed(op)
    elif isinstance(op, AllocBufferOp):
        memories[op.result] = _allocated(op)
    elif isinstance(op, StorageOp):
        replace(op, memories[op.buffer])
    elif isinstance(op, LoadOp | StoreOp):
        _access(op, op.buffer, memories[op.buffer], ranges)
    elif isinstance(op, InspectOp) and op.memory in memories:
        op.operands[0] = memories[op.memory]
    elif isinstance(op, AtomicOp | AddressOp) and isinstance(op.memory.type, BufferType):
        _access(op, op.memory, memories[op.memory], ranges)


def _viewed(op: MatchBufferOp) -> SSAValue:
    # An argument takes the name under which the kernel uses it; of two views, the first's.
    views = [use.operation.result for use in op.source.uses if isinstance(use.operation, MatchBufferOp)]
    if isinstance(op.source, BlockArgument) and op.source.name_hint not in [view.name_hint for view in views]:
        op.source.name_hint = op.result.name_hint
    return op.source


def _allocated(op: AllocBufferOp) -> SSAValue:
    made = memref.AllocaOp(operands=[[], []], result_types=[storage_type(op.result)])
    made.attributes.update(op.attributes)
    made.location = op.location
    Builder(InsertPoint.before(op)).insert(made)
    made.memref.name_hint = op.result.name_hint
    return made.memref


def _access(op: LoadOp | StoreOp | AtomicOp | AddressOp, accessed: SSAValue, memory: SSAValue, ranges: Ranges) -> None:
    builder = Builder(InsertPoint.before(op))
    index = IndexBuilder(builder)
    buffer = cast(BufferType, accessed.type)
    for axis, (coordinate, extent) in enumerate(zip(op.indices, buffer.shape, strict=True)):
        assert_within(IndexBuilder(builder, ranges), coordinate, accessed, axis, extent, op)
    try:
        offset = index.value(offset_of(index, buffer.layout, buffer.shape, list(op.indices)))
    except LayoutError as error:
        raise CompileError(f"{accessed.name_hint}: {error}\n{place(op)}".rstrip()) from error
    if isinstance(op, LoadOp):
        loaded = builder.insert(memref.LoadOp.get(memory, [offset]))
        loaded.location = op.location
        replace(op, loaded.res)
    elif isinstance(op, AddressOp):
        found = builder.insert(AddressOp(memory, [offset]))
        found.location = op.location
        replace(op, found.result)
    elif isinstance(op, AtomicOp):
        changed = builder.insert(AtomicOp(op.kind.data, op.value, memory, [offset]))
        changed.location = op.location
        replace(op, changed.result)
    else:
        builder.insert(memref.StoreOp.get(op.value, memory, [offset])).location = op.location
        erase(op)
