"""Evaluation of many coordinates at once, with numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum, components
from tilewright.layout.indexing import crd2idx
from tilewright.layout.inttuple import IntTuple, leaves, product

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_TABLE = 2**26


def as_indices(array: Any) -> NDArray[Any]:
    """The array as 64-bit integers.

    Raises:
        LayoutError: the array does not hold integers.
    """
    from numpy import asarray, int64

    found = asarray(array)
    if found.dtype.kind not in "iu":
        raise LayoutError(f"coordinates are integers, got an array of {found.dtype}")
    return found.astype(int64, copy=False)


def mesh(shape: IntTuple) -> Any:
    """All coordinates of a shape: one array a top-level mode, that broadcast against each other.

    Raises:
        LayoutError: more than 2^26 coordinates.
    """
    from numpy import arange, int64, ix_

    size = product(shape)
    if type(size) is not int or size > MAX_TABLE:
        raise LayoutError(f"a table of {size} elements is too large: at most {MAX_TABLE}")
    if not isinstance(shape, tuple):
        return arange(size, dtype=int64)
    return ix_(*(arange(product(s), dtype=int64) for s in shape))


def by_axis(coord: Any, shape: IntTuple, stride: IntTuple) -> dict[Any, Any]:
    """The values at arrays of coordinates, axis by axis."""
    axes = dict.fromkeys(axis for leaf in leaves(stride) for axis, _ in components(leaf))
    return {axis: crd2idx(coord, shape, _on(stride, axis)) for axis in axes}


def has_array(coord: Any) -> bool:
    """Does an array stand in the coordinate?"""
    return any(map(has_array, coord)) if isinstance(coord, tuple | list) else bool(getattr(coord, "ndim", 0))


def _on(stride: IntTuple, axis: Any) -> IntTuple:
    if isinstance(stride, tuple):
        return tuple(_on(d, axis) for d in stride)
    return stride.on(axis) if isinstance(stride, AxisSum) else dict(components(stride)).get(axis, 0)
