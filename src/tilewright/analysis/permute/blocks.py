"""The places of a schedule, (register, lane), in blocks whose lanes are served together on both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from tilewright.analysis.permute.forms import Rows
from tilewright.analysis.permute.side import Side


@dataclass(frozen=True)
class Blocks:
    """Block b has the places `places[b]`, and is part of group `turns[side][b]` on either side.

    A turn is a group of lanes at one register. Where the lanes are grouped alike on both sides a block is a turn.
    """

    places: tuple[tuple[tuple[int, int], ...], ...]
    turns: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def alike(self) -> bool:
        """Are the lanes grouped alike on both sides?"""
        return self.turns[0] == self.turns[1] == tuple(range(len(self.places)))

    def rows(self, block_of: Sequence[int], cells: Sequence[int]) -> Rows:
        """The schedule that puts every element into its block, in the order of the cells: a row a register."""
        lanes = 1 + max(lane for places in self.places for _, lane in places)
        registers = 1 + max(register for places in self.places for register, _ in places)
        members: list[list[int]] = [[] for _ in self.places]
        for element in sorted(range(len(block_of)), key=lambda element: (cells[element], element)):
            members[block_of[element]].append(element)
        rows = [[-1] * lanes for _ in range(registers)]
        for places, elements in zip(self.places, members, strict=True):
            assert len(elements) <= len(places), "a block holds more elements than it has places"
            for (register, lane), element in zip(places, elements, strict=False):
                rows[register][lane] = element
        idle = count(len(block_of))
        return tuple(tuple(next(idle) if element < 0 else element for element in row) for row in rows)

    def block_of(self, rows: Rows, elements: int) -> list[int]:
        """The block of every element of a schedule."""
        found = [0] * elements
        for block, places in enumerate(self.places):
            for register, lane in places:
                if rows[register][lane] < elements:
                    found[rows[register][lane]] = block
        return found


def blocks(source: Side, destination: Side) -> Blocks:
    """The blocks of a schedule of all registers, register after register."""
    group_of = [{lane: n for n, group in enumerate(side.groups) for lane in group} for side in (source, destination)]
    places: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for register in range(source.registers):
        for lane in range(source.lanes):
            first, second = (
                register * len(side.groups) + groups[lane]
                for side, groups in zip((source, destination), group_of, strict=True)
            )
            places[first, second].append((register, lane))
    turns = tuple(zip(*places, strict=True))
    return Blocks(tuple(map(tuple, places.values())), (turns[0], turns[1]))
