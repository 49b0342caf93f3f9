"""Divisions: a layout cut into tiles and what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError
from tilewright.layout.algebra.by_axis import is_plain
from tilewright.layout.algebra.complement import complement_in, reach_of
from tilewright.layout.algebra.composition import compose_layouts
from tilewright.layout.algebra.modes import coalesced, settled
from tilewright.layout.algebra.ragged import counts, divide_raggedly
from tilewright.layout.algebra.tiler import Tiler, as_tiler, by_mode, modes_of, unzip
from tilewright.layout.arithmetic import is_multiple
from tilewright.layout.inttuple import IntTuple, leaves
from tilewright.layout.layout import Layout, compact_stride, concatenate, trusted
from tilewright.layout.steps import explained

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import CheckedTiler, KnownTiler
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


@overload
def logical_divide(layout: Layout[V], divisor: KnownTiler) -> Layout[V]: ...
@overload
def logical_divide(layout: Layout[V], divisor: Tiler) -> Layout[V | SymInt]: ...
def logical_divide(layout: Layout[V], divisor: Tiler) -> Layout:
    """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

    T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
    than A, all of A's among them exactly once.

    Raises:
        LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

    Source: CuTe's `logical_divide`.

    >>> print(logical_divide(Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_divide(Layout((8, 16)), (2, None)))
    ((2,4),16):((1,2),8)
    """
    return by_mode(_divide, layout, as_tiler(divisor), keep_rest=True)


@overload
def zipped_divide(layout: Layout[V], divisor: KnownTiler) -> Layout[V]: ...
@overload
def zipped_divide(layout: Layout[V], divisor: Tiler) -> Layout[V | SymInt]: ...
def zipped_divide(layout: Layout[V], divisor: Tiler) -> Layout:
    """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

    Where the divisor has None the whole mode is the tile.

    Raises:
        LayoutError: what `logical_divide` refuses.

    >>> print(zipped_divide(Layout((8, 16)), (2, 4)))
    ((2,4),(4,4)):((1,8),(2,32))
    """
    return concatenate(_zipped(layout, as_tiler(divisor)))


@overload
def tiled_divide(layout: Layout[V], divisor: KnownTiler) -> Layout[V]: ...
@overload
def tiled_divide(layout: Layout[V], divisor: Tiler) -> Layout[V | SymInt]: ...
def tiled_divide(layout: Layout[V], divisor: Tiler) -> Layout:
    """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

    Raises:
        LayoutError: what `logical_divide` refuses.

    >>> print(tiled_divide(Layout((8, 16)), (2, 4)))
    ((2,4),4,4):((1,8),2,32)
    """
    tiles, rests = _zipped(layout, as_tiler(divisor))
    return concatenate([tiles, *modes_of(rests)])


@overload
def flat_divide(layout: Layout[V], divisor: KnownTiler) -> Layout[V]: ...
@overload
def flat_divide(layout: Layout[V], divisor: Tiler) -> Layout[V | SymInt]: ...
def flat_divide(layout: Layout[V], divisor: Tiler) -> Layout:
    """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

    Raises:
        LayoutError: what `logical_divide` refuses.

    >>> print(flat_divide(Layout((8, 16)), (2, 4)))
    (2,4,4,4):(1,8,2,32)
    """
    tiles, rests = _zipped(layout, as_tiler(divisor))
    return concatenate([*modes_of(tiles), *modes_of(rests)])


def _zipped(layout: Layout, tiler: CheckedTiler) -> list[Layout]:
    return unzip(by_mode(_divide, layout, tiler, keep_rest=True), tiler)


@explained("logical_divide")
def _divide(layout: Layout, by: Layout | int) -> Layout:
    tile = by if isinstance(by, Layout) else trusted(by, compact_stride(by))
    rest, whole = complement_in(tile, _cotarget(layout, tile))
    both = concatenate([tile, rest])
    try:
        found = compose_layouts(layout, both)
    except LayoutError as refusal:
        ragged = divide_raggedly(layout, tile, rest)
        if ragged is None:
            raise refusal
        return ragged
    if not whole and not counts(layout.size, both.flat):
        raise LayoutError(
            f"{layout} is not divided by the tile {tile}: with its complement {rest} it does not meet each of the "
            f"{layout.size} elements exactly once"
        )
    return found


def _cotarget(layout: Layout, tile: Layout) -> IntTuple:
    """What tiles must cover: the coalesced shape, as in CuTe; the shape itself for a tile of coordinates."""
    if not (tile.is_static or is_plain(leaves(tile.stride))):
        return layout.shape
    modes = coalesced(layout.shape, layout.stride, proved=True)
    if len(modes[0]) > 1 and not (layout.is_static and tile.is_static) and not _parts(modes[0], reach_of(tile)):
        modes = settled(modes)
    return tuple(modes[0])


def _parts(extents: list[int], count: int) -> bool:
    # Is it proved that count fills modes of the extents one by one, and divides the last one that it reaches?
    for extent in extents:
        if is_multiple(extent, count) is True:
            return True
        if is_multiple(count, extent) is not True:
            return False
        count = count // extent
    return True
