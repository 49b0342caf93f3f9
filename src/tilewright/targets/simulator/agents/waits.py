"""Ops at which lanes may wait for others, and what they wait for there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import BarrierError
from tilewright.ir.tile.cluster import ClusterWaitOp
from tilewright.ir.tile.mbarriers import MbarrierWaitOp
from tilewright.ir.tile.together import BARRIERS, BarOp, BlockVoteOp, SyncOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.clusters import refuse_owed, wait_for_cluster
from tilewright.targets.simulator.agents.flow import Waiting
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array, Element
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.ops.mbarrier import Word, completed, observe, over
from tilewright.targets.simulator.order.barriers import Barrier, Meeting
from tilewright.targets.simulator.order.votes import Votes
from tilewright.targets.simulator.program import Compiler, Frame

Come = Callable[[Frame], Waiting | None]


@dataclass(frozen=True, eq=False)
class ForMeeting:
    """Lanes wait until the rest of their warp or block has come to the same place."""

    meeting: Meeting
    goal: Array

    def ready(self, frame: Frame) -> Array | None:
        """Those whose group has met."""
        lanes = _lanes(frame)
        met = self.meeting.spread(self.meeting.times >= self.goal)[lanes.rows[:, None], lanes.threads]
        return None if met.all() else met

    def over(self, frame: Frame) -> None:
        """Their clocks met when the last one came."""

    def reason(self, frame: Frame) -> str:
        """How many are missing of the first lane's group."""
        lanes, meeting = _lanes(frame), self.meeting
        size = meeting.clocks.lanes if meeting.of_warps else meeting.threads
        start = int(lanes.threads[0]) // size * size
        group = meeting.come[lanes.rows[0], start : start + size]
        what = "warp" if meeting.of_warps else "block"
        if meeting.together > 1 and group.all():
            row = int(lanes.rows[0]) // meeting.together * meeting.together
            come = int(meeting.come[row : row + meeting.together].all(axis=1).sum())
            return f"for its cluster, of which {come} of {meeting.together} blocks have come; the others never will"
        return f"for its {what}, of which {int(group.sum())} of {len(group)} threads have come; the others never will"


def _sync(compiler: Compiler, op: SyncOp) -> Come:
    scope = op.scope.data

    def come(frame: Frame) -> Waiting | None:
        lanes = _lanes(frame)
        if scope == "cluster":
            refuse_owed(Active.of(frame), op)
        meeting = lanes.machine.meeting(op, scope)
        waiting = ForMeeting(meeting, meeting.arrive(lanes.rows, lanes.threads))
        return None if waiting.ready(frame) is None else waiting

    return come


@dataclass(frozen=True, eq=False)
class ForVote(ForMeeting):
    """They wait for the rest of their block to vote."""

    votes: Votes
    result: int
    kind: Element

    def over(self, frame: Frame) -> None:
        """They know what came of it."""
        lanes = _lanes(frame)
        found = self.votes.found[lanes.rows].astype(self.kind)
        frame.values[self.result] = np.broadcast_to(found[:, None], lanes.shape)


def _block_vote(compiler: Compiler, op: BlockVoteOp) -> Come:
    condition, result = compiler.slot(op.condition), compiler.slot(op.result)
    kind = numpy_type(op.result.type)

    def come(frame: Frame) -> Waiting | None:
        lanes = _lanes(frame)
        votes, meeting = lanes.machine.votes(op), lanes.machine.meeting(op, "cta")
        shown = np.asarray(frame.operand(condition), bool)
        votes.shown[lanes.rows[:, None], lanes.threads] = np.broadcast_to(shown, lanes.shape)
        goal = meeting.arrive(lanes.rows, lanes.threads)
        votes.count(op.kind.data, (meeting.times >= goal)[:, 0])  # the next vote comes after all have been here
        waiting = ForVote(meeting, goal, votes, result, kind)
        if waiting.ready(frame) is not None:
            return waiting
        waiting.over(frame)
        return None

    return come


@dataclass(frozen=True, eq=False)
class ForBarrier:
    """Lanes wait until as many as it expects have come to a numbered barrier."""

    number: int
    barrier: Barrier
    goal: Array  # by row of the machine

    def ready(self, frame: Frame) -> Array | None:
        """Those of the blocks whose barrier has completed."""
        lanes = _lanes(frame)
        over = self.barrier.phase[lanes.rows] >= self.goal[lanes.rows]
        return None if over.all() else np.broadcast_to(over[:, None], lanes.shape)

    def over(self, frame: Frame) -> None:
        """They learnt when it completed."""

    def reason(self, frame: Frame) -> str:
        """How many are missing in the first lane's block."""
        row = int(_lanes(frame).rows[0])
        come, expected = int(self.barrier.come[row]), int(self.barrier.expected[row])
        return f"at barrier {self.number}, to which {come} of {expected} threads have come; the others never will"


def _bar(compiler: Compiler, op: BarOp) -> Come:
    slot, expected, waits = compiler.slot(op.barrier), op.threads.value.data, op.kind.data == "sync"

    def come(frame: Frame) -> Waiting | None:
        lanes, number = _lanes(frame), int(np.asarray(frame.number(slot)).flat[0])  # who names another goes by itself
        if not 0 <= number < BARRIERS:
            raise BarrierError(f"expected one barrier from 0 to {BARRIERS - 1}, got {number}\n{where(op)}")
        barrier, warps = lanes.machine.barrier(number), lanes.whole_warps(op)
        _check(barrier, number, lanes, warps, expected, op)
        goal = barrier.arrive(lanes.rows, warps, expected, waits)
        waiting = ForBarrier(number, barrier, goal)
        return waiting if waits and waiting.ready(frame) is not None else None

    return come


def _check(barrier: Barrier, number: int, lanes: Lockstep, warps: Array, expected: int, op: BarOp) -> None:
    """Raises `BarrierError` where lanes disagree on how many shall come, or too many do."""
    before = barrier.expected[lanes.rows]
    odd = (before != expected) & (before > 0)
    if odd.any():
        text = f"barrier {number} is to have {expected} threads here and {before[np.argmax(odd)]} elsewhere"
        raise BarrierError(f"{text}\n{where(op)}")
    come = barrier.come[lanes.rows] + warps.sum(axis=1) * barrier.clocks.lanes
    if (come > expected).any():
        raise BarrierError(f"{come.max()} threads come to barrier {number}, which has {expected}\n{where(op)}")


@dataclass(frozen=True, eq=False)
class ForPhase:
    """Lanes wait until a phase of an mbarrier has completed."""

    word: Word
    parity: int

    def ready(self, frame: Frame) -> Array | None:
        """Those whose phase has."""
        active = Active.of(frame)
        found = over(self.word, frame, active, active.number(frame, self.parity))
        return None if found.all() else found.reshape(active.lanes.shape)

    def over(self, frame: Frame) -> None:
        """They see what was done before."""
        active = Active.of(frame)
        observe(self.word, frame, active, np.ones(len(active.rows), bool))
        self.word.tell("pass", frame, active, active.number(frame, self.parity))

    def reason(self, frame: Frame) -> str:
        """What the phase of the first lane lacks."""
        active = Active.of(frame)
        barriers, words, _ = self.word.places(frame, active)
        at = active.rows[0], words[0]
        arrivals, count, more = barriers.pending[at], barriers.count[at], barriers.bytes[at]
        lacks = [f"{arrivals} of {count} arrivals"] if arrivals > 0 else []
        lacks += [f"{more} bytes"] if more > 0 else []
        lacks += [f"the expectation of {-more} bytes that have come"] if more < 0 else []
        element = f"element {words[0]} of {self.word.operand.site.buffer}"
        parity = int(active.number(frame, self.parity)[0])
        phase = f"{element}, an mbarrier, to complete a phase of parity {parity}"
        if arrivals < 0:
            text = f"{count - arrivals} arrivals have come in its phase {barriers.phase[at]}, which waits for {count}"
            return f"for {phase}; {text}"
        return f"for {phase}; its phase {barriers.phase[at]} lacks {' and '.join(lacks) or 'nothing'}"


def _mbarrier_wait(compiler: Compiler, op: MbarrierWaitOp) -> Come:
    waiting = ForPhase(Word.of(compiler, op, op.barrier), compiler.slot(op.parity))

    def come(frame: Frame) -> Waiting | None:
        active = Active.of(frame)
        parity = active.number(frame, waiting.parity)
        done = completed(waiting.word, frame, active, parity).all()
        waiting.word.tell("wait", frame, active, parity)
        if not done:
            return waiting
        waiting.over(frame)
        return None

    return come


def _lanes(frame: Frame) -> Lockstep:
    return cast(Lockstep, frame.domain)


# Ops where lanes wait for each other; those of `RESUMED` make a kernel one whose lanes run apart.
WAITS: dict[type[Operation], Callable[[Compiler, Any], Come]] = {
    SyncOp: _sync,
    BlockVoteOp: _block_vote,
    BarOp: _bar,
    MbarrierWaitOp: _mbarrier_wait,
    ClusterWaitOp: wait_for_cluster,
}
RESUMED = (BarOp, MbarrierWaitOp, ClusterWaitOp)
