"""Which accesses lie before the present of each warp, by vector clocks.

Time is a number that every synchronisation raises. An access at time t by warp a lies before the present of warp w of
the same block where `known[0, block, w, a] >= t`. A lane's own accesses always do; those of its fellow lanes do since
their warp last met, which is `known[0, block, w, w]`. Those of other blocks do where `beyond` says so.

The other planes say what of that has passed a fence between the proxies, and so lies before what an engine (a copy
that goes on by itself) does for the lane; a fence anywhere on the way will do: `known` has those on the way from
others, `fenced` when lanes fenced what they did themselves. Engines are actors, too: what one has done is known by its
column. Lanes that release, acquire or fence without the rest of their warp get a row and a column of their own: until
their warp meets they know other things than it does.

Source: PTX ISA, memory consistency model, proxy-preserved base causality order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.targets.simulator.order.beyond import Beyond
from tilewright.targets.simulator.order.beyond import Numbers as Numbers  # what clocks are made of

Flags: TypeAlias = NDArray[np.bool_]

# An epoch is who made an access, and when, in one number: the time above, the actor below. 0 is no access.
TIME = 32

# Planes: what lanes do themselves; what is ordered for engines in shared memory, in global memory, of mbarriers.
GENERIC, SHARED_PROXY, GLOBAL_PROXY, MBARRIERS = range(4)
PLANES = 4
# Of tensor memory: what lies before the fence that comes before threads meet, and what of that another has let in.
TENSOR_SENT, TENSOR = 4, 5
TENSOR_PLANES = 6


@dataclass(eq=False)
class Clocks:
    """The clocks of the blocks with these numbers, in order, each of so many warps of so many lanes.

    Actors, which are lanes and then engines, count through the launch. `floor` is a time up to which all warps of each
    block know of each other: what is not later needs no closer look. `threads` are those that a block has; else all.
    """

    blocks: Numbers
    warps: int
    lanes: int
    engines: int = 0
    planes: int = 1
    threads: int = 0
    cluster: int = 1  # blocks that reach each other's shared memory
    now: int = field(default=1, init=False)
    floor: int = field(default=0, init=False)
    known: Numbers = field(init=False)
    fenced: Numbers = field(init=False)  # when lanes last fenced, by (plane, block, row): what each did before itself
    beyond: Beyond = field(init=False)
    stamped: Numbers = field(init=False)  # when each engine has last done something
    by_engines: set[int] = field(default_factory=set, init=False)  # epochs of lanes at which an engine wrote for them
    waited: dict[int, int] = field(default_factory=dict, init=False)  # those of engines, as those who waited know them
    alone: list[int] = field(default_factory=list, init=False)  # the threads with rows of their own
    handed: Numbers | None = field(default=None, init=False)  # when the lanes of each warp last gave each other values
    apart: Flags = field(init=False)  # which of them know other things than their warp, by (block, thread)

    def __post_init__(self) -> None:
        blocks = len(self.blocks)
        self.known = np.zeros((self.planes, blocks, self.warps, self.warps + self.engines), np.int64)
        self.fenced = np.zeros(self.known.shape[:3], np.int64)
        self.stamped = np.zeros((blocks, self.engines), np.int64)
        self.apart = np.zeros((blocks, 0), bool)
        self._numbers = np.full(self.width, -1)
        self._existing = np.arange(self.warps * self.lanes) < (self.threads or self.warps * self.lanes)
        self.beyond = Beyond(self.lanes, self.width // self.lanes, self.cluster)

    @property
    def width(self) -> int:
        """The actors of a block: whole warps of them."""
        return (self.warps - -self.engines // self.lanes) * self.lanes

    @property
    def reaches_out(self) -> bool:
        """May lanes know something of other blocks?"""
        return self.cluster > 1 or bool(self.beyond)

    # ---- meetings

    def meet_warps(self, active: Flags | None = None) -> None:
        """The lanes of each warp, or of the active ones of (blocks, warps), see what the others did."""
        for number, thread in enumerate(self.alone):
            warp = thread // self.lanes
            back = self.apart[:, number] if active is None else self.apart[:, number] & active[:, warp]
            own = self.known[:, back, self.warps + number]
            self.known[:, back, warp] = np.maximum(self.known[:, back, warp], own)
            self.apart[back, number] = False
        self._tell_fences(active)
        generic, own_ = self.known[GENERIC], np.arange(self.warps)
        generic[:, own_, own_] = self.now if active is None else np.where(active, self.now, generic[:, own_, own_])
        if self.beyond:
            met = np.ones((len(self.blocks), self.warps), bool) if active is None else active
            self.beyond.meet_warps(self.numbers(np.arange(len(self.blocks)), met))
        self._tick(settles=self.warps == 1)

    def meet_blocks(self, active: Flags | None = None) -> None:
        """The warps of each block, or of the active ones, see what the others did."""
        rows = slice(None) if active is None else active
        if self.planes > 1 or self.alone:
            self._tell_fences(None if active is None else np.repeat(active[:, None], self.warps, axis=1))
            self.known[:, rows] = self.known[:, rows].max(axis=2, keepdims=True)
            self.apart[rows] = False
        self.known[GENERIC][rows, :, : self.warps] = self.now
        if self.beyond:
            self.beyond.meet_blocks(self.blocks[slice(None) if active is None else active].tolist())
        self._tick(settles=True)

    def hand_over(self, active: Flags | None = None) -> None:
        """The lanes of each warp, or of the active ones, give each other values: what they have read they have read."""
        if self.handed is None:
            self.handed = np.zeros((len(self.blocks), self.warps), np.int64)
        self.handed[slice(None) if active is None else active] = self.now
        self._tick(settles=False)

    # ---- what passes from some to others

    def released(self, rows: Numbers, lanes: Flags) -> Numbers:
        """What these lanes, of shape (rows, lanes), know together at this moment, with all that they did themselves.

        Their later accesses are later than that. The result has shape (planes, rows, columns).
        """
        whole, single = self.groups(lanes)
        self._single(single)
        speak = np.zeros((len(rows), self.known.shape[2]), bool)
        speak[:, : self.warps] = self._by_warp(lanes & self._existing).any(axis=2)
        speak[:, self.warps :] = lanes[:, self.alone] & self.apart[rows]
        known = np.where(speak[:, :, None], self.known[:, rows], 0).max(axis=2)
        generic = known[GENERIC]
        generic[:, : self.warps][whole] = self.now
        generic[:, self.warps + self.engines :][lanes[:, self.alone]] = self.now
        for plane in range(1, self.planes):
            self._add_fences(known[plane], plane, rows, lanes, whole)
        self._tick(settles=False)
        return np.asarray(known)

    def _add_fences(self, known: Numbers, plane: int, rows: Numbers, lanes: Flags, whole: Flags) -> None:
        """To what these lanes tell, what each of them has done and fenced itself."""
        own = np.where(whole, self.fenced[plane][rows, : self.warps], 0)
        np.maximum(known[:, : self.warps], own, out=known[:, : self.warps])
        for number, thread in enumerate(self.alone):
            column = known[:, self.warps + self.engines + number]
            alone = self.fenced_by(rows, np.full(len(rows), thread), plane)
            np.maximum(column, np.where(lanes[:, thread], alone, 0), out=column)

    def acquire(self, rows: Numbers, lanes: Flags, known: Numbers) -> None:
        """These lanes learn what is known, of shape (planes, rows, columns)."""
        hear = self._rows(rows, lanes)
        learnt = np.where(hear[:, :, None], self.fitted(known)[:, :, None, :], 0)
        self.known[:, rows] = np.maximum(self.known[:, rows], learnt)
        self._tick(settles=True)

    def numbers(self, rows: Numbers, warps: Flags) -> list[int]:
        """The numbers in the launch of these warps, of shape (rows, warps)."""
        row, warp = np.nonzero(warps)
        return [int(n) for n in self.blocks[rows[row]] * (self.width // self.lanes) + warp]

    def written_by_engine(self, actors: Numbers) -> Numbers:
        """The epochs of what an engine has just written for these lanes; engines read it without a fence."""
        epochs = actors | self.now << TIME
        self.by_engines.update(epochs.tolist())
        self._tick(settles=False)
        return epochs

    def step(self) -> None:
        """Later accesses are later than all before."""
        self._tick(settles=False)

    def fence(self, rows: Numbers, lanes: Flags, planes: Sequence[int]) -> None:
        """What these lanes know is ordered for the engines of these planes."""
        fenced, now = self._rows(rows, lanes), self.known[GENERIC][rows]
        for number in range(len(self.alone)):
            now[:, self.warps + number, self.warps + self.engines + number] = self.now
        for plane in planes:
            before = self.known[plane][rows]
            self.fenced[plane][rows] = np.where(fenced, self.now, self.fenced[plane][rows])
            self.known[plane][rows] = np.where(fenced[:, :, None], np.maximum(before, now), before)
        if self.beyond:
            some = np.asarray(self._by_warp(lanes & self._existing).any(axis=2))
            self.beyond.pass_proxies(self.numbers(rows, some))
        self._tick(settles=False)

    def _tell_fences(self, warps: Flags | None) -> None:
        """The lanes of each warp, or of these of (blocks, warps), learn what the others have fenced themselves."""
        own = np.arange(self.warps)
        for plane in range(1, self.planes):
            mine, told = self.fenced[plane][:, : self.warps], self.known[plane][:, own, own]
            chosen = mine if warps is None else np.where(warps, mine, 0)
            self.known[plane][:, own, own] = np.maximum(told, chosen)

    def admit(self, rows: Numbers, lanes: Flags, sent: int, plane: int) -> None:
        """What these lanes know in the one plane they know in the other, too."""
        hear = self._rows(rows, lanes)[:, :, None]
        self.known[plane][rows] = np.maximum(self.known[plane][rows], np.where(hear, self.known[sent][rows], 0))
        self._tick(settles=False)

    def stamp(self, rows: Numbers, engine: int, works: int = 1) -> Numbers:
        """The epochs of what an engine of these rows has done just now; of so many works, a time each, the first."""
        actor = self.blocks[rows] * self.width + self.warps * self.lanes + engine
        epochs = actor | self.now << TIME
        self.now += works - 1
        self.stamped[rows, engine] = self.now
        self._tick(settles=False)
        return np.asarray(epochs)

    def fitted(self, known: Numbers) -> Numbers:
        """What was known some time ago, with the columns of today."""
        missing = self.known.shape[3] - known.shape[-1]
        return np.pad(known, [(0, 0)] * (known.ndim - 1) + [(0, missing)]) if missing else known

    # ---- whose row and column

    def times(self, block: Numbers, lane: Numbers, actor: Numbers, plane: int) -> Numbers:
        """Up to when these lanes know what these actors of their blocks, which are given by row, did."""
        lanes, known, row = self.warps * self.lanes, self.known[plane], lane // self.lanes
        if self.alone:
            number = self._numbers[lane]
            own = (number >= 0) & self.apart[block, number]
            row = np.where(own, self.warps + number, row)
        column = actor // self.lanes
        if self.engines:
            column = np.where(actor < lanes, column, self.warps + actor - lanes)
        found = known[block, row, column]
        if self.alone:
            number = self._numbers[actor]
            single = known[block, row, self.warps + self.engines + number]
            found = np.where(number >= 0, np.maximum(found, single), found)
        return np.asarray(found)

    def fenced_by(self, block: Numbers, lane: Numbers, plane: int) -> Numbers:
        """When these lanes, of blocks given by row, last fenced."""
        row = lane // self.lanes
        if self.alone:
            number = self._numbers[lane]
            row = np.where((number >= 0) & self.apart[block, number], self.warps + number, row)
        return np.asarray(self.fenced[plane][block, row])

    def known_of(self, block: Numbers, lane: Numbers, plane: int) -> Numbers:
        """Up to when anybody of the block, given by row, knows what this lane did."""
        known = self.known[plane]
        found = known[block, :, lane // self.lanes].max(axis=1)
        if self.alone:
            number = self._numbers[lane]
            single = known[block, :, self.warps + self.engines + number].max(axis=1)
            found = np.where(number >= 0, np.maximum(found, single), found)
        return np.asarray(found)

    def warps_known(self, block: int, lane: int) -> Numbers:
        """Up to when a lane knows what each warp of its block, which is given by row, did."""
        row = lane // self.lanes
        number = int(self._numbers[lane])
        if number >= 0 and self.apart[block, number]:
            row = self.warps + number
        return np.asarray(self.known[GENERIC, block, row, : self.warps])

    def _by_warp(self, lanes: Flags) -> Flags:
        return lanes.reshape(len(lanes), self.warps, self.lanes)

    def groups(self, lanes: Flags) -> tuple[Flags, Flags]:
        """Which warps are there as a whole, and which lanes without the rest of theirs."""
        some = self._by_warp(lanes & self._existing).any(axis=2)
        whole = self._by_warp(lanes | ~self._existing).all(axis=2) & some
        return np.asarray(whole), lanes & self._existing & ~np.repeat(whole, self.lanes, axis=1)

    def _rows(self, rows: Numbers, lanes: Flags) -> Flags:
        """The rows of what these lanes know; from now on single ones know it apart from their warp."""
        whole, single = self.groups(lanes)
        self._single(single)
        found = np.zeros((len(rows), self.known.shape[2]), bool)
        found[:, : self.warps] = whole
        for number, thread in enumerate(self.alone):
            warp, row = thread // self.lanes, self.warps + number
            leaves = rows[single[:, thread] & ~self.apart[rows, number]]
            self.known[:, leaves, row] = self.known[:, leaves, warp]
            self.fenced[:, leaves, row] = self.fenced[:, leaves, warp]
            self.apart[leaves, number] = True
            found[:, row] = single[:, thread] | whole[:, warp]
        return found

    def _single(self, lanes: Flags) -> None:
        """Gives a row and a column to each of the lanes that has none yet."""
        new = [thread for thread in np.flatnonzero(lanes.any(axis=0)).tolist() if self._numbers[thread] < 0]
        if new:
            self._numbers[new] = np.arange(len(self.alone), len(self.alone) + len(new))
            self.alone += new
            self.known = np.pad(self.known, ((0, 0), (0, 0), (0, len(new)), (0, len(new))))
            self.fenced = np.pad(self.fenced, ((0, 0), (0, 0), (0, len(new))))
            self.apart = np.pad(self.apart, ((0, 0), (0, len(new))))

    def _tick(self, settles: bool) -> None:
        self.now += 1
        if settles:
            warps = self.known[GENERIC][:, : self.warps]
            self.floor = int(warps[:, :, : self.warps].min())
            if self.engines:
                done = warps[:, :, self.warps : self.warps + self.engines].min(axis=1)
                late = done < self.stamped
                self.floor = int(done[late].min(initial=self.floor))
