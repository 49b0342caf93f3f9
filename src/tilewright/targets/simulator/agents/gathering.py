"""Ops that the lanes of a warpgroup execute together: whoever comes first waits for the others, then all act at once.

Nobody learns anything of the others there: it orders no accesses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.tile.wgmma import WARPGROUP, WGMMA_OPS
from tilewright.targets.simulator.agents.flow import Waiting
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.order.gathering import Gathering
from tilewright.targets.simulator.program import Frame

GATHERED: tuple[type[Operation], ...] = WGMMA_OPS


@dataclass(frozen=True, eq=False)
class ForWarpgroup:
    """Lanes wait for the rest of their warpgroup."""

    gathering: Gathering
    goal: Numbers

    def ready(self, frame: Frame) -> Array | None:
        """Those whose warpgroup is complete."""
        lanes = cast(Lockstep, frame.domain)
        over = self.gathering.over(self.goal, lanes.rows, lanes.threads)
        return None if over.all() else over

    def over(self, frame: Frame) -> None:
        """Nothing is learnt."""

    def reason(self, frame: Frame) -> str:
        """How many are missing of the first lane's warpgroup."""
        lanes = cast(Lockstep, frame.domain)
        start = int(lanes.threads[0]) // WARPGROUP * WARPGROUP
        come = int(self.gathering.come[lanes.rows[0], start : start + WARPGROUP].sum())
        group = f"its warpgroup, threads {start} to {start + WARPGROUP - 1}"
        return f"for {group}, of which {come} of {WARPGROUP} have come; the others never will"


def gather(op: Operation, frame: Frame) -> Waiting | None:
    """The lanes come to the op; None where they need not wait: they are whole warpgroups, or can never be."""
    lanes = cast(Lockstep, frame.domain)
    groups, count = np.unique(lanes.threads // WARPGROUP, return_counts=True)
    beyond = (int(groups[-1]) + 1) * WARPGROUP > lanes.launch.threads
    if beyond or (count == WARPGROUP).all():
        return None
    known = lanes.machine.gathering(op)
    return ForWarpgroup(known, known.arrive(lanes.rows, lanes.threads))
