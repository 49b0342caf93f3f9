"""Tiles that count all elements of a sparse operand, of which every other one along K is stored."""

from __future__ import annotations

from dataclasses import replace

from tilewright.analysis.descriptor.matrix import matrix
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.operations import composition

Plain = Layout[int] | ComposedLayout[int]


def stored_half(tile: Tile) -> tuple[Plain, Layout[int]] | None:
    """Of a layout in which neighbours along K share a place: the half that is stored, and its index in the tile's.

    Raises:
        LayoutError: no static map to offsets in memory.

    >>> print(*stored_half(Layout((8, (2, 64)), (64, (0, 1)))))
    (8,64):(64,1) (8,64):(1,16)
    """
    half = matrix(tile).half if isinstance(tile, Layout | ComposedLayout) else None
    if half is None or not isinstance(half.place, Layout | ComposedLayout):
        return None
    places = Layout((half.rows, half.columns), (half.row_step, half.column_step))
    return composition(half.place, places), places


def in_tile(access: Access, places: Layout[int]) -> Access:
    """An access of the half as one of the tile; one by a descriptor names no elements."""
    if not isinstance(access.thread_value, Layout | ComposedLayout):
        return access
    return replace(access, thread_value=composition(places, access.thread_value))
