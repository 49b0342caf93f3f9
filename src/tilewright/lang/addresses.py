"""Where an element lies: `T.address_of(buffer[i, j])`, or `buffer.ptr_to([i, j])`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.lang.places import element_at
from tilewright.lang.regions import coordinate
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Opaque, is_buffer, show


@dataclass(frozen=True)
class Address(Opaque):
    """The address of an element of a buffer."""

    buffer: SSAValue
    indices: tuple[SSAValue, ...]

    def __repr__(self) -> str:
        return f"an address in {self.buffer.name_hint or 'a buffer'}"


@dataclass(frozen=True)
class TensorMapParameter(Opaque):
    """A parameter with the annotation `T.TensorMap()`; its address stands for it."""

    map: SSAValue


@dataclass(frozen=True)
class PointerTo(Opaque):
    """`buffer.ptr_to`, which takes the list of an element's indices."""

    buffer: SSAValue


@dataclass(frozen=True)
class VectorLoad(Opaque):
    """`buffer.vload`, which takes the indices of the first element and a type such as `"float32x4"`."""

    buffer: SSAValue


@dataclass(frozen=True)
class VectorStore(Opaque):
    """`buffer.vstore`, which takes the indices of the first element and what `vload` gives, or an element."""

    buffer: SSAValue


@dataclass(frozen=True)
class ViewOf(Opaque):
    """`buffer.view`, which takes a shape or a type."""

    buffer: SSAValue


def address_of(t: Tracer, element: ast.expr) -> Address | TensorMapParameter:
    """The address of an element; the element itself is not read. What is an address already stays as it is.

    Raises:
        KernelError: something else than `buffer[i, j]`.
    """
    if not isinstance(element, ast.Subscript):
        found = t.visit(element)
        if isinstance(found, Address | TensorMapParameter):
            return found
        variable = element_at(t, found)
        if variable is not None:
            return Address(*variable)
        raise KernelError("T.address_of takes an element, such as T.address_of(buffer[i, j])")
    buffer = t.visit(element.value)
    if not is_buffer(buffer):
        raise KernelError(f"T.address_of takes an element of a buffer, got one of {show(buffer)}")
    items = element.slice.elts if isinstance(element.slice, ast.Tuple) else [element.slice]
    return _address(t, "T.address_of", buffer, items)


def pointer_to(t: Tracer, pointer: PointerTo, node: ast.Call) -> Address:
    """The address that `buffer.ptr_to([i, j])` is.

    Raises:
        KernelError: something else than a list of indices.
    """
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.List | ast.Tuple):
        raise KernelError("ptr_to takes the list of an element's indices, such as buffer.ptr_to([i, j])")
    return _address(t, "ptr_to", pointer.buffer, node.args[0].elts)


def _address(t: Tracer, name: str, buffer: SSAValue, items: Sequence[ast.expr]) -> Address:
    if any(isinstance(item, ast.Slice) for item in items):
        raise KernelError(f"{name} takes one element, not a region")
    return Address(buffer, tuple(coordinate(t, buffer, items)))


ADDRESSES = (Function("address_of", address_of, "The address of an element, `T.address_of(buffer[i, j])`.", lazy=True),)
