"""Where lanes meet: who has come, and how often all have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.targets.simulator.order.across import meet_clusters
from tilewright.targets.simulator.order.beyond import Handing
from tilewright.targets.simulator.order.clocks import GENERIC, TIME, Clocks, Flags, Numbers
from tilewright.targets.simulator.order.present import Present

Operations: TypeAlias = NDArray[np.object_]


@dataclass(eq=False)
class Meeting:
    """A place in the kernel where all lanes of each warp, of each block, or of so many blocks `together`, meet."""

    clocks: Clocks
    threads: int
    of_warps: bool
    together: int = 1
    come: Flags = field(init=False)
    times: Numbers = field(init=False)  # how often each group has met

    def __post_init__(self) -> None:
        self.come = np.zeros((len(self.clocks.blocks), self.threads), bool)
        self.times = np.zeros((len(self.come), len(self._starts)), np.int64)

    @property
    def _starts(self) -> Numbers:
        return np.arange(0, self.threads, self.clocks.lanes if self.of_warps else self.threads)

    def arrive(self, rows: Numbers, threads: Numbers) -> Numbers:
        """These threads of these rows come. What `times` will be when they may go on, for all rows and groups."""
        self.come[rows[:, None], threads] = True
        goal = self.times + 1
        met = np.logical_and.reduceat(self.come, self._starts, axis=1)
        if self.together > 1:
            met = np.repeat(met.reshape(-1, self.together).all(axis=1), self.together)[:, None]
        if met.any():
            self.come[self.spread(met)] = False
            self.times += met
            if self.of_warps:
                self.clocks.meet_warps(met)
            elif self.together > 1:
                meet_clusters(self.clocks, met[:, 0], self.together)
            else:
                self.clocks.meet_blocks(met[:, 0])
        return goal

    def gather(self, rows: Numbers, threads: Numbers) -> Flags:
        """These threads of these rows come: which groups, of (rows, groups), have come as a whole; they begin anew."""
        self.come[rows[:, None], threads] = True
        whole = np.zeros((len(self.come), len(self._starts)), bool)
        whole[rows] = np.logical_and.reduceat(self.come[rows], self._starts, axis=1)
        self.come[self.spread(whole)] = False
        return np.asarray(whole[rows])

    def spread(self, groups: Flags) -> Flags:
        """Flags of groups as flags of threads."""
        return np.repeat(groups, np.diff(np.append(self._starts, self.threads)), axis=1)


@dataclass(eq=False)
class Barrier:
    """One barrier of every block. It completes when as many lanes have come as are expected, and begins anew.

    Who waits sees, after it completes, what all had done when they came. Of each warp it is known when it came: to the
    phase that is open, to the last one that several warps completed, and since then to phases of its own.
    """

    clocks: Clocks
    expected: Numbers = field(init=False)  # 0 while nobody has come
    come: Numbers = field(init=False)
    phase: Numbers = field(init=False)  # how often it has completed
    known: Numbers = field(init=False)
    waiting: Flags = field(init=False)
    coming: Numbers = field(init=False)
    last: Numbers = field(init=False)
    own: Numbers = field(init=False)
    places: Operations = field(init=False)  # where the threads of each block meet, which is at one place

    def __post_init__(self) -> None:
        clocks, blocks = self.clocks, len(self.clocks.blocks)
        self.expected, self.come, self.phase = (np.zeros(blocks, np.int64) for _ in range(3))
        self.learnt: dict[int, Handing] = {}
        self.known = np.zeros((clocks.planes, blocks, clocks.known.shape[3]), np.int64)
        self.waiting = np.zeros((blocks, clocks.warps * clocks.lanes), bool)
        self.coming, self.last, self.own = (np.zeros((blocks, clocks.warps), np.int64) for _ in range(3))
        self.places = np.full(blocks, None, object)

    def arrive(self, rows: Numbers, warps: Flags, expected: int, waits: bool) -> Numbers:
        """These warps, of shape (rows, warps), come. What `phase` will be when they may go on, for all rows.

        Where one warp is enough, each completes a phase of its own.
        """
        goal = self.phase + 1
        if expected > self.clocks.lanes:
            self._come(rows, warps, expected, waits)
        else:
            for warp in np.flatnonzero(warps.any(axis=0)):
                here = warps[:, warp]
                self._come(rows[here], warps[here] & (np.arange(self.clocks.warps) == warp), expected, waits)
        return goal

    def _come(self, rows: Numbers, warps: Flags, expected: int, waits: bool) -> None:
        self.expected[rows] = expected
        self.come[rows] += warps.sum(axis=1) * self.clocks.lanes
        self.coming[rows] = np.where(warps, self.clocks.now, self.coming[rows])
        lanes = np.repeat(warps, self.clocks.lanes, axis=1)
        released = self.clocks.released(rows, lanes)
        self.known = self.clocks.fitted(self.known)
        self.known[:, rows] = np.maximum(self.known[:, rows], released)
        self.waiting[rows] |= lanes & waits
        full = rows[self.come[rows] >= expected]
        self.clocks.acquire(full, self.waiting[full], self.known[:, full])
        if self.clocks.beyond or self.learnt:
            self._hand_on(rows, warps, full)
        self.phase[full] += 1
        if expected > self.clocks.lanes:
            self.last[full], self.own[full] = self.coming[full], 0
        else:
            self.own[full] = np.maximum(self.own[full], self.coming[full])
        self.places[full] = None
        self.known[:, full] = 0
        for state in (self.expected, self.come, self.waiting, self.coming):
            state[full] = 0

    def unordered(self, rows: Numbers, warps: Flags, expected: int) -> Flags:
        """Which of these warps, of shape (rows, warps), could have come before somebody who came to an earlier phase.

        Phases of one warp each may go in any order.
        """
        clocks, own = self.clocks, slice(self.clocks.warps)
        since = np.maximum(self.last[rows], self.own[rows] if expected > clocks.lanes else 0)[:, None]
        knows = clocks.known[GENERIC, rows][:, own, own] >= since
        for number, thread in enumerate(clocks.alone):
            alone = clocks.known[GENERIC, rows][:, clocks.warps + number, own] >= since[:, 0]
            knows[:, thread // clocks.lanes] |= alone & clocks.apart[rows, number][:, None]
        missed = warps[:, :, None] & ~knows & ~np.eye(clocks.warps, dtype=bool)
        for row, warp, other in zip(*np.nonzero(missed), strict=True) if clocks.beyond else ():
            missed[row, warp, other] = not self._told(rows[row], warp, other, since[row, 0, other])
        return np.asarray(missed.any(axis=2))

    def _told(self, row: int, warp: int, other: int, when: int) -> bool:
        """Has a lane of the warp learnt without a barrier that the other had come then?"""
        clocks, first = self.clocks, int(self.clocks.blocks[row]) * self.clocks.width
        lanes = first + warp * clocks.lanes + np.arange(clocks.lanes)
        epoch = first + other * clocks.lanes | int(when) << TIME
        return bool(Present(clocks, lanes).after(np.full(clocks.lanes, epoch)).any())

    def _hand_on(self, rows: Numbers, warps: Flags, full: Numbers) -> None:
        """What those who come have learnt without a barrier, those who wait learn too."""
        beyond, size = self.clocks.beyond, self.clocks.lanes
        for row, came in zip(rows.tolist(), warps, strict=True):
            numbers = self.clocks.numbers(np.array([row]), came[None])
            self.learnt[row] = self.learnt.get(row, Handing()) | beyond.gathered(numbers)
        for row in full.tolist():
            waiting = self.waiting[row].reshape(-1, size).any(axis=1)
            beyond.teach(self.clocks.numbers(np.array([row]), waiting[None]), self.learnt.pop(row, Handing()))
