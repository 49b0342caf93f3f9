"""Ops at which lanes may wait for others, and what they wait for there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.tile.cluster import ClusterWaitOp
from tilewright.ir.tile.mbarriers import MbarrierWaitOp
from tilewright.ir.tile.together import BarOp, BlockVoteOp, SyncOp
from tilewright.targets.simulator.agents.clusters import refuse_owed, wait_for_cluster
from tilewright.targets.simulator.agents.flow import Waiting
from tilewright.targets.simulator.agents.numbered import (
    ForBarrier,
    come_by_number,
    is_numbered,
    lanes_of,
    meet_by_number,
)
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array, Element
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.ops.mbarrier import Word, completed, observe, over
from tilewright.targets.simulator.order.barriers import Meeting
from tilewright.targets.simulator.order.votes import Votes
from tilewright.targets.simulator.program import Compiler, Frame

Come = Callable[[Frame], Waiting | None]


@dataclass(frozen=True, eq=False)
class ForMeeting:
    """Lanes wait until the rest of their warp or block has come to the same place."""

    meeting: Meeting
    goal: Array

    @property
    def met(self) -> Array:
        """The blocks of the machine that have met."""
        return np.asarray((self.meeting.times >= self.goal)[:, 0])

    def ready(self, frame: Frame) -> Array | None:
        """Those whose group has met."""
        lanes = lanes_of(frame)
        met = self.meeting.spread(self.meeting.times >= self.goal)[lanes.rows[:, None], lanes.threads]
        return None if met.all() else met

    def over(self, frame: Frame) -> None:
        """Their clocks met when the last one came."""

    def reason(self, frame: Frame) -> str:
        """How many are missing of the first lane's group."""
        lanes, meeting = lanes_of(frame), self.meeting
        size = meeting.clocks.lanes if meeting.of_warps else meeting.threads
        start = int(lanes.threads[0]) // size * size
        group = meeting.come[lanes.rows[0], start : start + size]
        what = "warp" if meeting.of_warps else "block"
        if meeting.together > 1 and group.all():
            row = int(lanes.rows[0]) // meeting.together * meeting.together
            come = int(meeting.come[row : row + meeting.together].all(axis=1).sum())
            return f"for its cluster, of which {come} of {meeting.together} blocks have come; the others never will"
        return f"for its {what}, of which {int(group.sum())} of {len(group)} threads have come; the others never will"


Together: TypeAlias = ForMeeting | ForBarrier


def _meets(op: SyncOp | BlockVoteOp, scope: str) -> Callable[[Lockstep], Together]:
    """How lanes come to where they meet: by the number of their block's barrier where others may come so."""
    if scope == "cta" and is_numbered(op):
        return lambda lanes: meet_by_number(lanes, op)

    def come(lanes: Lockstep) -> Together:
        meeting = lanes.machine.meeting(op, scope)
        return ForMeeting(meeting, meeting.arrive(lanes.rows, lanes.threads))

    return come


def _sync(compiler: Compiler, op: SyncOp) -> Come:
    scope = op.scope.data
    meet = _meets(op, scope)

    def come(frame: Frame) -> Waiting | None:
        if scope == "cluster":
            refuse_owed(Active.of(frame), op)
        waiting = meet(lanes_of(frame))
        return None if waiting.ready(frame) is None else waiting

    return come


@dataclass(frozen=True, eq=False)
class ForVote:
    """They wait for the rest of their block to vote."""

    others: Together
    votes: Votes
    result: int
    kind: Element

    def ready(self, frame: Frame) -> Array | None:
        """Those whose block has met."""
        return self.others.ready(frame)

    def over(self, frame: Frame) -> None:
        """They know what came of it."""
        lanes = lanes_of(frame)
        found = self.votes.found[lanes.rows].astype(self.kind)
        frame.values[self.result] = np.broadcast_to(found[:, None], lanes.shape)

    def reason(self, frame: Frame) -> str:
        """Who is missing."""
        return self.others.reason(frame)


def _block_vote(compiler: Compiler, op: BlockVoteOp) -> Come:
    condition, result = compiler.slot(op.condition), compiler.slot(op.result)
    kind, meet = numpy_type(op.result.type), _meets(op, "cta")

    def come(frame: Frame) -> Waiting | None:
        lanes = lanes_of(frame)
        votes = lanes.machine.votes(op)
        shown = np.asarray(frame.operand(condition), bool)
        votes.shown[lanes.rows[:, None], lanes.threads] = np.broadcast_to(shown, lanes.shape)
        others = meet(lanes)
        votes.count(op.kind.data, others.met)  # the next vote comes after all have been here
        waiting = ForVote(others, votes, result, kind)
        if waiting.ready(frame) is not None:
            return waiting
        waiting.over(frame)
        return None

    return come


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


# Ops where lanes wait for each other; those of `RESUMED` make a kernel one whose lanes run apart.
WAITS: dict[type[Operation], Callable[[Compiler, Any], Come]] = {
    SyncOp: _sync,
    BlockVoteOp: _block_vote,
    BarOp: come_by_number,
    MbarrierWaitOp: _mbarrier_wait,
    ClusterWaitOp: wait_for_cluster,
}
RESUMED = (BarOp, MbarrierWaitOp, ClusterWaitOp)
