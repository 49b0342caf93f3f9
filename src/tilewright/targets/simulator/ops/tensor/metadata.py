"""Metadata of a sparse A in tensor memory: which of its elements are stored."""

from __future__ import annotations

import numpy as np

from tilewright.errors import AlignmentError, SimulationError
from tilewright.ir.tile.tcgen05 import Tcgen05MmaOp
from tilewright.ir.tile.tmem import LANES
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.transfers import Side
from tilewright.targets.simulator.collective.sparse import NIBBLE, Pattern
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.tensor import LANE_BITS
from tilewright.targets.simulator.ops.tensor.issue import Issued
from tilewright.targets.simulator.ops.tensor.tile import Tile
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.sites import Site

WORD, HALF = 32, 16  # bits
EIGHT = 8  # rows that lie together


def read(
    op: Tcgen05MmaOp, issued: Issued, cta: int, address: int, selector: int, site: Site, columns: int
) -> tuple[Array, Side]:
    """The metadata (entry, row, chunk) of 128 rows in that CTA, and what is read for it.

    Of a row it has two words, which are the lane's own two columns; or one, as halves: of rows 8 apart, the lower one
    in the lower halves, in the first 8 of 16 lanes the first half of the row's; the selector says in which column.

    Raises:
        AlignmentError: it does not begin at lane 0.
    """
    lane, column = divmod(address, 1 << LANE_BITS)
    if lane:
        text = f"{issued.name} gives metadata of A from lane {lane} of tensor memory on; it begins at lane 0"
        raise AlignmentError(f"{text}\n{where(op)}")
    tile = Tile(np.arange(LANES), column + selector, columns)
    tile.check(issued, cta, site)
    cells = tile.cells(issued.rows(cta))
    issued.tensor.follow(issued.actor, cells, issued.active.lanes, site)
    words = issued.tensor.words[tile.at(issued.rows(cta))]
    rows = words if columns > 1 else _halves(words[..., 0])
    nibbles = rows[..., None] >> np.arange(0, WORD if columns > 1 else HALF, NIBBLE, dtype=np.uint32) & 0xF
    return nibbles.reshape(len(words), LANES, -1), Side(issued.tensor.cells, cells, site)


def _halves(words: Array) -> Array:
    """The halves (entry, row, half of the row's) of words (entry, lane)."""
    grouped = words.reshape(len(words), -1, 2, EIGHT)  # by sixteen lanes, half of the row's, row
    upper = np.stack([grouped & (1 << HALF) - 1, grouped >> HALF], axis=2)  # by sixteen, upper, half, row
    return np.asarray(upper.swapaxes(3, 4).reshape(len(words), LANES, 2))


def places(op: Tcgen05MmaOp, issued: Issued, metadata: Array, pattern: Pattern) -> Numbers:
    """Where stored elements stand.

    Raises:
        SimulationError: the metadata of a chunk says no places.
    """
    if (wrong := pattern.unsaid(metadata)) is not None:
        raise SimulationError(f"{issued.name} gives {wrong[1]}\n{where(op)}")
    return pattern.where(metadata)
