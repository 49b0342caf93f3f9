"""Slices: coordinates with None keep the modes under it; the others give an offset."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, overload

from tilewright.errors import LayoutError
from tilewright.layout.base import LayoutBase, as_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.indexing import keeps
from tilewright.layout.inttuple import IntTuple, as_int_tuple, to_text
from tilewright.layout.layout import Layout, crd2idx, present, trusted
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.indexing import Coord, KnownCoord
    from tilewright.layout.inttuple import Element, IntTupleLike, Leaf
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt
    from tilewright.layout.view import Change, Seen

L = TypeVar("L", bound=LayoutBase)


@overload
def slice_(src: Layout[V], coord: Coord) -> Layout[V]: ...
@overload
def slice_(src: Coord, coord: Layout[V]) -> Layout[V]: ...
@overload
def slice_(src: IntTupleLike, coord: Coord) -> IntTuple: ...
def slice_(src: Layout[V] | Coord | IntTupleLike, coord: Coord | IntTupleLike | Layout[V]) -> Layout[V] | IntTuple:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    What the fixed modes add is left out of a plain layout: `slice_and_offset` has it, `local_tile` and partitions keep
    it. A composed layout keeps it inside, since its swizzle asks for it.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.

    >>> print(slice_((None, 3), Layout((8, 16))), slice_((None, 3), (8, 16)))
    (8):(1) (8,)
    """
    if isinstance(src, LayoutBase) or isinstance(coord, LayoutBase):
        return slice_layout(*layout_and_coord(Layout, src, coord))
    return _part(*tuple_and_coord(src, coord), True)


@overload
def dice(src: Layout[V], coord: Coord) -> Layout[V]: ...
@overload
def dice(src: Coord, coord: Layout[V]) -> Layout[V]: ...
@overload
def dice(src: IntTupleLike, coord: Coord) -> IntTuple: ...
def dice(src: Layout[V] | Coord | IntTupleLike, coord: Coord | IntTupleLike | Layout[V]) -> Layout[V] | IntTuple:
    """The modes of an int tuple or layout that the coordinate fixes.

    Raises:
        LayoutError: the coordinate does not fit, or fixes nothing.

    >>> print(dice((None, 3), Layout((8, 16))))
    (16):(8)
    """
    if isinstance(src, LayoutBase) or isinstance(coord, LayoutBase):
        return dice_layout(*layout_and_coord(Layout, src, coord))
    return _part(*tuple_and_coord(src, coord), False)


@overload
def slice_and_offset(layout: Layout[int], coord: KnownCoord) -> tuple[Layout[int], int]: ...
@overload
def slice_and_offset(layout: Layout[V], coord: Coord) -> tuple[Layout[V], Element | SymInt]: ...
@overload
def slice_and_offset(layout: KnownCoord, coord: Layout[int]) -> tuple[Layout[int], int]: ...
@overload
def slice_and_offset(layout: Coord, coord: Layout[V]) -> tuple[Layout[V], Element | SymInt]: ...
def slice_and_offset(layout: Layout | Coord, coord: Coord | Layout) -> tuple[Layout, Element | SymInt]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    Raises:
        LayoutError: the coordinate does not fit the layout.

    >>> sliced, offset = slice_and_offset((3, None), Layout((8, 16)))
    >>> print(sliced, offset)
    (16):(8) 3
    """
    return slice_layout_and_offset(*layout_and_coord(Layout, layout, coord))


def slice_layout(layout: Layout[V], *coord: Coord) -> Layout[V]:
    """The layout of the modes under None; a composed layout keeps the offset of the others."""
    return slice_layout_and_offset(layout, *coord)[0]


def dice_layout(layout: Layout[V], *coord: Coord) -> Layout[V]:
    """The layout of the modes that the coordinate fixes."""
    where = as_coord(coord)
    return trusted(_part(layout.shape, where, False), _part(layout.stride, where, False))


@overload
def slice_layout_and_offset(layout: Layout[int], *coord: KnownCoord) -> tuple[Layout[int], int]: ...
@overload
def slice_layout_and_offset(layout: Layout[V], *coord: Coord) -> tuple[Layout[V], Element | SymInt]: ...
def slice_layout_and_offset(layout: Layout, *coord: Coord) -> tuple[Layout, Element | SymInt]:
    """The layout of the modes under None, and the value of the coordinate with 0 there."""
    return _cut(layout, as_coord(coord))


@overload
def domain_offset(layout: Layout[int], coord: KnownCoord) -> tuple[Layout[int], int]: ...
@overload
def domain_offset(layout: Layout[V], coord: Coord) -> tuple[Layout[V], Element | SymInt]: ...
@overload
def domain_offset(layout: KnownCoord, coord: Layout[int]) -> tuple[Layout[int], int]: ...
@overload
def domain_offset(layout: Coord, coord: Layout[V]) -> tuple[Layout[V], Element | SymInt]: ...
def domain_offset(layout: Layout | Coord, coord: Coord | Layout) -> tuple[Layout, Element | SymInt]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    Raises:
        LayoutError: the coordinate does not fit the layout.

    >>> domain_offset((2, 3), Layout((8, 16)))[1]
    26
    """
    moved, where = layout_and_coord(Layout, layout, coord)
    return moved, crd2idx(where, moved.shape, moved.stride)


@overload
def slice_with_offset(layout: Layout[V], coord: KnownCoord) -> Layout[V] | ComposedLayout[V]: ...
@overload
def slice_with_offset(layout: Layout[V], coord: Coord) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def slice_with_offset(layout: Layout, coord: Coord) -> Layout | ComposedLayout:
    """The slice as a function with the same values as the whole: the offset stays inside, unless it is 0.

    R(c) == A(d) where d is the coordinate with c in the place of its None.

    Raises:
        LayoutError: a coordinate that is not weakly congruent to the shape.

    >>> print(slice_with_offset(Layout((8, 16)), (3, None)))
    3 o (16):(8)
    """
    sliced, offset = _cut(layout, as_int_tuple(coord))
    # The origin of a coordinate tensor is a coordinate, kept also where it is zero: the values have its profile.
    moved = present(offset, layout.axes)
    start = moved if isinstance(moved, tuple) else offset
    return sliced if type(start) is int and start == 0 else ComposedLayout(Swizzle(0, 0, 0), start, sliced)


def moved(view: Seen, change: Change, *said: DTypeLike | None) -> Seen:
    """What a slice gives of a view: seen from where it begins, by the offset that the slice of a layout drops."""
    return view.over_layout(lambda layout: change(ComposedLayout(Swizzle(0, 0, 0), 0, layout)))


def _cut(layout: Layout, where: IntTuple) -> tuple[Layout, Element]:
    offset = crd2idx(zeros_for_none(where), layout.shape, layout.stride)
    return trusted(kept_modes(layout.shape, where), kept_modes(layout.stride, where)), offset


def layout_and_coord(kind: type[L], first: object, second: object) -> tuple[L, IntTuple]:
    """The layout, of the kind that the caller has been told apart, and the coordinate; either may come first."""
    if isinstance(second, LayoutBase) and not isinstance(first, LayoutBase):
        first, second = second, first
    layout, coord = as_layout(first), as_int_tuple(second)
    assert isinstance(layout, kind)
    return layout, coord


def tuple_and_coord(first: object, second: object) -> tuple[IntTuple, IntTuple]:
    """The arguments of a slice, which may come in either order: the side without None is sliced.

    CuTe writes the coordinate first, FlyDSL the value; without None on either side the first is the coordinate.

    >>> tuple_and_coord((None, 3), (8, 16)), tuple_and_coord((8, 16), (None, 3))
    (((8, 16), (None, 3)), ((8, 16), (None, 3)))
    """
    a, b = as_int_tuple(first), as_int_tuple(second)
    if not keeps(b):
        return b, a
    if keeps(a):
        raise LayoutError(f"slice: both {to_text(a)} and {to_text(b)} have `_`; one is what is sliced")
    return a, b


def as_coord(coord: tuple[object, ...]) -> IntTuple:
    """The coordinate given as one argument, or as one argument a mode."""
    return as_int_tuple(coord[0] if len(coord) == 1 else coord)


def zeros_for_none(coord: IntTuple) -> IntTuple:
    """The coordinate with 0 in place of None.

    >>> zeros_for_none((3, (None, 1)))
    (3, (0, 1))
    """
    if isinstance(coord, tuple):
        return tuple(map(zeros_for_none, coord))
    return 0 if _is_free(coord) else coord


def kept_modes(value: IntTuple, coord: IntTuple) -> IntTuple:
    """The parts of an int tuple under None, flattened by one level as in CuTe.

    >>> kept_modes((4, (2, 8)), (3, (None, 1)))
    (2,)
    """
    return _part(value, coord, True)


def _part(value: IntTuple, coord: IntTuple, free: bool) -> IntTuple:
    if not isinstance(coord, tuple):
        if _is_free(coord) == free:
            return value
        raise LayoutError(f"nothing is left of {to_text(value)} at the coordinate {to_text(coord)}")
    kept = _parts(value, coord, free)
    if not kept:
        raise LayoutError(f"nothing is left of {to_text(value)} at the coordinate {to_text(coord)}")
    return kept


def _parts(value: IntTuple, coord: tuple[IntTuple, ...], free: bool) -> tuple[IntTuple, ...]:
    if not isinstance(value, tuple) or len(value) != len(coord):
        raise LayoutError(f"the coordinate {to_text(coord)} does not fit {to_text(value)}")
    out: list[IntTuple] = []
    for item, c in zip(value, coord, strict=True):
        if isinstance(c, tuple):
            inner = _parts(item, c, free)
            out.extend(inner)
        elif _is_free(c) == free:
            out.append(item)
    return tuple(out)


def _is_free(leaf: Leaf) -> bool:
    return leaf is None
