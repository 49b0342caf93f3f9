"""Slicing: the layout of a box of a layout's logical coordinates.

The slice of [b, b + n) along each dimension has the table of the parent there: its offset is the parent's value at
the corner, its shard the layout of what follows. It exists exactly when that table is a layout's. Closed rules answer
at any size and for run-time corners; where they do not, the table itself is fitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import TypeGuard

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import Axis
from tilewright.layout.indexing import as_index
from tilewright.tirx.bulk import check_range, check_static
from tilewright.tirx.canonical import tidy
from tilewright.tirx.evaluate import base, place, split
from tilewright.tirx.fit import fit
from tilewright.tirx.group import group, try_group
from tilewright.tirx.iters import (
    Iter,
    Iters,
    Parts,
    Terms,
    add_terms,
    as_integer,
    extents,
    is_zero,
    make_iter,
    on_axes,
    size_of,
    terms,
)

MAX_POINTS = 1 << 20

Box = tuple[tuple[int, int], ...]  # (begin, extent) of every dimension


def slice_parts(parts: Parts, shape: Sequence[int], region: object) -> Parts | None:
    """The slice of a region, (begin, end) in every dimension of `shape`; None where no layout has its table.

    Raises:
        LayoutError: a region outside the shape, a shape by which the layout cannot be grouped and no layout has the
            table either, or a table of more than 2^20 points that no closed rule decides.
    """
    box = as_box(shape, region)
    parts = tidy(parts)
    grouped = try_group(parts.shard, shape)
    found = _by_groups(*grouped, box) if grouped is not None else None
    if found is None and prod(shape) == size_of(parts.shard):
        found = _by_table(parts.shard, shape, box)
    if found is None:
        if grouped is None:
            group(parts.shard, shape)
        return None
    shard, start = found
    return Parts(shard, parts.replica, add_terms(parts.offset, start))


def as_box(shape: Sequence[int], region: object) -> Box:
    """The region as (begin, extent) pairs, checked against the shape.

    >>> as_box([8, 64], [(2, 4), (0, 64)])
    ((2, 2), (0, 64))
    """
    ranges = list(region) if isinstance(region, Iterable) else []
    if len(shape) != len(ranges):
        raise LayoutError(
            f"shape and region must have the same length, got {len(shape)} dimensions and {len(ranges)} ranges: "
            f"one (begin, end) for each of {tuple(shape)}"
        )
    return tuple(_range(extent, item, dim) for dim, (extent, item) in enumerate(zip(shape, ranges, strict=True)))


def _range(extent: int, item: object, dim: int) -> tuple[int, int]:
    begin, count = _begin_and_count(item)
    if type(begin) is type(count) is type(extent) is int and 0 <= begin < begin + count <= extent:
        return begin, count
    if type(count) is not int:
        raise LayoutError(f"the extent of a slice must be known: dimension {dim} has {count} elements")
    outside = type(begin) is int and (begin < 0 or (type(extent) is int and begin + count > extent))
    if count < 1 or outside:
        raise LayoutError(
            f"the range ({shown(begin)}, {shown(begin + count)}) of dimension {dim} is empty or leaves [0, {extent})"
        )
    return begin, count


def _begin_and_count(item: object) -> tuple[int, int]:
    if _is_pair(item):
        begin, end = item
        if type(begin) is not int or type(end) is not int:
            begin, end = as_integer(begin, "the begin of a range"), as_integer(end, "the end of a range")
        return begin, end - begin
    if hasattr(item, "min") and hasattr(item, "extent"):
        return as_integer(item.min, "the begin of a range"), as_integer(item.extent, "the extent of a range")
    raise LayoutError(f"a region is a (begin, end) pair in every dimension, got {shown(item)}")


def _is_pair(item: object) -> TypeGuard[Sequence[object]]:
    return (isinstance(item, tuple | list) and len(item) == 2) or getattr(item, "shape", None) == (2,)


def _by_groups(shard: Iters, seps: tuple[int, ...], box: Box) -> tuple[Iters, Terms] | None:
    iters: list[Iter] = []
    starts: list[tuple[Axis, int]] = []
    for begin, end, (first, count) in zip(seps, seps[1:], box, strict=False):
        own = shard[begin:end]
        if end - begin > 1 or own[0].extent == 1:
            own = tidy(Parts(own)).shard
        if len(own) == 1:
            stride, axis = own[0].stride, own[0].axis
            iters.append(make_iter(count, stride, axis))
            starts += [(a, first * value) for a, value in terms(stride, axis)]
            continue
        digits = split(first, extents(own))
        starts += [(Axis.get(axis), value) for axis, value in place(own, digits, ()).items()]
        cut = _cut(own, digits, first, count)
        if cut is None:
            return None
        iters += cut
    return tuple(iters), tuple(starts)


def _cut(own: Iters, digits: list[int], first: int, count: int) -> Iters | None:
    """The iters of [first, first + count) of one dimension, whose first digits are `digits`."""
    pivot = len(own) - 1
    while pivot >= 0 and is_zero(digits[pivot]) and count % own[pivot].extent == 0:
        count //= own[pivot].extent
        pivot -= 1
    whole = own[pivot + 1 :]
    if pivot < 0:
        return whole
    digit, (extent, stride, axis) = digits[pivot], own[pivot]
    if count == 1 or (type(digit) is int and digit + count <= extent):
        return make_iter(count, stride, axis), *whole
    if type(first) is not int:
        return None
    head = own[: pivot + 1]
    start = first // size_of(whole)
    if digit + count // 2 == extent and count % 2 == 0:
        return _halves(head, start, count // 2), make_iter(count // 2, stride, axis), *whole
    fitted = _fit(head, start, count)
    return None if fitted is None else (*fitted, *whole)


def _halves(head: Iters, start: int, half: int) -> Iter:
    """The iter that leads from the first half, up to a carry, to the second half behind it."""
    shape = extents(head)
    before = place(head, split(start, shape), ())
    after = place(head, split(start + half, shape), ())
    own = [Axis.get(axis) for axis in before]
    own.sort(key=lambda axis: axis is not head[-1].axis)  # a step of 0 stays on the axis that is cut
    return make_iter(2, *on_axes((axis, after[axis.name] - before[axis.name]) for axis in own))


def _fit(head: Iters, start: int, count: int) -> Iters | None:
    import numpy

    _check(Parts(head), count)
    points = place(head, split(as_index(numpy.arange(start, start + count)), extents(head)), ())
    return fit({Axis.get(axis): values for axis, values in points.items()}, count)


def _by_table(shard: Iters, shape: Sequence[int], box: Box) -> tuple[Iters, Terms] | None:
    if not all(type(n) is int for n in (*shape, *extents(shard), *(begin for begin, _ in box))):
        return None
    import numpy

    counts = [count for _, count in box]
    _check(Parts(shard), prod(counts))
    grid = numpy.indices(counts).reshape(len(counts), -1)
    coord = [begin + as_index(digits) for (begin, _), digits in zip(box, grid, strict=True)]
    points = base(Parts(shard), coord, shape)
    table = {Axis.get(axis): values for axis, values in points.items()}
    fitted = fit(table, grid.shape[1])
    start = tuple((axis, int(numpy.ravel(values)[0])) for axis, values in table.items())
    return None if fitted is None else (fitted, start)


def _check(parts: Parts, count: int) -> None:
    check_static(parts)
    if count > MAX_POINTS:
        raise LayoutError(
            f"undecided: whether a slice of {count} elements across a carry is a layout is decided by its table, "
            f"which is built up to {MAX_POINTS} elements; cut the region at the boundaries of the layout's extents"
        )
    check_range(parts)
