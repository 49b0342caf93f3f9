"""Slices of composed layouts, which often are plain layouts: where they are not, they stay composed."""

from __future__ import annotations

from typing import Any

from tilewright.layout import slicing
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout, crd2idx, trusted
from tilewright.layout.slicing import as_coord, kept_modes, value_and_coord, zeros_for_none
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.swizzled.bits import unswizzled

IDENTITY = Swizzle(0, 0, 0)


def slice_(coord: Any, value: Any) -> Any:
    """The slice of a composed layout; either argument may come first."""
    return slice_layout(*value_and_coord(coord, value))


def slice_layout(layout: ComposedLayout, *coord: Any) -> Any:
    """The slice, with the values of the whole: the offset of the fixed modes stays inside.

    >>> tile = ComposedLayout(Swizzle(2, 3, 3), 0, Layout((16, 16), (16, 1)))
    >>> print(slice_layout(tile, 5, None), slice_layout(tile, 0, None))
    Sw<0,0,0> o 88 o ((8,2)):((1,-8)) (16):(1)
    """
    found, offset = slice_layout_and_offset(layout, *coord)
    return found if type(offset) is int and offset == 0 else ComposedLayout(IDENTITY, offset, found)


def slice_with_offset(layout: ComposedLayout, coord: Any, profile: Any = None) -> Any:
    """The slice: a composed layout keeps its offset by itself."""
    return slice_layout(layout, coord)


def slice_and_offset(coord: Any, layout: Any) -> tuple[Any, Any]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None)."""
    return slice_layout_and_offset(*value_and_coord(coord, layout))


def slice_layout_and_offset(layout: ComposedLayout, *coord: Any) -> tuple[Any, Any]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None); L' is plain where possible."""
    where, inner = as_coord(coord), layout.inner
    if isinstance(inner, ComposedLayout):
        found, moved = slice_layout_and_offset(inner, where)
        return ComposedLayout(layout.outer, layout.offset + moved, found), 0
    offset = layout.offset + crd2idx(zeros_for_none(where), inner.shape, inner.stride)
    kept = trusted(kept_modes(inner.shape, where), kept_modes(inner.stride, where))
    if not isinstance(layout.outer, Swizzle):
        return ComposedLayout(layout.outer, offset, kept), 0
    plain = unswizzled(layout.outer, offset, kept) if type(offset) is int else None
    if plain is None:
        return ComposedLayout(layout.outer, offset, kept), 0
    return plain, layout.outer(offset)


def dice(coord: Any, value: Any) -> ComposedLayout:
    """The modes that the coordinate fixes; either argument may come first."""
    return dice_layout(*value_and_coord(coord, value))


def dice_layout(layout: ComposedLayout, *coord: Any) -> ComposedLayout:
    """The modes that the coordinate fixes."""
    return layout.over_inner(lambda inner: _dice_inner(inner, as_coord(coord)))


def domain_offset(coord: Any, layout: Any) -> tuple[ComposedLayout, int]:
    """The layout moved so that `coord` becomes its origin; the offset stays inside."""
    layout, where = value_and_coord(coord, layout)
    inner = layout.inner
    found, offset = (domain_offset if isinstance(inner, ComposedLayout) else slicing.domain_offset)(where, inner)
    return ComposedLayout(layout.outer, layout.offset + offset, found), 0


def _dice_inner(inner: Layout | ComposedLayout, where: IntTuple) -> Layout | ComposedLayout:
    return slicing.dice_layout(inner, where) if isinstance(inner, Layout) else dice_layout(inner, where)
