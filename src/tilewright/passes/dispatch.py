"""`dispatch`: every tile primitive becomes what its variant's plan emits."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tilewright.ir.attributes import BLOCK, GRID
from tilewright.ir.dependence import depends_on, reached_by
from tilewright.ir.location import place
from tilewright.ir.rewrite import erase
from tilewright.ir.tile import PrimitiveOp, RegionOp, root
from tilewright.passes.context import Context
from tilewright.variants.call import Call, Operand
from tilewright.variants.choose import choose
from tilewright.variants.emitter import Emitter


def dispatch(module: ModuleOp, context: Context) -> None:
    """Replaces the primitives, in the order of the program, and drops the regions that only they used.

    Raises:
        DispatchError: no variant accepts a call.
    """
    for op in [op for op in module.walk() if isinstance(op, PrimitiveOp)]:
        only = op.variant.data if op.variant else None
        variant, plan = choose(describe(op, context.lanes), context.variants, only, place(op))
        context.plans.append(plan)
        regions = op.regions_used
        variant.emit(plan, Emitter(op))
        erase(op)
        for region in dict.fromkeys(regions):
            if region.result.first_use is None:
                erase(region)


def describe(op: PrimitiveOp, lanes: int) -> Call:
    """The call that a variant is asked about."""
    func = _function(op)
    grid, block = _launch(func, GRID), _launch(func, BLOCK)
    operands = tuple(map(_operand, op.regions_used))
    return Call(op.primitive, op.scope.data, operands, grid, block, lanes, reached_by(op))


def _launch(func: FuncOp, name: str) -> tuple[int, ...]:
    return tuple(cast("DenseArrayBase[IntegerType]", func.attributes[name]).get_values())


def _operand(region: RegionOp) -> Operand:
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
        varies=depends_on((*region.dynamic_starts, *region.dynamic_extents)),
    )


def _function(op: Operation) -> FuncOp:
    parent = op.parent_op()
    while not isinstance(parent, FuncOp):
        assert parent is not None, "a tile primitive lies in a function"
        parent = parent.parent_op()
    return parent
