"""Wide elements in the order in which a layout begins them, where no mode by itself tells how they lie."""

from __future__ import annotations

from collections import Counter
from math import prod

from tilewright.errors import LayoutError
from tilewright.layout.algebra.modes import Modes

MOST_LISTED = 1 << 14
SHOWN = 8


def in_order(modes: Modes, factor: int) -> Modes:
    """The modes of the layout of wide elements, in the order of the coordinates at which these begin.

    Modes whose strides are multiples of the factor lie over wide elements whatever the others do. Of those between
    the first and the last other one all values are listed.

    Raises:
        LayoutError: a wide element would be cut, their order is that of no layout, or there are too many.

    >>> in_order(([4, 6], [6, 1]), 8)
    ([3], [1])
    """
    inside = [k for k, step in enumerate(modes[1]) if step % factor]
    first, last = (inside[0], inside[-1] + 1) if inside else (0, 0)
    found = _listed(modes[0][first:last], modes[1][first:last], factor)
    for part in (slice(first), slice(last, None)):
        over = list(modes[0][part]), [step // factor for step in modes[1][part]]
        found = _joined(over, found) if part.start is None else _joined(found, over)
    return found


def _joined(one: Modes, other: Modes) -> Modes:
    return one[0] + other[0], one[1] + other[1]


def _listed(extents: list[int], steps: list[int], factor: int) -> Modes:
    size = prod(extents)
    if size % factor:
        raise LayoutError("some wide element would hold only a part of its elements")
    if size > MOST_LISTED:
        raise LayoutError(f"no mode by itself tells the wide elements, and of {size} elements there is no list")
    values = [0]
    for extent, step in zip(extents, steps, strict=True):
        values = [i * step + value for i in range(extent) for value in values]
    held = Counter(values)
    blocks = {value // factor for value in held}
    if len(held) != len(blocks) * factor or any(held[x] != held[x - x % factor] for x in held):
        raise LayoutError("some wide element would hold only a part of its elements")
    return _fitted([value // factor for value in values if value % factor == 0])


def _fitted(values: list[int]) -> Modes:
    """The modes with these values at 0, 1, 2, ..: a mode ends where the values stop being multiples of the first."""
    extents: list[int] = []
    steps: list[int] = []
    left = values
    while len(left) > 1:
        step = left[1]
        run = next((i for i, value in enumerate(left) if value != i * step), len(left))
        if len(left) % run or any(value != left[i - i % run] + i % run * step for i, value in enumerate(left)):
            order = _start(values)
            raise LayoutError(f"the wide elements are whole, but begin in the order {order}, that of no layout")
        extents.append(run)
        steps.append(step)
        left = left[::run]
    return extents, steps


def _start(values: list[int]) -> str:
    return ", ".join(map(str, values[:SHOWN])) + ", .." * (len(values) > SHOWN)
