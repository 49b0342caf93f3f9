"""What a variant emits with: index arithmetic, memory, registers, loops and synchronisation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod

from xdsl.builder import Builder
from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.dtypes import DType
from tilewright.ir.core.attributes import UNROLL
from tilewright.ir.core.dependence import WARP
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.ranges import Index
from tilewright.ir.memory import default_layout, offset_of
from tilewright.ir.tile.ops import AllocBufferOp, LoadOp, PrimitiveOp, RegionOp, StorageOp, StoreOp
from tilewright.ir.tile.together import SyncOp
from tilewright.ir.tile.types import LOCAL, BufferType
from tilewright.tirx.tile_layout import TileLayout

__all__ = ["Emitter", "Index"]


class Emitter:
    """Emits before a call of a tile primitive, on its behalf: what is emitted has the call's place in the source."""

    def __init__(self, call: PrimitiveOp) -> None:
        def placed(op: Operation) -> None:
            op.location = call.location

        self.builder = Builder(InsertPoint.before(call), operation_insertion_handler=[placed])
        self.index = IndexBuilder(self.builder)
        self.regions: Sequence[RegionOp] = call.regions_used
        self._memories = [self.builder.insert(StorageOp(region.buffer)).result for region in self.regions]

    def lane(self) -> Index:
        """The lane of the thread in its warp, in a block of one dimension."""
        thread = self.builder.insert(gpu.ThreadIdOp(gpu.DimensionAttr(gpu.DimensionEnum.X))).result
        thread.name_hint = "tx"
        return self.index.mod(thread, WARP)

    def memory(self, operand: int) -> SSAValue:
        """The flat memory of an operand's buffer."""
        return self._memories[operand]

    def corner(self, operand: int) -> Index:
        """The offset of the first element of an operand's region."""
        region = self.regions[operand]
        buffer = region.buffer_type
        return offset_of(self.index, buffer.layout, buffer.shape, region.starts)

    def place(self, operand: int, element: Index) -> Index:
        """The offset of an element of an operand's region, whose extents are constant, by its row-major number."""
        region = self.regions[operand]
        buffer, coordinate = region.buffer_type, list[Index]()
        if isinstance(buffer.layout, TileLayout) and region.result.type.shape == buffer.shape:
            return offset_of(self.index, buffer.layout.canonicalize(), (prod(buffer.shape),), [element])
        volume = inner = prod(extent for extent in region.result.type.shape if extent is not None)
        for start, extent in zip(region.starts, region.result.type.shape, strict=True):
            assert extent is not None, "run-time extents are rejected first"
            inner //= extent
            digit = self.index.div(element, inner) if extent > 1 else 0
            if inner * extent < volume:  # the first digit is in its range
                digit = self.index.mod(digit, extent)
            coordinate.append(self.index.add(start, digit))
        return offset_of(self.index, buffer.layout, buffer.shape, coordinate)

    def registers(self, count: int, element: DType, name: str) -> SSAValue:
        """`count` registers of the thread."""
        kind = BufferType.of((count,), element, LOCAL, default_layout((count,)))
        made = self.builder.insert(AllocBufferOp(kind)).result
        made.name_hint = name
        return made

    def load(self, memory: SSAValue, index: Index) -> SSAValue:
        """The element at a flat index of memory, or the register of that number."""
        load = LoadOp if isinstance(memory.type, BufferType) else memref.LoadOp.get
        return self.builder.insert(load(memory, [self.index.value(index)])).results[0]

    def store(self, value: SSAValue, memory: SSAValue, index: Index) -> None:
        """Writes the element at a flat index of memory, or the register of that number."""
        store = StoreOp if isinstance(memory.type, BufferType) else memref.StoreOp.get
        self.builder.insert(store(value, memory, [self.index.value(index)]))

    def sync(self, scope: str) -> None:
        """The threads of the scope wait for each other."""
        self.builder.insert(SyncOp(scope))

    @contextmanager
    def only_below(self, index: Index, stop: int) -> Iterator[None]:
        """What follows is for the threads whose index is less than `stop`."""
        less = arith.CmpiOp(self.index.value(index), self.index.value(stop), "slt")
        branch = self.builder.insert(scf.IfOp(self.builder.insert(less).result, [], Region(Block())))
        with self._inside(branch.true_region.block):
            yield

    @contextmanager
    def unroll(self, count: int, name: str) -> Iterator[SSAValue]:
        """A loop over range(count) that the text of the kernel writes out; yields its variable."""
        start, stop, step = map(self.index.value, (0, count, 1))
        body = Block(arg_types=[start.type])
        body.args[0].name_hint = name
        loop = self.builder.insert(scf.ForOp(start, stop, step, [], body))
        loop.attributes[UNROLL] = UnitAttr()
        with self._inside(body):
            yield body.args[0]

    @contextmanager
    def _inside(self, body: Block) -> Iterator[None]:
        outside, self.builder.insertion_point = self.builder.insertion_point, InsertPoint.at_end(body)
        yield
        self.builder.insert(scf.YieldOp())
        self.builder.insertion_point = outside
