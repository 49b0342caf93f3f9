"""Neighbours of a buffer's last dimension as one access: `A.vload([i, j], "float32x4")`, `A.vstore([i, j], value)`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.memory import default_layout
from tilewright.ir.tile.atoms import CopyAtomOp
from tilewright.ir.tile.ops import AllocBufferOp, LoadOp, StoreOp
from tilewright.ir.tile.types import LOCAL, BufferType
from tilewright.lang.addresses import VectorLoad, VectorStore
from tilewright.lang.atoms import insert_atom
from tilewright.lang.regions import coordinate
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_buffer, show
from tilewright.lang.variables import fitting
from tilewright.numerals import natural

WIDTHS = (8, 16, 32, 64, 128)  # bits that one instruction moves


def vload(t: Tracer, access: VectorLoad, begin: ast.expr, dtype: ast.expr | None = None) -> SSAValue:
    """The element, or (of a type with lanes) a local buffer of so many.

    Raises:
        KernelError: another element type, or no vector that one instruction moves.
    """
    spot = coordinate(t, access.buffer, _items(begin, "vload"))
    count = _lanes(access.buffer, None if dtype is None else t.visit(dtype))
    if count == 1:
        return t.insert(LoadOp(access.buffer, spot)).results[0]
    _check(access.buffer, count, "vload")
    made = _registers(t, buffer_type(access.buffer), count)
    name = f"UniversalCopy{count * buffer_type(access.buffer).dtype.bits}b"
    insert_atom(t, CopyAtomOp, name, [("dst", (made, (t.index.value(0),))), ("src", (access.buffer, tuple(spot)))])
    return made


def vstore(t: Tracer, access: VectorStore, begin: ast.expr, value: ast.expr) -> None:
    """The element, or so many from it on, become the value.

    Raises:
        KernelError: another element type, or no vector that one instruction moves.
    """
    given, kind = t.visit(value), buffer_type(access.buffer)
    spot = coordinate(t, access.buffer, _items(begin, "vstore"))
    if not is_buffer(given):
        t.insert(StoreOp(fitting(t, given, kind), access.buffer, spot))
        return
    held = buffer_type(given)
    if held.scope != LOCAL or len(held.shape) != 1 or held.layout != default_layout(held.shape):
        raise KernelError(f"vstore takes what vload gives, a local buffer of one dimension, got {show(given)}")
    if held.element != kind.element:
        raise KernelError(f"vstore of {held.dtype} into a buffer of {kind.dtype}")
    (count,) = held.shape
    _check(access.buffer, count, "vstore")
    name = f"UniversalCopy{count * kind.dtype.bits}b"
    insert_atom(t, CopyAtomOp, name, [("dst", (access.buffer, tuple(spot))), ("src", (given, (t.index.value(0),)))])


def _items(begin: ast.expr, name: str) -> Sequence[ast.expr]:
    items = begin.elts if isinstance(begin, ast.List | ast.Tuple) else [begin]
    if any(isinstance(item, ast.Starred) for item in items):
        raise KernelError(f"{name} takes the indices of the first element one by one, such as [i, j]")
    return items


def _lanes(buffer: SSAValue, kind: Value) -> int:
    """The elements of a type such as `float32x4`, whose element is the buffer's."""
    own = buffer_type(buffer).dtype
    if kind is None:
        return 1
    if not isinstance(kind, str):
        raise KernelError(f"vload takes a type such as '{own}x4', got {show(kind)}")
    name, _, lanes = kind.rpartition("x") if kind != str(own) else (kind, "", "1")
    count = natural(lanes, WIDTHS[-1] + 1)
    if name != str(own) or not count:
        raise KernelError(f"{buffer.name_hint} has elements of type {own}: vload takes '{own}x4', got {kind!r}")
    return count


def _check(buffer: SSAValue, count: int, name: str) -> None:
    """Raises `KernelError` unless vectors of so many elements lie side by side, whole ones in each row."""
    kind = buffer_type(buffer)
    if count * kind.dtype.bits not in WIDTHS:
        widths = ", ".join(map(str, WIDTHS))
        raise KernelError(f"{name} of {count} x {kind.dtype.bits} bits; one instruction moves {widths}")
    if kind.scope == LOCAL or kind.layout != default_layout(kind.shape):
        raise KernelError(f"{name} is for shared and global memory whose elements lie in the order of their indices")
    if kind.shape[-1] % count:
        raise KernelError(f"{name} of {count} elements: rows of {buffer.name_hint} have {kind.shape[-1]}, no multiple")


def _registers(t: Tracer, kind: BufferType, count: int) -> SSAValue:
    made = BufferType.of((count,), kind.dtype, LOCAL, default_layout((count,)))
    return t.insert(AllocBufferOp(made)).results[0]
