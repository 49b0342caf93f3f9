"""Which numbers the sums of modes reach, where their strides are apart."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod


def uncovered(modes: Iterable[tuple[int, int]], target: int) -> tuple[int, int]:
    """How many of 0 .. target - 1 are no sum of the modes, and the first number from 0 on that is none.

    Args:
        modes: (extent, stride) of modes that are apart: each stride at least the reach s * d of those below it.
        target: the end of the numbers that are counted.

    >>> uncovered([(5, 3), (8, 16), (3, 1)], 85)
    (5, 15)
    """
    ordered = sorted((stride, extent) for extent, stride in modes if extent > 1)
    reached, left, below = 0, target, prod(extent for _, extent in ordered)
    for stride, extent in reversed(ordered):  # what lies below this mode is less than its stride
        below //= extent
        whole = min(left // stride, extent)
        reached += whole * below
        left = left - whole * stride if whole < extent else 0
    return target - reached - (left > 0), _first_gap(ordered)


def _first_gap(ordered: list[tuple[int, int]]) -> int:
    reach = 1
    for stride, extent in ordered:
        if stride != reach:
            break
        reach *= extent
    return reach
