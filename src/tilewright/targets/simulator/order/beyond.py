"""What lanes learn of each other without a barrier: by accesses that release and acquire, and by fences.

A lane that releases leaves its past at the element; one that acquires there takes it. What a lane has learnt is its
warp's once the warp meets, and the block's once the block does; so is what it has fenced, and what it has seen. Most
kernels never ask: then nothing here costs anything.

Source: PTX ISA, "Memory Consistency Model".
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.targets.simulator.order.handed import Handed
from tilewright.targets.simulator.order.past import NOTHING, Past
from tilewright.targets.simulator.order.scopes import UNTOLD, Groups, Left, Scope, Told

Numbers: TypeAlias = NDArray[np.int64]
Place: TypeAlias = tuple[int, int]  # a memory by its identity, and the element


@dataclass(frozen=True)
class Sync:
    """What an atomic access does beside its access."""

    acquires: bool = False
    releases: bool = False
    writes: bool = True
    changes: bool = True  # what it writes depends on what it reads
    scope: Scope = Scope.ALL

    @staticmethod
    def of(order: str, scope: str, writes: bool = True, changes: bool = True) -> Sync:
        """That of an access with that order and scope."""
        acquires, releases = order in ("acquire", "acq_rel"), order in ("release", "acq_rel")
        return Sync(acquires, releases, writes, changes, Scope.of(scope))

    @property
    def reads(self) -> bool:
        """Does it see what was there?"""
        return self.changes or not self.writes


RELAXED = Sync()


@dataclass(frozen=True)
class Handing:
    """What those hand on who come to a barrier."""

    learnt: Past = NOTHING
    fenced: Told = UNTOLD
    seen: Told = UNTOLD

    def __bool__(self) -> bool:
        return bool(self.learnt or self.fenced or self.seen)

    def __or__(self, other: Handing) -> Handing:
        """Of both."""
        if not other:
            return self
        return Handing(self.learnt | other.learnt, self.fenced | other.fenced, self.seen | other.seen)


class Beyond:
    """What lanes and warps have learnt, what was left at elements, and what fences hold back.

    Blocks are of so many `warps` of so many `lanes`, clusters of so many blocks.
    """

    def __init__(self, lanes: int, warps: int, cluster: int = 1) -> None:
        self.lanes = lanes
        self.warps = warps
        self.groups = Groups(lanes * warps, cluster)
        self.learnt: Handed[Past] = Handed(lanes, NOTHING)
        self.fenced: Handed[Told] = Handed(lanes, UNTOLD)
        self.seen: Handed[Told] = Handed(lanes, UNTOLD)  # by relaxed reads; acquired at the next fence
        self.left: dict[Place, Left] = {}
        self.proxied: dict[int, Past] = {}  # what warps knew when they last fenced for engines
        self.announced: dict[int, int] = {}  # when lanes last released the mbarriers that they made

    def __bool__(self) -> bool:
        return any(self._handed)

    @property
    def _handed(self) -> tuple[Handed[Past], Handed[Told], Handed[Told]]:
        return self.learnt, self.fenced, self.seen

    @property
    def idle(self) -> bool:
        """Has nobody released or fenced anything yet?"""
        return not (self.left or self.fenced)

    def goes_on(self, before: Beyond, memories: Container[int]) -> None:
        """Takes over what blocks that have ended left at elements of these memories."""
        self.left |= {place: left for place, left in before.left.items() if place[0] in memories}

    def after(self, actor: Numbers, epoch: Numbers, time: int, words: bool = False) -> NDArray[np.bool_]:
        """Does each lane know the access, by its epoch, through what it has learnt; if `words`, made it mbarriers?"""

        def pasts(me: int) -> tuple[Past, ...]:
            return self.learnt.own(me), self.learnt.of_warp(me // self.lanes)

        return self._asked(actor, epoch, time, pasts, words)

    def fenced_since(self, actor: Numbers, epoch: Numbers, time: int) -> NDArray[np.bool_]:
        """Did each lane's warp know it when it last fenced for engines?"""
        return self._asked(actor, epoch, time, lambda me: (self.proxied.get(me // self.lanes, NOTHING),), False)

    def pass_proxies(self, warps: Iterable[int]) -> None:
        """These warps fence for engines."""
        for warp in warps:
            self.proxied[warp] = self.proxied.get(warp, NOTHING) | self.learnt.gathered([warp])

    def _asked(
        self, actor: Numbers, epoch: Numbers, time: int, pasts: Callable[[int], tuple[Past, ...]], words: bool
    ) -> NDArray[np.bool_]:
        pairs, which = np.unique(np.stack([actor, epoch]), axis=1, return_inverse=True)
        ask = [(pasts(me), they & ((1 << time) - 1), they >> time) for me, they in pairs.T.tolist()]
        known = [any(past.knows(who, self.lanes, when, words) for past in of) for of, who, when in ask]
        return np.array(known, bool)[which.reshape(-1)]

    def past_of(self, lane: int, known: Numbers, now: int) -> Past:
        """All that a lane knows; `known` is what its warp knows of the warps of its block."""
        first = lane // (self.lanes * self.warps) * self.warps
        own = Past({first + i: when for i, when in enumerate(known.tolist()) if when}, {lane: now})
        return own | self.learnt.of(lane)

    def gathered(self, warps: Iterable[int]) -> Handing:
        """What these warps and their lanes have, together."""
        given = list(warps)
        return Handing(self.learnt.gathered(given), self.fenced.gathered(given), self.seen.gathered(given))

    def of(self, lane: int) -> Handing:
        """What a lane, and its warp, have."""
        return Handing(self.learnt.of(lane), self.fenced.of(lane), self.seen.of(lane))

    def tell(self, lane: int, given: Handing) -> None:
        """The lane has this, too."""
        self.learnt.add(lane, given.learnt)
        self.fenced.add(lane, given.fenced)
        self.seen.add(lane, given.seen)

    def teach(self, warps: Iterable[int], given: Handing) -> None:
        """The warps have this, too."""
        for warp in warps if given else ():
            self.learnt.teach(warp, given.learnt)
            self.fenced.teach(warp, given.fenced)
            self.seen.teach(warp, given.seen)

    def meet_warps(self, met: Iterable[int]) -> None:
        """What lanes of these warps have, their warps have."""
        warps = set(met)
        for handed in self._handed:
            handed.meet_warps(warps)

    def meet_blocks(self, blocks: Iterable[int]) -> None:
        """What warps of these blocks have, all of the block have."""
        for block in blocks:
            for handed in self._handed:
                if handed:
                    handed.meet(range(block * self.warps, (block + 1) * self.warps))
