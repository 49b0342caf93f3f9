"""Divisions: a layout cut into tiles and what is left."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.coalesce import coalesce
from tilewright.layout.complement import complement
from tilewright.layout.composition import compose_layouts
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout, compact_stride, trusted
from tilewright.layout.tiler import Tiler, as_tiler, by_mode, concatenate, tiler_text


def logical_divide(layout: Any, tiler: Any) -> Any:
    """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

    T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then cover more than A.

    Raises:
        LayoutError: T has no complement, an element of A would be lost, or the composition does not exist.

    Source: CuTe's `logical_divide`.

    >>> print(logical_divide(Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_divide(Layout((8, 16)), (2, None)))
    ((2,4),16):((1,2),8)
    """
    if not isinstance(layout, Layout):
        return layout.over_inner(lambda inner: logical_divide(inner, tiler))
    return by_mode(_divide, layout, as_tiler(tiler), keep_rest=True)


def zipped_divide(layout: Any, tiler: Any) -> Any:
    """`logical_divide` with the tile modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

    >>> print(zipped_divide(Layout((8, 16)), (2, 4)))
    ((2,4),(4,4)):((1,8),(2,32))
    """
    if not isinstance(layout, Layout):
        return layout.over_inner(lambda inner: zipped_divide(inner, tiler))
    tiler = as_tiler(tiler)
    return _unzip(by_mode(_divide, layout, tiler, keep_rest=True), tiler)


def tiled_divide(layout: Any, tiler: Any) -> Any:
    """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

    >>> print(tiled_divide(Layout((8, 16)), (2, 4)))
    ((2,4),4,4):((1,8),2,32)
    """
    if not isinstance(layout, Layout):
        return layout.over_inner(lambda inner: tiled_divide(inner, tiler))
    tiles, rests = zipped_divide(layout, tiler)
    return concatenate([tiles, *rests])


def flat_divide(layout: Any, tiler: Any) -> Any:
    """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

    >>> print(flat_divide(Layout((8, 16)), (2, 4)))
    (2,4,4,4):(1,8,2,32)
    """
    if not isinstance(layout, Layout):
        return layout.over_inner(lambda inner: flat_divide(inner, tiler))
    tiles, rests = zipped_divide(layout, tiler)
    return concatenate([*tiles, *rests])


def _divide(layout: Layout, tile: Any) -> Layout:
    tile = tile if isinstance(tile, Layout) else trusted(tile, compact_stride(tile))
    rest = complement(tile, coalesce(layout).shape)
    if tile.size * rest.size < layout.size:
        raise LayoutError(
            f"logical_divide: the tile {tile} and its complement {rest} hold {tile.size * rest.size} elements, "
            f"fewer than the {layout.size} of {layout}"
        )
    return compose_layouts(layout, concatenate([tile, rest]))


def _unzip(layout: Layout, tiler: Tiler) -> Layout:
    """((tiles), (rests)) of a divided layout; where the tiler keeps a mode, the whole mode is the tile."""
    return trusted(_zip2(layout.shape, tiler, 1), _zip2(layout.stride, tiler, 0))


def _zip2(t: IntTuple, tiler: Tiler, one: int) -> tuple[IntTuple, IntTuple]:
    if tiler is None:
        return t, one
    if not isinstance(tiler, tuple):
        return t[0], t[1]
    if not isinstance(t, tuple):
        raise LayoutError(f"the tiler {tiler_text(tiler)} has more modes than the layout")
    pairs = [_zip2(x, y, one) for x, y in zip(t, tiler, strict=False)]
    return tuple(p[0] for p in pairs), (*(p[1] for p in pairs), *t[len(tiler) :])
