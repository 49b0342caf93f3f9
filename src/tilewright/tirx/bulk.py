"""Evaluation of many coordinates at once, with numpy."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import Axis
from tilewright.tirx.evaluate import Point, copies
from tilewright.tirx.iters import Iters, Parts, size_of, terms

MAX_POINTS = 1 << 24


def is_array(value: Any) -> bool:
    """Is it a numpy array? (numpy is not imported to find out)"""
    return hasattr(value, "ndim") and hasattr(value, "shape")


def spread(point: Point, shape: tuple[int, ...], replica: Iters) -> Point:
    """Every value as an array of `shape`; with a replica, of one more dimension over its copies."""
    import numpy

    if not replica:
        return {axis: numpy.broadcast_to(value, shape) for axis, value in point.items()}
    offsets = copies(replica)
    axes = dict.fromkeys([*point, *(axis.name for offset in offsets for axis, _ in offset)])
    steps = {axis: [sum(v for a, v in offset if a.name == axis) for offset in offsets] for axis in axes}
    return {axis: numpy.broadcast_to(point.get(axis, 0), shape)[..., None] + numpy.array(steps[axis]) for axis in axes}


def common_shape(coord: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape to which coordinates, arrays among them, are broadcast."""
    import numpy

    return numpy.broadcast_shapes(*(numpy.shape(c) for c in coord))


def table(parts: Parts) -> Point:
    """D + O at every flat coordinate 0, 1, 2, ..: one integer array an axis. Replicas add one more dimension.

    Raises:
        LayoutError: more than 2^24 coordinates, or run-time values.

    >>> from tilewright.tirx.iters import Iter
    >>> table(Parts((Iter(2, 10), Iter(3, 1))))["m"].tolist()
    [0, 1, 2, 10, 11, 12]
    """
    size = size_of(parts.shard)
    if type(size) is not int or size > MAX_POINTS:
        raise LayoutError(f"a table has at most {MAX_POINTS} rows, this layout has {size} elements")
    named = (axis for it in parts.shard for axis, _ in terms(it.stride, it.axis))
    axes = dict.fromkeys([*named, *(axis for axis, _ in parts.offset)])
    point = {axis.name: column(parts, axis).reshape(size) for axis in axes}
    return spread(point, (size,), parts.replica)


def column(parts: Parts, axis: Axis) -> Any:
    """The values of D + O on one axis at all coordinates, in the shape of the shard."""
    import numpy

    values = numpy.array(sum(value for a, value in parts.offset if a is axis), dtype=numpy.int64)
    for it in parts.shard:
        step = sum(value for a, value in terms(it.stride, it.axis) if a is axis)
        values = values[..., None] + step * numpy.arange(it.extent, dtype=numpy.int64)
    return values
