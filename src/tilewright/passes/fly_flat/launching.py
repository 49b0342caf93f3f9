"""A flat kernel for a launch: the one function of a module, as `T`'s kernels are at stage `final`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import Rewriter

from tilewright.ir.core.attributes import BLOCK, GRID, OFFSET, POOL
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.uncollected import uncollected
from tilewright.passes.cse import Cse
from tilewright.passes.dce import Dce
from tilewright.passes.fly_flat.widened import widen
from tilewright.passes.simplify import Simplify

Extents: TypeAlias = "tuple[int, int, int]"
_CONTEXT = Context()  # our passes make ops of the dialects that they import, and look nothing up


def kernel(
    func: gpu.FuncOp,
    block: Extents | None,
    grid: Extents | None = None,
    sizes: Sequence[int | None] | None = None,
    shared: int | None = None,
    numbers: Sequence[int | None] | None = None,
) -> ModuleOp:
    """The module of a flat kernel alone, with what is known of its launch.

    Args:
        block, grid: threads of a block and blocks, where they are known.
        sizes: of each parameter that is memory the elements, where they are known.
        shared: bytes of shared memory that the launch sets aside.
        numbers: of each parameter that is a number its value, where that is to be a constant.
    """
    with uncollected():
        made = FuncOp(func.sym_name.data, ((), ()), func.body.clone())
        made.location = func.location
        for key, extents in ((GRID, grid), (BLOCK, block or _known(func))):
            if extents is not None:
                made.attributes[key] = DenseArrayBase.from_list(i64, extents)
        _sized(made, sizes or [])
        _settled(made, numbers or [])
        _pooled(made, shared)
        asked = {gpu.BlockDimOp: block or _known(func), gpu.GridDimOp: grid}
        for op in list(made.walk()):
            if isinstance(op, gpu.ReturnOp):
                end = ReturnOp()
                end.location = op.location
                Rewriter.replace_op(op, end)
            elif isinstance(op, gpu.BlockDimOp | gpu.GridDimOp) and (known := asked[type(op)]) is not None:
                _constant(op, known["xyz".index(op.dimension.data)])
        made.properties["function_type"] = FunctionType.from_lists([x.type for x in made.body.block.args], [])
        module = ModuleOp([made])
        widen(made)
        for step in (Simplify(), Cse(), Dce(faults=False)):
            step.apply(_CONTEXT, module)
    return module


def _known(func: gpu.FuncOp) -> Extents | None:
    found = func.attributes.get("known_block_size", func.attributes.get("gpu.known_block_size"))
    if not isinstance(found, DenseArrayBase):
        return None
    x, y, z = (int(extent) for extent in found.get_values())
    return x, y, z


def _sized(func: FuncOp, sizes: Sequence[int | None]) -> None:
    for argument, size in zip(func.body.block.args, sizes, strict=False):
        if size is not None and isinstance(argument.type, MemRefType):
            kind = cast("MemRefType[Attribute]", argument.type)
            Rewriter.replace_value_with_new_type(
                argument, MemRefType(kind.element_type, [size], kind.layout, kind.memory_space)
            )


def _settled(func: FuncOp, numbers: Sequence[int | None]) -> None:
    """Parameters whose value is known stay, and nobody reads them."""
    first = func.body.block.first_op
    assert first is not None
    for argument, number in zip(func.body.block.args, numbers, strict=False):
        if number is not None:
            assert isinstance(argument.type, IntegerType)
            made = arith.ConstantOp(IntegerAttr(number, argument.type))
            func.body.block.insert_op_before(made, first)
            argument.replace_all_uses_with(made.result)


def _pooled(func: FuncOp, shared: int | None) -> None:
    """The pool is as large as the launch says; all that lies there reaches to its end."""
    pooled = [op for op in func.walk() if isinstance(op, memref.AllocaOp) and OFFSET in op.attributes]
    if not pooled:
        return
    for op in pooled:
        kind = op.memref.type
        bits = element_dtype(kind.element_type).bits
        size = kind.get_shape()[0] if shared is None else max(1, 8 * shared // bits)
        new = MemRefType(kind.element_type, [size], kind.layout, kind.memory_space)
        Rewriter.replace_value_with_new_type(op.memref, new)
        func.attributes[POOL] = IntegerAttr(size * bits // 8, i64)


def _constant(op: Operation, value: int) -> None:
    made = arith.ConstantOp(IntegerAttr(value, IndexType()))
    Rewriter.replace_op(op, made)
