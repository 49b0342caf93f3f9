"""Permute schedules as tables, for any permutation, and what no schedule goes below.

Where the lanes are grouped alike on both sides, as on NVIDIA, and no elements share a cell, `decompose` splits the bank
graph with the fewest wavefronts. What is to be done elsewhere is in `sharing`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tilewright.analysis.permute.blocks import blocks
from tilewright.analysis.permute.decompose import WORK, Classes, classes
from tilewright.analysis.permute.forms import Rows
from tilewright.analysis.permute.matching import matchings
from tilewright.analysis.permute.sharing import shared_schedules
from tilewright.analysis.permute.side import Side, least

EXCHANGED = 1 << 11  # elements up to which they are exchanged


def lower_bound(source: Side, destination: Side) -> int:
    """Wavefronts of both phases that no schedule goes below: counted together where both have the same groups."""
    if source.groups != destination.groups:
        return source.lower_bound + destination.lower_bound
    size = len(source.groups[0])
    return min(sum(least(side.held, size, n) for side in (source, destination)) for n in source.group_counts)


def tables(source: Side, destination: Side) -> Iterator[tuple[Rows, int]]:
    """Schedules, ever better, and with each the wavefronts that are proved to be the least."""
    bound, sides = lower_bound(source, destination), (source, destination)
    ends = [(a % source.slots, b % destination.slots) for a, b in zip(source.cells, destination.cells, strict=True)]
    of_source, where = blocks(source, source), blocks(source, destination)
    alone = where.alike and not (source.shared or destination.shared)
    split = classes(ends, len(source.groups[0]), source.group_counts, WORK if alone else WORK // 10)
    rows = of_source.rows(_blocks_of(split, ends, len(source.groups[0])), source.cells)
    yield rows, max(bound, split.least) if alone else bound
    if not alone and len(ends) <= EXCHANGED:
        yield from shared_schedules(sides, where, rows, bound)


def _blocks_of(split: Classes, ends: Sequence[tuple[int, int]], size: int) -> list[int]:
    """The block of every element: class after class, each split into groups of lanes."""
    waiting: dict[tuple[int, int], list[int]] = defaultdict(list)
    for element, pair in enumerate(ends):
        waiting[pair].append(element)
    found, blocks_before = [0] * len(ends), 0
    for (_, count), edges in zip(split.budget, split.edges, strict=True):
        elements = [waiting[pair].pop() for pair, times in edges.items() for _ in range(times)]
        for number, group in enumerate(matchings([ends[element] for element in elements], count, size)):
            for i in group:
                found[elements[i]] = blocks_before + number
        blocks_before += count
    return found
