"""Copies that set out: what they are to read and write is checked here, and done by the engine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tilewright.ir.tile.types import GLOBAL, SHARED
from tilewright.targets.simulator.agents.transfers import Side, Transfer
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.order.clocks import GENERIC, GLOBAL_PROXY, SHARED_PROXY, Numbers
from tilewright.targets.simulator.order.present import Present

_PROXIES: Mapping[str, int] = {SHARED: SHARED_PROXY, GLOBAL: GLOBAL_PROXY}


def begin(active: Active, transfer: Transfer, generic: bool) -> None:
    """Checks what a copy is to read and write, as the lanes or as an engine does it, and sends it off."""
    lanes, everyone = active.lanes, np.ones(len(active.rows), bool)
    for side in (transfer.source, transfer.target):
        plane = GENERIC if generic else _PROXIES[side.site.space]
        present = Present(lanes.machine.clocks, side.actors(everyone, active.actor), plane)
        side.memory.begin(side.chosen(everyone), lanes, present, side.site)
    lanes.machine.engine.begin(transfer)


def transfer_of(kind: str, active: Active, source: Side, target: Side, count: Numbers) -> Transfer:
    """The copy of these lanes, an entry each, in the group that each of them fills."""
    group = active.lanes.machine.engine.committed(kind)[active.rows, active.threads]
    return Transfer(kind, active.rows, active.threads, active.actor, source, target, group, count)
