"""Elements that are to be put into turns: which turns are left to each, and what follows when one is put somewhere.

A turn is a group of lanes at one register; it may touch so many cells of any slot on either side. What follows:

- Where a turn has touched as many cells of a slot as it may, it is closed to the other cells.
- Where the turns may touch no more cells of a slot than there are untouched ones, each of these goes as a whole, those
  that have been touched take no further turn, and every place that a turn has left in the slot is taken by one of them.
- A turn that needs so many elements is closed to cells whose choice would leave it too few.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tilewright.analysis.permute.side import Side


class Turn(NamedTuple):
    """What a group of lanes may cost on either side, and how many elements it takes."""

    read: int
    write: int
    least: int
    most: int


class _ImpossibleError(Exception):
    """An element has no turn left, or a turn or slot too few elements or places."""


class Puzzle:
    """Elements and turns; a set of turns is a number with a bit for each.

    Attributes:
        domain: the turns that are left to each element.
        placed: 1 for each element that has been put into its turn.
        room: how many elements each turn still takes.
        used: one set, of the turns that have an element.
        alike: sets of turns that only differ in what has been put into them.
        trouble: how often each slot has been too small.
        work: about how many elements and cells have been looked at.
    """

    def __init__(self, sides: Sequence[Side], turns: Sequence[Turn]) -> None:
        count = len(sides[0].cells)
        self.turns = turns
        self.cells_of: list[list[int]] = [[] for _ in range(count)]  # of each element, on both sides
        self.members: list[list[int]] = []  # of each cell
        self.slot_of: list[int] = []  # of each cell
        self.slots: list[list[int]] = []  # the cells of each
        self.sides = [self._numbered(side) for side in sides]  # the slots of each
        self.domain = [(1 << len(turns)) - 1] * count
        self.placed = [0] * count
        self.room = [turn.most for turn in turns]
        self.used = [0]
        self.touched = [0] * len(self.members)  # the turns of each cell
        self.open = [[turn[side] for turn in turns] for side, slots in enumerate(self.sides) for _ in slots]
        self.places = [sum(places) for places in self.open]  # that are open, of each slot
        self.untouched = [len(cells) for cells in self.slots]
        self.fit = [[len(elements)] * len(turns) for elements in self.members]  # that a turn may take
        self.trouble = [1] * len(self.slots)
        self.work = (len(self.members) + len(self.slots)) * len(turns) // 8 + count
        kinds: dict[Turn, int] = defaultdict(int)
        for number, turn in enumerate(turns):
            kinds[turn] |= 1 << number
        self.alike = list(kinds.values())
        self._trail: list[tuple[list[int], int, int]] = []
        self._decided = list(range(count)) if len(turns) == 1 else []  # elements with one turn left
        self._slots, self._turns = set(range(len(self.slots))), set(range(len(turns)))  # to be looked at
        self._at = 0  # the slot that is looked at

    def _numbered(self, side: Side) -> range:
        cells: dict[int, int] = {}
        slots: dict[int, int] = {}
        first = len(self.slots)
        for element, cell in enumerate(side.cells):
            if cell not in cells:
                cells[cell] = len(self.members)
                if cell % side.slots not in slots:
                    slots[cell % side.slots] = len(self.slots)
                    self.slots.append([])
                slot = slots[cell % side.slots]
                self.slots[slot].append(cells[cell])
                self.slot_of.append(slot)
                self.members.append([])
            self.members[cells[cell]].append(element)
            self.cells_of[element].append(cells[cell])
        return range(first, len(self.slots))

    @property
    def turns_of_elements(self) -> list[int]:
        """The turn of every element, once all are placed."""
        return [turns.bit_length() - 1 for turns in self.domain]

    @property
    def mark(self) -> int:
        """A point to go back to."""
        return len(self._trail)

    def undo(self, mark: int) -> None:
        """Goes back to how it was at a mark."""
        while len(self._trail) > mark:
            values, key, before = self._trail.pop()
            values[key] = before

    def put(self, element: int, turn: int) -> bool:
        """Puts an element into a turn, and whatever follows; False: that is impossible, and is to be undone."""
        return self._follow(element, 1 << turn)

    def start(self) -> bool:
        """What follows before any element has been put anywhere."""
        return self._follow(0, -1)

    def _follow(self, element: int, turns: int) -> bool:
        try:
            self._restrict(element, turns)
            while self._decided or self._slots or self._turns:
                if self._decided:
                    self._place(self._decided.pop())
                elif self._slots:
                    self._at = self._slots.pop()
                    self._look_at_slot(self._at)
                else:
                    self._look_at_turn(self._turns.pop())
        except _ImpossibleError:
            self.trouble[self._at] += 1
            for waiting in (self._decided, self._slots, self._turns):
                waiting.clear()
            return False
        return True

    def _set(self, values: list[int], key: int, value: int) -> None:
        self._trail.append((values, key, values[key]))
        values[key] = value

    def _restrict(self, element: int, turns: int) -> None:
        """Leaves an element these of its turns."""
        before = self.domain[element]
        left = before & turns
        if left == before:
            return
        if not left:
            raise _ImpossibleError
        self._set(self.domain, element, left)
        cells = self.cells_of[element]
        for turn in bits(before & ~left):
            for cell in cells:
                self._set(self.fit[cell], turn, self.fit[cell][turn] - 1)
            self._turns.add(turn)
        self._slots.update(self.slot_of[cell] for cell in cells)
        self.work += 4
        if not left & (left - 1):
            self._decided.append(element)

    def _close(self, elements: Sequence[int], turn: int) -> None:
        for element in elements:
            self._restrict(element, ~(1 << turn))

    def _place(self, element: int) -> None:
        """Counts an element that has one turn left."""
        bit = self.domain[element]
        turn = bit.bit_length() - 1
        if self.placed[element]:
            return
        if not self.room[turn]:
            raise _ImpossibleError
        self._set(self.placed, element, 1)
        self._set(self.used, 0, self.used[0] | bit)
        self._set(self.room, turn, self.room[turn] - 1)
        if not self.room[turn]:
            self.work += len(self.placed) // 4
            self._close([e for e, placed in enumerate(self.placed) if not placed], turn)
        for cell in self.cells_of[element]:
            if not self.touched[cell] & bit:
                self._touch(cell, turn)
        self._turns.add(turn)

    def _touch(self, cell: int, turn: int) -> None:
        slot = self._at = self.slot_of[cell]
        places, bit = self.open[slot], 1 << turn
        if not places[turn]:
            raise _ImpossibleError
        self._set(places, turn, places[turn] - 1)
        self._set(self.places, slot, self.places[slot] - 1)
        if not self.touched[cell]:
            self._set(self.untouched, slot, self.untouched[slot] - 1)
        self._set(self.touched, cell, self.touched[cell] | bit)
        if not places[turn]:
            for other in self.slots[slot]:
                if self.fit[other][turn] and not self.touched[other] & bit:
                    self._close(self.members[other], turn)
        self._slots.add(slot)

    def _look_at_slot(self, slot: int) -> None:
        """Is there a place for every untouched cell? Where there are just as many, these cells go as a whole."""
        spare = self.places[slot] - self.untouched[slot]
        if spare < 0:
            raise _ImpossibleError
        if spare:
            return
        whole = []
        for cell in self.slots[slot]:
            turns = self.touched[cell] or self._common(cell)
            for element in self.members[cell]:
                self._restrict(element, turns)
            if not self.touched[cell]:
                whole.append((cell, turns))
        self.work += len(whole) + len(self.turns)
        for turn, places in enumerate(self.open[slot]):
            if places:
                wanting = [cell for cell, turns in whole if turns >> turn & 1]
                if len(wanting) < places:
                    raise _ImpossibleError
                if len(wanting) == places:
                    for cell in wanting:
                        for element in self.members[cell]:
                            self._restrict(element, 1 << turn)

    def _common(self, cell: int) -> int:
        turns = -1
        for element in self.members[cell]:
            turns &= self.domain[element]
        return turns

    def _look_at_turn(self, turn: int) -> None:
        """Does a turn find enough elements on either side? It is closed to cells with which it does not."""
        if self.turns[turn].least <= 0:
            return
        for slots in self.sides:
            found, choices = 0, []
            for slot in slots:
                some, chosen = self._most(slot, turn)
                found += some
                if chosen:
                    choices.append(chosen)
            spare = found - self.turns[turn].least
            if spare < 0:
                raise _ImpossibleError
            for last, cells in choices:
                for number, cell in cells:
                    if last - number > spare:
                        self._close(self.members[cell], turn)

    def _most(self, slot: int, turn: int) -> tuple[int, tuple[int, list[tuple[int, int]]] | None]:
        """How many elements of a slot a turn may take at most; what the last of the cells adds; and all of them."""
        places, found = self.open[slot][turn], 0
        cells = []
        for cell in self.slots[slot]:
            number = self.fit[cell][turn]
            if number:
                if self.touched[cell] >> turn & 1:
                    found += number
                elif places:
                    cells.append((number, cell))
        self.work += 2 + len(self.slots[slot]) // 4
        if len(cells) <= places:
            return found + sum(number for number, _ in cells), None
        cells.sort(reverse=True)
        return found + sum(number for number, _ in cells[:places]), (cells[places - 1][0], cells[places:])


def bits(turns: int) -> Iterator[int]:
    """The members of a set of turns, the least first.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while turns:
        lowest = turns & -turns
        yield lowest.bit_length() - 1
        turns ^= lowest
