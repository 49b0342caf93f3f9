"""Evaluation at arrays of coordinates."""

from __future__ import annotations

from math import prod
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum, components
from tilewright.layout.indexing import as_index, crd2idx, has_array
from tilewright.layout.inttuple import MAX_INT, IntTuple, leaves, to_text


def require_int64(coord: Any, shape: IntTuple, stride: IntTuple) -> None:
    """Refuses arrays of coordinates whose values could leave 64 bits."""
    if _most(coord, shape, stride) >= MAX_INT:
        raise LayoutError(f"the values at these coordinates of {to_text(shape)}:{to_text(stride)} leave 64 bits")


def require_sum_int64(offset: Any, values: Any) -> None:
    """Refuses an array of values that, moved by the offset, could leave 64 bits."""
    if type(offset) is int and has_array(values) and abs(offset) + _largest(values) >= MAX_INT:
        raise LayoutError(f"values up to {_largest(values)} moved by the offset {offset} leave 64 bits")


def _most(coord: Any, shape: IntTuple, stride: Any) -> int:
    """A bound of the absolute values."""
    if isinstance(coord, tuple | list) and isinstance(shape, tuple):
        return sum(map(_most, coord, shape, stride))
    while isinstance(coord, tuple | list):
        coord = coord[0] if coord else 0
    extents, steps = list(leaves(shape)), list(leaves(stride))
    if not extents:
        return 0
    last = _largest(coord) // prod(extents[:-1]) + 1
    inside = sum((s - 1) * abs(d) for s, d in zip(extents[:-1], steps[:-1], strict=True))
    return int(inside + last * abs(steps[-1]))


def _largest(coord: Any) -> int:
    coord = as_index(coord)
    if not getattr(coord, "ndim", 0):
        return abs(int(coord))
    return max(abs(int(coord.max(initial=0))), abs(int(coord.min(initial=0))))


def by_axis(coord: Any, shape: IntTuple, stride: IntTuple) -> dict[Any, Any]:
    """The values at arrays of coordinates, axis by axis."""
    axes = dict.fromkeys(axis for leaf in leaves(stride) for axis, _ in components(leaf))
    return {axis: at_arrays(coord, shape, _on(stride, axis)) for axis in axes}


def at_arrays(coord: Any, shape: IntTuple, stride: IntTuple) -> Any:
    """The values at arrays of coordinates, where strides are integers.

    Raises:
        LayoutError: a value could leave 64 bits.
    """
    require_int64(coord, shape, stride)
    return crd2idx(coord, shape, stride)


def _on(stride: Any, axis: Any) -> Any:
    if isinstance(stride, tuple):
        return tuple(_on(d, axis) for d in stride)
    return stride.on(axis) if isinstance(stride, AxisSum) else dict(components(stride)).get(axis, 0)
