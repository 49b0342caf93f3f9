"""Tiles of a layout for a block, and parts of a layout for a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout.algebra.divide import zipped_divide
from tilewright.layout.algebra.tiler import Tiler, as_tiler
from tilewright.layout.base import no_layout
from tilewright.layout.codomain import kept
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coordinates import flat_coord_of_layout
from tilewright.layout.inttuple import IntTuple, as_int_tuple, product
from tilewright.layout.layout import Layout
from tilewright.layout.slicing import slice_with_offset

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import CheckedTiler, KnownTiler
    from tilewright.layout.indexing import Coord, KnownCoord
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


class Cut(NamedTuple):
    """A layout cut into tiles, and the coordinate at which a tile, or what lies at one place of all tiles, is taken."""

    tiles: Layout
    coord: Coord


@overload
def local_tile(
    layout: Layout[V], tiler: KnownTiler, coord: KnownCoord, proj: Coord = None
) -> Layout[V] | ComposedLayout[V]: ...
@overload
def local_tile(
    layout: Layout[V], tiler: Tiler, coord: Coord, proj: Coord = None
) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def local_tile(layout: Layout[V], tiler: Tiler, coord: Coord, proj: Coord = None) -> Layout | ComposedLayout:
    """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

    `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
    A tile of a coordinate tensor gives coordinates of the whole, in their profile.

    Raises:
        LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

    Source: CuTe's `local_tile` (`inner_partition`).

    >>> tile = local_tile(Layout((8, 16)), (2, 4), (1, 2))
    >>> print(tile(0), tile(1, 1))
    66 75
    """
    return slice_with_offset(*cut_for_block(layout, tiler, coord, proj))


@overload
def local_partition(
    layout: Layout[V], thr: Layout[int], index: KnownCoord, proj: Coord = None
) -> Layout[V] | ComposedLayout[V]: ...
@overload
def local_partition(
    layout: Layout[V], thr: Layout[int | SymInt], index: Coord, proj: Coord = None
) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def local_partition(
    layout: Layout[V], thr: Layout[int | SymInt], index: Coord, proj: Coord = None
) -> Layout | ComposedLayout:
    """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

    Raises:
        LayoutError: what `zipped_divide` refuses, or an index outside the threads.

    Source: CuTe's `local_partition` (`outer_partition`).

    >>> part = local_partition(Layout((8, 16)), Layout((2, 4), (4, 1)), 5)
    >>> print(part(0), part(1, 1))
    9 43
    """
    return slice_with_offset(*cut_for_thread(layout, thr, index, proj))


def cut_for_block(layout: Layout, tiler: Tiler, coord: Coord, proj: Coord = None) -> Cut:
    """The tiles, and the coordinate of one of them."""
    tiles = _divided(layout, _project(as_tiler(tiler), proj))
    return Cut(tiles, (_free(tiles[0]), _padded(_project(as_int_tuple(coord), proj), tiles[1])))


def cut_for_thread(layout: Layout, thr: Layout[int | SymInt], index: Coord, proj: Coord = None) -> Cut:
    """The tiles of one element a thread, and the coordinate of a thread in each."""
    if not isinstance(thr, Layout):
        raise LayoutError(f"local_partition: the threads are a layout, got {no_layout(thr)}")
    sizes = tuple(map(product, thr.shape)) if isinstance(thr.shape, tuple) else thr.shape
    tiles = _divided(layout, _project(sizes, proj))
    place = _project(flat_coord_of_layout(thr, as_int_tuple(index)), proj)
    return Cut(tiles, (_padded(place, tiles[0]), _free(tiles[1])))


def _divided(layout: Layout, tiler: Tiler) -> Layout:
    # What is cut off tells by its offset where it lies, in the coordinates of the whole.
    return kept(zipped_divide(layout, tiler), (layout,))


@overload
def _project(value: IntTuple, proj: Coord) -> IntTuple: ...
@overload
def _project(value: CheckedTiler, proj: Coord) -> CheckedTiler: ...
def _project(value: CheckedTiler, proj: Coord) -> CheckedTiler:
    if proj is None:
        return value
    if not isinstance(proj, tuple | list) or not isinstance(value, tuple) or len(proj) != len(value):
        raise LayoutError(f"the projection {shown(proj)} does not fit {shown(value)}")
    return tuple(v for v, keep in zip(value, proj, strict=True) if keep is not None)


def _free(mode: Layout) -> Coord:
    return (None,) * mode.rank if isinstance(mode.shape, tuple) else None


def _padded(coord: Coord, mode: Layout) -> Coord:
    return (*coord, *(None,) * (mode.rank - len(coord))) if isinstance(coord, tuple) else coord
