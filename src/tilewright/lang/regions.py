"""Subscripts of buffers: coordinates of elements, and regions."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.index import SUB
from tilewright.ir.core.ranges import Index
from tilewright.ir.tile.ops import StorageOp, offsets, storage_type
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Pointer, Region, Value, buffer_type, constant_extent, is_buffer, is_index, show


def coordinate(t: Tracer, buffer: SSAValue, items: Sequence[ast.expr]) -> list[SSAValue]:
    """The values of an element's coordinate.

    Raises:
        KernelError: not one index for each dimension, or one that is certainly outside.
    """
    shape = buffer_type(buffer).shape
    if len(items) != len(shape):
        raise KernelError(f"{len(items)} indices into {buffer.name_hint}, a buffer of shape {shape}")
    return [t.index.value(_index(t, item, extent)) for item, extent in zip(items, shape, strict=True)]


def memory_of(t: Tracer, node: ast.Subscript, owner: Value) -> Value:
    """What is subscripted: `A[i]` of several dimensions is the flat memory of A in scripts (`t.shown`)."""
    if not (t.shown and is_buffer(owner)) or isinstance(node.slice, ast.Tuple | ast.Slice):
        return owner
    return Pointer(owner) if len(buffer_type(owner).shape) > 1 else owner


def flat_place(t: Tracer, memory: Pointer, item: ast.expr) -> tuple[SSAValue, list[SSAValue]]:
    """`A.data[i]`: the flat memory of a buffer, and element i of it.

    Raises:
        KernelError: the element is certainly outside.
    """
    storage = t.insert(StorageOp(memory.buffer)).results[0]
    (elements,) = storage_type(memory.buffer).get_shape()
    return storage, [t.index.value(_index(t, item, elements))]


def region_of(t: Tracer, node: ast.expr, buffer: SSAValue) -> Region:
    """The region that a subscript names; an index is an extent of 1, dimensions left out are whole.

    Raises:
        KernelError: more entries than dimensions, or a box that is certainly outside.
    """
    shape = buffer_type(buffer).shape
    key = node.slice if isinstance(node, ast.Subscript) else None
    items = [] if key is None else list(key.elts) if isinstance(key, ast.Tuple) else [key]
    if len(items) > len(shape):
        raise KernelError(f"{len(items)} indices into {buffer.name_hint}, a buffer of shape {shape}")
    boxes = [_box(t, item, extent) for item, extent in zip(items, shape, strict=False)]
    boxes += [(0, extent) for extent in shape[len(items) :]]
    return Region(buffer, tuple(start for start, _ in boxes), tuple(extent for _, extent in boxes))


def as_region(t: Tracer, node: ast.expr) -> Region:
    """The region that an argument of a tile primitive names: a subscript or a whole buffer.

    Raises:
        KernelError: it is something else.
    """
    owner = t.visit(node.value) if isinstance(node, ast.Subscript) else t.visit(node)
    if isinstance(owner, Region) and not isinstance(node, ast.Subscript):
        return owner
    if not is_buffer(owner):
        raise KernelError(f"a tile primitive takes a buffer or a region of one, got {show(owner)}")
    if offsets(owner):
        raise KernelError(f"{owner.name_hint} begins at a run-time elem_offset; tile primitives take constant ones")
    return region_of(t, node, owner)


def _box(t: Tracer, node: ast.expr, size: int) -> tuple[Index, Index]:
    if not isinstance(node, ast.Slice):
        return _index(t, node, size), 1
    if node.step is not None:
        raise KernelError("a region has no step")
    start = 0 if node.lower is None else _as_index(t, t.visit(node.lower))
    stop = size if node.upper is None else _as_index(t, t.visit(node.upper))
    extent = constant_extent(start, stop)
    if extent is None:
        return start, t.index.binary(SUB, stop, start)
    low = start if isinstance(start, int) else 0
    if extent < 1 or low < 0 or low + extent > size:
        where = f"{low}:{low + extent}" if isinstance(start, int) else f"of extent {extent}"
        raise KernelError(f"the region {where} does not lie in a dimension of extent {size}")
    return start, extent


def _index(t: Tracer, node: ast.expr, size: int) -> Index:
    index = _as_index(t, t.visit(node))
    if isinstance(index, int) and not 0 <= index < size:
        raise KernelError(f"the index {index} lies outside a dimension of extent {size}")
    return index


def _as_index(t: Tracer, value: Value) -> Index:
    if type(value) is int or is_index(value):
        found: Index = value
        return found
    if isinstance(value, SSAValue) and not is_buffer(value):
        return t.elements.as_index(value)
    raise KernelError(f"an index is an integer, got {show(value)}")
