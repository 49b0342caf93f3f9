"""Views of memory: `data=A.data` with another shape, layout and place, and in shared memory with other elements."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from math import prod
from typing import NamedTuple

from xdsl.ir import SSAValue

from tilewright.dtypes import DType
from tilewright.errors import KernelError
from tilewright.ir.core.bounds import assert_begins
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.pool import pool_offset, size_in_bytes
from tilewright.ir.memory import default_layout, shifted, storage_elements
from tilewright.ir.tile import ops as tile
from tilewright.ir.tile.remote import remote_of
from tilewright.ir.tile.shared import natural_alignment
from tilewright.ir.tile.types import LOCAL, SHARED, BufferType
from tilewright.lang.addresses import ViewOf
from tilewright.lang.buffer_types import buffer
from tilewright.lang.expressions import is_element
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Pointer, Value, buffer_type, int_tuple, is_index, natural, show, type_named
from tilewright.layout.axes import AXES, MEMORY
from tilewright.tirx.tile_layout import TileLayout

_ELSEWHERE: Mapping[str, str] = {
    "global": "pass the array as that type too, or T.reinterpret each element",
    "local": "T.reinterpret gives the bits of a register as another type",
}


class Place(NamedTuple):
    """Where a view begins: elements of its own, constant or of run time, and bytes."""

    elements: Value = None
    offset: Value = None


def view(t: Tracer, data: Value, kind: BufferType, place: Place) -> SSAValue:
    """The memory of a buffer seen in another way, from some element on.

    Raises:
        KernelError: it leaves the memory, or has other elements where there is one type of them.
    """
    if not isinstance(data, Pointer):
        raise KernelError(f"data is the memory of a buffer, A.data, got {show(data)}")
    base = buffer_type(data.buffer)
    if base.element == kind.element:
        return _within(t, data.buffer, kind, place)
    name = data.buffer.name_hint
    if base.scope != SHARED:
        raise KernelError(
            f"{name} has elements of type {base.dtype}, a view of it cannot have {kind.dtype}: shared memory has views "
            f"of other types; {_ELSEWHERE[base.scope]}"
        )
    if tile.offsets(data.buffer):
        raise KernelError(f"{name} begins at a run-time elem_offset; view the memory that it lies in as {kind.dtype}")
    if _moves(place.elements):
        return _within(t, _whole(t, data.buffer, kind.dtype), kind, place)
    return _seen_as(t, data.buffer, kind, _distance(kind, place))


def _within(t: Tracer, buffer: SSAValue, kind: BufferType, place: Place) -> SSAValue:
    """A view of elements of the buffer's own type."""
    base, name = buffer_type(buffer), buffer.name_hint
    moving = _index(t, place.elements) if _moves(place.elements) else None
    layout = shifted(kind.layout, _distance(kind, place if moving is None else place._replace(elements=0)))
    have, need = storage_elements(base.layout), storage_elements(layout)
    if need > have:
        raise KernelError(f"the view reaches {need} elements, the memory of {name} has {have}")
    memory = t.insert(tile.StorageOp(buffer)).results[0]
    made = BufferType.of(kind.shape, kind.dtype, base.scope, layout)
    if moving is None:
        return t.insert(tile.MatchBufferOp(memory, made)).results[0]
    if base.scope == LOCAL:
        raise KernelError("a view of registers begins at a constant elem_offset")
    found = tile.MatchBufferOp(memory, made, moving)
    assert_begins(t.index, moving, name or "a buffer", have - need + 1, memory.owner)
    return t.insert(found).results[0]


# ---- other elements: an allocation of its own at the same place of the pool


def _whole(t: Tracer, buffer: SSAValue, element: DType) -> SSAValue:
    count = size_in_bytes(tile.storage_type(_memory(buffer).result)) * 8 // element.bits
    if not count:
        raise KernelError(f"{buffer.name_hint} has no room for an element of type {element}")
    flat = BufferType.of((count,), element, SHARED, default_layout((count,)))
    made = _seen_as(t, buffer, flat, 0)
    made.name_hint = buffer.name_hint
    return made


def _seen_as(t: Tracer, buffer: SSAValue, kind: BufferType, elements: int) -> SSAValue:
    memory, name = _memory(buffer), buffer.name_hint
    made = tile.AllocBufferOp(BufferType.of(kind.shape, kind.dtype, SHARED, kind.layout))
    have, begin = size_in_bytes(tile.storage_type(memory.result)), elements * kind.dtype.bits // 8
    end = begin + size_in_bytes(tile.storage_type(made.result))
    if end > have:
        raise KernelError(f"the view reaches {end} bytes, the memory of {name} has {have}")
    aligned, first = natural_alignment(kind.dtype.bits), pool_offset(memory) or 0
    if (first + begin) % aligned:
        raise KernelError(f"the view begins at byte {first + begin} of the pool, no multiple of {aligned}")
    t.pool.overlay(memory, t.placed(made), begin)
    block = memory.parent
    assert block is not None, "it has been inserted"
    block.insert_op_after(made, memory)
    return made.result


def _memory(buffer: SSAValue) -> tile.AllocBufferOp:
    owner = tile.root(buffer).owner
    if not isinstance(owner, tile.AllocBufferOp) or remote_of(buffer) is not None:
        raise KernelError(f"{buffer.name_hint} lies in another block's memory, which has one type of elements")
    return owner


# ---- A.view(..)


def of_buffer(t: Tracer, of: ViewOf, *shape: ast.expr, layout: ast.expr | None = None) -> SSAValue:
    """`A.view(8, -1)`: the elements in another shape; `A.view("uint32")`: in shared memory, as another type.

    Raises:
        KernelError: another number of elements, or elements that do not lie in the order of their indices.
    """
    given, base = [t.visit(item) for item in shape], buffer_type(of.buffer)
    first = _first(of.buffer)
    if len(given) == 1 and isinstance(given[0], str | DType):
        kind = _recast(base, type_named(given[0]))
        return view(t, Pointer(of.buffer), kind, Place(0, first * base.dtype.bits // 8))
    extents = _reshaped(base, int_tuple(tuple(given), "the shape of a view"))
    wanted = None if layout is None else t.visit(layout)
    return view(t, Pointer(of.buffer), buffer(extents, base.dtype, base.scope, wanted), Place(first))


def _first(seen: SSAValue) -> int:
    """The element of memory at which a buffer begins whose elements lie in the order of their indices."""
    kind = buffer_type(seen)
    first = kind.layout.offset.get(AXES[MEMORY], 0) if isinstance(kind.layout, TileLayout) else 0
    if type(first) is not int or kind.layout != shifted(default_layout(kind.shape), first):
        raise KernelError(
            f"{seen.name_hint} has the layout {kind.layout}, by which its elements are not in the order of their "
            "indices; write T.decl_buffer(shape, dtype, data=A.data, layout=..)"
        )
    return first


def _recast(base: BufferType, element: DType) -> BufferType:
    last, rest = divmod(base.shape[-1] * base.dtype.bits, element.bits)
    if rest or not last:
        raise KernelError(f"rows of {base.shape[-1]} elements of type {base.dtype} are no whole ones of {element}")
    return buffer((*base.shape[:-1], last), element, base.scope, None)


def _reshaped(base: BufferType, shape: tuple[int, ...]) -> tuple[int, ...]:
    size, known = prod(base.shape), prod(extent for extent in shape if extent != -1)
    if shape.count(-1) == 1 and known > 0 and size % known == 0:
        shape = tuple(size // known if extent == -1 else extent for extent in shape)
    if prod(shape) != size or min(shape, default=0) < 1:
        raise KernelError(f"a buffer of shape {base.shape} has {size} elements, and no view of shape {shape}")
    return shape


def _moves(elements: Value) -> bool:
    return elements is not None and type(elements) is not int


def _index(t: Tracer, value: Value) -> SSAValue:
    """The integer as an index."""
    if is_index(value):
        return t.index.value(value)
    if is_element(value) and element_dtype(value.type).is_integer:
        return t.elements.as_index(value)
    raise KernelError(f"elem_offset is an integer, got {show(value)}")


def _distance(kind: BufferType, place: Place) -> int:
    found, bits = natural("elem_offset", place.elements or 0), kind.dtype.bits
    whole, rest = divmod(8 * natural("byte_offset", place.offset or 0), bits)
    if rest:
        raise KernelError(f"byte_offset={place.offset} does not start an element of {bits} bits")
    return found + whole
