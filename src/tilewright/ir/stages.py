"""Stages as data: which ops a module of a stage may hold, and which types its values may have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.dialects import builtin, cf, func, gpu, math, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.functions import FUNCTION_OF
from tilewright.ir.core.location import place
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.core.walk import operations
from tilewright.ir.mlir.arith import ARITH
from tilewright.ir.tile import ops as tile
from tilewright.ir.tile import printing, together
from tilewright.ir.tile.address import AddressOp, AddressType
from tilewright.ir.tile.among import AMONG
from tilewright.ir.tile.asynchronous import ASYNCHRONOUS
from tilewright.ir.tile.atomic_vectors import VECTORS
from tilewright.ir.tile.atoms import ATOM_OPS
from tilewright.ir.tile.bits import BITS_OPS
from tilewright.ir.tile.bulk import TensorMapType
from tilewright.ir.tile.cluster import CLUSTER_OPS
from tilewright.ir.tile.descriptors import MatrixDescriptorOp
from tilewright.ir.tile.ordered import ORDERED
from tilewright.ir.tile.pairs import PairOp
from tilewright.ir.tile.remote import RemoteOp
from tilewright.ir.tile.scaled import ScaledMmaOp
from tilewright.ir.tile.sparse import SPARSE_OPS
from tilewright.ir.tile.tcgen05 import TCGEN05_OPS
from tilewright.ir.tile.tmem import TMEM_OPS
from tilewright.ir.tile.types import BufferType, RegionType
from tilewright.ir.tile.wgmma import WGMMA_OPS

_FLAT_OPS: frozenset[type[Operation]] = frozenset(
    {
        ModuleOp,
        builtin.UnrealizedConversionCastOp,
        func.FuncOp,
        func.ReturnOp,
        *ARITH.operations,
        *(scf.ForOp, scf.IfOp, scf.WhileOp, scf.ConditionOp, scf.YieldOp),
        *(memref.AllocaOp, memref.LoadOp, memref.StoreOp),
        *(gpu.ThreadIdOp, gpu.BlockIdOp, gpu.BlockDimOp, gpu.GridDimOp),
        *(cf.AssertOp, math.FmaOp),
        *FUNCTION_OF,
        *BITS_OPS,
        *(NarrowOp, PairOp),
        *VECTORS,
        *(LookupOp, tile.AtomicOp, *ATOM_OPS, *together.TOGETHER, *printing.PRINTING),
        *AMONG,
        *(AddressOp, RemoteOp, MatrixDescriptorOp, *ASYNCHRONOUS, *CLUSTER_OPS),
        *(*ORDERED, ScaledMmaOp, *SPARSE_OPS, *WGMMA_OPS, *TMEM_OPS, *TCGEN05_OPS),
    }
)
_FLAT_TYPES: frozenset[type[Attribute]] = frozenset(
    {
        builtin.IndexType,
        builtin.IntegerType,
        builtin.MemRefType,
        builtin.VectorType,
        builtin.ComplexType,
        *(AddressType, TensorMapType),
        *(builtin.Float64Type, builtin.Float32Type, builtin.FloatTF32Type, builtin.Float16Type, builtin.BFloat16Type),
        *(builtin.Float8E4M3FNType, builtin.Float8E5M2Type, builtin.Float8E4M3FNUZType, builtin.Float8E5M2FNUZType),
        *(builtin.Float8E4M3Type, builtin.Float8E4M3B11FNUZType),
        *(builtin.Float8E8M0FNUType, builtin.Float6E2M3FNType, builtin.Float6E3M2FNType, builtin.Float4E2M1FNType),
    }
)
_BUFFER_OPS: frozenset[type[Operation]] = frozenset(
    {tile.MatchBufferOp, tile.AllocBufferOp, tile.StorageOp, tile.LoadOp, tile.StoreOp}
)
_REGION_OPS: frozenset[type[Operation]] = frozenset(
    {tile.RegionOp, *(op for op in tile.TILE.operations if issubclass(op, tile.PrimitiveOp))}
)


@dataclass(frozen=True)
class Stage:
    """A stage of the pipeline, by what is legal there."""

    name: str
    ops: frozenset[type[Operation]]
    types: frozenset[type[Attribute]]

    def check(self, module: ModuleOp) -> None:
        """A look into the sets for each op and each type of a value.

        Raises:
            CompileError: something is not legal at this stage; names the first such op.
        """
        for op in operations(module):
            if type(op) not in self.ops:
                raise CompileError(f"{op.name} has no place at stage {self.name}\n{place(op)}".rstrip())
            for value in (*op.results, *_arguments(op)):
                if type(value.type) not in self.types:
                    message = f"a value of type {value.type} has no place at stage {self.name}: {op.name} has one"
                    raise CompileError(f"{message}\n{place(op)}".rstrip())


def _arguments(op: Operation) -> list[SSAValue]:
    blocks: list[Block] = [block for region in op.regions for block in region.blocks]
    return [argument for block in blocks for argument in block.args]


STAGES: Mapping[str, Stage] = MappingProxyType(
    {
        stage.name: stage
        for stage in (
            Stage("tile", _FLAT_OPS | _BUFFER_OPS | _REGION_OPS, _FLAT_TYPES | {BufferType, RegionType}),
            Stage("dispatched", _FLAT_OPS | _BUFFER_OPS, _FLAT_TYPES | {BufferType}),
            Stage("lowered", _FLAT_OPS, _FLAT_TYPES),
            Stage("final", _FLAT_OPS, _FLAT_TYPES),
        )
    }
)
