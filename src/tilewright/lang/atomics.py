"""Atomic changes of an element of memory, which is given by its address."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.types import LOCAL
from tilewright.lang.expressions import as_element, is_element
from tilewright.lang.names import ATOMIC_NAMES
from tilewright.lang.regions import coordinate
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_buffer, show


@dataclass(frozen=True)
class Address:
    """Where an element lies: `T.address_of(buffer[i, j])`."""

    buffer: SSAValue
    indices: tuple[SSAValue, ...]


def address_of(t: Tracer, node: ast.Call) -> Address:
    """The address of an element; the element itself is not read.

    Raises:
        KernelError: something else than `buffer[i, j]`.
    """
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.Subscript):
        raise KernelError("T.address_of takes an element, such as T.address_of(buffer[i, j])")
    element = node.args[0]
    buffer = t.visit(element.value)
    if not is_buffer(buffer):
        raise KernelError(f"T.address_of takes an element of a buffer, got one of {show(buffer)}")
    items = element.slice.elts if isinstance(element.slice, ast.Tuple) else [element.slice]
    if any(isinstance(item, ast.Slice) for item in items):
        raise KernelError("T.address_of takes one element, not a region")
    return Address(buffer, tuple(coordinate(t, buffer, items)))


def _atomic(kind: str, name: str) -> Callable[..., SSAValue]:
    def handler(t: Tracer, res_addr: Value, value: Value) -> SSAValue:
        if not isinstance(res_addr, Address):
            raise KernelError(f"{name} takes an address, such as T.address_of(buffer[i]), got {show(res_addr)}")
        described = buffer_type(res_addr.buffer)
        if described.scope == LOCAL:
            raise KernelError(f"{name} is for global and shared memory; registers are one thread's own")
        given = value if is_element(value) else as_element(t, value, described.dtype)
        if given.type != described.element:
            message = f"{name} of a {element_dtype(given.type)} in memory of {described.dtype}"
            raise KernelError(f"{message}; write T.cast(value, {str(described.dtype)!r})")
        return t.insert(AtomicOp(kind, given, res_addr.buffer, res_addr.indices)).results[0]

    return handler


ATOMIC_CALLS: Mapping[str, Callable[..., SSAValue]] = {
    f"cuda.{name}": _atomic(kind, f"T.cuda.{name}") for name, kind in ATOMIC_NAMES.items()
}
