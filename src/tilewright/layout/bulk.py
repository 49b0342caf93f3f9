"""Evaluation at arrays of coordinates."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisKey, components
from tilewright.layout.indexing import as_index, crd2idx, has_array, is_array
from tilewright.layout.inttuple import MAX_INT, IntTuple, leaves, modes, to_text

if TYPE_CHECKING:
    from tilewright.layout.indexing import Coordinate
    from tilewright.layout.inttuple import Element, Elements


def require_int64(coord: Coordinate, shape: IntTuple, stride: IntTuple) -> None:
    """Refuses arrays of coordinates whose values could leave 64 bits."""
    if _most(coord, shape, stride) >= MAX_INT:
        raise LayoutError(f"the values at these coordinates of {to_text(shape)}:{to_text(stride)} leave 64 bits")


def require_sum_int64(offset: Element, values: object) -> None:
    """Refuses an array of values that, moved by the offset, could leave 64 bits."""
    if type(offset) is int and has_array(values) and abs(offset) + _largest(values) >= MAX_INT:
        raise LayoutError(f"values up to {_largest(values)} moved by the offset {offset} leave 64 bits")


def _most(coord: Coordinate, shape: IntTuple, stride: IntTuple) -> int:
    """A bound of the absolute values."""
    if isinstance(coord, tuple | list) and isinstance(shape, tuple):
        return sum(map(_most, coord, shape, modes(stride)))
    while isinstance(coord, tuple | list):
        coord = coord[0] if coord else 0
    extents, steps = list(leaves(shape)), list(leaves(stride))
    if not extents:
        return 0
    last = _largest(coord) // prod(extents[:-1]) + 1
    inside = sum((s - 1) * abs(d) for s, d in zip(extents[:-1], steps[:-1], strict=True))
    return int(inside + last * abs(steps[-1]))


def _largest(coord: object) -> int:
    numbers = as_index(coord)
    if is_array(numbers):
        return max(abs(int(numbers.max(initial=0))), abs(int(numbers.min(initial=0))))
    return abs(int(numbers))


def by_axis(coord: Coordinate, shape: IntTuple, stride: IntTuple) -> dict[AxisKey, int]:
    """The values at arrays of coordinates, axis by axis."""
    axes = dict.fromkeys(axis for leaf in leaves(stride) for axis, _ in components(leaf))
    return {axis: at_arrays(coord, shape, _on(stride, axis)) for axis in axes}


def at_arrays(coord: Coordinate, shape: IntTuple, stride: IntTuple) -> int:
    """The values at arrays of coordinates, where strides are integers: an array, for which `int` stands.

    Raises:
        LayoutError: a value could leave 64 bits.
    """
    require_int64(coord, shape, stride)
    return crd2idx(coord, shape, stride)


def _on(stride: Elements, axis: AxisKey) -> IntTuple:
    if isinstance(stride, tuple):
        return tuple(_on(d, axis) for d in stride)
    return dict(components(stride)).get(axis, 0)
