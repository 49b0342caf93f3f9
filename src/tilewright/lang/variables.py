"""Variables: `x: T.int32 = 0` is a register of the thread, `x: T.float32[4]` as many, read and assigned by name."""

from __future__ import annotations

import ast

from xdsl.ir import SSAValue

from tilewright.dtypes import DTYPES, dtype
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.ops import LoadOp, StoreOp
from tilewright.ir.tile.types import BufferType
from tilewright.lang.buffers import alloc_buffer, alloc_local, alloc_shared
from tilewright.lang.expressions import as_element, is_element
from tilewright.lang.names import Name, let
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Handlers, Tracer
from tilewright.lang.values import Scalar, Value, buffer_type, is_index, number_of, show


def fitting(t: Tracer, value: Value, kind: BufferType) -> SSAValue:
    """The value as an element of such a buffer.

    Raises:
        KernelError: it is of another type.
    """
    if is_element(value):
        if value.type != kind.element:
            raise KernelError(
                f"a value of type {element_dtype(value.type)} into a buffer of {kind.dtype}; "
                f"write T.cast(value, {str(kind.dtype)!r})"
            )
        return value
    if is_index(value) and isinstance(value, SSAValue):
        return as_element(t, value, kind.dtype)
    if type(value) in (int, float, bool):
        return t.elements.constant(number_of(value), kind.dtype)
    raise KernelError(f"cannot store {show(value)}")


def assign(t: Tracer, variable: Scalar, value: Value) -> None:
    """The variable takes the value."""
    made = fitting(t, value, buffer_type(variable.buffer))
    t.insert(StoreOp(made, variable.buffer, [t.index.value(0)]))


def _local_scalar(t: Tracer, dtype: Value = "float32") -> Scalar:
    return Scalar(alloc_local(t, (1,), dtype))


def _shared_scalar(t: Tracer, dtype: Value = "float32") -> Scalar:
    return Scalar(alloc_shared(t, (1,), dtype))


def _alloc_scalar(t: Tracer, dtype: Value = "float32", scope: Value = "local") -> Scalar:
    return Scalar(alloc_buffer(t, (1,), dtype, scope))


def _declare(t: Tracer, node: ast.AnnAssign) -> None:
    if not isinstance(node.target, ast.Name):
        raise KernelError("a declaration names a variable, x: T.int32 = 0")
    name, kind = node.target.id, t.visit(node.annotation) if not isinstance(node.annotation, ast.Subscript) else None
    if kind == let or (isinstance(node.annotation, ast.Subscript) and t.visit(node.annotation.value) == let):
        return _named(t, name, node)
    if isinstance(node.annotation, ast.Subscript):
        return _array(t, name, node.annotation, node.value)
    if not isinstance(kind, Name) or kind.path not in DTYPES:
        raise KernelError(f"{name!r} is declared with the type of a number, such as T.int32, got {show(kind)}")
    value = None if node.value is None else t.visit(node.value)
    variable = _local_scalar(t, dtype(kind.path))
    variable.buffer.name_hint = name
    t.scopes.bind(name, variable)
    return None if node.value is None else assign(t, variable, value)


def _named(t: Tracer, name: str, node: ast.AnnAssign) -> None:
    """`x: T.let = value`, or `x: T.let[T.int32] = value`, which is of that type."""
    if node.value is None:
        raise KernelError(f"{name!r} names a value: {name}: T.let = value")
    value = t.visit(node.value)
    if isinstance(node.annotation, ast.Subscript):
        kind = t.visit(node.annotation.slice)
        if not isinstance(kind, Name) or kind.path not in DTYPES:
            raise KernelError(f"T.let[..] names the type of a number, got {show(kind)}")
        value = as_element(t, value, dtype(kind.path))
    t.scopes.bind(name, value)


def _array(t: Tracer, name: str, node: ast.Subscript, value: ast.expr | None) -> None:
    kind, size = t.visit(node.value), t.visit(node.slice)
    if not isinstance(kind, Name) or kind.path not in DTYPES or value is not None:
        raise KernelError("registers are declared by their type and number, x: T.float32[4], without a value")
    made = alloc_local(t, size if isinstance(size, tuple) else (size,), dtype(kind.path))
    made.name_hint = name
    t.scopes.bind(name, made)


def _name(t: Tracer, node: ast.Name) -> Value:
    variable = t.scopes.scalar(node.id)
    if variable is None:
        return t.scopes.look_up(node.id)
    return t.insert(LoadOp(variable.buffer, [t.index.value(0)])).results[0]


VARIABLES: Handlers = {ast.Name: _name, ast.AnnAssign: _declare}
SCALARS = (
    Function("local_scalar", _local_scalar, "A register that is read and assigned by its name."),
    Function("shared_scalar", _shared_scalar, "A number of the block, read and assigned by its name."),
    Function("alloc_scalar", _alloc_scalar, "One or the other, as the scope says."),
)
