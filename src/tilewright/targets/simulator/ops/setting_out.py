"""Copies that set out: what they are to read and write is checked here, and done by the engine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tilewright.ir.tile.types import GLOBAL, SHARED
from tilewright.targets.simulator.agents.transfers import Side, Transfer
from tilewright.targets.simulator.observers.acts import Act, Told
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.order.clocks import GENERIC, GLOBAL_PROXY, SHARED_PROXY, Flags, Numbers
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
    hearing = lanes.machine.hearing
    if hearing is not None and hearing.told is not None:
        _tell(active, transfer, hearing.told)


def _tell(active: Active, transfer: Transfer, told: Told) -> None:
    """Who looks on is told that it begins, and when it is done."""
    blocks = active.lanes.machine.blocks[active.rows]

    def act(side: Side, what: str, entries: Flags) -> Act:
        at = side.at[entries]
        first = at[:, 0] if side.inside is None else at[np.arange(len(at)), side.inside[entries].argmax(axis=1)]
        size = transfer.bytes[entries]
        return Act(what, side.site, blocks[entries], active.threads[entries], first % side.memory.pitch, bytes=size)

    def done(entries: Flags) -> None:
        target = transfer.target
        inside = None if target.inside is None else target.inside[entries]
        moved = target.at[entries] % target.memory.pitch, target.memory.data.take(target.at[entries]), inside
        told([act(target, "copy done", entries)._replace(moved=moved)])

    everyone = np.ones(len(active.rows), bool)
    told([act(transfer.source, "copy from", everyone), act(transfer.target, "copy to", everyone)])
    transfer.done = done


def transfer_of(kind: str, active: Active, source: Side, target: Side, count: Numbers) -> Transfer:
    """The copy of these lanes, an entry each, in the group that each of them fills."""
    group = active.lanes.machine.engine.committed(kind)[active.rows, active.threads]
    return Transfer(kind, active.rows, active.threads, active.actor, source, target, group, count)
