"""What lanes learn of each other without a barrier: by accesses that release and acquire, and by fences.

A `Past` says up to which time it knows each warp, and each lane, of the launch. A lane that releases leaves its past at
the element; one that acquires there takes it. What a lane has learnt is its warp's once the warp meets, and the block's
once the block does; so are what it has fenced, and what it has seen. Most kernels never ask: then nothing here costs
anything.

Source: L. Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, 1978; PTX ISA, memory model.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.targets.simulator.order.pasts import NOTHING, Learnt, Left, Lore, Past
from tilewright.targets.simulator.order.times import Times

Numbers: TypeAlias = NDArray[np.int64]
Place: TypeAlias = tuple[int, int]  # a memory by its identity, and the element


@dataclass(frozen=True)
class Sync:
    """What an atomic access does beside its access."""

    acquires: bool = False
    releases: bool = False
    writes: bool = True
    changes: bool = True  # what it writes depends on what it reads
    narrow: bool = False  # for lanes of one block only

    @staticmethod
    def of(order: str, scope: str, writes: bool = True, changes: bool = True) -> Sync:
        """That of an access with that order and scope."""
        acquires, releases = order in ("acquire", "acq_rel"), order in ("release", "acq_rel")
        return Sync(acquires, releases, writes, changes, scope == "cta")


RELAXED = Sync()


@dataclass(eq=False)
class Beyond:
    """What lanes and warps have learnt, fenced and seen, and what was left at elements."""

    lanes: int  # of a warp
    warps: int  # of a block
    of_lanes: dict[int, dict[int, Learnt]] = field(default_factory=dict)  # by warp
    of_warps: dict[int, Lore] = field(default_factory=dict)
    left: dict[Place, Left] = field(default_factory=dict)
    courses: Iterator[int] = field(default_factory=count)
    fences: bool = False  # has anybody fenced?
    proxied: dict[int, Past] = field(default_factory=dict)  # what warps knew when they last fenced for engines
    announced: dict[int, int] = field(default_factory=dict)  # when lanes last released the mbarriers that they made

    def __bool__(self) -> bool:
        return bool(self.of_lanes or self.of_warps)

    @property
    def idle(self) -> bool:
        """Has nobody released or fenced anything yet?"""
        return not (self.left or self.fences)

    def goes_on(self, before: Beyond, memories: Container[int]) -> None:
        """Takes over what blocks that have ended left at elements of these memories."""
        self.left |= {place: left for place, left in before.left.items() if place[0] in memories}
        self.courses = before.courses

    # ---- questions

    def after(self, actor: Numbers, epoch: Numbers, time: int, words: bool = False) -> NDArray[np.bool_]:
        """Does each lane know the access, by its epoch, through what it has learnt; if `words`, made it mbarriers?"""
        return self._asked(actor, epoch, time, self._learnt_by, words)

    def fenced_since(self, actor: Numbers, epoch: Numbers, time: int) -> NDArray[np.bool_]:
        """Did each lane's warp know it when it last fenced for engines?"""
        return self._asked(actor, epoch, time, lambda me: (self.proxied.get(me // self.lanes, NOTHING),), False)

    def _asked(
        self, actor: Numbers, epoch: Numbers, time: int, pasts: Callable[[int], tuple[Past, ...]], words: bool
    ) -> NDArray[np.bool_]:
        pairs, which = np.unique(np.stack([actor, epoch]), axis=1, return_inverse=True)
        ask = [(pasts(me), they & ((1 << time) - 1), they >> time) for me, they in pairs.T.tolist()]
        known = [any(past.knows(who, self.lanes, when, words) for past in of) for of, who, when in ask]
        return np.array(known, bool)[which.reshape(-1)]

    def _learnt_by(self, lane: int) -> tuple[Past, ...]:
        warp = lane // self.lanes
        mine, ours = self.of_lanes.get(warp, {}).get(lane), self.of_warps.get(warp)
        return (*(mine.parts if mine else ()), *((ours.past,) if ours else ()))

    def lore_of(self, lane: int) -> Lore:
        """All that a lane, and its warp, have learnt, fenced and seen."""
        lore, warp = Lore(), lane // self.lanes
        if mine := self.of_lanes.get(warp, {}).get(lane):
            lore.learn(mine.whole())
        if ours := self.of_warps.get(warp):
            lore.learn(ours)
        return lore

    def fenced_by(self, lane: int) -> tuple[Past, Past]:
        """What a lane, and its warp, have fenced: what all learn of it, and its block only."""
        warp, fenced, nearby = lane // self.lanes, Past(), Past()
        mine, ours = self.of_lanes.get(warp, {}).get(lane), self.of_warps.get(warp)
        for lore in (mine and mine.lore, ours):
            if lore:
                fenced.learn(lore.fenced)
                nearby.learn(lore.fenced_nearby)
        return fenced, nearby

    def past_of(self, lane: int, known: Numbers, now: int) -> Past:
        """All that a lane knows; `known` is what its warp knows of the warps of its block."""
        first = lane // (self.lanes * self.warps) * self.warps
        ours = {first + i: when for i, when in enumerate(known.tolist()) if when}
        past = Past(Times.of(ours), Times.of({lane: now}))
        past.learn(self.lore_of(lane).past)
        return past

    def block(self, lane: int) -> int:
        """The lane's block."""
        return lane // (self.lanes * self.warps)

    # ---- accesses and fences

    def leave(self, place: Place, lane: int, past: Past, nearby: Past, before: Left | None) -> None:
        """The lane leaves pasts for all and for its block; with what was there `before`, where it has changed that."""
        block, past, nearby, last = self.block(lane), past.copy(), nearby.copy(), self.left.get(place)
        if before is not None:
            past.learn(before.past)
            if before.block == block:
                nearby.learn(before.nearby)
        course = last.course if last is not None and past.covers(last.past) else next(self.courses)
        self.left[place] = Left(past, nearby, block, course)

    def take(self, lane: int, left: Left, narrow: bool) -> None:
        """The lane learns what was left; if `narrow` by its own block only."""
        own = left.block == self.block(lane)
        if own and left.nearby:
            self._mine(lane).lore.past.learn(left.nearby)
        if own or not narrow:
            self._mine(lane).take(left.course, left.past)

    def see(self, lane: int, left: Left, narrow: bool) -> None:
        """The lane comes upon what was left, and learns it when it fences."""
        if left.block == self.block(lane):
            self._mine(lane).lore.seen_nearby.learn(left.past)
            self._mine(lane).lore.seen_nearby.learn(left.nearby)
        elif not narrow:
            self._mine(lane).see(left.course, left.past)

    def fence(self, lane: int, narrow: bool) -> None:
        """What the lane has seen it has learnt; if `narrow` what its own block left there."""
        lore, mine = self.lore_of(lane), self._mine(lane).lore
        mine.past.learn(lore.seen_nearby)
        if not narrow:
            mine.past.learn(lore.seen)

    def hold(self, lane: int, past: Past, narrow: bool) -> None:
        """The lane, which knows this, has fenced: what it writes from now on tells it."""
        self.fences, lore = True, self._mine(lane).lore
        (lore.fenced_nearby if narrow else lore.fenced).learn(past)

    def acquire(self, lane: int, lore: Lore) -> None:
        """The lane learns it."""
        self._mine(lane).lore.learn(lore)

    def _mine(self, lane: int) -> Learnt:
        return self.of_lanes.setdefault(lane // self.lanes, {}).setdefault(lane, Learnt())

    # ---- where lanes meet

    def meet_warps(self, met: Iterable[int]) -> None:
        """What lanes of these warps have learnt, their warps have."""
        for warp in met:
            for learnt in self.of_lanes.pop(warp, {}).values():
                self.of_warps.setdefault(warp, Lore()).learn(learnt.whole())

    def gathered(self, warps: Iterable[int]) -> Lore:
        """What these warps and their lanes have learnt, together."""
        lore = Lore()
        for warp in warps:
            if ours := self.of_warps.get(warp):
                lore.learn(ours)
            for learnt in self.of_lanes.get(warp, {}).values():
                lore.learn(learnt.whole())
        return lore

    def teach(self, warps: Iterable[int], lore: Lore) -> None:
        """The warps learn it."""
        for warp in warps if lore else ():
            self.of_warps.setdefault(warp, Lore()).learn(lore)

    def meet_blocks(self, blocks: Iterable[int]) -> None:
        """What warps of these blocks have learnt, all of the block have."""
        for block in blocks:
            warps = range(block * self.warps, (block + 1) * self.warps)
            self.teach(warps, self.gathered(warps))

    def pass_proxies(self, warps: Iterable[int]) -> None:
        """These warps fence for engines."""
        for warp in warps:
            self.proxied.setdefault(warp, Past()).learn(self.gathered([warp]).past)
