"""Who has which columns of tensor memory."""

from __future__ import annotations

import numpy as np

from tilewright.ir.tile.tmem import TmemAllocOp, TmemDeallocOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.ops.addressed import Active, Operand
from tilewright.targets.simulator.ops.tensor.warps import Entries, tensor_site
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.program import Compiler, Frame, Step


def allocate(compiler: Compiler, op: TmemAllocOp) -> Step:
    """The step of an op."""
    target, count = Operand.of(compiler, op, op.target, "store"), op.columns.value.data

    def step(frame: Frame) -> None:
        entries, active = Entries.of(frame, op), Active.of(frame)
        lanes = active.lanes
        first = np.zeros(lanes.shape, bool)
        first[entries.row, entries.number * entries.warps.size] = True
        chosen = np.flatnonzero(first[active.at])
        at = target.span(frame, active, active.number(frame, target.slot), 1)[chosen, 0]
        rows, actor, tensor = entries.rows, entries.actor, entries.tensor
        tensor.of_group(op.ctas, where(op))
        made = [tensor.allocate(int(row), count, op.ctas, entries.name(i), where(op)) for i, row in enumerate(rows)]
        target.held(frame).write(
            at, np.array(made, np.uint32), lanes, Present(lanes.machine.clocks, actor), target.site
        )

    return step


def release(compiler: Compiler, op: TmemDeallocOp) -> Step:
    """The step of an op."""
    slot, count, site = compiler.slot(op.address), op.columns.value.data, tensor_site(op, "store", op.address)

    def step(frame: Frame) -> None:
        entries = Entries.of(frame, op)
        addresses, tensor, lanes = entries.agreed(frame, slot, "the addresses"), entries.tensor, entries.warps.lanes
        tensor.of_group(op.ctas, where(op))
        for row, actor, address in zip(entries.rows, entries.actor, addresses, strict=True):
            tensor.release(int(row), int(address), count, lanes, int(actor), site)

    return step
