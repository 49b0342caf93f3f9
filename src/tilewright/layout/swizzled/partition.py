"""Tiles of a composed layout for a block, and parts of it for a thread: those of its inner layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, overload

from tilewright.layout.algebra.partition import Cut, cut_for_block, cut_for_thread
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.swizzled.slicing import slice_layout

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import KnownTiler, Tiler
    from tilewright.layout.indexing import Coord, KnownCoord
    from tilewright.layout.layout import Layout
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


@overload
def local_tile(
    layout: ComposedLayout[V], tiler: KnownTiler, coord: KnownCoord, proj: Coord = None
) -> Layout[V] | ComposedLayout[V]: ...
@overload
def local_tile(
    layout: ComposedLayout[V], tiler: Tiler, coord: Coord, proj: Coord = None
) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def local_tile(layout: ComposedLayout[V], tiler: Tiler, coord: Coord, proj: Coord = None) -> Layout | ComposedLayout:
    """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode."""
    return _taken(layout, lambda inner: cut_for_block(inner, tiler, coord, proj))


@overload
def local_partition(
    layout: ComposedLayout[V], thr: Layout[int], index: KnownCoord, proj: Coord = None
) -> Layout[V] | ComposedLayout[V]: ...
@overload
def local_partition(
    layout: ComposedLayout[V], thr: Layout[int | SymInt], index: Coord, proj: Coord = None
) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def local_partition(
    layout: ComposedLayout[V], thr: Layout[int | SymInt], index: Coord, proj: Coord = None
) -> Layout | ComposedLayout:
    """What thread `index` of the thread layout owns."""
    return _taken(layout, lambda inner: cut_for_thread(inner, thr, index, proj))


def _taken(layout: ComposedLayout, cut: Callable[[Layout], Cut]) -> Layout | ComposedLayout:
    tiles, coord = _cut(layout, cut)
    return slice_layout(tiles, coord)


def _cut(layout: ComposedLayout, cut: Callable[[Layout], Cut]) -> tuple[ComposedLayout, Coord]:
    inner = layout.inner
    tiles, coord = _cut(inner, cut) if isinstance(inner, ComposedLayout) else cut(inner)
    return ComposedLayout(layout.outer, layout.offset, tiles), coord
