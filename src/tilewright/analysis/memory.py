"""The memory side of an analysis: any layout as a function to element offsets."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import MEMORY
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.layout import ComposeLayout, SwizzleLayout, TileLayout

IDENTITY = Swizzle(0, 0, 0)


def memory_layout(layout: Any) -> Any:
    """A layout from coordinate indices to element offsets; TIRx's layouts are indexed by their own (row-major) number.

    Raises:
        LayoutError: a TIRx layout with replicas, or on other axes than memory.

    >>> from tilewright.tirx.layout import ComposeLayout, S, TileLayout
    >>> print(memory_layout(ComposeLayout(3, 3, 3, TileLayout(S[(8, 64) : (64, 1)]))))
    Sw<3,3,3> o 0 o (64,8):(1,64)
    """
    if isinstance(layout, SwizzleLayout):
        return ComposedLayout(layout.swizzle, 0, Layout(layout.size()))
    if isinstance(layout, ComposeLayout):
        return ComposedLayout(layout.swizzle.swizzle, *_affine(layout.tile_layout))
    if isinstance(layout, TileLayout):
        offset, plain = _affine(layout)
        return ComposedLayout(IDENTITY, offset, plain) if offset else plain
    return layout


def _affine(tile: TileLayout) -> tuple[int, Layout]:
    first = tile.base(0)
    if tile.replica or set(first) - {MEMORY}:
        raise LayoutError(f"{tile} is no map to offsets in memory: it has replicas, or strides on {', '.join(first)}")
    return first.get(MEMORY, 0), tile.to_layout()


def without_swizzle(layout: Any) -> ComposedLayout:
    """The layout below its swizzle, with its offset, under an identity swizzle."""
    layout = memory_layout(layout)
    if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle):
        return ComposedLayout(IDENTITY, layout.offset, layout.inner)
    return ComposedLayout(IDENTITY, 0, layout)
