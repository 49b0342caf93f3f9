"""The barrier of a cluster in two halves: lanes arrive, do something else, and wait for the arrivals of all others.

Source: PTX ISA, "barrier.cluster".
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.order.across import hear, told, told_by_fences
from tilewright.targets.simulator.order.beyond import Handing
from tilewright.targets.simulator.order.clocks import Clocks, Flags, Numbers


@dataclass(eq=False)
class ClusterBarrier:
    """That of every cluster of so many blocks `together`, of so many threads each."""

    clocks: Clocks
    threads: int
    together: int
    come: Flags = field(init=False)  # in this phase, by (row, thread)
    owed: Flags = field(init=False)  # who has arrived, and not waited yet
    since: Numbers = field(init=False)  # the phase in which they last arrived
    phase: Numbers = field(init=False)  # of each row
    known: Numbers = field(init=False)  # what those who came have released, by (plane, row, column)
    done: Numbers = field(init=False)  # the same, up to the last phase that has completed
    learnt: dict[int, Handing] = field(default_factory=dict, init=False)  # the same of other blocks, by cluster
    over: dict[int, Handing] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        shape = len(self.clocks.blocks), self.clocks.warps * self.clocks.lanes
        self.come, self.owed, self.since = np.zeros(shape, bool), np.zeros(shape, bool), np.zeros(shape, np.int64)
        self.phase = np.zeros(shape[0], np.int64)
        self.known = np.zeros((self.clocks.planes, shape[0], self.clocks.known.shape[3]), np.int64)
        self.done = self.known.copy()

    def arrive(self, rows: Numbers, lanes: Flags, relaxed: bool) -> None:
        """These lanes, of shape (rows, lanes), come; who is `relaxed` releases only what was fenced before."""
        known, pasts = (told_by_fences if relaxed else told)(self.clocks, rows, lanes)
        self.known = self.clocks.fitted(self.known)
        self.known[:, rows] = np.maximum(self.known[:, rows], self.clocks.fitted(known))
        for row, past in zip(rows.tolist(), pasts, strict=True):
            self.learnt[row // self.together] = self.learnt.get(row // self.together, Handing()) | past
        self.come[rows] |= lanes
        self.owed[rows] |= lanes
        self.since[rows] = np.where(lanes, self.phase[rows, None], self.since[rows])
        for cluster in distinct_values(rows // self.together).tolist():
            if not self.missing(cluster * self.together):
                self._complete(cluster)

    def _complete(self, cluster: int) -> None:
        rows = slice(cluster * self.together, (cluster + 1) * self.together)
        self.phase[rows] += 1
        self.come[rows] = False
        self.done = self.clocks.fitted(self.done)
        self.done[:, rows] = self.known[:, rows]
        self.over[cluster] = self.over.get(cluster, Handing()) | self.learnt.pop(cluster, Handing())

    def completed(self, rows: Numbers, threads: Numbers) -> Flags:
        """May these lanes, by row and thread, go on?"""
        return np.asarray(self.phase[rows] > self.since[rows, threads])

    def leave(self, rows: Numbers, lanes: Flags) -> None:
        """These lanes, of shape (rows, lanes), have waited, and know what was released."""
        self.owed[rows] &= ~lanes
        self.clocks.acquire(rows, lanes, self.clocks.fitted(self.done)[:, rows])
        hear(self.clocks, rows, lanes, [self.over.get(row // self.together, Handing()) for row in rows.tolist()])

    def missing(self, row: int) -> int:
        """How many threads of a row's cluster have not come."""
        first = row // self.together * self.together
        return int((~self.come[first : first + self.together, : self.threads]).sum())
