"""Reductions and scans of what a warp's lanes have, each lane one item or several."""

from __future__ import annotations

from itertools import accumulate

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int32
from tilewright.lang.core.numerics.vector import ReductionOp
from tilewright.lang.fly.cooperative.items import (
    Items,
    Join,
    Tile,
    as_given,
    folded,
    from_lane,
    is_tile,
    items_of,
    joined,
    lane_of,
    selected,
    width_of,
)
from tilewright.lang.fly.functions import arith
from tilewright.lang.fly.functions.gpu import shuffle_down, shuffle_up, shuffle_xor
from tilewright.lang.fly.values.base import expect

__all__ = [
    "warp_broadcast",
    "warp_exclusive_scan",
    "warp_head_segmented_reduce",
    "warp_inclusive_scan",
    "warp_reduce",
    "warp_scan",
    "warp_scan_with_aggregate",
    "warp_tail_segmented_reduce",
]

_LANES = "a lane's number"


def warp_reduce(value: Items, op: Join, *, width: int | None = None, valid_items: NumericLike | None = None) -> Numeric:
    """All lanes' values joined, in the order of the lanes; each lane of a group of `width` has the result.

    Args:
        value: a number, or several: a lane's are joined first.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.
        valid_items: so many of the group's lanes count, from the first on; one at least. Of single numbers only.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_reduce(i, fx.ReductionOp.ADD, width=4), 8)
    [6, 6, 6, 6, 22, 22, 22, 22]
    """
    found, size = folded(op, items_of(value)), width_of(width)
    if valid_items is not None:
        _single(value)
        return _last_valid(warp_inclusive_scan(found, op, width=size), valid_items, size)
    lane, step = lane_of(size), 1
    while step < size:
        other = expect(shuffle_xor(found, step, size), Numeric, _LANES)
        if isinstance(op, ReductionOp):
            found = joined(op, found, other)
        else:
            upper = (lane & step) != 0
            found = joined(op, selected(upper, other, found), selected(upper, found, other))
        step *= 2
    return found


def _single(value: Items) -> None:
    if is_tile(value):
        raise KernelError("valid_items counts lanes of one number each; join a lane's items first")


def _last_valid(inclusive: Tile, valid: NumericLike, width: int) -> Numeric:
    last = arith.max(as_numeric(valid) - 1, 0)
    return from_lane(expect(inclusive, Numeric, _LANES), as_numeric(last), width)


def warp_scan_with_aggregate(
    value: Items,
    op: Join,
    *,
    width: int | None = None,
    init: NumericLike | None = None,
    valid_items: NumericLike | None = None,
) -> tuple[Tile, Tile, Numeric]:
    """What items up to each one have joined, what those before have, and what all of the group have, without `init`.

    Args:
        value: a number of each lane, or several: a lane's follow each other, and those of the next lane follow them.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.
        init: is joined before the first value. Without one the first has nothing before it: 0 for a sum,
            1 for a product, the least or largest number for a maximum or minimum; its own value for a function.
        valid_items: so many of the group's lanes count for what all have; others' results say nothing.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_scan_with_aggregate(i, fx.ReductionOp.ADD, width=4), 4)
    [(0, 0, 6), (1, 0, 6), (3, 1, 6), (6, 3, 6)]
    """
    size, items = width_of(width), items_of(value)
    local = list(accumulate(items, lambda a, b: joined(op, a, b)))
    found, lane, step = local[-1], lane_of(size), 1
    while step < size:
        before = expect(shuffle_up(found, step, size), Numeric, _LANES)
        found = selected(lane >= step, joined(op, before, found), found)
        step *= 2
    total = from_lane(found, size - 1, size)
    if valid_items is not None:
        _single(value)
        total = _last_valid(found, valid_items, size)
    before = expect(shuffle_up(found, 1, size), Numeric, _LANES) if size > 1 else found
    inclusive, exclusive = after(op, local, before, lane == 0, init)
    return as_given(inclusive, value), as_given(exclusive, value), total


def after(
    op: Join, local: list[Numeric], before: Numeric, first: object, init: NumericLike | None
) -> tuple[list[Numeric], list[Numeric]]:
    """A thread's items joined up to each one, and before it, where those of threads before it have `before`."""
    own = local[0]
    if init is None:
        inclusive = [selected(first, x, joined(op, before, x)) for x in local]
        return inclusive, [selected(first, identity(op, own), before), *inclusive[:-1]]
    start = type(own)(init) if isinstance(init, int | float) else as_numeric(init)
    prefix = selected(first, start, joined(op, start, before))
    inclusive = [joined(op, prefix, x) for x in local]
    return inclusive, [prefix, *inclusive[:-1]]


def identity(op: Join, like: Numeric) -> Numeric:
    """What joined with a number gives the number; of a function, the number."""
    if not isinstance(op, ReductionOp):
        return like
    if op in (ReductionOp.ADD, ReductionOp.MUL):
        return type(like)(int(op is ReductionOp.MUL))
    element, least = like.number.element, op is ReductionOp.MAX
    if element.is_float:
        return type(like)(float("-inf") if least else float("inf"))
    half = 1 << element.bits - (element.kind == "int")
    low = -half if element.kind == "int" else 0
    return type(like)(low if least else half - 1)


def warp_scan(
    value: Items,
    op: Join,
    *,
    width: int | None = None,
    init: NumericLike | None = None,
    valid_items: NumericLike | None = None,
) -> tuple[Tile, Tile]:
    """What items up to each one have joined, and what those before it have.

    Args:
        value: a number of each lane, or several: a lane's follow each other, and those of the next lane follow them.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.
        init: is joined before the first value.
        valid_items: so many of the group's lanes count; others' results say nothing.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_scan(i + 1, fx.ReductionOp.MUL, width=4), 4)
    [(1, 1), (2, 1), (6, 2), (24, 6)]
    """
    found = warp_scan_with_aggregate(value, op, width=width, init=init, valid_items=valid_items)
    return found[0], found[1]


def warp_inclusive_scan(
    value: Items,
    op: Join,
    *,
    width: int | None = None,
    init: NumericLike | None = None,
    valid_items: NumericLike | None = None,
) -> Tile:
    """What items up to each one have joined.

    Args:
        value: a number of each lane, or several: a lane's follow each other, and those of the next lane follow them.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.
        init: is joined before the first value.
        valid_items: so many of the group's lanes count; others' results say nothing.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_inclusive_scan(i, fx.ReductionOp.ADD, width=4), 8)
    [0, 1, 3, 6, 4, 9, 15, 22]
    """
    return warp_scan(value, op, width=width, init=init, valid_items=valid_items)[0]


def warp_exclusive_scan(
    value: Items,
    op: Join,
    *,
    width: int | None = None,
    init: NumericLike | None = None,
    valid_items: NumericLike | None = None,
) -> Tile:
    """What items before each one have joined.

    Args:
        value: a number of each lane, or several: a lane's follow each other, and those of the next lane follow them.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.
        init: is joined before the first value.
        valid_items: so many of the group's lanes count; others' results say nothing.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_exclusive_scan(i, fx.ReductionOp.ADD, width=4, init=10), 4)
    [10, 10, 11, 13]
    """
    return warp_scan(value, op, width=width, init=init, valid_items=valid_items)[1]


def warp_broadcast(value: Items, source_lane: NumericLike, *, width: int | None = None) -> Tile:
    """What a lane of the group has, for each of its lanes.

    Args:
        value: a number of each lane, or several.
        source_lane: its number in the group, which run time may know.
        width: lanes of a group.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_broadcast(10 * i, 2, width=4), 8)
    [20, 20, 20, 20, 60, 60, 60, 60]
    """
    size = width_of(width)
    return as_given([from_lane(x, source_lane, size) for x in items_of(value)], value)


def warp_tail_segmented_reduce(value: Items, tail_flag: NumericLike, op: Join, *, width: int | None = None) -> Numeric:
    """The values of each segment joined, which its first lane has; a flag other than 0 is at a segment's last lane.

    Args:
        value: a number, or several: a lane's are joined first.
        tail_flag: the group's last lane ends a segment without one too.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_tail_segmented_reduce(i, i == 1, fx.ReductionOp.ADD, width=4), 4)[::2]
    [1, 5]
    """
    found, size = folded(op, items_of(value)), width_of(width)
    lane, step = lane_of(size), 1
    ended = as_numeric((as_numeric(tail_flag) != 0) | (lane == size - 1))
    while step < size:
        other = expect(shuffle_down(found, step, size), Numeric, _LANES)
        there = expect(shuffle_down(ended.to(Int32), step, size), Numeric, _LANES)
        found = selected(ended, found, joined(op, found, other))
        ended = as_numeric(ended | (there != 0))
        step *= 2
    return found


def warp_head_segmented_reduce(value: Items, head_flag: NumericLike, op: Join, *, width: int | None = None) -> Numeric:
    """The values of each segment joined, which its first lane has; a flag other than 0 is at a segment's first lane.

    Args:
        value: a number, or several: a lane's are joined first.
        head_flag: the group's first lane starts a segment without one too.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_head_segmented_reduce(i, i == 2, fx.ReductionOp.ADD, width=4), 4)[::2]
    [1, 5]
    """
    heads = as_numeric(as_numeric(head_flag) != 0).to(Int32)
    tail = expect(shuffle_down(heads, 1, width_of(width)), Numeric, _LANES) if width_of(width) > 1 else heads
    return warp_tail_segmented_reduce(value, tail, op, width=width)
