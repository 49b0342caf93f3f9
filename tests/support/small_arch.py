"""A machine small enough to enumerate every schedule: 4 lanes, 4 banks, the groups of lanes of the real widths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tilewright.arch.spec import ArchSpec, PhaseRule, consecutive

LANES = BANKS = 4


def rule(width: int) -> PhaseRule:
    return PhaseRule(consecutive(LANES, min(LANES, BANKS * 4 // max(width, 4))), BANKS, "small")


RULES = {(kind, width): rule(width) for kind in ("load", "store") for width in (1, 2, 4, 8, 16)}
SMALL = ArchSpec("small", "none", LANES, RULES, 1024, 1024, 32, 128, (4,), 16)


def partitions(items: Sequence[int], size: int, count: int) -> Iterator[list[tuple[int, ...]]]:
    """Every way to split the items into at most `count` sets of at most `size`."""
    if not items:
        yield []
    elif count and len(items) <= size * count:
        first, rest = items[0], items[1:]
        for more in range(min(size, len(items))):
            for others in combinations(rest, more):
                left = [item for item in rest if item not in others]
                yield from ([(first, *others), *parts] for parts in partitions(left, size, count - 1))


def ways(group: Sequence[int], cells: Sequence[int], slots: int) -> int:
    """The wavefronts of elements that are served together: the most cells of a slot."""
    wanted = {cells[element] for element in group}
    return max(sum(cell % slots == slot for cell in wanted) for slot in range(slots))


def best(sides: Sequence[Sequence[int]], width: int) -> int:
    """The fewest wavefronts over all schedules, for the offsets of the elements on one or more sides."""
    slots = BANKS * 4 // max(4, width)
    size, registers = min(LANES, slots), -(-len(sides[0]) // LANES)
    cells = [[offset * width // max(4, width) for offset in side] for side in sides]
    splits = partitions(range(len(sides[0])), size, registers * LANES // size)
    return min(sum(ways(group, side, slots) for group in split for side in cells) for split in splits)
