"""Slices: coordinates with None keep the modes under it; the others give an offset."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import coordinate_of
from tilewright.layout.base import LayoutBase, as_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import IntTuple, as_int_tuple, to_text
from tilewright.layout.layout import Layout, crd2idx, present, trusted
from tilewright.layout.swizzle import Swizzle


def slice_(coord: Any, value: Any) -> Any:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.

    >>> print(slice_((None, 3), Layout((8, 16))), slice_((None, 3), (8, 16)))
    (8):(1) (8,)
    """
    value, coord = _ordered(coord, value)
    return slice_layout(value, coord) if isinstance(value, LayoutBase) else _part(value, coord, True)


def dice(coord: Any, value: Any) -> Any:
    """The modes of an int tuple or layout that the coordinate fixes.

    >>> print(dice((None, 3), Layout((8, 16))))
    (16):(8)
    """
    value, coord = _ordered(coord, value)
    return dice_layout(value, coord) if isinstance(value, LayoutBase) else _part(value, coord, False)


def slice_and_offset(coord: Any, layout: Any) -> tuple[Any, Any]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    >>> sliced, offset = slice_and_offset((3, None), Layout((8, 16)))
    >>> print(sliced, offset)
    (16):(8) 3
    """
    layout, coord = _ordered(coord, layout)
    return slice_layout_and_offset(as_layout(layout), coord)


def slice_layout(layout: Any, *coord: Any) -> Any:
    """The layout of the modes under None; a composed layout keeps the offset of the others."""
    if not isinstance(layout, Layout):
        from tilewright.layout.swizzled.slicing import slice_composed

        return slice_composed(layout, _one(coord))
    return slice_layout_and_offset(layout, *coord)[0]


def dice_layout(layout: Any, *coord: Any) -> Any:
    """The layout of the modes that the coordinate fixes."""
    if not isinstance(layout, Layout):
        return as_layout(layout).over_inner(lambda inner: dice_layout(inner, *coord))
    where = _one(coord)
    return trusted(_part(layout.shape, where, False), _part(layout.stride, where, False))


def slice_layout_and_offset(layout: Any, *coord: Any) -> tuple[Any, Any]:
    """The layout of the modes under None, and the value of the coordinate with 0 there."""
    where = _one(coord)
    if not isinstance(layout, Layout):
        from tilewright.layout.swizzled.slicing import slice_composed_and_offset

        return slice_composed_and_offset(layout, where)
    offset = crd2idx(zeros_for_none(where), layout.shape, layout.stride)
    return trusted(kept_modes(layout.shape, where), kept_modes(layout.stride, where)), offset


def domain_offset(coord: Any, layout: Any) -> tuple[Any, Any]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    >>> domain_offset((2, 3), Layout((8, 16)))[1]
    26
    """
    layout, coord = _ordered(coord, layout)
    if isinstance(layout, Layout):
        return layout, layout.at(coord)
    inner, offset = domain_offset(coord, as_layout(layout).inner)
    return ComposedLayout(layout.outer, layout.offset + offset, inner), 0


def slice_with_offset(layout: Any, coord: Any, profile: Any = None) -> Any:
    """The slice as a function with the same values as the whole: the offset stays inside, unless it is 0.

    `profile` is a zero coordinate of the codomain, where the strides of `layout` no longer tell it.

    >>> print(slice_with_offset(Layout((8, 16)), (3, None)))
    Sw<0,0,0> o 3 o (16):(8)
    """
    if not isinstance(layout, Layout):
        return slice_layout(layout, coord)
    sliced, offset = slice_layout_and_offset(layout, coord)
    # The origin of a coordinate tensor is a coordinate, kept also where it is zero: the values have its profile.
    moved = coordinate_of(offset, profile) if isinstance(profile, tuple) else present(offset, layout.stride)
    offset = moved if isinstance(moved, tuple) else offset
    return sliced if type(offset) is int and offset == 0 else ComposedLayout(Swizzle(0, 0, 0), offset, sliced)


def _ordered(first: Any, second: Any) -> tuple[Any, IntTuple]:
    if isinstance(first, LayoutBase):
        first, second = second, first
    return second if isinstance(second, LayoutBase) else as_int_tuple(second), as_int_tuple(first)


def _one(coord: tuple[Any, ...]) -> IntTuple:
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


def _parts(value: IntTuple, coord: IntTuple, free: bool) -> tuple[Any, ...]:
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
