"""Threads that begin work on tensor memory which goes on by itself: what it reads, and that it is on its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import SimulationError
from tilewright.ir.tile.tmem import OfGroup
from tilewright.ir.tile.types import SHARED
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.pairs import check_pairs
from tilewright.targets.simulator.agents.pipeline import Begun
from tilewright.targets.simulator.agents.transfers import Side
from tilewright.targets.simulator.collective.described import Described
from tilewright.targets.simulator.distinct import distinct_rows
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.tensor import TensorMemory
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.order.clocks import SHARED_PROXY, Numbers
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.program import Frame
from tilewright.targets.simulator.sites import Site


@dataclass(frozen=True, eq=False)
class Issued:
    """Threads that begin one thing each, of groups of so many CTAs of their own, with the same operands."""

    active: Active
    entries: Numbers
    ctas: int

    def rows(self, cta: int) -> Numbers:
        """The rows in the machine of the CTAs of that number in their groups."""
        own = np.asarray(self.active.rows[self.entries])
        return own if self.ctas == 1 else own // self.ctas * self.ctas + cta

    @property
    def actor(self) -> Numbers:
        """Who they are."""
        return np.asarray(self.active.actor[self.entries])

    @property
    def name(self) -> str:
        """The first of them as a person names it."""
        return self.active.name(int(self.entries[0]))

    def names(self) -> Iterator[str]:
        """All of them."""
        return (self.active.name(int(entry)) for entry in self.entries)

    @property
    def tensor(self) -> TensorMemory:
        """Their tensor memory."""
        return self.active.lanes.machine.tensor


def issues(frame: Frame, op: OfGroup, slots: Sequence[int]) -> Iterator[tuple[Issued, list[int]]]:
    """The threads of a step that begin one thing each, together where their operands are the same.

    Raises:
        SimulationError: two are of one warp, or there is no such group of CTAs.
    """
    active = Active.of(frame)
    machine = active.lanes.machine
    check_pairs(op, machine.launch)
    machine.tensor.of_group(op.ctas, where(op))
    warps = np.stack([active.rows, active.threads // active.lanes.warp_size], axis=1)
    _, first, counts = np.unique(warps, axis=0, return_index=True, return_counts=True)
    if (counts > 1).any():
        entry, count = int(first[np.argmax(counts > 1)]), int(counts.max())
        raise SimulationError(
            f"{active.name(entry)} and {count - 1} more lanes of its warp begin a product each; "
            f"one thread is to: T.cuda.elect_sync()\n{where(op)}"
        )
    given = np.stack([active.number(frame, slot).astype(np.uint64) for slot in slots], axis=1)
    groups = active.rows // op.ctas
    order = np.lexsort((active.threads, active.rows))
    turn = np.arange(len(order)) - np.searchsorted(groups[order], groups[order])
    for number in range(int(turn.max(initial=-1)) + 1):
        those = order[turn == number]
        for operands in distinct_rows(given[those]):
            same = those[(given[those] == operands).all(axis=1)]
            yield Issued(active, same, op.ctas), [int(x) for x in operands]


def shared(op: Operation, issued: Issued, cta: int, described: Described, what: str, bits: int) -> tuple[Array, Side]:
    """The matrices in that CTA's shared memory that a descriptor gives, and what is read for them.

    Raises:
        SimulationError: it gives none, or they may not be read now.
    """
    machine = issued.active.lanes.machine
    assert machine.facts is not None, "the kernel has tensor memory"
    who = f"{issued.name} gives {what} by the descriptor {bits:#x}"
    try:
        allocation, elements = described.place(bits, machine.facts.shared)
    except SimulationError as error:
        raise type(error)(f"{who}, {error}\n{where(op)}") from None
    memory = machine.shared.get(allocation.op)
    if memory is None:
        raise SimulationError(f"{who} of {allocation.name}, which is not there yet\n{where(op)}")
    site = Site(op, "load", allocation.op.results[0], allocation.name, SHARED, 16, False, 0, 0, "")
    at = issued.rows(cta)[:, None] * memory.pitch + elements
    present = Present(machine.clocks, issued.actor.repeat(at.shape[1]), SHARED_PROXY)
    machine.engine.pending_of(memory)
    memory.begin(at.reshape(-1), issued.active.lanes, present, site)
    return described.matrices(memory.data.take(at)), Side(memory, at, site)


def send(issued: Issued, parts: Sequence[Sequence[Side]]) -> None:
    """What has been begun is on its way; `parts` are what it accesses in each CTA."""
    tensor, machine = issued.tensor, issued.active.lanes.machine
    if machine.checks:
        begun = [Begun(issued.rows(cta), issued.actor, sides, issued.ctas == 1) for cta, sides in enumerate(parts)]
        tensor.begun = [*(one for one in tensor.begun if one.open.any()), *begun]
        machine.engine.readers = [*(one for one in machine.engine.readers if one.open.any()), *begun]
