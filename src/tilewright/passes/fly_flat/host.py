"""Launches of flat kernels: the host function takes what it gives them apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.dialects import arith, gpu
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    UnrealizedConversionCastOp,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.dtypes import dtype
from tilewright.ir.core.element_types import ir_type
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.memories import pointer_of
from tilewright.ir.fly.ops import make, result_types
from tilewright.ir.fly.types import MemRef
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout

SEGMENTS = "operandSegmentSizes"
_KERNEL = 11  # the group of operands that the kernel is given
_READERS: Mapping[type, tuple[str, ...]] = {
    Layout: ("get_shape", "get_stride"),
    ComposedLayout: ("composed_get_outer", "composed_get_offset", "composed_get_inner"),
}


def flatten_launches(module: ModuleOp) -> None:
    """Gives every launch the operands of its flat kernel."""
    for op in [inner for inner in module.walk() if isinstance(inner, gpu.LaunchFuncOp)]:
        builder = Builder(InsertPoint.before(op))
        flat = [number for value in op.kernelOperands for number in _flat(builder, value)]
        for number in flat:
            if isinstance(number.owner, Operation):
                number.owner.location = op.location
        _with_operands(op, flat)


def _with_operands(op: gpu.LaunchFuncOp, given: list[SSAValue]) -> None:
    sizes = [int(size) for size in cast("DenseArrayBase[Any]", op.properties[SEGMENTS]).get_values()]
    start = sum(sizes[:_KERNEL])
    op.operands = [*op.operands[:start], *given, *op.operands[start + sizes[_KERNEL] :]]
    sizes[_KERNEL] = len(given)
    op.properties[SEGMENTS] = DenseArrayBase.from_list(i32, sizes)


def _flat(builder: Builder, value: SSAValue) -> Iterator[SSAValue]:
    kind, pointer = value.type, pointer_of(value.type)
    if isinstance(kind, IndexType):
        yield builder.insert(arith.IndexCastOp(value, i64)).result
    elif not isinstance(kind, FlyType):
        yield value
    elif pointer is None:
        yield from _leaves(builder, value)
    else:
        is_view = isinstance(kind.value, MemRef)
        at = builder.insert(make("get_iter", [value])).results[0] if is_view else value
        memory = MemRefType(ir_type(dtype(pointer.element)), [DYNAMIC_INDEX])
        yield builder.insert(UnrealizedConversionCastOp.get([at], [memory])).results[0]
        if is_view and run_time_leaves(kind.value):
            yield from _leaves(builder, builder.insert(make("get_layout", [value])).results[0])


def _leaves(builder: Builder, value: SSAValue) -> Iterator[SSAValue]:
    assert isinstance(value.type, FlyType)
    leaves = run_time_leaves(value.type.value)
    readers = _READERS.get(type(value.type.value), ())
    for name in readers if leaves else ():
        (kind,) = result_types(name, [value.type], {})
        if isinstance(kind, FlyType) and run_time_leaves(kind.value):
            yield from _leaves(builder, builder.insert(make(name, [value], results=[kind])).results[0])
    if leaves and not readers:
        kinds = [IntegerType(leaf.width) for leaf in leaves]
        yield from builder.insert(make("get_leaves", [value], {"dynamicOnly": True}, kinds)).results
