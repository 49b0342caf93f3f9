"""Evaluation on int tuples: coordinates to module elements and back; of integers, arrays and run-time integers.

An integer coordinate is split over the modes colexicographically; the last mode takes what is left, without bound.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias

from tilewright.errors import LayoutError, shown
from tilewright.layout.inttuple import MAX_DEPTH, MAX_INT, IntTuple, product, to_text
from tilewright.layout.kinds import Kind

if TYPE_CHECKING:
    from numpy import integer
    from numpy.typing import NDArray

    from tilewright.layout.symbolic.symint import SymInt


def crd2idx(coord: Any, shape: IntTuple, stride: Any) -> Any:
    """The module element at a coordinate that is weakly congruent to the shape; the last mode extends.

    Raises:
        LayoutError: the coordinate is of another profile, or not made of integers.

    >>> crd2idx((3, 5), (8, 16), (1, 8))
    43
    """
    if shape.__class__ is not tuple:
        return _leaf_index(coord, shape) * stride
    if coord.__class__ is int:
        return _split(coord, shape, stride)
    if coord.__class__ is tuple or coord.__class__ is list:
        if len(coord) != len(shape):
            raise LayoutError(f"coordinate {to_text(tuple(coord))} does not fit shape {to_text(shape)}")
        total: Any = 0
        for c, s, d in zip(coord, shape, stride):  # noqa: B905  # congruent: checked above and when built
            if c.__class__ is int and s.__class__ is int:
                total += c * d
            else:
                total = total + crd2idx(c, s, d)
        return total
    return _split(as_index(coord), shape, stride)


def idx2crd(index: Any, shape: IntTuple) -> Any:
    """The coordinate in `shape` of a colexicographic index; the last mode is not reduced.

    >>> idx2crd(43, (8, 16)), idx2crd(11, (2, 5))
    ((3, 5), (1, 5))
    """
    if not isinstance(shape, tuple):
        return index
    out = []
    for s in shape[:-1]:
        extent = product(s)
        out.append(idx2crd(index % extent, s))
        index = index // extent
    return (*out, idx2crd(index, shape[-1])) if shape else ()


def keeps(coord: Any, levels: int = MAX_DEPTH) -> bool:
    """Does the coordinate have None, which keeps a mode?

    >>> keeps((3, (None, 1))), keeps((3, 1))
    (True, False)
    """
    if isinstance(coord, tuple | list) and levels:
        return any(keeps(item, levels - 1) for item in coord)
    return coord is None


def has_array(coord: Any, levels: int = MAX_DEPTH) -> bool:
    """Does an array stand in the coordinate?"""
    if isinstance(coord, tuple | list):
        return levels > 0 and any(has_array(item, levels - 1) for item in coord)
    return bool(getattr(coord, "ndim", 0))


def is_coord(value: object, levels: int = MAX_DEPTH) -> bool:
    """Is it an integer or None, or a tuple or list of coordinates?

    >>> is_coord((3, [None, 1])), is_coord((3, "a"))
    (True, False)
    """
    if isinstance(value, tuple | list):
        return levels > 0 and all(is_coord(item, levels - 1) for item in value)
    try:
        return value is None or not getattr(as_index(value), "ndim", 0)
    except LayoutError:
        return False


if TYPE_CHECKING:
    Index: TypeAlias = "int | SymInt | integer[Any]"
    # A coordinate of a layout; with None for modes that are kept; with arrays of integers.
    Position: TypeAlias = "Index | tuple[Position, ...] | list[Position]"
    Coord: TypeAlias = "Index | tuple[Coord, ...] | list[Coord] | None"
    Positions: TypeAlias = "Index | NDArray[integer[Any]] | tuple[Positions, ...] | list[Positions]"
else:
    Coord = Kind("Coord", is_coord, "A coordinate: an integer, None to keep a mode, or a tuple of coordinates.")


def contains(coord: Any, shape: IntTuple) -> Any:
    """Is the coordinate weakly congruent to the shape, and every integer of it inside its mode? Of arrays: an array."""
    if not isinstance(coord, tuple | list):
        i, n = as_index(coord), product(shape)
        return (i >= 0) & (i < n) if getattr(i, "ndim", None) else bool(0 <= i < n)
    if not isinstance(shape, tuple) or len(coord) != len(shape):
        return False
    inside: Any = True
    for c, s in zip(coord, shape, strict=True):
        inside = contains(c, s) & inside
    return inside


def as_index(value: Any) -> Any:
    """An integer, run-time integer, or array of 64-bit integers.

    Raises:
        LayoutError: anything else.
    """
    if type(value) is int or getattr(value, "is_layout_leaf", False):
        return value
    if getattr(value, "ndim", 0):
        return _as_indices(value)
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)
    except TypeError:
        raise LayoutError(f"a coordinate is an integer, an array, or a tuple of them, got {shown(value)}") from None


def _split(i: Any, shape: tuple[Any, ...], stride: tuple[Any, ...]) -> Any:
    if not shape:
        return 0
    total: Any = 0
    for s, d in zip(shape[:-1], stride):  # noqa: B905  # all modes but the last
        if s.__class__ is tuple:
            extent = product(s)
            i, rest = _divided(i, extent)
            total = total + _split(rest, s, d)
        else:
            i, digit = _divided(i, s)
            total = total + digit * d
    return total + (_split(i, shape[-1], stride[-1]) if shape[-1].__class__ is tuple else i * stride[-1])


def _divided(i: Any, extent: Any) -> tuple[Any, Any]:
    """Quotient and remainder; of arrays by shift and mask where that will do, which is four times as fast."""
    if i.__class__ is not int and extent.__class__ is int and extent & extent - 1 == 0 and getattr(i, "ndim", None):
        return i >> extent.bit_length() - 1, i & extent - 1
    return i // extent, i % extent


def _leaf_index(coord: Any, extent: Any) -> Any:
    if isinstance(coord, tuple | list):
        raise LayoutError(f"coordinate {to_text(tuple(coord))} does not fit the leaf {extent}")
    return as_index(coord)


def _as_indices(array: Any) -> Any:
    """The array as 64-bit integers."""
    from numpy import asarray, int64

    found = asarray(array)
    if found.dtype.kind not in "iu":
        raise LayoutError(f"coordinates are integers, got an array of {found.dtype}")
    if found.dtype.kind == "u" and found.max(initial=0) >= MAX_INT:
        raise LayoutError(f"coordinates are integers below 2^63, got an array with {found.max()}")
    return found.astype(int64, copy=False)
