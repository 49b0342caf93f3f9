"""Which elements are in which block of a schedule, and what that costs beyond the wavefronts that are allowed."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.analysis.permute.blocks import Blocks
from tilewright.analysis.permute.side import Side

NOWHERE = -1


class Occupancy:
    """Elements in blocks. `excess` counts the cells that are too many in a slot of a turn, and elements in a block.

    Attributes:
        allowed: by side and turn, the wavefronts that it may cost.
    """

    def __init__(self, sides: Sequence[Side], blocks: Blocks, allowed: Sequence[Sequence[int]]) -> None:
        self.blocks = blocks
        self.allowed = [list(wavefronts) for wavefronts in allowed]
        self.block_of = [NOWHERE] * len(sides[0].cells)
        self.excess = 0
        self.filled = [0] * len(blocks.places)
        self.room = [len(places) for places in blocks.places]
        self.cell = [_numbered(side.cells) for side in sides]
        self.slot = [_numbered([cell % side.slots for cell in side.cells]) for side in sides]
        self.members = [_members(cells) for cells in self.cell]
        self.cells_of = [
            [list(dict.fromkeys(cells[element] for element in elements)) for elements in _members(slots)]
            for cells, slots in zip(self.cell, self.slot, strict=True)
        ]
        turns = [1 + max(numbers) for numbers in blocks.turns]
        self.wanted = [[[0] * len(of_cells) for _ in range(n)] for of_cells, n in zip(self.members, turns, strict=True)]
        self.cells = [[[0] * len(of_slots) for _ in range(n)] for of_slots, n in zip(self.cells_of, turns, strict=True)]

    def enter(self, element: int, block: int) -> None:
        """Puts an element that is nowhere into a block."""
        self.block_of[element] = block
        self.filled[block] += 1
        self.excess += self.filled[block] > self.room[block]
        for side in (0, 1):
            turn, cell, slot = self.blocks.turns[side][block], self.cell[side][element], self.slot[side][element]
            wanted = self.wanted[side][turn]
            wanted[cell] += 1
            if wanted[cell] == 1:
                self.cells[side][turn][slot] += 1
                self.excess += self.cells[side][turn][slot] > self.allowed[side][turn]

    def leave(self, element: int) -> None:
        """Takes an element out of its block."""
        block = self.block_of[element]
        self.block_of[element] = NOWHERE
        self.excess -= self.filled[block] > self.room[block]
        self.filled[block] -= 1
        for side in (0, 1):
            turn, cell, slot = self.blocks.turns[side][block], self.cell[side][element], self.slot[side][element]
            wanted = self.wanted[side][turn]
            wanted[cell] -= 1
            if not wanted[cell]:
                self.excess -= self.cells[side][turn][slot] > self.allowed[side][turn]
                self.cells[side][turn][slot] -= 1

    def move(self, element: int, block: int) -> None:
        """Takes an element to another block."""
        self.leave(element)
        self.enter(element, block)

    def put_back(self, block_of: Sequence[int]) -> None:
        """Takes every element to where it was before."""
        for element, block in enumerate(block_of):
            if self.block_of[element] != block:
                self.move(element, block)

    @property
    def wavefronts(self) -> int:
        """What all turns of both sides cost."""
        return sum(max(slots) for turns in self.cells for slots in turns)

    def allow_all(self) -> None:
        """Allows every turn what it costs."""
        self.allowed = [[max(slots) for slots in turns] for turns in self.cells]
        self.excess = sum(max(0, filled - room) for filled, room in zip(self.filled, self.room, strict=True))

    def allow_less(self, side: int, turn: int) -> None:
        """Allows a turn a wavefront less."""
        self.allowed[side][turn] -= 1
        self.excess += sum(cells > self.allowed[side][turn] for cells in self.cells[side][turn])

    def suits(self, element: int, block: int, side: int) -> bool:
        """Does an element that is nowhere come into a block without excess in its slot?"""
        turn = self.blocks.turns[side][block]
        if self.wanted[side][turn][self.cell[side][element]]:
            return True
        return self.cells[side][turn][self.slot[side][element]] < self.allowed[side][turn]

    def over(self, side: int, turn: int, slot: int) -> int:
        """How many cells of a slot are too many in a turn, or less than none."""
        return self.cells[side][turn][slot] - self.allowed[side][turn]

    def there(self, side: int, turn: int, cell: int) -> list[int]:
        """The elements of a cell that are in a turn."""
        turns = self.blocks.turns[side]
        return [
            element
            for element in self.members[side][cell]
            if self.block_of[element] != NOWHERE and turns[self.block_of[element]] == turn
        ]

    def overfull(self) -> list[tuple[int, int, int]]:
        """(side, turn, slot) wherever there are too many cells, and (2, block, 0) where there are too many elements."""
        found = [
            (side, turn, slot)
            for side in (0, 1)
            for turn, (slots, most) in enumerate(zip(self.cells[side], self.allowed[side], strict=True))
            if max(slots) > most
            for slot, cells in enumerate(slots)
            if cells > most
        ]
        return found + [(2, block, 0) for block, room in enumerate(self.room) if self.filled[block] > room]


def _numbered(values: Sequence[int]) -> list[int]:
    numbers: dict[int, int] = {}
    return [numbers.setdefault(value, len(numbers)) for value in values]


def _members(numbers: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(1 + max(numbers))]
    for element, number in enumerate(numbers):
        found[number].append(element)
    return found
