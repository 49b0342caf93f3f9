"""The handlers of tensor memory, by op."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from tilewright.ir.tile.tcgen05 import Tcgen05CommitOp, Tcgen05CpOp, Tcgen05MmaOp
from tilewright.ir.tile.tmem import TmemAllocOp, TmemCopyOp, TmemDeallocOp, TmemSyncOp
from tilewright.targets.simulator.ops.tensor.allocation import allocate, release
from tilewright.targets.simulator.ops.tensor.commits import commit
from tilewright.targets.simulator.ops.tensor.copies import copy
from tilewright.targets.simulator.ops.tensor.moves import Move
from tilewright.targets.simulator.ops.tensor.order import sync
from tilewright.targets.simulator.ops.tensor.products import MmaStep
from tilewright.targets.simulator.program import Handler

TENSOR_HANDLERS: Mapping[type[Operation], Handler] = {
    TmemAllocOp: allocate,
    TmemDeallocOp: release,
    TmemCopyOp: Move.of,
    TmemSyncOp: sync,
    Tcgen05MmaOp: MmaStep.of,
    Tcgen05CpOp: copy,
    Tcgen05CommitOp: commit,
}
