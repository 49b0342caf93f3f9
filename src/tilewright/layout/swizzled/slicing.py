"""Slices of composed layouts, which often are plain layouts: where they are not, they stay composed."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tilewright.layout import slicing
from tilewright.layout.axes import coordinate_of, element_at
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout, crd2idx, trusted
from tilewright.layout.slicing import as_coord, kept_modes, layout_and_coord, zeros_for_none
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.swizzled.bits import unswizzled

if TYPE_CHECKING:
    from tilewright.layout.indexing import Coord, KnownCoord
    from tilewright.layout.inttuple import Element, Elements
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt

IDENTITY = Swizzle(0, 0, 0)


@overload
def slice_(src: ComposedLayout[V], coord: KnownCoord) -> Layout[V] | ComposedLayout[V]: ...
@overload
def slice_(src: ComposedLayout[V], coord: Coord) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
@overload
def slice_(src: KnownCoord, coord: ComposedLayout[V]) -> Layout[V] | ComposedLayout[V]: ...
@overload
def slice_(src: Coord, coord: ComposedLayout[V]) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def slice_(src: ComposedLayout | Coord, coord: Coord | ComposedLayout) -> Layout | ComposedLayout:
    """The slice of a composed layout; either argument may come first."""
    return slice_layout(*layout_and_coord(ComposedLayout, src, coord))


@overload
def slice_layout(layout: ComposedLayout[V], *coord: KnownCoord) -> Layout[V] | ComposedLayout[V]: ...
@overload
def slice_layout(layout: ComposedLayout[V], *coord: Coord) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def slice_layout(layout: ComposedLayout, *coord: Coord) -> Layout | ComposedLayout:
    """The slice, with the values of the whole: the offset of the fixed modes stays inside.

    >>> tile = ComposedLayout(Swizzle(2, 3, 3), 0, Layout((16, 16), (16, 1)))
    >>> print(slice_layout(tile, 5, None), slice_layout(tile, 0, None))
    88 o ((8,2)):((1,-8)) (16):(1)
    """
    found, offset = slice_layout_and_offset(layout, *coord)
    return found if type(offset) is int and offset == 0 else ComposedLayout(IDENTITY, offset, found)


@overload
def slice_with_offset(layout: ComposedLayout[V], coord: KnownCoord) -> Layout[V] | ComposedLayout[V]: ...
@overload
def slice_with_offset(layout: ComposedLayout[V], coord: Coord) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def slice_with_offset(layout: ComposedLayout, coord: Coord) -> Layout | ComposedLayout:
    """The slice: a composed layout keeps its offset by itself."""
    return slice_layout(layout, coord)


@overload
def slice_and_offset(
    layout: ComposedLayout[int], coord: KnownCoord
) -> tuple[Layout[int] | ComposedLayout[int], int]: ...
@overload
def slice_and_offset(
    layout: ComposedLayout[V], coord: Coord
) -> tuple[Layout[V | SymInt] | ComposedLayout[V | SymInt], Element | SymInt]: ...
@overload
def slice_and_offset(
    layout: KnownCoord, coord: ComposedLayout[int]
) -> tuple[Layout[int] | ComposedLayout[int], int]: ...
@overload
def slice_and_offset(
    layout: Coord, coord: ComposedLayout[V]
) -> tuple[Layout[V | SymInt] | ComposedLayout[V | SymInt], Element | SymInt]: ...
def slice_and_offset(
    layout: ComposedLayout | Coord, coord: Coord | ComposedLayout
) -> tuple[Layout | ComposedLayout, Element | SymInt]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None)."""
    return slice_layout_and_offset(*layout_and_coord(ComposedLayout, layout, coord))


@overload
def slice_layout_and_offset(
    layout: ComposedLayout[int], *coord: KnownCoord
) -> tuple[Layout[int] | ComposedLayout[int], int]: ...
@overload
def slice_layout_and_offset(
    layout: ComposedLayout[V], *coord: Coord
) -> tuple[Layout[V | SymInt] | ComposedLayout[V | SymInt], Element | SymInt]: ...
def slice_layout_and_offset(layout: ComposedLayout, *coord: Coord) -> tuple[Layout | ComposedLayout, Element | SymInt]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None); L' is plain where possible."""
    where, inner, start = as_coord(coord), layout.inner, layout.offset
    if isinstance(inner, ComposedLayout):
        found, further = slice_layout_and_offset(inner, where)
        return ComposedLayout(layout.outer, moved(start, further), found), 0
    offset = moved(start, crd2idx(zeros_for_none(where), inner.shape, inner.stride))
    kept = trusted(kept_modes(inner.shape, where), kept_modes(inner.stride, where))
    if not isinstance(layout.outer, Swizzle) or type(offset) is not int:
        return ComposedLayout(layout.outer, offset, kept), 0
    plain = unswizzled(layout.outer, offset, kept)
    if plain is None:
        return ComposedLayout(layout.outer, offset, kept), 0
    return plain, layout.outer(offset)


@overload
def dice(src: ComposedLayout[V], coord: Coord) -> ComposedLayout[V]: ...
@overload
def dice(src: Coord, coord: ComposedLayout[V]) -> ComposedLayout[V]: ...
def dice(src: ComposedLayout[V] | Coord, coord: Coord | ComposedLayout[V]) -> ComposedLayout[V]:
    """The modes that the coordinate fixes; either argument may come first."""
    return dice_layout(*layout_and_coord(ComposedLayout, src, coord))


def dice_layout(layout: ComposedLayout[V], *coord: Coord) -> ComposedLayout[V]:
    """The modes that the coordinate fixes."""
    return layout.over_inner(lambda inner: _dice_inner(inner, as_coord(coord)))


@overload
def domain_offset(layout: ComposedLayout[int], coord: KnownCoord) -> tuple[ComposedLayout[int], int]: ...
@overload
def domain_offset(layout: ComposedLayout[V], coord: Coord) -> tuple[ComposedLayout[V | SymInt], Element | SymInt]: ...
@overload
def domain_offset(layout: KnownCoord, coord: ComposedLayout[int]) -> tuple[ComposedLayout[int], int]: ...
@overload
def domain_offset(layout: Coord, coord: ComposedLayout[V]) -> tuple[ComposedLayout[V | SymInt], Element | SymInt]: ...
def domain_offset(
    layout: ComposedLayout | Coord, coord: Coord | ComposedLayout
) -> tuple[ComposedLayout, Element | SymInt]:
    """The layout moved so that `coord` becomes its origin; the offset stays inside."""
    whole, where = layout_and_coord(ComposedLayout, layout, coord)
    if isinstance(whole.inner, ComposedLayout):
        found, _ = domain_offset(where, whole.inner)
        return ComposedLayout(whole.outer, whole.offset, found), 0
    start = moved(whole.offset, crd2idx(where, whole.inner.shape, whole.inner.stride))
    return ComposedLayout(whole.outer, start, whole.inner), 0


def moved(offset: IntTuple, by: Element) -> Elements:
    """The offset of a composed layout, an integer or a coordinate, moved by a module element.

    >>> from tilewright.layout.axes import term
    >>> moved(3, 4), moved((1, 0), term(5, (1,)))
    (7, (1, 5))
    """
    return coordinate_of(element_at(offset) + by, offset) if isinstance(offset, tuple) else offset + by


def _dice_inner(inner: Layout | ComposedLayout, where: IntTuple) -> Layout | ComposedLayout:
    return slicing.dice_layout(inner, where) if isinstance(inner, Layout) else dice_layout(inner, where)
