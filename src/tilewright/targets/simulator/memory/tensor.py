"""Tensor memory of blocks: 128 lanes of 512 columns of 32 bits, of which warps allocate columns.

What is checked is checked by cells: 16 lanes of a column, which every instruction accesses together. Work there goes
on until it is waited for; a warp's accesses count as those of its first lane.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tilewright.errors import OutOfBoundsError, RaceError, SimulationError
from tilewright.ir.tile.tmem import COLUMNS, LANES, PAIR
from tilewright.targets.simulator.agents.pipeline import Begun
from tilewright.targets.simulator.distinct import is_among
from tilewright.targets.simulator.memory.access import Array, Lanes
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.pending import Pending
from tilewright.targets.simulator.order.clocks import TENSOR, Clocks, Flags, Numbers
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.sites import DOES, Site

TOGETHER = 16  # lanes of a cell
CELLS = LANES // TOGETHER * COLUMNS
LANE_BITS = 16  # where the lane begins in an address


class Cells(Memory):
    """The cells as a memory that is only checked."""

    def element(self, at: int, site: Site) -> str:
        """The cell for a message: its lanes and its column."""
        half, column = divmod(at % CELLS, COLUMNS)
        first = half * TOGETHER
        return f"lanes {first} to {first + TOGETHER - 1} of column {column} of {site.buffer}"

    def follow(self, at: Numbers, lanes: Lanes, present: Present, site: Site, copies: Pending) -> None:
        """A product of the thread whose last one wrote these cells is to access them, after that one.

        Raises:
            RaceError: somebody else accesses them at the same time.
        """
        every, self.pending = self.pending, copies
        try:
            self._reserved(at, lanes, present, site)
        finally:
            self.pending = every
        if self.shadow is not None and self.shadow.readers is not None and site.kind == "store":
            self._refuse(self.shadow.readers.unordered(at, present, 1), at, lanes, present, site, "reads")


@dataclass(eq=False)
class Flight:
    """Copies on their way, an entry a warp: its row and first lane, and the cells that it accesses."""

    rows: Numbers
    actor: Numbers
    at: Numbers
    site: Site
    open: Flags = field(init=False)

    def __post_init__(self) -> None:
        self.open = np.ones(len(self.rows), bool)


@dataclass(frozen=True)
class Allotment:
    """Columns of a block, and where they were allocated."""

    row: int
    first: int
    count: int
    name: str
    where: str


@dataclass(eq=False)
class TensorMemory:
    """That of some blocks. `words` are by (row, lane, column); `made` is what they have allocated."""

    clocks: Clocks
    words: Array
    cells: Cells
    made: list[Allotment] = field(default_factory=list, init=False)
    relinquished: Flags = field(init=False)
    allocated: Flags = field(init=False)  # by (row, column)
    flights: list[Flight] = field(default_factory=list, init=False)
    tickets: int = field(default=0, init=False)  # loads that have begun
    begun: list[Begun] = field(default_factory=list, init=False)  # products
    # When commits of a thread arrived in a row.
    stamped: dict[tuple[int, int], dict[int, int]] = field(default_factory=dict, init=False)
    copies: Pending = field(init=False)  # those on their way, without products
    group: tuple[int, str] | None = field(default=None, init=False)  # of CTAs, which the kernel has named, and where
    asked: Numbers = field(init=False)  # how often warps of a block have come to allocate for its pair
    paired: dict[int, list[tuple[int, str]]] = field(default_factory=dict, init=False)  # the columns, and who asked
    owner: Numbers = field(init=False)  # of each cell: 1 + the thread whose product has last written it, or 0

    def __post_init__(self) -> None:
        blocks = len(self.clocks.blocks)
        self.copies, self.owner = Pending(CELLS * blocks, self.describe), np.zeros(CELLS * blocks, np.int64)
        self.asked = np.zeros(blocks, np.int64)
        self.relinquished, self.allocated = np.zeros(blocks, bool), np.zeros((blocks, COLUMNS), bool)

    @staticmethod
    def bytes(blocks: int) -> int:
        """What the simulator takes for that of so many blocks."""
        return blocks * (4 * LANES * COLUMNS + 32 * CELLS)

    @staticmethod
    def of(clocks: Clocks, checks: bool) -> TensorMemory:
        """Nothing in it is allocated."""
        blocks = len(clocks.blocks)
        shadow = Shadow(CELLS * blocks, clocks.width, apart=True) if checks else None
        cells = Cells(np.zeros(CELLS * blocks, bool), CELLS, shadow, True)
        made = TensorMemory(clocks, np.zeros((blocks, LANES, COLUMNS), np.uint32), cells)
        cells.pending = Pending(CELLS * blocks, made.describe) if checks else None
        return made

    def of_group(self, ctas: int, where: str) -> None:
        """Raises `SimulationError` where others have named a group of other CTAs."""
        if self.group is not None and self.group[0] != ctas:
            text = f"cta_group::{ctas} in a kernel that has used cta_group::{self.group[0]}; all of it is to name one"
            raise SimulationError(f"{text}\n{where}\n{self.group[1]}")
        self.group = self.group or (ctas, where)

    # ---- allocation

    def allocate(self, row: int, count: int, ctas: int, name: str, where: str) -> int:
        """The first of so many columns that are the block's from now on.

        Raises:
            SimulationError: it has said that it allocates no more, there are not as many, or its partner has others.
        """
        if ctas == PAIR:
            self._agree(row, count, name, where)
        if self.relinquished[row]:
            raise SimulationError(f"{name} allocates after tcgen05.relinquish_alloc_permit\n{where}")
        taken = np.concatenate([[0], np.cumsum(self.allocated[row])])
        free = np.flatnonzero(taken[count:] == taken[:-count])
        if not len(free):
            left = COLUMNS - int(taken[-1])
            text = f"{name} allocates {count} columns of tensor memory, of which {left} are left, and waits for ever"
            raise SimulationError(f"{text}\n{where}")
        first = int(free[0])
        self.allocated[row, first : first + count] = True
        self.made.append(Allotment(row, first, count, name, where))
        return first

    def _agree(self, row: int, count: int, name: str, where: str) -> None:
        """Raises `SimulationError` where the partner of the block has allocated other columns."""
        mine, theirs = (self.paired.setdefault(one, []) for one in (row, row ^ 1))
        mine.append((count, name))
        other, who = theirs[len(mine) - 1] if len(theirs) >= len(mine) else (count, name)
        if other != count:
            text = f"{name} allocates {count} columns of tensor memory, and {who} {other}: a pair has the same"
            raise SimulationError(f"{text}\n{where}")

    def release(self, row: int, address: int, count: int, lanes: Lanes, actor: int, site: Site) -> None:
        """The block gives these columns back.

        Raises:
            SimulationError: they are no allocation of it.
            RaceError: somebody may still access them.
        """
        name = lanes.name(actor)
        found = [one for one in self.made if (one.row, one.first) == (row, address)]
        if not found or found[0].count != count:
            own = [f"{one.count} at column {one.first}" for one in self.made if one.row == row]
            has = f"has {', '.join(own)}" if own else "has none"
            text = f"{name} gives back {count} columns of tensor memory at {address:#x}; its block {has}"
            raise SimulationError(f"{text}\n{site.where}")
        at = row * CELLS + places(np.arange(LANES // TOGETHER), address + np.arange(count))
        self.cells.begin(at, lanes, Present(self.clocks, np.full(len(at), actor)), site)
        if self.cells.shadow is not None:
            self.cells.shadow.written[at] = 0
        self.owner[at] = 0
        self.made.remove(found[0])
        self.allocated[row, address : address + count] = False

    # ---- accesses

    def check(self, rows: Numbers, columns: Numbers, names: Iterator[str], site: Site) -> None:
        """Raises `OutOfBoundsError` where an entry's columns are not there, or not the block's."""
        outside = columns >= COLUMNS
        wrong = outside | ~self.allocated[rows[:, None], np.where(outside, 0, columns)]
        if wrong.any():
            entry, number = (int(x[0]) for x in np.nonzero(wrong))
            column, name = int(columns[entry, number]), list(names)[entry]
            why = f"which has {COLUMNS}" if outside[entry, number] else "which its block has not allocated"
            raise OutOfBoundsError(f"{name} {site.does} column {column} of tensor memory, {why}\n{site.where}")

    def begin(self, rows: Numbers, actor: Numbers, at: Numbers, lanes: Lanes, site: Site) -> None:
        """Copies of these warps set out: they access cells, by (entry, cell).

        Raises:
            RaceError: somebody else accesses them at the same time.
            UninitializedError: nothing is there.
        """
        flat = at.reshape(-1)
        self.cells.begin(flat, lanes, Present(self.clocks, actor.repeat(at.shape[1]), TENSOR), site)
        if self.cells.pending is not None:
            self.cells.pending.begin(flat, site.kind)
            self.copies.begin(flat, site.kind)
            self.flights.append(Flight(rows, actor, at, site))

        if site.kind == "store":
            self.owner[flat] = 0

    def follow(self, actor: Numbers, at: Numbers, lanes: Lanes, site: Site) -> None:
        """Products of these threads are to access cells, by (entry, cell); each follows the thread's earlier ones.

        Raises:
            RaceError: somebody else accesses them at the same time.
            UninitializedError: nothing is there.
        """
        flat, who = at.reshape(-1), actor.repeat(at.shape[1])
        mine = self.owner.take(flat) == who + 1
        self.cells.begin(flat[~mine], lanes, Present(self.clocks, who[~mine], TENSOR), site)
        if mine.any():
            self.cells.follow(flat[mine], lanes, Present(self.clocks, who[mine], TENSOR), site, self.copies)
        if site.kind == "store":
            self.owner[flat] = who + 1

    def wait(self, kind: str, actor: Numbers) -> None:
        """The copies of that kind by these warps are done."""
        pending, shadow = self.cells.pending, self.cells.shadow
        if pending is None or shadow is None:
            return
        for flight in self.flights:
            due = flight.open & is_among(flight.actor, actor) & (flight.site.kind == kind)
            if due.any():
                at = flight.at[due].reshape(-1)
                present = Present(self.clocks, flight.actor[due].repeat(flight.at.shape[1]))
                pending.end(at, kind)
                self.copies.end(at, kind)
                if kind == "load":
                    shadow.read(at, present)
                else:
                    shadow.landed(at, present.epoch, kind)
                flight.open &= ~due
        self.flights = [flight for flight in self.flights if flight.open.any()]
        self.clocks.step()

    def describe(self, at: int, kind: str) -> tuple[str, str]:
        """What a copy on its way does to a cell in that way, and where it began."""
        for flight in self.flights:
            if flight.site.kind == kind and (flight.at[flight.open] == at).any():
                wait = "tcgen05.wait::ld" if kind == "load" else "tcgen05.wait::st"
                return f"a copy on its way {DOES[kind]}, for which nobody has waited: {wait}", flight.site.where
        for side in (side for begun in self.begun for side in begun.reads()):
            if side.memory is self.cells and side.site.kind == kind and (side.at == at).any():
                return f"a product on its way {DOES[kind]}, whose commit nobody has waited for", side.site.where
        raise AssertionError("somebody has begun what is on its way")

    def finish(self) -> None:
        """The blocks end.

        Raises:
            SimulationError: one has columns that it has not given back.
            RaceError: a product may still read shared memory, which is the next block's.
        """
        for side in (side for begun in self.begun for side in begun.reads() if begun.open.any()):
            raise RaceError(f"the block ends while a product is on its way\n{side.site.where}")
        for one in self.made:
            text = f"the block ends with {one.count} columns of tensor memory, which {one.name} has allocated"
            raise SimulationError(f"{text}, and nobody gave back: tcgen05.dealloc\n{one.where}")
        for pending in (self.copies, self.cells.pending):
            if pending is not None:
                pending.forget()


def places(halves: Numbers, columns: Numbers) -> Numbers:
    """The cells of these columns in these sixteens of lanes, in rising order.

    >>> places(np.array([0, 1]), np.array([3, 4])).tolist()
    [3, 4, 515, 516]
    """
    return np.asarray((halves[:, None] * COLUMNS + columns).reshape(-1))
