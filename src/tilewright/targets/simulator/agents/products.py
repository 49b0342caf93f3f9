"""Products that go on by themselves: what they read of shared memory, until the group that they are in is waited for.

What a product computes is worked out when it begins; that it goes on shows in what others may not do meanwhile: change
what it reads, touch the registers that it works in (`memory/guards.py`), end the block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tilewright.errors import RaceError
from tilewright.ir.core.walk import of_kinds
from tilewright.ir.tile.atoms import AtomOp
from tilewright.ir.tile.ops import root
from tilewright.ir.tile.tcgen05 import TCGEN05_OPS
from tilewright.ir.tile.tmem import TMEM_OPS, TmemCopyOp
from tilewright.ir.tile.wgmma import WARPGROUP, WARPS, WGMMA_OPS, WgmmaOp
from tilewright.targets.simulator.agents.engine import Engine
from tilewright.targets.simulator.agents.transfers import Side
from tilewright.targets.simulator.memory.access import Lanes
from tilewright.targets.simulator.memory.addresses import SharedMap
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.guards import Guard, Loads
from tilewright.targets.simulator.order.clocks import GENERIC, SHARED_PROXY, Clocks, Flags, Numbers
from tilewright.targets.simulator.order.together import Together
from tilewright.targets.simulator.sites import Site


@dataclass(frozen=True, eq=False)
class Facts:
    """What a kernel says before it runs: where shared memory lies, and the registers that others work in."""

    shared: SharedMap
    guarded: Mapping[Operation, type[Guard]]

    @staticmethod
    def of(func: FuncOp) -> Facts | None:
        """Those of a function; None where nobody works by himself beside copies."""
        found = of_kinds(func, *WGMMA_OPS, *TMEM_OPS, *TCGEN05_OPS)
        guarded: dict[Operation, type[Guard]] = {}
        for op in found:
            products, loads = isinstance(op, WgmmaOp), isinstance(op, TmemCopyOp) and op.loads
            for place in op.places if isinstance(op, AtomOp) and (products or loads) else ():
                owner = root(place.memory).owner
                if isinstance(owner, Operation):
                    guarded[owner] = Loads if loads else Guard
        return Facts(SharedMap.of(func), guarded) if found else None


@dataclass(frozen=True, eq=False)
class Read:
    """What these entries of a product read: the same elements of each one's copy of a memory."""

    entries: Numbers
    memory: Memory
    rows: Numbers
    elements: Numbers
    site: Site

    def at(self, chosen: Flags | slice = slice(None)) -> Numbers:
        """The positions, by (entry, element)."""
        return np.asarray(self.rows[chosen][:, None] * self.memory.pitch + self.elements)


@dataclass(eq=False)
class Flight:
    """A product on its way, an entry a warpgroup: its rows and groups, the commit group it is in, and what it reads."""

    ticket: int
    rows: Numbers
    groups: Numbers
    number: Numbers
    parts: Sequence[Read]
    open: Flags = field(init=False)

    def __post_init__(self) -> None:
        self.open = np.ones(len(self.rows), bool)

    def reads(self) -> list[Side]:
        """What is still read."""
        return [Side(part.memory, part.at(self.open[part.entries]), part.site) for part in self.parts]


@dataclass(eq=False)
class Products:
    """The products of the warpgroups of some blocks; `first` is the engine of the first warpgroup of a block."""

    clocks: Clocks
    engine: Engine
    first: int
    fenced: Flags = field(init=False)
    committed: Numbers = field(init=False)
    tickets: int = field(default=0, init=False)
    done: Numbers = field(init=False)  # the last ticket of each warpgroup that has been waited for
    flights: list[Flight] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        shape = len(self.clocks.blocks), -(-self.clocks.warps // WARPS)
        self.fenced = np.zeros(shape, bool)
        self.committed, self.done = np.zeros(shape, np.int64), np.zeros(shape, np.int64)

    def ticket(self) -> int:
        """A number for a product that begins."""
        self.tickets += 1
        return self.tickets

    def read(self, groups: Numbers, part: Read, at: Numbers, lanes: Lanes) -> None:
        """Raises where these warpgroups, an entry each, may not read what they are to read; else it is on its way."""
        present = self.present(part.rows, groups, at.shape[1])
        part.memory.begin(at.reshape(-1), lanes, present, part.site)
        pending = self.engine.pending_of(part.memory)
        if pending is not None:
            pending.begin(at.reshape(-1), part.site.kind)

    def begin(self, ticket: int, rows: Numbers, groups: Numbers, parts: Sequence[Read]) -> None:
        """A product sets out, that reads this."""
        flight = Flight(ticket, rows, groups, self.committed[rows, groups], parts)
        self.flights.append(flight)
        self.engine.readers.append(flight)

    def present(self, rows: Numbers, groups: Numbers, count: int, stamps: Numbers | None = None) -> Together:
        """These warpgroups, each for so many accesses of its own."""
        first = self.clocks.blocks[rows] * self.clocks.width + groups * WARPGROUP
        plane = SHARED_PROXY if stamps is None else GENERIC
        epochs = None if stamps is None else stamps.repeat(count)
        return Together.of(self.clocks, first.repeat(count), WARPGROUP, plane, epochs)

    def wait(self, rows: Numbers, groups: Numbers, pending: int) -> Numbers:
        """These warpgroups wait for all but their latest groups: up to which ticket their products are done."""
        asked = np.zeros(self.fenced.shape, bool)
        asked[rows, groups] = True
        due = {}
        for flight in self.flights:
            over = flight.number < self.committed[flight.rows, flight.groups] - pending
            now = flight.open & asked[flight.rows, flight.groups] & over
            if now.any():
                due[flight.ticket] = flight, now
                self.done[flight.rows[now], flight.groups[now]] = flight.ticket
        if due:
            self._land(list(due.values()))
            self.flights = [flight for flight in self.flights if flight.open.any()]
            self.engine.readers = [flight for flight in self.engine.readers if flight.open.any()]
        return np.asarray(self.done[rows, groups])

    def _land(self, due: Sequence[tuple[Flight, Flags]]) -> None:
        """What these have read is free again, and their warpgroups know it."""
        stamps = self._stamps(due)
        for flight, now in due:
            for part in flight.parts:
                mine = now[part.entries]
                pending, shadow = part.memory.pending, part.memory.shadow
                if mine.any() and pending is not None and shadow is not None:
                    at, rows, groups = part.at(mine).reshape(-1), part.rows[mine], flight.groups[part.entries[mine]]
                    pending.end(at, part.site.kind)
                    shadow.read(at, self.present(rows, groups, len(part.elements), stamps[rows, groups]))
            flight.open &= ~now

    def _stamps(self, due: Sequence[tuple[Flight, Flags]]) -> Numbers:
        """The epochs of what the engines of these warpgroups have done, by row and group; the lanes learn of it."""
        found = np.zeros(self.fenced.shape, np.int64)
        done = np.zeros(self.fenced.shape, bool)
        for flight, now in due:
            done[flight.rows[now], flight.groups[now]] = True
        for group in np.flatnonzero(done.any(axis=0)).tolist():
            rows, when, engine = np.flatnonzero(done[:, group]), self.clocks.now, self.first + group
            found[rows, group] = self.clocks.stamp(rows, engine)
            lanes = np.zeros((len(rows), self.clocks.warps * self.clocks.lanes), bool)
            lanes[:, group * WARPGROUP : (group + 1) * WARPGROUP] = True
            known = np.zeros((self.clocks.planes, len(rows), self.clocks.known.shape[3]), np.int64)
            known[GENERIC, :, self.clocks.warps + engine] = when
            self.clocks.acquire(rows, lanes, known)
        return found

    def finish(self) -> None:
        """The blocks end.

        Raises:
            RaceError: nobody has waited for a product.
        """
        for flight in self.flights:
            for side in flight.reads():
                if side.at.size:
                    element = side.memory.element(int(side.at.flat[0]), side.site)
                    text = f"the block ends while a product on its way reads {element}, for which nobody has waited"
                    raise RaceError(f"{text}\n{side.site.where}")
