"""Ops that lanes of a warp or warpgroup execute together: who comes first waits for the others, then all act at once.

Nobody learns anything of the others there: it orders no accesses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
from xdsl.ir import Operation

from tilewright.atoms import catalog
from tilewright.ir.tile.atoms import AtomOp, CopyAtomOp
from tilewright.ir.tile.tmem import TmemAllocOp, TmemDeallocOp, TmemSyncOp
from tilewright.ir.tile.together import BarOp, RegistersOp, ShuffleOp, VoteOp
from tilewright.ir.tile.wgmma import WARPGROUP, WGMMA_OPS
from tilewright.targets.simulator.agents.flow import Waiting
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.order.gathering import Gathering
from tilewright.targets.simulator.program import Frame

GATHERED: tuple[type[Operation], ...] = WGMMA_OPS
_OF_WARPS = (ShuffleOp, VoteOp, RegistersOp, BarOp, TmemAllocOp, TmemDeallocOp, TmemSyncOp)


def of_warps(op: Operation) -> bool:
    """Do the lanes of a warp execute the op together?"""
    if type(op) is CopyAtomOp:
        return catalog.copy(op.atom.data).threads > 1
    return _is_of_warps(type(op))


@cache
def _is_of_warps(kind: type[Operation]) -> bool:
    return issubclass(kind, _OF_WARPS) or (issubclass(kind, AtomOp) and not issubclass(kind, GATHERED))


@dataclass(frozen=True, eq=False)
class ForOthers:
    """Lanes wait for the rest of their warp or warpgroup."""

    gathering: Gathering
    goal: Numbers

    def ready(self, frame: Frame) -> Array | None:
        """Those whose group is complete."""
        lanes = cast(Lockstep, frame.domain)
        over = self.gathering.over(self.goal, lanes.rows, lanes.threads)
        return None if over.all() else over

    def over(self, frame: Frame) -> None:
        """Nothing is learnt."""

    def reason(self, frame: Frame) -> str:
        """How many are missing of the first lane's group."""
        lanes, size = cast(Lockstep, frame.domain), self.gathering.size
        start = int(lanes.threads[0]) // size * size
        come = int(self.gathering.come[lanes.rows[0], start : start + size].sum())
        group = f"its {'warpgroup' if size == WARPGROUP else 'warp'}, threads {start} to {start + size - 1}"
        return f"for {group}, of which {come} of {size} have come; the others never will"


@dataclass(frozen=True, eq=False)
class ForWarp(ForOthers):
    """They go on without it where nobody else can: perhaps the others are not needed; who needs them says so."""

    def leave(self, frame: Frame) -> None:
        """They wait no longer."""
        lanes = cast(Lockstep, frame.domain)
        self.gathering.leave(lanes.rows, lanes.threads)


def gather(op: Operation, frame: Frame) -> Waiting | None:
    """The lanes come to the op; None where they need not wait: they are whole warpgroups, or can never be."""
    lanes = cast(Lockstep, frame.domain)
    groups, count = np.unique(lanes.threads // WARPGROUP, return_counts=True)
    beyond = (int(groups[-1]) + 1) * WARPGROUP > lanes.launch.threads
    if beyond or (count == WARPGROUP).all():
        return None
    known = lanes.machine.gathering(op, WARPGROUP)
    return ForOthers(known, known.arrive(lanes.rows, lanes.threads))


def gather_warps(op: Operation, frame: Frame) -> Waiting | None:
    """The lanes come to where warps do something together; None where they are whole warps."""
    lanes = cast(Lockstep, frame.domain)
    if whole_groups(lanes.threads, lanes.machine.warp_size, lanes.launch.threads):
        return None
    known = lanes.machine.gathering(op, lanes.machine.warp_size)
    return ForWarp(known, known.arrive(lanes.rows, lanes.threads))


def whole_groups(threads: Numbers, size: int, total: int) -> bool:
    """Are these threads, in rising order, whole groups of so many of a block's? The last one has what is left.

    >>> whole_groups(np.array([4, 5, 6, 7, 8, 9]), 4, 10), whole_groups(np.array([2, 3, 4, 5]), 4, 10)
    (True, False)
    """
    first = threads[::size]
    last = threads[np.minimum(np.arange(size - 1, len(threads) + size - 1, size), len(threads) - 1)]
    end = np.minimum(first + size, total)
    return bool((first % size == 0).all() and (last == end - 1).all() and (end - first).sum() == len(threads))
