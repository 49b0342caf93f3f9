"""Pairs of CTAs of a cluster: a warp of each allocates tensor memory for both, and waits for the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import SimulationError
from tilewright.ir.tile.tmem import PAIR, OfGroup, TmemAllocOp
from tilewright.targets.launch import Launch, where
from tilewright.targets.simulator.agents.flow import Waiting
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.program import Frame


def is_paired(op: Operation) -> bool:
    """Does who executes it wait for the other CTA of the pair?"""
    return isinstance(op, TmemAllocOp) and op.ctas == PAIR


def check_pairs(op: OfGroup, launch: Launch) -> None:
    """Raises `SimulationError` where the CTAs of the op are no part of a cluster."""
    if launch.cluster % op.ctas:
        text = f"cta_group::{op.ctas} is for pairs of CTAs of a cluster, which has {launch.cluster} here"
        raise SimulationError(f"{text}: T.cta_id_in_cluster([{op.ctas}])\n{where(op)}")


@dataclass(frozen=True, eq=False)
class ForPartner:
    """Warps wait until the other CTA has allocated as often; `goal` is how often, by row of the machine."""

    goal: Numbers

    def ready(self, frame: Frame) -> Array | None:
        """Those whose partner has."""
        lanes = cast(Lockstep, frame.domain)
        over = lanes.machine.tensor.asked[lanes.rows ^ 1] >= self.goal[lanes.rows]
        return None if over.all() else np.broadcast_to(over[:, None], lanes.shape)

    def over(self, frame: Frame) -> None:
        """Nothing is learnt."""

    def reason(self, frame: Frame) -> str:
        """Who has not come."""
        lanes = cast(Lockstep, frame.domain)
        other = lanes.name(int(lanes.machine.blocks[lanes.rows[0] ^ 1]) * lanes.machine.clocks.width)
        block = other.partition(" thread")[0]
        return f"for the other CTA of its pair, {block}, to allocate tensor memory with it, which it never does"


def pair(op: OfGroup, frame: Frame) -> Waiting | None:
    """Warps come to an op of pairs; None where they need not wait."""
    lanes = cast(Lockstep, frame.domain)
    check_pairs(op, lanes.launch)
    asked = lanes.machine.tensor.asked
    asked[lanes.rows] += len(distinct_values(lanes.threads // lanes.warp_size))
    waiting = ForPartner(asked.copy())
    return None if waiting.ready(frame) is None else waiting
