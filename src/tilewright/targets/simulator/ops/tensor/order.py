"""Waits for copies to and from tensor memory, and the fences between threads that share it."""

from __future__ import annotations

import numpy as np

from tilewright.ir.tile.tmem import TmemCopyOp, TmemSyncOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.ops.guarded import guarded, guards
from tilewright.targets.simulator.ops.tensor.warps import Entries
from tilewright.targets.simulator.order.clocks import TENSOR, TENSOR_SENT
from tilewright.targets.simulator.program import Compiler, Frame, Step


def sync(compiler: Compiler, op: TmemSyncOp) -> Step:
    """The step of an op."""
    kind = op.kind.data
    if kind.startswith("fence."):
        return lambda frame: _fence(frame, kind)
    registers = guarded(compiler, op, TmemCopyOp)

    def step(frame: Frame) -> None:
        entries = Entries.of(frame, op)
        tensor = entries.tensor
        if kind == "relinquish":
            tensor.of_group(op.ctas, where(op))
            tensor.relinquished[entries.rows] = True
            return
        tensor.wait("load" if kind == "wait.ld" else "store", entries.actor)
        for guard in guards(frame, registers) if kind == "wait.ld" else ():
            guard.finish(tensor.tickets if frame.mask is None else np.where(frame.mask, tensor.tickets, 0))

    return step


def _fence(frame: Frame, kind: str) -> None:
    active = Active.of(frame)
    rows, lanes, _ = active.among(np.ones(len(active.rows), bool))
    clocks = active.lanes.machine.clocks
    if kind == "fence.before":
        clocks.fence(rows, lanes, (TENSOR_SENT,))
    else:
        clocks.admit(rows, lanes, TENSOR_SENT, TENSOR)
