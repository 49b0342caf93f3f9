"""Evaluation of many coordinates at once, with numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.axes import Axis
from tilewright.layout.indexing import as_index, is_array
from tilewright.layout.inttuple import MAX_INT
from tilewright.tirx.evaluate import Point, base, copies
from tilewright.tirx.iters import Iters, Parts, as_integer, as_shape, size_of, terms

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.indexing import Index

MAX_POINTS = 1 << 24


def coordinates(parts: Parts, coord: tuple[object, ...], shape: Sequence[Index] | None) -> tuple[int, ...]:
    """The coordinates themselves if they are ints; else checked, arrays as 64-bit integers that will not wrap around.

    Raises:
        LayoutError: no integers, or values that do not fit into 64 bits.
    """
    for c in coord:
        if type(c) is not int:
            break
    else:
        return coord  # type: ignore[return-value]  # all of them are ints
    checked = tuple(map(_coordinate, coord))
    if any(map(is_array, checked)):
        _check_reach(parts, checked, shape)
    return checked


def base_at(parts: Parts, coord: tuple[object, ...], shape: Sequence[Index] | None) -> Point:
    """D(x) + O at the coordinates, checked."""
    return base(parts, coordinates(parts, coord, shape), shape)


def _coordinate(value: object) -> int:
    if isinstance(value, tuple | list):
        raise LayoutError(
            f"the parts of a coordinate are given one by one, as in apply(2, 5, shape=(8, 16)); got {value}"
        )
    return as_index(value) if is_array(value) else as_integer(value, "a coordinate")


def _check_reach(parts: Parts, coord: tuple[int, ...], shape: Sequence[Index] | None) -> None:
    ends = [max(abs(int(c.min())), abs(int(c.max())), 1) if is_array(c) and c.size else 1 for c in coord]
    size = size_of(parts.shard)
    if type(size) is int:
        alone = shape is None or len(coord) == 1
        far = prod(ends if alone else map(max, zip(ends, as_shape(shape), strict=True)))
        check_range(parts, 1 + far // size)


def spread(
    point: Mapping[str, int | NDArray[int64]], shape: tuple[int, ...], replica: Iters
) -> dict[str, NDArray[int64]]:
    """Every value as an array of `shape`; with a replica, of one more dimension over its copies."""
    import numpy

    if not replica:
        return {axis: numpy.broadcast_to(value, shape) for axis, value in point.items()}
    offsets = copies(replica)
    axes = dict.fromkeys([*point, *(axis.name for offset in offsets for axis, _ in offset)])
    steps = {axis: [sum(v for a, v in offset if a.name == axis) for offset in offsets] for axis in axes}
    return {axis: numpy.broadcast_to(point.get(axis, 0), shape)[..., None] + numpy.array(steps[axis]) for axis in axes}


def common_shape(coord: tuple[int, ...]) -> tuple[int, ...]:
    """The shape to which coordinates, arrays among them, are broadcast."""
    import numpy

    return numpy.broadcast_shapes(*(numpy.shape(c) for c in coord))


def table(parts: Parts) -> dict[str, NDArray[int64]]:
    """D + O at every flat coordinate 0, 1, 2, ..: one integer array an axis. Replicas add one more dimension.

    Raises:
        LayoutError: more than 2^24 values, or run-time values.

    >>> from tilewright.tirx.iters import Iter
    >>> table(Parts((Iter(2, 10), Iter(3, 1))))["m"].tolist()
    [0, 1, 2, 10, 11, 12]
    """
    check_static(parts)
    size, count = size_of(parts.shard), size_of(parts.replica)
    named = (axis for it in parts.shard for axis, _ in terms(it.stride, it.axis))
    axes = dict.fromkeys([*named, *(axis for axis, _ in parts.offset)])
    if size * count * max(1, len(axes)) > MAX_POINTS:
        raise LayoutError(
            f"a table has at most {MAX_POINTS} values; this layout has {size} elements x {count} copies on "
            f"{len(axes)} axes"
        )
    check_range(parts)
    point = {axis.name: column(parts, axis).reshape(size) for axis in axes}
    return spread(point, (size,), parts.replica)


def check_static(parts: Parts) -> None:
    """Are all extents, strides and offsets known?

    Raises:
        LayoutError: one is a run-time value.
    """
    steps = [(it.extent, *(v for _, v in terms(it.stride, it.axis))) for it in (*parts.shard, *parts.replica)]
    values = [value for step in steps for value in step] + [v for _, v in parts.offset]
    unknown = next((value for value in values if not isinstance(value, int)), None)
    if unknown is not None:
        raise LayoutError(
            f"the layout has the run-time value {unknown}, where a number is needed; put one in its place"
        )


def check_range(parts: Parts, reach: int = 1) -> None:
    """Do all values fit into 64 bits, with outermost digits up to `reach` times their extent?

    Raises:
        LayoutError: they do not, and numpy would wrap around.
    """
    values = [it.extent * v for it in (*parts.shard, *parts.replica) for _, v in terms(it.stride, it.axis)]
    total = reach * sum(abs(v) for v in values) + sum(abs(v) for _, v in parts.offset)
    if max(total, reach * size_of(parts.shard)) >= MAX_INT:
        raise LayoutError(f"values of up to {total} do not fit into 64 bits; evaluate coordinates one by one")


def column(parts: Parts, axis: Axis) -> NDArray[int64]:
    """The values of D + O on one axis at all coordinates, in the shape of the shard."""
    import numpy

    values = numpy.array(sum(value for a, value in parts.offset if a is axis), dtype=numpy.int64)
    for it in parts.shard:
        step = sum(value for a, value in terms(it.stride, it.axis) if a is axis)
        values = values[..., None] + step * numpy.arange(it.extent, dtype=numpy.int64)
    return values
