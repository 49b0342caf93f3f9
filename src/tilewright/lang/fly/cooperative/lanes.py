"""Items of a warp's lanes in another order: by places that are known, by ranks, and by their keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int32
from tilewright.lang.fly.cooperative.items import (
    Items,
    Tile,
    as_given,
    chosen,
    from_lane,
    items_of,
    lane_of,
    repeated,
    selected,
    width_of,
)
from tilewright.lang.fly.cooperative.order import Before, less_than, paired, ranks

__all__ = ["warp_bitonic_sort", "warp_merge_sort"]

Place: TypeAlias = "Callable[[Numeric, int], Numeric]"
"""A lane's item of that number lies where in the group's order."""


def blocked(count: int) -> Place:
    """Items of a lane follow each other."""
    return lambda lane, item: as_numeric(lane * count + item)


def striped(width: int) -> Place:
    """Item i of all lanes, then item i + 1."""
    return lambda lane, item: as_numeric(lane + item * width)


def to_striped(value: Items, width: int) -> Tile:
    """Items that follow each other in a lane, as item i of all lanes."""
    items, lane = items_of(value), lane_of(width)
    places = [striped(width)(lane, slot) for slot in range(len(items))]
    return _gathered(value, items, [(at // len(items), at % len(items)) for at in places], width)


def to_blocked(value: Items, width: int) -> Tile:
    """Item i of all lanes, as items that follow each other in a lane."""
    items, lane = items_of(value), lane_of(width)
    places = [blocked(len(items))(lane, slot) for slot in range(len(items))]
    return _gathered(value, items, [(at % width, at // width) for at in places], width)


def _gathered(like: Items, items: list[Numeric], wanted: Sequence[tuple[object, object]], width: int) -> Tile:
    found = []
    for lane, item in wanted:
        lanes = [from_lane(x, as_numeric(lane), width) for x in items]
        found.append(chosen(as_numeric(item), lanes))
    return as_given(found, like)


def scattered(items: Sequence[Numeric], at: Sequence[Numeric], place: Place, width: int) -> list[Numeric]:
    """Each place's item, where items go to the places `at`."""
    own = [place(lane_of(width), slot) for slot in range(len(items))]

    def taken(found: list[Numeric], lane: Int32) -> list[Numeric]:
        for item, there in zip(items, at, strict=True):
            x, to = from_lane(item, lane, width), from_lane(there, lane, width)
            found = [selected(to == slot, x, kept) for slot, kept in zip(own, found, strict=True)]
        return found

    return repeated(width, taken, list(items))


def scatter_to_striped(value: Items, to: Items, width: int) -> Tile:
    """Items by their ranks, as item i of all lanes."""
    items = items_of(value)
    return as_given(scattered(items, items_of(to, Int32, len(items)), striped(width), width), value)


def _sorted(
    keys: Items, values: Items | None, before: Before, place: Place, width: int, valid: NumericLike | None
) -> Tile | tuple[Tile, Tile]:
    own, lane = items_of(keys), lane_of(width)
    placed = [(key, place(lane, number)) for number, key in enumerate(own)]
    found = ranks(
        placed,
        lambda source: [(from_lane(key, source, width), place(source, i)) for i, key in enumerate(own)],
        width,
        before,
        valid,
    )
    after = as_given(scattered(own, found, place, width), keys)
    more = paired(own, None if values is None else items_of(values))
    if more is None or values is None:
        return after
    return after, as_given(scattered(more, found, place, width), values)


def warp_merge_sort(
    keys: Items,
    values: Items | None = None,
    *,
    width: int | None = None,
    compare_op: object,
    valid_items: NumericLike | None = None,
) -> Tile | tuple[Tile, Tile]:
    """The group's keys in order, equal ones in that of before; a lane's items follow each other.

    Args:
        keys: a lane's keys.
        values: as many, which go with their keys.
        width: lanes of a group.
        compare_op: whether a key comes before another.
        valid_items: so many of the group's keys count; others stay behind them.

    Returns:
        The keys, or the keys and the values.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or there are more or fewer values than
            keys.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_merge_sort([i, 7 - i], width=4, compare_op=lambda a, b: a < b), 4)
    [(0, 1), (2, 3), (4, 5), (6, 7)]
    """
    size, count = width_of(width), len(items_of(keys))
    return _sorted(keys, values, less_than(compare_op), blocked(count), size, valid_items)


def warp_bitonic_sort(
    keys: Items,
    values: Items | None = None,
    *,
    width: int | None = None,
    compare_op: object,
    valid_items: NumericLike | None = None,
) -> Tile | tuple[Tile, Tile]:
    """The group's keys in order, item i of all lanes before item i + 1; see `warp_merge_sort`.

    Args:
        keys: a lane's keys.
        values: as many, which go with their keys.
        width: lanes of a group.
        compare_op: whether a key comes before another.
        valid_items: so many of the group's keys count; others stay behind them.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or there are more or fewer values than
            keys.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_bitonic_sort([i, 7 - i], width=4, compare_op=lambda a, b: a < b), 4)
    [(0, 4), (1, 5), (2, 6), (3, 7)]
    """
    size = width_of(width)
    return _sorted(keys, values, less_than(compare_op), striped(size), size, valid_items)
