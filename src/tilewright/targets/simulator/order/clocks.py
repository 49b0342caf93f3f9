"""Which accesses lie before the present of each warp, by vector clocks.

Time is a number that every synchronisation raises. An access at time t by warp a lies before the present of warp w of
the same block where `known[block, w, a] >= t`. A lane's own accesses always do; those of its fellow lanes do since
their warp last met, which is `known[block, w, w]`. Those of other blocks do where `beyond` says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.targets.simulator.order.beyond import Beyond, Past
from tilewright.targets.simulator.order.beyond import Numbers as Numbers  # what clocks are made of

Flags: TypeAlias = NDArray[np.bool_]

# An epoch is who made an access, and when, in one number: the time above, the actor below. 0 is no access.
TIME = 32
_ACTOR = (1 << TIME) - 1


@dataclass(eq=False)
class Clocks:
    """The clocks of the blocks with these numbers, in order, each of so many warps of so many lanes.

    Actors, which are lanes, count through the launch. `floor` is a time up to which all warps of each block know of
    each other: what is not later needs no closer look.
    """

    blocks: Numbers
    warps: int
    lanes: int
    now: int = field(default=1, init=False)
    floor: int = field(default=0, init=False)
    known: Numbers = field(init=False)
    beyond: Beyond = field(init=False)

    def __post_init__(self) -> None:
        self.known = np.zeros((len(self.blocks), self.warps, self.warps), np.int64)
        self.beyond = Beyond(self.lanes, self.warps)

    @property
    def width(self) -> int:
        """The actors of a block."""
        return self.warps * self.lanes

    def meet_warps(self, active: Flags | None = None) -> None:
        """The lanes of each warp, or of the active ones of (blocks, warps), see what the others did."""
        own = np.arange(self.warps)
        self.known[:, own, own] = self.now if active is None else np.where(active, self.now, self.known[:, own, own])
        if self.beyond:
            met = np.ones((len(self.blocks), self.warps), bool) if active is None else active
            self.beyond.meet_warps(self.numbers(np.arange(len(self.blocks)), met))
        self._tick(settles=self.warps == 1)

    def meet_blocks(self, active: Flags | None = None) -> None:
        """The warps of each block, or of the active ones, see what the others did."""
        self.known[slice(None) if active is None else active] = self.now
        if self.beyond:
            self.beyond.meet_blocks(self.blocks[slice(None) if active is None else active].tolist())
        self._tick(settles=True)

    def released(self, rows: Numbers, warps: Flags) -> Numbers:
        """What these warps, of shape (rows, warps), know together at this moment, with all that they did themselves.

        Their later accesses are later than that.
        """
        known = self.known[rows]
        own = np.arange(self.warps)
        known[:, own, own] = self.now
        self._tick(settles=False)
        return np.asarray(np.where(warps[:, :, None], known, 0).max(axis=1))

    def acquire(self, rows: Numbers, warps: Flags, known: Numbers) -> None:
        """These warps learn what is known, of shape (rows, warps)."""
        learnt = np.where(warps[:, :, None], known[:, None, :], 0)
        self.known[rows] = np.maximum(self.known[rows], learnt)
        self._tick(settles=True)

    def numbers(self, rows: Numbers, warps: Flags) -> list[int]:
        """The numbers in the launch of these warps, of shape (rows, warps)."""
        row, warp = np.nonzero(warps)
        return [int(n) for n in self.blocks[rows[row]] * self.warps + warp]

    def step(self) -> None:
        """Later accesses are later than all before."""
        self._tick(settles=False)

    def _tick(self, settles: bool) -> None:
        self.now += 1
        if settles:
            self.floor = int(self.known.min())


@dataclass(frozen=True, eq=False)
class Present:
    """The lanes of one access, one entry each, and now."""

    clocks: Clocks
    actor: Numbers

    def __getitem__(self, chosen: Numbers | Flags) -> Present:
        return Present(self.clocks, self.actor[chosen])

    @cached_property
    def epoch(self) -> Numbers:
        """The epochs of the access."""
        return self.actor | (self.clocks.now << TIME)

    @cached_property
    def _place(self) -> tuple[Numbers, Numbers, Numbers]:
        """The blocks of the lanes, where the clocks keep them, and their warps therein."""
        block, inside = np.divmod(self.actor, self.clocks.width)
        return block, np.searchsorted(self.clocks.blocks, block), inside // self.clocks.lanes

    def after(self, epoch: Numbers) -> Flags:
        """Do these epochs, one for each lane, lie before its present? That of no access does."""
        block, row, warp = self._place
        actor = actor_of(epoch)
        theirs, inside = np.divmod(actor, self.clocks.width)
        known = self.clocks.known[row, warp, np.where(theirs == block, inside // self.clocks.lanes, 0)]
        ordered = (theirs == block) & (epoch >> TIME <= known)
        ordered = np.asarray(ordered | (actor == self.actor) | (epoch == 0))
        if self.clocks.beyond and not ordered.all():
            ordered[~ordered] = self.clocks.beyond.after(self.actor[~ordered], epoch[~ordered], TIME)
        return ordered

    def past(self, number: int) -> Past:
        """All that the lane with this number among them knows."""
        _, row, warp = self._place
        known = self.clocks.known[row[number], warp[number]]
        return self.clocks.beyond.past_of(int(self.actor[number]), known, self.clocks.now)


def actor_of(epoch: Numbers) -> Numbers:
    """Who made the accesses."""
    return epoch & _ACTOR
