"""The TIRx view of CuTe's layouts: the same place at every flat coordinate, the leaves in reverse order."""

from __future__ import annotations

from typing import TypeAlias

from tilewright.errors import LayoutError, shown
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.iters import is_zero
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

Cute: TypeAlias = Layout | ComposedLayout | Swizzle
Tirx: TypeAlias = TileLayout | ComposeLayout | SwizzleLayout


def tirx_view(x: Cute) -> Tirx:
    """The TIRx layout with the table of a CuTe layout or swizzle.

    Raises:
        LayoutError: strides on coordinate positions, which are no hardware axes; a swizzle on named axes;
            compositions other than a swizzle, or an identity with an offset, of a plain layout.

    >>> tirx_view(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, 8), (1, 64))))
    ComposeLayout(3, 3, 3, TileLayout(S[(8, 64):(64, 1)]))
    """
    if isinstance(x, Swizzle):
        return _swizzle(x)
    return _composed(x) if isinstance(x, ComposedLayout) else TileLayout.from_layout(x)


def _swizzle(x: Swizzle) -> SwizzleLayout:
    return SwizzleLayout(x.m, x.b, abs(x.s), x.s >= 0)


def _composed(x: ComposedLayout) -> Tirx:
    if not isinstance(x.inner, Layout):
        raise LayoutError(f"{x} composes more than two layouts; TIRx has one swizzle on top of one tile")
    offset = None if is_zero(x.offset) else x.offset
    shard = TileLayout.from_layout(x.inner).shard
    if isinstance(offset, tuple):
        raise LayoutError(f"an offset is an integer, got {shown(offset)}")
    tile = TileLayout.from_iters(shard, offset=offset)
    if isinstance(x.outer, Swizzle):
        made = ComposeLayout(_swizzle(x.outer), tile)
        made.check_memory()
        return made
    if isinstance(x.outer, Layout) and x.outer.stride == 1:
        return tile
    raise LayoutError(f"{x} has the outer layout {x.outer}; TIRx has swizzles and offsets there")
