"""Lanes at one point of a kernel, with all that they hold: they part where they disagree, and join again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tilewright.targets.simulator.agents.flow import Waiting
from tilewright.targets.simulator.agents.holdings import Join, part
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array, Value
from tilewright.targets.simulator.program import Frame


@dataclass(eq=False)
class Cohort:
    """The lanes of `domain` before the instruction `at`, or in it, where they are `waiting`.

    Lanes of different groups never join: a schedule moves each group by itself.
    """

    at: int
    values: list[Value]
    domain: Lockstep
    waiting: Waiting | None = None
    group: int = 0
    polled: bool = False  # it has asked in vain, and others have their turn first
    since: int = 0  # the turn in which it came to wait

    @property
    def frame(self) -> Frame:
        """What steps work on; they change the values in place."""
        return Frame(self.values, self.domain)

    def parts(self, flags: Array) -> Iterator[tuple[bool, Cohort]]:
        """The lanes whose flag, of (blocks, threads), is set, and the others, in rectangles of blocks by threads."""
        if flags.all() or not flags.any():
            yield bool(flags.flat[0]), self
            return
        alike: dict[bytes, list[int]] = {}  # the blocks whose lanes have the same flags
        for row, pattern in enumerate(np.broadcast_to(flags, self.domain.shape)):
            alike.setdefault(pattern.tobytes(), []).append(row)
        for known in sorted(alike):
            for flag in (True, False):
                columns = np.flatnonzero(np.frombuffer(known, bool) == flag)
                if len(columns):
                    yield flag, self.part(np.array(alike[known]), columns)

    def part(self, rows: Array, columns: Array) -> Cohort:
        """Those in these rows and columns, who go on by themselves."""
        if (len(rows), len(columns)) == self.domain.shape:
            return self
        domain = Lockstep(self.domain.machine, self.domain.rows[rows], self.domain.threads[columns])
        return replace(self, values=part(self.values, rows, columns), domain=domain)

    def joined(self, other: Cohort) -> Cohort | None:
        """Both as one, where they make a rectangle: they are of the same blocks, or the same threads."""
        mine, theirs = self.domain, other.domain
        rows, threads = mine.rows, mine.threads
        if np.array_equal(rows, theirs.rows):
            axis, both = 1, np.concatenate([threads, theirs.threads])
        elif np.array_equal(threads, theirs.threads):
            axis, both = 0, np.concatenate([rows, theirs.rows])
        else:
            return None
        order = np.argsort(both)
        join = Join(axis, (mine.shape, theirs.shape), order)
        values = [join(*pair) for pair in zip(self.values, other.values, strict=True)]
        domain = Lockstep(mine.machine, *((rows, both[order]) if axis else (both[order], threads)))
        return Cohort(self.at, values, domain, group=self.group)
