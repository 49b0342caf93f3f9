"""A machine small enough to enumerate every schedule: 4 lanes, 4 banks, the groups of lanes of the real widths."""

from __future__ import annotations

from itertools import combinations

from tilewright.arch.spec import ArchSpec, PhaseRule, consecutive

LANES = BANKS = 4


def rule(width: int) -> PhaseRule:
    return PhaseRule(consecutive(LANES, min(LANES, BANKS * 4 // max(width, 4))), BANKS, "small")


RULES = {(kind, width): rule(width) for kind in ("load", "store") for width in (1, 2, 4, 8, 16)}
SMALL = ArchSpec("small", "none", LANES, RULES, 1024, 1024, 32, 128, (4,), 16)


def partitions(items: tuple[int, ...], size: int) -> list[list[tuple[int, ...]]]:
    """Every way to split the items into sets of that size."""
    if not items:
        return [[]]
    first, rest = items[0], items[1:]
    found = []
    for others in combinations(rest, size - 1):
        left = tuple(item for item in rest if item not in others)
        found += [[(first, *others), *more] for more in partitions(left, size)]
    return found
