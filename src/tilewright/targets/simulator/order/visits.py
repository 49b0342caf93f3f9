"""Who has touched shared memory of another block: that block has to know of it before it ends.

A block's shared memory is somebody else's once all its threads have ended. So each access from elsewhere lies before
the end of one of them.

Source: PTX ISA, "mapa" and "barrier.cluster"; CUDA C++ Programming Guide, distributed shared memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.targets.simulator.distinct import distinct_rows
from tilewright.targets.simulator.order.clocks import TIME, Clocks, Numbers
from tilewright.targets.simulator.order.present import actor_of
from tilewright.targets.simulator.sites import Site


@dataclass(eq=False)
class Visits:
    """For each row and actor of another block the last access there, and its site."""

    clocks: Clocks
    last: dict[tuple[int, int], tuple[int, Site]] = field(default_factory=dict, init=False)

    def note(self, rows: Numbers, epochs: Numbers, site: Site) -> None:
        """Shared memory of these rows is accessed at these epochs, an entry each; by the own block it is no visit."""
        away = self.clocks.blocks[rows] != actor_of(epochs) // self.clocks.width
        if away.any():
            for row, epoch in distinct_rows(np.stack([rows[away], epochs[away]], axis=1)).tolist():
                actor, when = epoch & ((1 << TIME) - 1), epoch >> TIME
                self.last[row, actor] = when, site

    def unknown(self) -> tuple[int, int, Site] | None:
        """A row that does not know at its end of an actor's access there, and its site: the last one."""
        warps = np.ones((1, self.clocks.warps), bool)
        pasts = {
            row: self.clocks.beyond.learnt.gathered(self.clocks.numbers(np.array([row]), warps))
            for row in {row for row, _ in self.last}
        }
        missed = [
            (when, row, actor, site)
            for (row, actor), (when, site) in self.last.items()
            if not pasts[row].knows(actor, self.clocks.lanes, when)
        ]
        return max(missed, key=lambda one: one[0])[1:] if missed else None
