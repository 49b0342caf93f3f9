"""Evaluation on int tuples: coordinates to module elements and back; of integers, arrays and run-time integers.

An integer coordinate is split over the modes colexicographically; the last mode takes what is left, without bound.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout.inttuple import MAX_DEPTH, MAX_INT, IntTuple, product, side_by_side, to_text
from tilewright.layout.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import bool_, int64, integer
    from numpy.typing import NDArray

    from tilewright.layout.axes import AxisSum
    from tilewright.layout.inttuple import Element, Elements
    from tilewright.layout.symbolic.symint import SymInt


@overload
def crd2idx(coord: Coordinate, shape: IntTuple, stride: IntTuple) -> int: ...
@overload
def crd2idx(coord: Coordinate, shape: IntTuple, stride: Elements) -> Element: ...
def crd2idx(coord: Coordinate, shape: IntTuple, stride: Elements) -> Element:
    """The module element at a coordinate that is weakly congruent to the shape; the last mode extends.

    Where a tuple of the coordinate ends before the modes do, the rest are zeros. Of arrays the element is an array, for
    which `int` stands, as for a run-time integer.

    Raises:
        LayoutError: the coordinate has more modes than the shape, or is not made of integers.

    >>> crd2idx((3, 5), (8, 16), (1, 8)), crd2idx((3,), (8, 16), (1, 8))
    (43, 3)
    """
    if shape.__class__ is not tuple or stride.__class__ is not tuple:
        return _at_leaf(coord, shape, stride)
    if coord.__class__ is int:
        return _split(coord, shape, stride)
    if coord.__class__ is tuple or coord.__class__ is list:
        if len(coord) > len(shape):
            raise LayoutError(f"coordinate {to_text(tuple(coord))} has more modes than the shape {to_text(shape)}")
        total: Element = 0
        for c, s, d in side_by_side(coord, shape, stride):  # what the coordinate does not name is zero
            if c.__class__ is int and d.__class__ is int:
                total += c * d
            else:
                total = total + crd2idx(c, s, d)
        return total
    return _split(as_index(coord), shape, stride)


@overload
def idx2crd(index: int, shape: int) -> int: ...
@overload
def idx2crd(index: int, shape: tuple[int, ...]) -> tuple[int, ...]: ...
@overload
def idx2crd(index: int, shape: tuple[IntTuple, ...]) -> tuple[IntTuple, ...]: ...
@overload
def idx2crd(index: int, shape: IntTuple) -> IntTuple: ...
def idx2crd(index: int, shape: IntTuple) -> IntTuple:
    """The coordinate in `shape` of a colexicographic index; the last mode is not reduced.

    >>> idx2crd(43, (8, 16)), idx2crd(11, (2, 5))
    ((3, 5), (1, 5))
    """
    if not isinstance(shape, tuple):
        return index
    out: list[IntTuple] = []
    for s in shape[:-1]:
        extent = product(s)
        out.append(idx2crd(index % extent, s))
        index = index // extent
    return (*out, idx2crd(index, shape[-1])) if shape else ()


def keeps(coord: object, levels: int = MAX_DEPTH) -> TypeGuard[Coord]:
    """Does the coordinate have None, which keeps a mode?

    >>> keeps((3, (None, 1))), keeps((3, 1))
    (True, False)
    """
    if isinstance(coord, tuple | list) and levels:
        return any(keeps(item, levels - 1) for item in coord)
    return coord is None


def has_array(coord: object, levels: int = MAX_DEPTH) -> bool:
    """Does an array stand in the coordinate?"""
    if isinstance(coord, tuple | list):
        return levels > 0 and any(has_array(item, levels - 1) for item in coord)
    return is_array(coord)


def is_array(value: object) -> TypeGuard[NDArray[int64]]:
    """Is it an array of one or more dimensions?"""
    return bool(getattr(value, "ndim", 0))


def is_coord(value: object, levels: int = MAX_DEPTH) -> bool:
    """Is it an integer or None, or a tuple or list of coordinates?

    >>> is_coord((3, [None, 1])), is_coord((3, "a"))
    (True, False)
    """
    if isinstance(value, tuple | list):
        return levels > 0 and all(is_coord(item, levels - 1) for item in value)
    try:
        return value is None or not is_array(as_index(value))
    except LayoutError:
        return False


if TYPE_CHECKING:
    Index: TypeAlias = "int | SymInt | integer[Any]"
    # A coordinate of a layout; with None for modes that are kept; with arrays of integers.
    Position: TypeAlias = "KnownPosition | Index | tuple[Position, ...] | list[Position]"
    KnownPosition: TypeAlias = "int | integer[Any] | tuple[KnownPosition, ...] | list[KnownPosition]"
    KnownCoord: TypeAlias = "int | integer[Any] | tuple[KnownCoord, ...] | list[KnownCoord] | None"
    Coord: TypeAlias = "KnownCoord | Index | tuple[Coord, ...] | list[Coord]"
    Positions: TypeAlias = "Index | NDArray[integer[Any]] | tuple[Positions, ...] | list[Positions]"
    # What evaluation is asked: any of these, whose None it refuses; and elements on axes, which a leaf only scales.
    Coordinate: TypeAlias = "Index | AxisSum | NDArray[integer[Any]] | Sequence[Coordinate] | None"
else:
    Coord = Kind(
        "Coord",
        is_coord,
        "A coordinate: an integer, None to keep a mode, or a tuple of coordinates.\n\n"
        "    Raises:\n        LayoutError: it is called: a kind of values makes none.\n\n"
        "    >>> isinstance((3, (None, 2)), Coord), isinstance('3', Coord)\n    (True, False)\n    ",
    )


def contains(coord: Coordinate, shape: IntTuple) -> bool | NDArray[bool_]:
    """Is the coordinate one of the shape, and every integer of it inside its mode? Of arrays: an array."""
    if not isinstance(coord, tuple | list):
        i, n = as_index(coord), product(shape)
        return (i >= 0) & (i < n) if is_array(i) else bool(0 <= i < n)
    if not isinstance(shape, tuple) or len(coord) > len(shape):
        return False
    inside: bool | NDArray[bool_] = True
    for c, s in zip(coord, shape, strict=False):
        inside = contains(c, s) & inside
    return inside


def as_index(value: object) -> int:
    """An integer, run-time integer, or array of 64-bit integers: `int` stands for all, whose operators they have.

    Raises:
        LayoutError: anything else.
    """
    if type(value) is int or _is_number(value):
        return value
    if is_array(value):
        return _as_indices(value)  # type: ignore[return-value]  # see above
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)  # type: ignore[arg-type]  # what is no index is a TypeError
    except TypeError:
        raise LayoutError(f"a coordinate is an integer, an array, or a tuple of them, got {shown(value)}") from None


def _is_number(value: object) -> TypeGuard[int]:
    return getattr(value, "is_layout_leaf", False)


def _split(i: int, shape: tuple[IntTuple, ...], stride: tuple[Elements, ...]) -> Element:
    if not shape:
        return 0
    total: Element = 0
    for s, d in side_by_side(shape[:-1], stride):  # all modes but the last
        if s.__class__ is int and d.__class__ is int:
            i, digit = _divided(i, s)
            total = total + digit * d
        else:
            i, rest = _divided(i, product(s))
            total = total + crd2idx(rest, s, d)
    last = stride[-1]
    return total + (i * last if last.__class__ is int else crd2idx(i, shape[-1], last))


def _divided(i: int, extent: int) -> tuple[int, int]:
    """Quotient and remainder; of arrays by shift and mask where that will do, which is four times as fast."""
    if i.__class__ is not int and extent.__class__ is int and extent & extent - 1 == 0 and getattr(i, "ndim", None):
        return i >> extent.bit_length() - 1, i & extent - 1
    return i // extent, i % extent


def _at_leaf(coord: Coordinate, extent: IntTuple, stride: Elements) -> Element:
    if isinstance(coord, tuple | list):
        raise LayoutError(f"coordinate {to_text(tuple(coord))} does not fit the leaf {extent}")
    assert not isinstance(stride, tuple), "shape and stride are congruent"
    return as_index(coord) * stride


def _as_indices(array: NDArray[int64]) -> NDArray[int64]:
    """The array as 64-bit integers."""
    from numpy import asarray, int64

    found = asarray(array)
    if found.dtype.kind not in "iu":
        raise LayoutError(f"coordinates are integers, got an array of {found.dtype}")
    if found.dtype.kind == "u" and found.max(initial=0) >= MAX_INT:
        raise LayoutError(f"coordinates are integers below 2^63, got an array with {found.max()}")
    return found.astype(int64, copy=False)
