"""Which numbers the sums of modes reach, where their strides are apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
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


def filled(modes: Sequence[tuple[int, int]]) -> list[int] | None:
    """The extents with which modes that are apart chain, each stride a multiple of the reach below it.

    An extent is enlarged up to the next stride where it must be; None where that is no multiple of its own.

    >>> filled([(2, 7), (3, 14), (6, 1)]), filled([(2, 2), (2, 5)])
    ([2, 3, 7], None)
    """
    extents = [extent for extent, _ in modes]
    live = [i for i, (extent, stride) in enumerate(modes) if extent > 1 and stride]
    for i, j in pairwise(sorted(live, key=lambda i: modes[i][1])):
        (extent, stride), (_, above) = modes[i], modes[j]
        if above % stride:
            return None
        if above % (extent * stride):
            extents[i] = above // stride
    return extents


def _first_gap(ordered: list[tuple[int, int]]) -> int:
    reach = 1
    for stride, extent in ordered:
        if stride != reach:
            break
        reach *= extent
    return reach
