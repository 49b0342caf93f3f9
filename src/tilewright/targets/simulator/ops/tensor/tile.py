"""Where matrices lie in tensor memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilewright.ir.tile.tmem import LANES
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.memory.tensor import CELLS, TOGETHER, places
from tilewright.targets.simulator.ops.tensor.issue import Issued
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.sites import Site
from tilewright.tirx.hardware.tmem import Datapath


@dataclass(frozen=True)
class Tile:
    """A matrix in the tensor memory of a CTA: the lanes of its rows, and so many columns from the first on.

    Columns that are folded go on, after so many, on the next of as many equal parts of the lanes.
    """

    lanes: Numbers
    first: int
    count: int
    folds: int = 1

    @staticmethod
    def of(path: Datapath, lane: int, first: int, columns: int) -> Tile:
        """That of a datapath from a lane, and a column, on."""
        return Tile(np.array(path.lanes) + lane, first, columns // path.folds, path.folds)

    @property
    def _parts(self) -> Numbers:
        return np.arange(self.folds) * (LANES // self.folds)

    def cells(self, rows: Numbers) -> Numbers:
        """Its cells, by (entry, cell)."""
        halves = distinct_values((self.lanes[:, None] + self._parts) // TOGETHER)
        return np.asarray(rows[:, None] * CELLS + places(halves, self.first + np.arange(self.count)))

    def check(self, issued: Issued, cta: int, site: Site) -> None:
        """Raises `OutOfBoundsError` where its columns are not there, or not the block's."""
        columns = np.broadcast_to(self.first + np.arange(self.count), (len(issued.entries), self.count))
        issued.tensor.check(issued.rows(cta), columns, issued.names(), site)

    def at(self, rows: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Where its words are, by (entry, row, column)."""
        lanes = self.lanes[:, None] + self._parts.repeat(self.count)
        return rows[:, None, None], lanes, self.first + np.tile(np.arange(self.count), self.folds)
