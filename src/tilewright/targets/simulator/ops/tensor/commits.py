"""Commits, by which threads learn that products are done."""

from __future__ import annotations

import numpy as np

from tilewright.errors import OutOfBoundsError
from tilewright.ir.tile.tcgen05 import Tcgen05CommitOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.pairs import check_pairs
from tilewright.targets.simulator.agents.pipeline import Commit
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.ops.mbarrier import Word
from tilewright.targets.simulator.order.across import told
from tilewright.targets.simulator.order.clocks import MBARRIERS, Numbers
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.program import Compiler, Frame, Step

MOST_BLOCKS = 16  # that a mask can name


def commit(compiler: Compiler, op: Tcgen05CommitOp) -> Step:
    """The step of an op."""
    word, mask = Word.of(compiler, op, op.barrier), None if op.mask is None else compiler.slot(op.mask)

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        machine = active.lanes.machine
        check_pairs(op, machine.launch)
        machine.tensor.of_group(op.ctas, where(op))
        barriers, words, at = word.places(frame, active)
        entries, rows = np.arange(len(active.rows)), active.rows
        if mask is not None:
            entries, rows = _spread(active, active.number(frame, mask), op)
        memory, actor = word.operand.held(frame), active.actor[entries]
        there = at[entries] + (rows - active.rows[entries]) * memory.pitch
        memory.synchronise(there, active.lanes, Present(machine.clocks, actor, MBARRIERS), word.operand.site)
        before = [begun for begun in machine.tensor.begun if begun.open.any()]
        homes, lanes, _ = active.among(np.ones(len(active.rows), bool))
        known, pasts = told(machine.clocks, homes, lanes)
        home, stamped = active.rows[entries], machine.tensor.stamped
        machine.engine.waiting.append(
            Commit(rows, actor, home, barriers, words[entries], before, homes, known, pasts, stamped)
        )

    return step


def _spread(active: Active, masks: Numbers, op: Tcgen05CommitOp) -> tuple[Numbers, Numbers]:
    """Which entry commits to which row, for each bit of their masks."""
    cluster = active.lanes.launch.cluster
    wrong = (masks < 1) | (masks >> min(cluster, MOST_BLOCKS) != 0)
    if wrong.any():
        bad = int(np.argmax(wrong))
        text = f"{active.name(bad)} commits to the blocks of the mask {masks[bad]:#x} of a cluster that has {cluster}"
        raise OutOfBoundsError(f"{text}\n{where(op)}")
    entries, ranks = np.nonzero(masks[:, None] >> np.arange(cluster) & 1)
    return np.asarray(entries), active.rows[entries] // cluster * cluster + ranks
