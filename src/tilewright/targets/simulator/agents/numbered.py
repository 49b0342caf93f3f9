"""Numbered barriers of a block. Barrier 0 is the one where all its threads meet: who comes there counts here, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tilewright.errors import BarrierError
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.core.walk import of_kinds
from tilewright.ir.tile.together import BARRIERS, BarOp, BlockVoteOp, SyncOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.flow import Waiting
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.order.barriers import Barrier
from tilewright.targets.simulator.program import Compiler, Frame

BLOCK = 0  # the number of the barrier of all threads of a block


@dataclass(frozen=True, eq=False)
class ForBarrier:
    """Lanes wait until as many as it expects have come to a numbered barrier."""

    number: int
    barrier: Barrier
    goal: Array  # by row of the machine

    @property
    def met(self) -> Array:
        """The rows of the machine whose barrier has completed."""
        return self.barrier.phase >= self.goal

    def ready(self, frame: Frame) -> Array | None:
        """Those of the blocks whose barrier has completed."""
        lanes = lanes_of(frame)
        over = self.met[lanes.rows]
        return None if over.all() else np.broadcast_to(over[:, None], lanes.shape)

    def over(self, frame: Frame) -> None:
        """They learnt when it completed."""

    def reason(self, frame: Frame) -> str:
        """How many are missing in the first lane's block."""
        lanes = lanes_of(frame)
        row = int(lanes.rows[0])
        come, expected = int(self.barrier.come[row]), int(self.barrier.expected[row]) or _everyone(lanes)
        return f"at barrier {self.number}, to which {come} of {expected} threads have come; the others never will"


def come_by_number(compiler: Compiler, op: BarOp) -> Callable[[Frame], Waiting | None]:
    """Whole warps come to the barrier that the op names."""
    slot, expected, waits = compiler.slot(op.barrier), op.threads.value.data, op.kind.data == "sync"

    def come(frame: Frame) -> Waiting | None:
        lanes, number = lanes_of(frame), int(np.asarray(frame.number(slot)).flat[0])  # another number goes by itself
        if not 0 <= number < BARRIERS:
            raise BarrierError(f"expected one barrier from 0 to {BARRIERS - 1}, got {number}\n{where(op)}")
        waiting = _arrive(lanes, number, lanes.whole_warps(op), expected, waits, op)
        return waiting if waits and waiting.ready(frame) is not None else None

    return come


def is_numbered(op: SyncOp | BlockVoteOp) -> bool:
    """May threads come to the barrier of their block by its number, too?"""
    func = op.parent_op()
    while func is not None and not isinstance(func, FuncOp):
        func = func.parent_op()
    bars = () if func is None else of_kinds(func, BarOp)
    return any(constant_of(bar.barrier) in (None, BLOCK) for bar in bars)


def meet_by_number(lanes: Lockstep, op: SyncOp | BlockVoteOp) -> ForBarrier:
    """Lanes come to the barrier of their block: a warp counts when all of it has come there."""
    barrier, rows = lanes.machine.barrier(BLOCK), lanes.rows
    places = barrier.places[rows].tolist()
    other = next((place for place in places if place not in (None, op)), None)
    if other is not None:
        raise BarrierError(f"threads of a block meet here, others of it elsewhere\n{where(op)}\n{where(other)}")
    if isinstance(op, BlockVoteOp):
        _refuse_mixed((barrier.come[rows] > 0) & np.array([place is None for place in places]), op)
    barrier.places[rows] = op
    whole = lanes.machine.meeting(op, "warp").gather(rows, lanes.threads)
    return _arrive(lanes, BLOCK, whole, _everyone(lanes), True, op)


def _arrive(lanes: Lockstep, number: int, warps: Array, expected: int, waits: bool, op: Operation) -> ForBarrier:
    barrier = lanes.machine.barrier(number)
    _check(barrier, number, lanes, warps, expected, op)
    return ForBarrier(number, barrier, barrier.arrive(lanes.rows, warps, expected, waits))


def _check(barrier: Barrier, number: int, lanes: Lockstep, warps: Array, expected: int, op: Operation) -> None:
    """Raises `BarrierError` where lanes disagree on how many shall come or what for, too many do, or out of order."""
    before = barrier.expected[lanes.rows]
    odd = (before != expected) & (before > 0)
    if odd.any():
        text = f"barrier {number} is to have {expected} threads here and {before[np.argmax(odd)]} elsewhere"
        raise BarrierError(f"{text}\n{where(op)}")
    come = barrier.come[lanes.rows] + warps.sum(axis=1) * barrier.clocks.lanes
    if (come > expected).any() and expected > barrier.clocks.lanes:
        text = f"{come.max()} threads come to barrier {number}, which has {expected}"
        raise BarrierError(f"{text}; each group of warps that meet needs a number of its own\n{where(op)}")
    if isinstance(op, BarOp):
        _refuse_mixed(np.array([isinstance(place, BlockVoteOp) for place in barrier.places[lanes.rows]]), op)
    if lanes.machine.checks:
        _refuse_unordered(barrier, number, lanes, warps, expected, op)


def _refuse_mixed(mixed: Array, op: Operation) -> None:
    if mixed.any():
        raise BarrierError(f"at barrier {BLOCK} some threads of a block vote, and others only wait\n{where(op)}")


def _refuse_unordered(
    barrier: Barrier, number: int, lanes: Lockstep, warps: Array, expected: int, op: Operation
) -> None:
    """Raises `BarrierError` where a warp could have come before others, who came to an earlier phase."""
    early = barrier.unordered(lanes.rows, warps, expected)
    if early.any():
        row, warp = (int(at[0]) for at in np.nonzero(early))
        clocks = lanes.machine.clocks
        name = lanes.name(int(lanes.blocks[row]) * clocks.width + warp * clocks.lanes)
        text = f"{name} comes to barrier {number}, to which others have come with no barrier between"
        raise BarrierError(f"{text}: two groups meet there, and it could have come among the others\n{where(op)}")


def _everyone(lanes: Lockstep) -> int:
    """The threads of a block, as barriers count them: by whole warps."""
    return lanes.machine.clocks.warps * lanes.machine.clocks.lanes


def lanes_of(frame: Frame) -> Lockstep:
    """The lanes that run."""
    return cast(Lockstep, frame.domain)
