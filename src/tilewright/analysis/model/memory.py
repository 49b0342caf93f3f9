"""The memory side of an analysis: any layout as a function to element offsets."""

from __future__ import annotations

from typing import TypeAlias, TypeVar, overload

from tilewright.errors import LayoutError
from tilewright.layout.axes import MEMORY
from tilewright.layout.base import LayoutBase, no_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.view import View
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout
from tilewright.tirx.views import Cute, Tirx, tirx_view

# What lies in memory, in any notation; and what tells the width of its elements besides.
Tile: TypeAlias = LayoutBase | Tirx
TileLike: TypeAlias = Tile | View

Other = TypeVar("Other")

IDENTITY = Swizzle(0, 0, 0)
MAX_OFFSET = 1 << 48


def stored(tile: TileLike) -> tuple[Tile, int | None]:
    """A tile as a layout, and the bits of its elements where it tells them, as a tensor does.

    Raises:
        LayoutError: it is neither a layout nor seen through one.
    """
    if isinstance(tile, View):
        return tile.placed, tile.element_bits
    if not isinstance(tile, LayoutBase | Tirx):
        raise LayoutError(f"layout is a layout, got {described(tile)}")
    return tile, None


def described(value: object) -> str:
    """How a message shows what stands where a tile in memory is expected."""
    if isinstance(value, LinearLayout):
        return f"{value}; tw.placement(x) says where a linear layout has each element"
    return no_layout(value)


@overload
def memory_layout(layout: Tirx) -> Layout[int] | ComposedLayout[int]: ...
@overload
def memory_layout(layout: Other) -> Other | Layout[int] | ComposedLayout[int]: ...
def memory_layout(layout: object) -> object:
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


@overload
def as_given(given: object, found: Layout | TileLayout) -> Layout | TileLayout: ...
@overload
def as_given(given: object, found: ComposedLayout) -> ComposedLayout | ComposeLayout: ...
def as_given(given: object, found: Layout | ComposedLayout | TileLayout) -> Cute | Tirx:
    """A layout in memory that was found for a given one, in the notation and the order of modes of that one.

    >>> from tilewright.tirx.layout import S, TileLayout
    >>> as_given(TileLayout(S[(8, 64) : (64, 1)]), Layout((64, 8), (1, 72)))
    TileLayout(S[(8, 64):(72, 1)])
    """
    return tirx_view(found) if isinstance(given, Tirx) and not isinstance(found, TileLayout) else found


def _affine(tile: TileLayout) -> tuple[int, Layout]:
    first = tile.base(0)
    if tile.replica or set(first) - {MEMORY}:
        raise LayoutError(f"{tile} is no map to offsets in memory: it has replicas, or strides on {', '.join(first)}")
    return first.get(MEMORY, 0), tile.to_layout()


def without_swizzle(layout: Tile) -> ComposedLayout:
    """The layout below its swizzle, with its offset, under an identity swizzle."""
    placed = memory_layout(layout)
    if isinstance(placed, ComposedLayout) and isinstance(placed.outer, Swizzle):
        return ComposedLayout(IDENTITY, placed.offset, placed.inner)
    return ComposedLayout(IDENTITY, 0, placed)  # type: ignore[call-overload, no-any-return]  # refuses guards


def bare(layout: Tile) -> Tile:
    """The layout below its swizzle, in the notation that was given.

    >>> from tilewright.tirx.layout import ComposeLayout, S, TileLayout
    >>> bare(ComposeLayout(3, 3, 3, TileLayout(S[(8, 64) : (64, 1)])))
    TileLayout(S[(8, 64):(64, 1)])
    """
    if isinstance(layout, TileLayout):
        return layout
    if isinstance(layout, ComposeLayout):
        return layout.tile_layout
    plain = without_swizzle(layout)
    return plain.inner if plain.offset == 0 and isinstance(plain.inner, Layout) else plain


def without_swizzles(layout: Tile) -> Tile:
    """The innermost layout under any number of swizzles."""
    while isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle):
        layout = layout.inner
    return layout


def unswizzled(layout: object) -> tuple[IntTuple, object]:
    """The offset of a layout that no swizzle moves, and what lies below it; 0 and the layout itself where one does."""
    if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle) and layout.outer.b == 0:
        return layout.offset, layout.inner
    return 0, layout


def check_reach(layout: object, size: int, what: str) -> None:
    """Raises `LayoutError` when values may leave (-2^48, 2^48) on [0, size): 64-bit arithmetic stays exact inside."""
    farthest = _reach(layout, size - 1)
    if farthest >= MAX_OFFSET:
        raise LayoutError(f"{what} {layout} may reach {farthest}; the limit is 2^48")


def _reach(layout: object, last: int) -> int:
    """No value is larger in magnitude while the argument is at most `last`."""
    if isinstance(layout, ComposedLayout):
        return _reach(layout.outer, abs(_integer(layout.offset)) + _reach(layout.inner, last))
    if isinstance(layout, Swizzle):
        return (1 << max(last.bit_length(), (layout.yyy_mask | layout.zzz_mask).bit_length())) - 1
    if not isinstance(layout, Layout):
        return last
    inside = sum((_integer(extent) - 1) * abs(_integer(stride)) for extent, stride in layout.flat)
    beyond = max(0, last + 1 - layout.size) * max((abs(_integer(stride)) for _, stride in layout.flat), default=0)
    return int(inside + beyond)


def _integer(value: object) -> int:
    # Other strides are refused where they are evaluated, with a better message.
    return value if type(value) is int else 0
