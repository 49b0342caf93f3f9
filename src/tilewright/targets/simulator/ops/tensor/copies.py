"""Copies from shared to tensor memory."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tilewright.atoms.descriptors import TCGEN05
from tilewright.dtypes import dtype
from tilewright.errors import AlignmentError
from tilewright.ir.tile.tcgen05 import CP_SHAPES, Tcgen05CpOp
from tilewright.ir.tile.tmem import LANES
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.transfers import Side
from tilewright.targets.simulator.collective.described import Described
from tilewright.targets.simulator.memory.tensor import LANE_BITS
from tilewright.targets.simulator.ops.tensor.issue import issues, send, shared
from tilewright.targets.simulator.ops.tensor.tile import Tile
from tilewright.targets.simulator.ops.tensor.warps import tensor_site
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.program import Compiler, Frame, Step

# The row of the source that a lane gets; -1: none.
ROWS: Mapping[str, Numbers] = {
    "4x256b": np.where(np.arange(LANES) % 32, -1, np.arange(LANES) // 32),
    "128x256b": np.arange(LANES),
    "128x128b": np.arange(LANES),
    "64x128b.warpx2::02_13": np.arange(LANES) % 64,
    "64x128b.warpx2::01_23": np.arange(LANES) // 64 * 32 + np.arange(LANES) % 32,
    "32x128b.warpx4": np.arange(LANES) % 32,
}


def copy(compiler: Compiler, op: Tcgen05CpOp) -> Step:
    """The step of an op: each CTA's own rows go to its own tensor memory."""
    slots, site = [compiler.slot(value) for value in (op.target, op.source)], tensor_site(op, "store", op.target)
    (size, rows), taken = CP_SHAPES[op.shape.data], ROWS[op.shape.data]
    described = Described(TCGEN05, rows, size, dtype("uint8"), "K")
    lanes = np.flatnonzero(taken >= 0)

    def step(frame: Frame) -> None:
        for issued, (address, bits) in issues(frame, op, slots):
            lane, column = divmod(address, 1 << LANE_BITS)
            if lane:
                text = f"{issued.name} copies to lane {lane} of tensor memory, which begins at lane 0"
                raise AlignmentError(f"{text}\n{where(op)}")
            tile, tensor, parts = Tile(lanes, column, size // 4), issued.tensor, list[list[Side]]()
            for cta in range(issued.ctas):
                tile.check(issued, cta, site)
                found, read = shared(op, issued, cta, described, "the source", bits)
                cells = tile.cells(issued.rows(cta))
                tensor.follow(issued.actor, cells, issued.active.lanes, site)
                parts.append([read, Side(tensor.cells, cells, site)])
                tensor.words[tile.at(issued.rows(cta))] = np.ascontiguousarray(found[:, taken[lanes]]).view(np.uint32)
            send(issued, parts)

    return step
