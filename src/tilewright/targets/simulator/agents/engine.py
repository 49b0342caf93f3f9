"""Work that goes on by itself: copies on their way, and what is done when they are.

A copy's data moves, and its elements are free again, when it completes: at the last moment that the kernel allows, so
that whoever does not wait finds what was there before. Which copy that waits for nobody completes first is decided in
`Engine.advance` alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from tilewright.errors import RaceError
from tilewright.targets.simulator.agents.order import Order
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.flat import Memory, updated
from tilewright.targets.simulator.memory.pending import DOES, Describe, Pending
from tilewright.targets.simulator.order.clocks import TIME, Clocks, Flags, Numbers
from tilewright.targets.simulator.order.mbarriers import Mbarriers
from tilewright.targets.simulator.sites import Site


@dataclass(frozen=True, eq=False)
class Side:
    """What a copy reads or writes: positions of a memory, by (entry, element); not `inside` is what it leaves out."""

    memory: Memory
    at: Numbers
    site: Site
    inside: Flags | None = None

    def chosen(self, entries: Flags) -> Numbers:
        """The positions of these entries, flat."""
        at = self.at[entries]
        return np.asarray(at.reshape(-1) if self.inside is None else at[self.inside[entries]])

    def actors(self, entries: Flags, actor: Numbers) -> Numbers:
        """Whose each of them is."""
        whose = np.broadcast_to(actor[entries, None], self.at[entries].shape)
        return np.asarray(whose.reshape(-1) if self.inside is None else whose[self.inside[entries]])


@dataclass(eq=False)
class Transfer:
    """A copy that some lanes have begun, an entry each: who they are, by row and thread, and what they copy.

    `group` is the number of the lane's group that it belongs to. A copy that counts its bytes has its mbarrier.
    """

    kind: str
    rows: Numbers
    threads: Numbers
    actor: Numbers
    source: Side
    target: Side
    group: Numbers
    bytes: Numbers
    function: np.ufunc | None = None
    barrier: tuple[Mbarriers, Numbers] | None = None
    reading: Flags = field(init=False)  # entries that have not been waited for: reads, and writes
    writing: Flags = field(init=False)
    held: Array = field(init=False)  # what has been read, and is not written yet

    def __post_init__(self) -> None:
        self.held = np.zeros(self.source.at.shape, self.source.memory.data.dtype)
        self.reading, self.writing = np.ones(len(self.rows), bool), np.ones(len(self.rows), bool)

    @property
    def changes(self) -> bool:
        """Is it a reduction?"""
        return self.target.site.kind == "atomic"

    def read(self, entries: Flags, epochs: Numbers) -> None:
        """What these entries copy has been read, and its source is free again."""
        entries = entries & self.reading
        source = self.source
        found = source.memory.data.take(source.at[entries])
        if source.inside is not None:
            found = np.where(source.inside[entries], found, np.zeros((), found.dtype))
        self.held[entries] = found
        self._end(source, entries, epochs)
        self.reading &= ~entries

    def write(self, entries: Flags, epochs: Numbers) -> None:
        """The data of these entries moves, and they are done."""
        entries = entries & self.writing
        if entries.any():
            self.read(entries, epochs)
            self._move(entries)
            self._end(self.target, entries, epochs)
            self.writing &= ~entries

    def _move(self, entries: Flags) -> None:
        target, values = self.target, self.held[entries]
        flat = values.reshape(-1) if target.inside is None else values[target.inside[entries]]
        at = target.chosen(entries)
        if self.changes:
            updated(target.memory.data, at, flat, self.function)
        else:
            target.memory.data[at] = flat

    def _end(self, side: Side, entries: Flags, epochs: Numbers) -> None:
        if not entries.any():
            return
        at = side.chosen(entries)
        if side.memory.shadow is not None and side.memory.pending is not None:
            side.memory.pending.end(at, side.site.kind)
            side.memory.shadow.landed(at, side.actors(entries, epochs), side.site.kind)


@dataclass(eq=False)
class Arrival:
    """Lanes arrive at an mbarrier when the copies that they had begun, the first so many of the engine's, are done."""

    rows: Numbers
    threads: Numbers
    barrier: Mbarriers
    words: Numbers
    before: list[Transfer]


class Signal(Protocol):
    """What arrives somewhere when work that is no copy is done."""

    def arrive(self) -> None:
        """It is done."""


class Reader(Protocol):
    """What reads memory by itself beside copies."""

    @property
    def open(self) -> Flags:
        """Which parts of it are on their way."""

    def reads(self) -> list[Side]:
        """What these read."""


@dataclass(eq=False)
class Engine:
    """What is on its way in some blocks, in the order in which it began."""

    clocks: Clocks
    order: Order
    transfers: list[Transfer] = field(default_factory=list, init=False)
    waiting: list[Transfer | Arrival | Signal] = field(default_factory=list, init=False)  # for nobody
    groups: dict[str, Numbers] = field(default_factory=dict, init=False)  # committed, by (row, thread)
    readers: list[Reader] = field(default_factory=list, init=False)  # of which others tell when they are done

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
                at = side.chosen(everyone)
                pending.begin(at, side.site.kind)
                self._refuse_twins(transfer, side, at)
        self.transfers = [known for known in self.transfers if known.writing.any() or known.reading.any()]
        self.transfers.append(transfer)
        if transfer.barrier is not None:
            self.waiting.append(transfer)

    def pending_of(self, memory: Memory) -> Pending | None:
        """What is on its way to a memory; None where nobody ever writes it, or nothing is looked for."""
        if memory.shadow is not None and memory.pending is None:
            memory.pending = Pending(len(memory.data), self._describer(memory))
        return memory.pending

    def _refuse_twins(self, transfer: Transfer, side: Side, at: Numbers) -> None:
        """Raises `RaceError` where two copies of one step write one element."""
        if side is not transfer.target or transfer.changes or side.memory.pending is None:
            return
        twice = side.memory.pending.counts["store"].take(at) > 1
        if twice.any():
            element = f"element {at[np.argmax(twice)] % side.memory.size} of {side.site.buffer}"
            raise RaceError(f"threads copy to {element}, which a copy on its way writes\n{side.site.where}")

    def wait(self, kind: str, pending: int, lanes: Flags) -> None:
        """These lanes, of (row, lane), wait until of their groups at most so many are on their way."""
        what, _, part = kind.partition(".")
        committed = self.committed(what)
        if what == "cp":
            self._arrive_before(lanes)
        for transfer in self._of(what):
            rows, threads = transfer.rows, transfer.threads
            due = lanes[rows, threads]
            if pending >= 0:
                due = due & (transfer.group < committed[rows, threads] - pending)
            if due.any():
                epochs = transfer.actor | self.clocks.now << TIME
                (transfer.read if part == "read" else transfer.write)(due, epochs)

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

    def finish(self) -> None:
        """The blocks end: what is written to global memory gets there.

        Raises:
            RaceError: a copy may still read shared memory, which is the next block's.
        """
        for transfer in self._of("bulk"):
            who = transfer.source.memory.pending
            if transfer.reading.any() and who is not None:
                at = int(transfer.source.chosen(transfer.reading)[0])
                element = f"element {at % transfer.source.memory.size} of {transfer.source.site.buffer}"
                what, begun = who.describe(at, "load")
                raise RaceError(f"the block ends while {element} is one that {what}\n{begun}")
            transfer.write(transfer.writing, transfer.actor | self.clocks.now << TIME)

    def _deliver(self, transfer: Transfer) -> None:
        assert transfer.barrier is not None, "only what has an mbarrier waits for nobody"
        barrier, words = transfer.barrier
        for word in np.unique(words).tolist():
            entries = words == word
            rows, first = np.unique(transfer.rows[entries], return_inverse=True)
            count = np.zeros(len(rows), np.int64)
            np.add.at(count, first, transfer.bytes[entries])
            epochs = np.zeros(len(words), np.int64)
            epochs[entries] = barrier.deliver(rows, word, count)[first]
            transfer.write(entries, epochs)

    def _arrive_before(self, lanes: Flags) -> None:
        """Who waits for its copies finds those done that are to arrive somewhere, and knows that they are."""
        for arrival in [one for one in self.waiting if isinstance(one, Arrival)]:
            if lanes[arrival.rows, arrival.threads].any():
                self.waiting.remove(arrival)
                self._arrive(arrival)
                for word in np.unique(arrival.words).tolist():
                    rows = np.unique(arrival.rows[arrival.words == word])
                    arrival.barrier.told(rows, word, lanes[rows])

    def _arrive(self, arrival: Arrival) -> None:
        for word in np.unique(arrival.words).tolist():
            chosen = arrival.words == word
            rows, first = np.unique(arrival.rows[chosen], return_inverse=True)
            epochs = arrival.barrier.copied(rows, word, np.bincount(first))
            by_row = np.zeros(len(self.clocks.blocks), np.int64)
            by_row[rows] = epochs
            lanes = np.zeros(self.committed("cp").shape, bool)
            lanes[arrival.rows[chosen], arrival.threads[chosen]] = True
            for transfer in arrival.before:
                transfer.write(lanes[transfer.rows, transfer.threads], by_row[transfer.rows])

    def _of(self, kind: str) -> Iterator[Transfer]:
        return (transfer for transfer in list(self.transfers) if transfer.kind == kind)

    def _describer(self, memory: Memory) -> Describe:
        def describe(at: int, kind: str) -> tuple[str, str]:
            for transfer in self.transfers:
                for side, open_ in ((transfer.source, transfer.reading), (transfer.target, transfer.writing)):
                    if side.memory is memory and side.site.kind == kind and (side.chosen(open_) == at).any():
                        return f"a copy on its way {DOES[kind]}, for which nobody has waited", side.site.where
            for side in (side for reader in self.readers for side in reader.reads()):
                if side.memory is memory and side.site.kind == kind and (side.at == at).any():
                    return f"a product on its way {DOES[kind]}, for which nobody has waited", side.site.where
            raise AssertionError("somebody has begun what is on its way")

        return describe
