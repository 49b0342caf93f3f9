"""A schedule made better by exchanging elements: for permutations whose banks hold elements unequally.

Narrow elements share words, and padded rows fill banks unequally; then no matching says at once what is possible.
Starting from any schedule, two elements change places whenever that makes the groups that they leave and enter no
worse. The choice is pseudo-random from a fixed seed: equal questions have equal answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tilewright.analysis.permute.forms import Rows
from tilewright.analysis.permute.side import Side

TRIES = 10_000
LOOK = 32  # attempts between two looks at where conflicts are
IDLE = -1  # the cell of a lane that moves nothing
WAVEFRONT = 1 << 20  # one wavefront weighs more than any number of slots that are in demand


class _Turn:
    """One group of lanes at one register: how many lanes want each cell, how many cells each slot."""

    def __init__(self, slots: int) -> None:
        self.cells: dict[int, int] = {}
        self.slots = [0] * slots

    def enter(self, cell: int) -> None:
        if cell == IDLE:
            return
        wanted = self.cells.get(cell, 0)
        self.cells[cell] = wanted + 1
        self.slots[cell % len(self.slots)] += not wanted

    def leave(self, cell: int) -> None:
        if cell == IDLE:
            return
        wanted = self.cells[cell] - 1
        self.cells[cell] = wanted
        self.slots[cell % len(self.slots)] -= not wanted

    @property
    def ways(self) -> int:
        return max(self.slots)

    @property
    def weight(self) -> int:
        worst = max(self.slots)
        return WAVEFRONT * worst + (self.slots.count(worst) if worst > 1 else 0)


class _Phase:
    """All turns of one side, and the turn of each place (register * lanes + lane)."""

    def __init__(self, side: Side, held: Sequence[int]) -> None:
        of_lane = {lane: number for number, group in enumerate(side.groups) for lane in group}
        registers = range(len(held) // side.lanes)
        groups = len(side.groups)
        self.cells = [*side.cells, *[IDLE] * (len(held) - len(side.cells))]
        self.turn_of = [r * groups + of_lane[lane] for r in registers for lane in range(side.lanes)]
        self.turns = [_Turn(side.slots) for _ in range(groups * len(registers))]
        for turn, element in zip(self.turn_of, held, strict=True):
            self.turns[turn].enter(self.cells[element])

    def exchange(self, p: int, q: int, out: int, into: int) -> int:
        """At place p element `out` gives way to `into`, and the other way round at q; the weight that this adds."""
        a, b = self.turns[self.turn_of[p]], self.turns[self.turn_of[q]]
        if a is b:
            return 0
        before = a.weight + b.weight
        for turn, old, new in ((a, out, into), (b, into, out)):
            turn.leave(self.cells[old])
            turn.enter(self.cells[new])
        return a.weight + b.weight - before

    def in_conflict(self, held: Sequence[int]) -> list[int]:
        """The places whose slots are the most wanted ones of a turn in conflict."""
        found = []
        ways = [turn.ways for turn in self.turns]
        for place, number in enumerate(self.turn_of):
            turn, cell = self.turns[number], self.cells[held[place]]
            if cell != IDLE and ways[number] > 1 and turn.slots[cell % len(turn.slots)] == ways[number]:
                found.append(place)
        return found


def improved(rows: Rows, sides: Sequence[Side], tries: int = TRIES) -> Rows:
    """The schedule after `tries` attempts to exchange two elements, or as soon as it takes the fewest wavefronts."""
    random = Random(0)
    held = [element for row in rows for element in row]
    phases = [_Phase(side, held) for side in sides]
    least = sum(side.lower_bound for side in sides)
    for attempt in range(tries):
        if attempt % LOOK == 0:
            if sum(turn.ways for phase in phases for turn in phase.turns) <= least:
                break
            places = [place for phase in phases for place in phase.in_conflict(held)]
        p, q = random.choice(places), random.randrange(len(held))
        if sum(phase.exchange(p, q, held[p], held[q]) for phase in phases) <= 0:
            held[p], held[q] = held[q], held[p]
        else:
            for phase in phases:
                phase.exchange(p, q, held[q], held[p])
    lanes = sides[0].lanes
    return tuple(tuple(held[start : start + lanes]) for start in range(0, len(held), lanes))
