"""Evaluating a layout: a logical coordinate is flattened ROW-major and split over the shard, last iter fastest.

This order is the opposite of CuTe's; `shard_layout` and `from_layout` are the one place where it is reversed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, shown
from tilewright.layout.layout import Layout
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.group import try_group
from tilewright.tirx.iters import (
    Iter,
    Iters,
    Parts,
    Terms,
    add_terms,
    as_integer,
    as_shape,
    extents,
    make_iter,
    size_of,
    terms,
)
from tilewright.tirx.replica import MAX_COPIES

if TYPE_CHECKING:
    from tilewright.layout.indexing import Index

Point = dict[str, int]  # of arrays of coordinates arrays, for which `int` stands


def shard_layout(shard: Iters) -> Layout:
    """D as a CuTe layout: the same table over the flat coordinate, the last iter as first mode.

    >>> print(shard_layout((Iter(8, 4, "laneid"), Iter(2, 1))))
    (2,8):(1,4@laneid)
    """
    walk = tuple(reversed(shard)) or (make_iter(1, 0, None),)
    strides = tuple(it.stride if it.axis is None else it.stride @ it.axis for it in walk)
    return Layout(extents(walk), strides)


def from_layout(layout: Layout) -> Iters:
    """The inverse of `shard_layout`: the leaves in reverse order.

    Raises:
        LayoutError: a stride on a coordinate position (`1@0`), which is no named axis.
    """
    if not isinstance(layout, Layout):
        raise LayoutError(f"expected a Layout, got {shown(layout)}")
    return tuple(Iter(extent, stride) for extent, stride in reversed(layout.flat))


def flatten(coord: Sequence[int], shape: Sequence[int]) -> int:
    """The row-major number of a coordinate.

    >>> flatten((2, 5), (8, 16))
    37
    """
    flat = 0
    for c, extent in zip(coord, shape, strict=True):
        flat = flat * extent + c
    return flat


def split(flat: int, shape: Sequence[int]) -> list[int]:
    """The row-major digits of a number; the first is not reduced.

    >>> split(37, (8, 2, 4, 2))
    [2, 0, 2, 1]
    """
    digits: list[int] = []
    for extent in reversed(shape[1:]):
        digits.append(flat % extent)
        flat = flat // extent
    digits += [flat] if shape else []
    return digits[::-1]


def place(shard: Iters, digits: Sequence[int], offset: Terms) -> Point:
    """D + O: the sum of digit * stride on every axis of the shard and of the offset."""
    point: Point = {}
    for (_, stride, axis), digit in zip(shard, digits, strict=True):
        if axis is not None:
            point[axis.name] = point.get(axis.name, 0) + digit * stride
        else:
            for part, value in terms(stride, None):
                point[part.name] = point.get(part.name, 0) + digit * value
    for axis, value in offset:
        point[axis.name] = point.get(axis.name, 0) + value
    return point


def base(parts: Parts, coord: Sequence[int], shape: Sequence[Index] | None) -> Point:
    """D(x) + O, the place of x without replicas.

    One coordinate alone is the flat number; n of them are one per iter, or, with a shape, one per dimension.

    Raises:
        LayoutError: the number of coordinates fits neither.
    """
    shard = parts.shard
    if len(coord) == 1:
        return place(shard, split(coord[0], extents(shard)), parts.offset)
    if shape is not None and not (isinstance(shape, tuple | list) and len(shape) == len(coord)):
        shape = as_shape(shape)
        if len(shape) != len(coord):
            raise LayoutError(f"{len(coord)} coordinates for the shape {shape} of rank {len(shape)}")
    if shape is None:
        if len(coord) != len(shard):
            raise LayoutError(
                f"Coordinate size must match the number of shard axes: {len(coord)} coordinates, "
                f"{len(shard)} iters; give one flat coordinate, one per iter, or shape="
            )
        return place(shard, coord, parts.offset)
    return place(*_split_by(shard, coord, shape), parts.offset)


def digits_in(shard: Iters, coord: object, shape: object) -> list[int]:
    """The digit that every iter takes at a coordinate of `shape`, of the grouped shard where it can be grouped."""
    point, whole = tuple(coord) if isinstance(coord, Iterable) else (coord,), as_shape(shape)
    if len(point) != len(whole):
        raise LayoutError(f"{len(point)} coordinates for the shape {whole} of rank {len(whole)}")
    return _split_by(shard, tuple(as_integer(c, "a coordinate") for c in point), whole)[1]


def copies(replica: Iters) -> tuple[Terms, ...]:
    """The distinct offsets of the replicas, in replica order: the last iter is the fastest.

    Raises:
        LayoutError: there are more than 2^16.

    >>> copies((Iter(2, 4, "warpid"),))
    (((warpid, 0),), ((warpid, 4),))
    """
    count = size_of(replica)
    if type(count) is int and count > MAX_COPIES:
        raise LayoutError(f"{count} copies of one element are too many to enumerate; the limit is {MAX_COPIES}")
    walks = [[[(axis, d * v) for axis, v in terms(it.stride, it.axis)] for d in range(it.extent)] for it in replica]
    return tuple(dict.fromkeys(add_terms(*steps) for steps in product(*walks)))


def fan_out(point: Point, offsets: tuple[Terms, ...]) -> CoordSet:
    """The set { point + r } over the distinct replica offsets."""
    out = []
    for offset in offsets:
        copy = dict(point)
        for axis, value in offset:
            copy[axis.name] = copy.get(axis.name, 0) + value
        out.append(copy)
    return CoordSet.of_distinct(out)


def _split_by(shard: Iters, coord: Sequence[int], shape: Sequence[Index]) -> tuple[Iters, list[int]]:
    # Inside the domain both ways agree. Outside, and for run-time values and arrays, each dimension is split
    # within its own iters where the layout can be grouped: its outermost digit then takes what is left.
    inside = all(type(c) is int and type(s) is int and 0 <= c < s for c, s in zip(coord, shape, strict=True))
    whole: Sequence[int] = shape if inside else as_shape(shape)  # type: ignore[assignment]  # inside: all are ints
    grouped = None if inside else try_group(shard, whole)
    if grouped is None:
        return shard, split(flatten(coord, whole), extents(shard))
    iters, seps = grouped
    own = [iters[begin:end] for begin, end in pairwise(seps)]
    return iters, [digit for c, part in zip(coord, own, strict=True) for digit in split(c, extents(part))]
