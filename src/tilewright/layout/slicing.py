"""Slices: coordinates with None keep the modes under it; the others give an offset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from tilewright.errors import LayoutError
from tilewright.layout.axes import coordinate_of
from tilewright.layout.base import LayoutBase, as_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.indexing import keeps
from tilewright.layout.inttuple import IntTuple, as_int_tuple, to_text
from tilewright.layout.layout import Layout, crd2idx, present, trusted
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from tilewright.layout.axes import AxisKey
    from tilewright.layout.indexing import Coord
    from tilewright.layout.inttuple import IntTupleLike
    from tilewright.layout.methods import V


@overload
def slice_(src: Layout[V], coord: Coord) -> Layout[V]: ...
@overload
def slice_(src: Coord, coord: Layout[V]) -> Layout[V]: ...
@overload
def slice_(src: IntTupleLike, coord: Coord) -> IntTuple: ...
def slice_(src: Any, coord: Any) -> Any:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.

    >>> print(slice_((None, 3), Layout((8, 16))), slice_((None, 3), (8, 16)))
    (8):(1) (8,)
    """
    value, coord = value_and_coord(src, coord)
    return slice_layout(value, coord) if isinstance(value, Layout) else _part(value, coord, True)


@overload
def dice(src: Layout[V], coord: Coord) -> Layout[V]: ...
@overload
def dice(src: Coord, coord: Layout[V]) -> Layout[V]: ...
@overload
def dice(src: IntTupleLike, coord: Coord) -> IntTuple: ...
def dice(src: Any, coord: Any) -> Any:
    """The modes of an int tuple or layout that the coordinate fixes.

    >>> print(dice((None, 3), Layout((8, 16))))
    (16):(8)
    """
    value, coord = value_and_coord(src, coord)
    return dice_layout(value, coord) if isinstance(value, Layout) else _part(value, coord, False)


@overload
def slice_and_offset(layout: Layout[V], coord: Coord) -> tuple[Layout[V], int]: ...
@overload
def slice_and_offset(layout: Coord, coord: Layout[V]) -> tuple[Layout[V], int]: ...
def slice_and_offset(layout: Any, coord: Any) -> tuple[Any, Any]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    >>> sliced, offset = slice_and_offset((3, None), Layout((8, 16)))
    >>> print(sliced, offset)
    (16):(8) 3
    """
    layout, coord = _layout_and_coord(layout, coord)
    return slice_layout_and_offset(as_layout(layout), coord)


def slice_layout(layout: Layout[V], *coord: Coord) -> Layout[V]:
    """The layout of the modes under None; a composed layout keeps the offset of the others."""
    return slice_layout_and_offset(layout, *coord)[0]


def dice_layout(layout: Layout[V], *coord: Coord) -> Layout[V]:
    """The layout of the modes that the coordinate fixes."""
    where = as_coord(coord)
    return trusted(_part(layout.shape, where, False), _part(layout.stride, where, False))


def slice_layout_and_offset(layout: Layout[V], *coord: Coord) -> tuple[Layout[V], int]:
    """The layout of the modes under None, and the value of the coordinate with 0 there."""
    where = as_coord(coord)
    offset: int = crd2idx(zeros_for_none(where), layout.shape, layout.stride)
    return trusted(kept_modes(layout.shape, where), kept_modes(layout.stride, where)), offset


@overload
def domain_offset(layout: Layout[V], coord: Coord) -> tuple[Layout[V], int]: ...
@overload
def domain_offset(layout: Coord, coord: Layout[V]) -> tuple[Layout[V], int]: ...
def domain_offset(layout: Any, coord: Any) -> tuple[Any, Any]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    >>> domain_offset((2, 3), Layout((8, 16)))[1]
    26
    """
    layout, coord = _layout_and_coord(layout, coord)
    return layout, as_layout(layout).at(coord)


def slice_with_offset(
    layout: Layout[V], coord: Coord, profile: IntTuple | dict[AxisKey, int] | None = None
) -> Layout[V] | ComposedLayout[V]:
    """The slice as a function with the same values as the whole: the offset stays inside, unless it is 0.

    `profile` is a zero coordinate of the codomain, where the strides of `layout` no longer tell it.

    >>> print(slice_with_offset(Layout((8, 16)), (3, None)))
    Sw<0,0,0> o 3 o (16):(8)
    """
    sliced, offset = slice_layout_and_offset(layout, coord)
    # The origin of a coordinate tensor is a coordinate, kept also where it is zero: the values have its profile.
    moved: Any = coordinate_of(offset, profile) if isinstance(profile, tuple) else present(offset, layout.stride)
    start = moved if isinstance(moved, tuple) else offset
    return sliced if type(start) is int and start == 0 else ComposedLayout(Swizzle(0, 0, 0), start, sliced)


def value_and_coord(first: Any, second: Any) -> tuple[Any, IntTuple]:
    """The arguments of a slice, which may come in either order: the layout, or the side without None, is sliced.

    CuTe writes the coordinate first, FlyDSL the value; without None on either side the first is the coordinate.

    >>> value_and_coord((None, 3), (8, 16)), value_and_coord((8, 16), (None, 3))
    (((8, 16), (None, 3)), ((8, 16), (None, 3)))
    """
    for value, coord in ((first, second), (second, first)):
        if isinstance(value, LayoutBase):
            return value, as_int_tuple(coord)
    first, second = as_int_tuple(first), as_int_tuple(second)
    if keeps(first) and keeps(second):
        raise LayoutError(f"slice: both {to_text(first)} and {to_text(second)} have `_`; one is what is sliced")
    return (first, second) if keeps(second) else (second, first)


def _layout_and_coord(first: Any, second: Any) -> tuple[Any, IntTuple]:
    """`value_and_coord` where the value is a layout."""
    if not isinstance(second, LayoutBase):
        as_layout(first)
    return value_and_coord(first, second)


def as_coord(coord: tuple[Any, ...]) -> IntTuple:
    """The coordinate given as one argument, or as one argument a mode."""
    return as_int_tuple(coord[0] if len(coord) == 1 else coord)


def zeros_for_none(coord: IntTuple) -> IntTuple:
    """The coordinate with 0 in place of None.

    >>> zeros_for_none((3, (None, 1)))
    (3, (0, 1))
    """
    if isinstance(coord, tuple):
        return tuple(map(zeros_for_none, coord))
    return 0 if coord is None else coord


def kept_modes(value: IntTuple, coord: IntTuple) -> IntTuple:
    """The parts of an int tuple under None, flattened by one level as in CuTe.

    >>> kept_modes((4, (2, 8)), (3, (None, 1)))
    (2,)
    """
    return _part(value, coord, True)


def _part(value: IntTuple, coord: IntTuple, free: bool) -> IntTuple:
    if not isinstance(coord, tuple):
        if (coord is None) == free:
            return value
        raise LayoutError(f"nothing is left of {to_text(value)} at the coordinate {to_text(coord)}")
    kept = _parts(value, coord, free)
    if not kept:
        raise LayoutError(f"nothing is left of {to_text(value)} at the coordinate {to_text(coord)}")
    return kept


def _parts(value: IntTuple, coord: tuple[Any, ...], free: bool) -> tuple[Any, ...]:
    if not isinstance(value, tuple) or len(value) != len(coord):
        raise LayoutError(f"the coordinate {to_text(coord)} does not fit {to_text(value)}")
    out: list[Any] = []
    for item, c in zip(value, coord, strict=True):
        if isinstance(c, tuple):
            inner = _parts(item, c, free)
            out.extend(inner)
        elif (c is None) == free:
            out.append(item)
    return tuple(out)
