"""Times of many actors, as values that share what they have in common.

What one who learns of others knows then differs from what they knew in a few entries. As a tree whose nodes never
change the rest is shared: to join two costs what they differ in, and a copy nothing.

Source: R. Bagwell, Ideal Hash Trees, 2001; U. Mathur et al., A Tree Clock Data Structure, 2022, on sharing in clocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

BITS = 4  # of a number that each level tells apart
WIDTH = 1 << BITS

# A time, or at higher levels a node for each of `WIDTH` ranges of numbers; 0 where there is nothing.
Node: TypeAlias = "int | tuple[Node, ...]"
EMPTY: tuple[Node, ...] = (0,) * WIDTH


@dataclass(frozen=True)
class Times:
    """A time for each number from 0, which is 0 but for some; the root tells `levels` digits of a number apart.

    >>> some, others = Times.of({3: 7, 500: 2}), Times.of({3: 5, 4: 1})
    >>> both = some.joined(others)
    >>> both[3], both[4], both[500], both[501], both.joined(others) is both
    (7, 1, 2, 0, True)
    """

    root: Node = 0
    levels: int = 0

    @staticmethod
    def of(times: Mapping[int, int]) -> Times:
        """These."""
        levels = 0
        while max(times, default=0) >> BITS * levels:
            levels += 1
        made = Times(0, levels)
        for number, time in times.items():
            made = Times(_put(made.root, levels, number, time), levels)
        return made

    def __bool__(self) -> bool:
        return bool(self.root)

    def __getitem__(self, number: int) -> int:
        node = self.root
        if number >> BITS * self.levels:
            return 0
        for level in range(self.levels - 1, -1, -1):
            if isinstance(node, int):
                return 0
            node = node[number >> BITS * level & WIDTH - 1]
        assert isinstance(node, int), "behind the last level lie times"
        return node

    def joined(self, other: Times) -> Times:
        """The later time of both for each number; itself where it is no earlier anywhere."""
        if other.root is self.root or not other.root:
            return self
        if not self.root:
            return other
        if self.levels < other.levels:
            made = _joined(_lifted(self, other.levels), other.root)
            return other if made is other.root else Times(made, other.levels)
        made = _joined(self.root, _lifted(other, self.levels))
        return self if made is self.root else Times(made, self.levels)


def _lifted(times: Times, levels: int) -> Node:
    root = times.root
    for _ in range(levels - times.levels):
        root = (root, *EMPTY[1:])
    return root


def _put(node: Node, levels: int, number: int, time: int) -> Node:
    if not levels:
        return time
    row = EMPTY if isinstance(node, int) else node
    at = number >> BITS * (levels - 1) & WIDTH - 1
    return (*row[:at], _put(row[at], levels - 1, number, time), *row[at + 1 :])


def _joined(mine: Node, theirs: Node) -> Node:
    if mine is theirs or not theirs:
        return mine
    if not mine:
        return theirs
    if isinstance(mine, int) or isinstance(theirs, int):
        assert isinstance(mine, int), "both are times"
        assert isinstance(theirs, int), "both are times"
        return max(mine, theirs)
    made = tuple(map(_joined, mine, theirs))
    return mine if _same(made, mine) else theirs if _same(made, theirs) else made


def _same(made: tuple[Node, ...], given: tuple[Node, ...]) -> bool:
    return all(x is y or (isinstance(x, int) and x == y) for x, y in zip(made, given, strict=True))
