"""What a variant emits with: index arithmetic, memory, registers, loops and synchronisation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from xdsl.builder import Builder
from xdsl.dialects import gpu, memref, scf
from xdsl.dialects.builtin import MemRefType, StringAttr, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.dtypes import DType
from tilewright.ir.attributes import UNROLL
from tilewright.ir.dependence import WARP
from tilewright.ir.index import IndexBuilder
from tilewright.ir.layouts import offset_of
from tilewright.ir.ranges import Index
from tilewright.ir.tile import PrimitiveOp, RegionOp, StorageOp, SyncOp
from tilewright.ir.types import LOCAL, ir_type

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

    def registers(self, count: int, element: DType, name: str) -> SSAValue:
        """`count` registers of the thread."""
        kind = MemRefType(ir_type(element), [count], memory_space=StringAttr(LOCAL))
        made = self.builder.insert(memref.AllocaOp(operands=[[], []], result_types=[kind])).memref
        made.name_hint = name
        return made

    def load(self, memory: SSAValue, index: Index) -> SSAValue:
        """The element at a flat index."""
        return self.builder.insert(memref.LoadOp.get(memory, [self.index.value(index)])).res

    def store(self, value: SSAValue, memory: SSAValue, index: Index) -> None:
        """Writes the element at a flat index."""
        self.builder.insert(memref.StoreOp.get(value, memory, [self.index.value(index)]))

    def sync(self, scope: str) -> None:
        """The threads of the scope wait for each other."""
        self.builder.insert(SyncOp(scope))

    @contextmanager
    def unroll(self, count: int, name: str) -> Iterator[SSAValue]:
        """A loop over range(count) that the text of the kernel writes out; yields its variable."""
        start, stop, step = map(self.index.value, (0, count, 1))
        body = Block(arg_types=[start.type])
        body.args[0].name_hint = name
        loop = self.builder.insert(scf.ForOp(start, stop, step, [], body))
        loop.attributes[UNROLL] = UnitAttr()
        outside, self.builder.insertion_point = self.builder.insertion_point, InsertPoint.at_end(body)
        yield body.args[0]
        self.builder.insert(scf.YieldOp())
        self.builder.insertion_point = outside
