"""Work that goes on by itself: copies on their way, and what is done when they are.

A copy's data moves, and its elements are free again, when it completes: at the last moment that the kernel allows, so
that whoever does not wait finds what was there before. Which copy that waits for nobody completes first is decided in
`Engine.advance` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tilewright.errors import RaceError
from tilewright.targets.simulator.agents.names import Names
from tilewright.targets.simulator.agents.order import Order
from tilewright.targets.simulator.agents.transfers import Arrival, Reader, Side, Signal, Transfer
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.pending import Describe, Pending
from tilewright.targets.simulator.order.clocks import TIME, Clocks, Flags, Numbers
from tilewright.targets.simulator.order.mbarriers import BULK, GENERIC_COPIES, Mbarriers
from tilewright.targets.simulator.order.visits import Visits
from tilewright.targets.simulator.sites import DOES, Site


@dataclass(eq=False)
class Engine:
    """What is on its way in some blocks, in the order in which it began."""

    clocks: Clocks
    order: Order
    visits: Visits
    names: Names
    transfers: list[Transfer] = field(default_factory=list, init=False)
    waiting: list[Transfer | Arrival | Signal] = field(default_factory=list, init=False)  # for nobody
    groups: dict[str, Numbers] = field(default_factory=dict, init=False)  # committed, by (row, thread)
    readers: list[Reader] = field(default_factory=list, init=False)  # of which others tell when they are done
    arrived: list[Arrived] = field(default_factory=list, init=False)  # whose lanes may still wait for them
    watched: list[Pending] = field(default_factory=list, init=False)

    def committed(self, kind: str) -> Numbers:
        """How many groups each lane has made."""
        shape = len(self.clocks.blocks), self.clocks.warps * self.clocks.lanes
        return self.groups.setdefault(kind, np.zeros(shape, np.int64))

    def begin(self, transfer: Transfer) -> None:
        """A copy sets out, whose accesses have been checked."""
        everyone = np.ones(len(transfer.rows), bool)
        for side in (transfer.source, transfer.target):
            pending = self.pending_of(side.memory)
            if pending is not None:
                pending.begin(side.chosen(everyone), side.site.kind)
        self.transfers = [known for known in self.transfers if known.writing.any() or known.reading.any()]
        self.transfers.append(transfer)
        self._refuse_twins(transfer.target, transfer.target.chosen(everyone), transfer.changes)
        if transfer.barrier is not None:
            self.waiting.append(transfer)

    def pending_of(self, memory: Memory) -> Pending | None:
        """What is on its way to a memory; None where nobody ever writes it, or nothing is looked for."""
        if memory.shadow is not None and memory.pending is None:
            memory.pending = Pending(len(memory.data), self._describer(memory))
            self.watched.append(memory.pending)
        return memory.pending

    def _refuse_twins(self, target: Side, at: Numbers, changes: bool) -> None:
        """Raises `RaceError` where what copies of one step write is what others of it write, or they read."""
        pending = target.memory.pending
        for kind, own in (("load", 0), ("store", 1)):
            counts = None if pending is None else pending.counts(kind)
            twice = np.zeros(0, bool) if counts is None or (changes and own) else counts.take(at) > own
            if twice.any():
                place = int(at[np.argmax(twice)])
                element = target.memory.element(place, target.site)
                *_, one = (begun for begun in self._begun(target.memory, place, target.site.kind) if begun.actor >= 0)
                others = (begun for begun in self._begun(target.memory, place, kind) if begun.actor != one.actor)
                met = next(others, one)
                text = f"{self.names(one.actor)} copies to {element}, which {met.text(DOES[kind], self.names)}"
                raise RaceError(f"{text}\n{target.site.where}{met.beside(target.site)}")

    def wait(self, kind: str, pending: int, lanes: Flags) -> None:
        """These lanes, of (row, lane), wait until of their groups at most so many are on their way."""
        what, _, part = kind.partition(".")
        committed = self.committed(what)
        if what == "cp":
            self._arrive_before(lanes, pending)
        self.clocks.step()
        for transfer in self._of(what):
            due = transfer.awaited(lanes, committed, pending)
            if due.any():
                if what == "cp" or part == "read":
                    epochs = self._of_lanes(transfer)
                else:
                    epochs = self.clocks.written_by_engine(transfer.actor)
                (transfer.read if part == "read" else transfer.write)(due, epochs)

    def wait_copies(self, kind: str, pending: int, lanes: Flags) -> None:
        """These lanes, of (row, lane), wait until of their copies at most so many are on their way."""
        self.clocks.step()
        later = np.zeros(lanes.shape, np.int64)  # copies that began after the one that is looked at
        for transfer in reversed(list(self._of(kind))):
            rows, threads = transfer.rows, transfer.threads
            due = lanes[rows, threads] & (later[rows, threads] >= pending)
            if due.any():
                transfer.write(due, self._of_lanes(transfer))
            later[rows, threads] += 1

    def _of_lanes(self, transfer: Transfer) -> Numbers:
        """The epochs of what the lanes of a copy know now that they have done."""
        return np.asarray(transfer.actor | self.clocks.now << TIME)

    def arrive(self, rows: Numbers, threads: Numbers, barrier: Mbarriers, words: Numbers) -> None:
        """These lanes will arrive at mbarriers when the cp.asyncs that they have begun are done."""
        self.waiting.append(Arrival(rows, threads, barrier, words, list(self._of("cp"))))

    def advance(self) -> bool:
        """Something that waits for nobody is done, if there is such a thing."""
        if not self.waiting:
            return False
        first = self.waiting[self.order.among(len(self.waiting))]
        if not isinstance(first, Transfer):  # of a sort in order: work is done for the first that tells of it
            kind = type(first)
            first = next(one for one in self.waiting if type(one) is kind)
        self.waiting = [one for one in self.waiting if one is not first]
        if isinstance(first, Transfer):
            self._deliver(first)
        elif isinstance(first, Arrival):
            self._arrive(first)
        else:
            first.arrive()
        return True

    def _deliver(self, transfer: Transfer) -> None:
        assert transfer.barrier is not None, "only what has an mbarrier waits for nobody"
        barrier, targets, words = transfer.barrier
        what = GENERIC_COPIES if transfer.generic else BULK
        for word in distinct_values(words).tolist():
            entries = words == word
            rows, first = np.unique(targets[entries], return_inverse=True)
            count = np.zeros(len(rows), np.int64)
            np.add.at(count, first, transfer.bytes[entries])
            epochs = np.zeros(len(words), np.int64)
            epochs[entries] = barrier.deliver(rows, word, count, what)[first]
            transfer.write(entries, epochs)
            self.names.delivered.update({(row, barrier.engine(word, what)): transfer for row in rows.tolist()})
            if transfer.source.memory.apart:
                self.visits.note(transfer.rows[entries], epochs[entries], transfer.source.site)

    def _arrive_before(self, lanes: Flags, pending: int) -> None:
        """Copies of these lanes that are to arrive somewhere do; who waits for some of its own knows of those."""
        for arrival in [one for one in self.waiting if isinstance(one, Arrival)]:
            if lanes[arrival.rows, arrival.threads].any():
                self.waiting.remove(arrival)
                self._arrive(arrival)
        for transfer, epochs in self.arrived:
            known = transfer.awaited(lanes, self.committed("cp"), pending) & (epochs > 0)
            mine = self._of_lanes(transfer)[known]
            self.clocks.waited.update(zip(epochs[known].tolist(), mine.tolist(), strict=True))
            epochs[known] = 0
        self.arrived = [one for one in self.arrived if one.epochs.any()]

    def _arrive(self, arrival: Arrival) -> None:
        self.arrived = [one for one in self.arrived if (one.epochs >> TIME).max() > self.clocks.floor]
        for word in distinct_values(arrival.words).tolist():
            chosen = arrival.words == word
            rows, first = np.unique(arrival.rows[chosen], return_inverse=True)
            copies = len(arrival.before)
            begun = arrival.barrier.copied(rows, word, np.bincount(first), works=int(chosen.sum()) * max(copies, 1))
            # Each copy of each lane has a time of its own: who waits for some of its own knows no more.
            number = (np.cumsum(chosen)[chosen] - 1) * copies
            for place, transfer in enumerate(arrival.before):
                by_lane = np.zeros(self.committed("cp").shape, np.int64)
                by_lane[arrival.rows[chosen], arrival.threads[chosen]] = begun[first] + (number + place << TIME)
                epochs = np.where(transfer.writing, by_lane[transfer.rows, transfer.threads], 0)
                transfer.write(epochs > 0, epochs)
                self.arrived.append(Arrived(transfer, epochs))
        arrival.before.clear()

    def _of(self, kind: str) -> Iterator[Transfer]:
        return (transfer for transfer in list(self.transfers) if transfer.kind == kind)

    def _describer(self, memory: Memory) -> Describe:
        def describe(at: int, kind: str) -> tuple[str, str]:
            found = self.begun(memory, at, kind)
            assert found is not None, "it has been counted"
            return found

        return describe

    def begun(self, memory: Memory, at: int, kind: str) -> tuple[str, str] | None:
        """What is on its way to a position and does that there, and where it began; None where nothing is."""
        first = next(self._begun(memory, at, kind), None)
        return None if first is None else (first.text(DOES[kind], self.names), first.site.where)

    def _begun(self, memory: Memory, at: int, kind: str) -> Iterator[Begun]:
        """What is on its way to a position of a memory, and does that there."""
        for transfer in self.transfers:
            for side, open_ in ((transfer.source, transfer.reading), (transfer.target, transfer.writing)):
                if side.memory is memory and side.site.kind == kind:
                    here = side.chosen(open_) == at
                    yield from (Begun(side.site, who) for who in side.actors(open_, transfer.actor)[here].tolist())
        for side in (side for reader in self.readers for side in reader.reads()):
            if side.memory is memory and side.site.kind == kind and (side.at == at).any():
                yield Begun(side.site)

    def forget(self) -> None:
        """The blocks have ended."""
        for pending in self.watched:
            pending.forget()


class Arrived(NamedTuple):
    """A copy that was done when its lanes arrived somewhere, and its epochs; 0: its lane knows, or did not arrive."""

    transfer: Transfer
    epochs: Numbers


class Begun(NamedTuple):
    """What is on its way: where it began, and who began a copy; -1: it is a product."""

    site: Site
    actor: int = -1

    def text(self, does: str, name: Callable[[int], str]) -> str:
        """How a race names it."""
        if self.actor < 0:
            return f"a product on its way {does}, for which nobody has waited"
        return f"a copy on its way {does}, for which nobody has waited; {name(self.actor)} began it"

    def beside(self, site: Site) -> str:
        """Its place, where that is another one."""
        return "" if site is self.site else f"\n{self.site.where}"
