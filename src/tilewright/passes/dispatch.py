"""`dispatch`: every tile primitive becomes what its variant's plan emits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import BLOCK, GRID
from tilewright.ir.core.bounds import assert_within
from tilewright.ir.core.dependence import depends_on, reached_by
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.location import place
from tilewright.ir.core.ranges import Index, TightRanges
from tilewright.ir.core.rewrite import erase
from tilewright.ir.core.walk import of_kinds
from tilewright.ir.tile.ops import PrimitiveOp, RegionOp, root
from tilewright.variants.call import Call, Operand, Plan, Variant
from tilewright.variants.choose import choose
from tilewright.variants.emitter import Emitter


@dataclass(frozen=True)
class Dispatch(ModulePass):
    """Replaces the primitives, in the order of the program, and drops the regions that only they used.

    Where it is not proved that a region lies in its buffer, an assertion says so.

    Attributes:
        lanes: of a warp of the target.
        variants: the user's own, beside the built-in ones; no option of a command line.
        plans: what was decided, in the order of the calls.

    Raises:
        DispatchError: no variant accepts a call.
        CompileError: a call in a function that does not say how it is launched.
    """

    name = "dispatch"
    lanes: int = 32
    variants: tuple[Variant, ...] = ()
    plans: list[Plan] = field(default_factory=list, init=False, compare=False)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        for primitive in of_kinds(op, PrimitiveOp):
            self._replace(primitive)

    def _replace(self, op: PrimitiveOp) -> None:
        only = op.variant.data if op.variant else None
        variant, plan = choose(describe(op, self.lanes), self.variants, only, place(op))
        self.plans.append(plan)
        regions = op.regions_used
        for region in regions:
            _assert_inside(op, region)
        variant.emit(plan, Emitter(op))
        erase(op)
        for region in dict.fromkeys(regions):
            if region.result.first_use is None:
                erase(region)


def _assert_inside(op: PrimitiveOp, region: RegionOp) -> None:
    """The first and the last coordinate of every dimension lie within it, where the region has any."""
    ranges, builder = TightRanges(), Builder(InsertPoint.before(op))
    for axis, (start, extent) in enumerate(zip(region.starts, region.extents, strict=True)):
        size = region.buffer_type.shape[axis]
        last: list[tuple[Index, int]] = [(start, 1), (extent, 1), (-1, 1)]
        if ranges.within(start, 0, size) and ranges.sum_within(last, 0, size):
            continue
        index = IndexBuilder(builder if isinstance(extent, int) else _where_positive(builder, extent), ranges)
        for coordinate in dict.fromkeys((start, index.sum_of(last))):
            assert_within(index, coordinate, region.buffer, axis, size, op)


def _where_positive(builder: Builder, extent: SSAValue) -> Builder:
    condition = builder.insert(arith.CmpiOp(IndexBuilder(builder).value(0), extent, "slt")).result
    made = builder.insert(scf.IfOp(condition, [], [scf.YieldOp()]))
    return Builder(InsertPoint.at_start(made.true_region.block))


def describe(op: PrimitiveOp, lanes: int) -> Call:
    """The call that a variant is asked about."""
    func = _function(op)
    grid, block = _launch(func, GRID), _launch(func, BLOCK)
    operands = tuple(_operand(region, lanes) for region in op.regions_used)
    return Call(op.primitive, op.scope.data, operands, grid, block, lanes, reached_by(op, lanes))


def _launch(func: FuncOp, name: str) -> tuple[int, ...]:
    found = func.attributes.get(name)
    if not isinstance(found, DenseArrayBase):
        raise CompileError(f"the function {func.sym_name.data!r} has no {name}\n{place(func)}".rstrip())
    return tuple(cast("DenseArrayBase[IntegerType]", found).get_values())


def _operand(region: RegionOp, lanes: int) -> Operand:
    buffer = region.buffer_type
    return Operand(
        name=region.buffer.name_hint or "buffer",
        dtype=buffer.dtype,
        shape=buffer.shape,
        layout=buffer.layout,
        starts=tuple(start if isinstance(start, int) else None for start in region.starts),
        extents=region.result.type.shape,
        scope=buffer.scope,
        memory=id(root(region.buffer)),
        varies=depends_on((*region.dynamic_starts, *region.dynamic_extents), lanes),
    )


def _function(op: Operation) -> FuncOp:
    parent = op.parent_op()
    while not isinstance(parent, FuncOp):
        assert parent is not None, "a tile primitive lies in a function"
        parent = parent.parent_op()
    return parent
