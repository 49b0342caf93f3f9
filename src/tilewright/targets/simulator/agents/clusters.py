"""The two halves of the barrier of a cluster: lanes come, and go on; or wait until all have come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import BarrierError
from tilewright.ir.tile.cluster import ClusterArriveOp, ClusterWaitOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.flow import Waiting
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.order.clocks import Flags
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


def _everyone(active: Active) -> Flags:
    return np.ones(len(active.rows), bool)


def _refuse(active: Active, wrong: Flags, what: str, op: Operation) -> None:
    if wrong.any():
        raise BarrierError(f"{active.name(int(np.argmax(wrong)))} {what}\n{where(op)}")


def refuse_owed(active: Active, op: Operation) -> None:
    """Raises `BarrierError` where lanes that come to the barrier have come, and not waited yet."""
    twice = active.lanes.machine.cluster_barrier.owed[active.rows, active.threads]
    _refuse(active, twice, "comes to the barrier of its cluster again, before it has waited there", op)


def _arrive(compiler: Compiler, op: ClusterArriveOp) -> Step:
    relaxed, aligned = op.order.data == "relaxed", op.aligned is not None

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        if aligned:
            active.lanes.together(op, frame.mask)
        refuse_owed(active, op)
        rows, lanes, _ = active.among(_everyone(active))
        active.lanes.machine.cluster_barrier.arrive(rows, lanes, relaxed)

    return step


@dataclass(frozen=True, eq=False)
class ForCluster:
    """Lanes wait until all threads of their cluster have come."""

    def ready(self, frame: Frame) -> Array | None:
        """Those whose cluster is complete."""
        active = Active.of(frame)
        over = active.lanes.machine.cluster_barrier.completed(active.rows, active.threads)
        return None if over.all() else over.reshape(active.lanes.shape)

    def over(self, frame: Frame) -> None:
        """They know what was released."""
        active = Active.of(frame)
        rows, lanes, _ = active.among(_everyone(active))
        active.lanes.machine.cluster_barrier.leave(rows, lanes)

    def reason(self, frame: Frame) -> str:
        """How many are missing in the first lane's cluster."""
        active = Active.of(frame)
        barrier = active.lanes.machine.cluster_barrier
        count = barrier.together * barrier.threads
        missing = barrier.missing(int(active.rows[0]))
        return f"for its cluster, of which {count - missing} of {count} threads have come; the others never will"


def wait_for_cluster(compiler: Compiler, op: ClusterWaitOp) -> Callable[[Frame], Waiting | None]:
    """What lanes do where they wait for their cluster."""
    waiting, aligned = ForCluster(), op.aligned is not None

    def come(frame: Frame) -> Waiting | None:
        active = Active.of(frame)
        if aligned:
            active.lanes.together(op, None)
        idle = ~active.lanes.machine.cluster_barrier.owed[active.rows, active.threads]
        _refuse(active, idle, "waits at the barrier of its cluster, to which it has not come", op)
        if waiting.ready(frame) is not None:
            return waiting
        waiting.over(frame)
        return None

    return come


CLUSTER_HANDLERS: Mapping[type[Operation], Handler] = {ClusterArriveOp: _arrive}
