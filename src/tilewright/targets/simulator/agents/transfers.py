"""What goes on by itself: a copy on its way, with what it reads and writes; an arrival that waits for copies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.flat import Memory, updated
from tilewright.targets.simulator.order.clocks import Flags, Numbers
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

    def __getitem__(self, chosen: Flags) -> Side:
        """Some of its entries."""
        return replace(self, at=self.at[chosen], inside=None if self.inside is None else self.inside[chosen])

    def moved(self, by: Numbers) -> Side:
        """The same so many positions further on, an entry each."""
        return replace(self, at=self.at + by[:, None])

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
    barrier: tuple[Mbarriers, Numbers, Numbers] | None = None  # with the row and the word of each entry
    generic: bool = False  # is it made as lanes make theirs, and not as an engine?
    done: Callable[[Flags], None] | None = None  # who wants to know which entries are
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

    def awaited(self, lanes: Flags, committed: Numbers, pending: int) -> Flags:
        """Entries that these lanes, with so many groups, wait for until so many are left; -1: for all."""
        due = lanes[self.rows, self.threads]
        return due if pending < 0 else due & (self.group < committed[self.rows, self.threads] - pending)

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
            if self.done is not None:
                self.done(entries)

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
    """Lanes arrive at an mbarrier when the copies that they had begun are done."""

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
