"""Tiles of a composed layout for a block, and parts of it for a thread: those of its inner layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.layout.algebra.partition import Cut, cut_for_block, cut_for_thread
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.swizzled.slicing import slice_layout


def local_tile(layout: ComposedLayout, tiler: Any, coord: Any, proj: Any = None) -> Any:
    """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode."""
    return _taken(layout, lambda inner: cut_for_block(inner, tiler, coord, proj))


def local_partition(layout: ComposedLayout, thr: Any, index: Any, proj: Any = None) -> Any:
    """What thread `index` of the thread layout owns."""
    return _taken(layout, lambda inner: cut_for_thread(inner, thr, index, proj))


def _taken(layout: ComposedLayout, cut: Callable[[Any], Cut]) -> Any:
    tiles, coord = _cut(layout, cut)
    return slice_layout(tiles, coord)


def _cut(layout: ComposedLayout, cut: Callable[[Any], Cut]) -> tuple[ComposedLayout, Any]:
    inner = layout.inner
    tiles, coord = _cut(inner, cut) if isinstance(inner, ComposedLayout) else cut(inner)
    return ComposedLayout(layout.outer, layout.offset, tiles), coord
