"""What lanes learn of each other without a barrier: by accesses that release and acquire, and by fences.

A `Past` says up to which time it knows each warp, and each lane, of the launch. A lane that releases leaves its past at
the element; one that acquires there takes it. What a lane has learnt is its warp's once the warp meets, and the block's
once the block does. Most kernels never ask: then nothing here costs anything.

Source: L. Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, 1978; PTX ISA, memory model.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Place: TypeAlias = tuple[int, int]  # a memory by its identity, and the element


@dataclass
class Past:
    """Up to which time the accesses of each warp and of each lane are known, by their numbers in the launch.

    Engines count among the lanes. `made`: up to which time the mbarriers that a lane made are.
    """

    warps: dict[int, int] = field(default_factory=dict)
    lanes: dict[int, int] = field(default_factory=dict)
    made: dict[int, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.warps or self.lanes or self.made)

    def learn(self, other: Past) -> None:
        """Knows what the other does, too."""
        pairs = (self.warps, other.warps), (self.lanes, other.lanes), (self.made, other.made)
        for mine, theirs in pairs:
            for who, when in theirs.items():
                mine[who] = max(when, mine.get(who, 0))

    def knows(self, actor: int, lanes: int, when: int, words: bool = False) -> bool:
        """Does it know what the actor did at that time, in warps of so many lanes; if `words`, what it made then?"""
        time = max(self.lanes.get(actor, 0), self.warps.get(actor // lanes, 0))
        return (max(time, self.made.get(actor, 0)) if words else time) >= when

    def copy(self) -> Past:
        """The same, to go on by itself."""
        return Past(dict(self.warps), dict(self.lanes), dict(self.made))


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
    """What lanes and warps have learnt, what was left at elements, and what fences hold back."""

    lanes: int  # of a warp
    warps: int  # of a block
    of_lanes: dict[int, Past] = field(default_factory=dict)
    of_warps: dict[int, Past] = field(default_factory=dict)
    left: dict[Place, Past] = field(default_factory=dict)
    left_by: dict[Place, tuple[int, bool]] = field(default_factory=dict)  # the block, and whether for itself only
    fenced: dict[int, Past] = field(default_factory=dict)
    fenced_narrowly: set[int] = field(default_factory=set)  # whose last fence was for their block only
    fenced_blocks: dict[int, Past] = field(default_factory=dict)  # what lanes had fenced when their block met
    proxied: dict[int, Past] = field(default_factory=dict)  # what warps knew when they last fenced for engines
    seen: dict[int, Past] = field(default_factory=dict)  # by relaxed reads; acquired at the next fence
    announced: dict[int, int] = field(default_factory=dict)  # when lanes last released the mbarriers that they made

    def __bool__(self) -> bool:
        return bool(self.of_lanes or self.of_warps or self.fenced)

    @property
    def idle(self) -> bool:
        """Has nobody released or fenced anything yet?"""
        return not (self.left or self.fenced)

    def goes_on(self, before: Beyond, memories: Container[int]) -> None:
        """Takes over what blocks that have ended left at elements of these memories."""
        self.left |= {place: past for place, past in before.left.items() if place[0] in memories}
        self.left_by |= {place: by for place, by in before.left_by.items() if place[0] in memories}

    def after(self, actor: Numbers, epoch: Numbers, time: int, words: bool = False) -> NDArray[np.bool_]:
        """Does each lane know the access, by its epoch, through what it has learnt; if `words`, made it mbarriers?"""

        def pasts(me: int) -> tuple[Past | None, ...]:
            return self.of_lanes.get(me), self.of_warps.get(me // self.lanes)

        return self._asked(actor, epoch, time, pasts, words)

    def fenced_since(self, actor: Numbers, epoch: Numbers, time: int) -> NDArray[np.bool_]:
        """Did each lane's warp know it when it last fenced for engines?"""
        return self._asked(actor, epoch, time, lambda me: (self.proxied.get(me // self.lanes),), False)

    def pass_proxies(self, warps: Iterable[int]) -> None:
        """These warps fence for engines."""
        for warp in warps:
            self.proxied.setdefault(warp, Past()).learn(self.gathered([warp]))

    def _asked(
        self, actor: Numbers, epoch: Numbers, time: int, pasts: Callable[[int], tuple[Past | None, ...]], words: bool
    ) -> NDArray[np.bool_]:
        pairs, which = np.unique(np.stack([actor, epoch]), axis=1, return_inverse=True)
        ask = [(pasts(me), they & ((1 << time) - 1), they >> time) for me, they in pairs.T.tolist()]
        known = [any(past.knows(who, self.lanes, when, words) for past in of if past) for of, who, when in ask]
        return np.array(known, bool)[which.reshape(-1)]

    def past_of(self, lane: int, known: Numbers, now: int) -> Past:
        """All that a lane knows; `known` is what its warp knows of the warps of its block."""
        first = lane // (self.lanes * self.warps) * self.warps
        past = Past({first + i: int(when) for i, when in enumerate(known) if when}, {lane: now})
        for learnt in (self.of_lanes.get(lane), self.of_warps.get(lane // self.lanes)):
            if learnt:
                past.learn(learnt)
        return past

    def held_back(self, lane: int) -> Past | None:
        """What a relaxed write of the lane releases: what it has fenced, or its block before it met."""
        mine, ours = self.fenced.get(lane), self.fenced_blocks.get(lane // (self.lanes * self.warps))
        if mine is None or ours is None:
            return mine or ours
        both = mine.copy()
        both.learn(ours)
        return both

    def reaches(self, place: Place, lane: int, narrow: bool) -> bool:
        """Is what was left at the place meant for the lane, which asks its own block only where it is `narrow`?"""
        block, own = self.left_by.get(place, (-1, False))
        return block == lane // (self.lanes * self.warps) or not (own or narrow)

    def acquire(self, lane: int, past: Past) -> None:
        """The lane learns it."""
        self.of_lanes.setdefault(lane, Past()).learn(past)

    def meet_warps(self, met: Iterable[int]) -> None:
        """What lanes of these warps have learnt, their warps have."""
        for warp in met:
            mine = [lane for lane in self.of_lanes if lane // self.lanes == warp]
            for lane in mine:
                self.of_warps.setdefault(warp, Past()).learn(self.of_lanes.pop(lane))

    def gathered(self, warps: Iterable[int]) -> Past:
        """What these warps and their lanes have learnt, together."""
        chosen, past = set(warps), Past()
        for warp in chosen & self.of_warps.keys():
            past.learn(self.of_warps[warp])
        for lane, learnt in self.of_lanes.items():
            if lane // self.lanes in chosen:
                past.learn(learnt)
        return past

    def teach(self, warps: Iterable[int], past: Past) -> None:
        """The warps learn it."""
        for warp in warps if past else ():
            self.of_warps.setdefault(warp, Past()).learn(past)

    def meet_blocks(self, blocks: Iterable[int]) -> None:
        """What warps of these blocks have learnt, all of the block have; and what lanes have fenced."""
        meeting = set(blocks)
        for lane, past in self.fenced.items():
            if (block := lane // (self.lanes * self.warps)) in meeting:
                self.fenced_blocks.setdefault(block, Past()).learn(past)
        for block in meeting if self.of_lanes or self.of_warps else ():
            warps = range(block * self.warps, (block + 1) * self.warps)
            self.teach(warps, self.gathered(warps))
