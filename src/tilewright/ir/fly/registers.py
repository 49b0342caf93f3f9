"""Register memory as values: which views are one run of registers, and the type of a value that holds them."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from tilewright.dtypes import dtype
from tilewright.ir.core.element_types import ir_type
from tilewright.ir.fly.dialect_types import MemRefType, PointerType
from tilewright.ir.fly.normal_form import canonical
from tilewright.ir.fly.ops import is_fly
from tilewright.ir.fly.types import MemRef, Pointer
from tilewright.ir.fly.unguarded import algebra
from tilewright.ir.mlir.vector import vector_of
from tilewright.layout.layout import Layout

REGISTER = "register"
# Narrow floats that LLVM has no type for travel as integers of their width.
_NARROW = ("f8", "f6", "f4")


def is_register(type: Attribute) -> bool:
    """Is it a pointer to registers, or a view of them?"""
    kind = type.__class__
    if kind is PointerType:
        return cast("PointerType", type).value.space == REGISTER
    return kind is MemRefType and cast("MemRefType", type).value.pointer.space == REGISTER


def run_of(view: MemRef) -> int | None:
    """How many registers a view is, if it is registers that lie side by side, in their order.

    >>> from tilewright.ir.fly.type_reader import read
    >>> run_of(read("!fly.memref<f16, register, (4,1):(1,0)>")), run_of(read("!fly.memref<f16, register, (4,2):(1,8)>"))
    (4, None)
    """
    layout = view.layout
    if view.pointer.space != REGISTER or view.pointer.swizzle or not isinstance(layout, Layout) or not layout.is_static:
        return None
    run = canonical(algebra.coalesce(layout))
    if isinstance(run.shape, tuple) or (run.stride != 1 and run.shape != 1):
        return None
    return int(run.shape)


def storage_element(pointer: Pointer) -> Attribute:
    """The type in which LLVM holds an element."""
    if pointer.element.startswith(_NARROW):
        return IntegerType(pointer.bits)
    return ir_type(dtype(pointer.element))


def value_type(view: MemRef, count: int) -> Attribute:
    """The type of the value of a run: a vector, or the element itself where there is one.

    >>> from tilewright.ir.fly.type_reader import read
    >>> print(value_type(read("!fly.memref<f8E4M3FN, register, 8:1>"), 8))
    vector<8xi8>
    """
    element = storage_element(view.pointer)
    return element if count == 1 else vector_of(element, count)


def defining(value: SSAValue, name: str) -> Operation | None:
    """The fly op of that name that gives the value, if one does."""
    owner = value.owner if isinstance(value, OpResult) else None
    return owner if is_fly(owner) and owner.short == name else None
