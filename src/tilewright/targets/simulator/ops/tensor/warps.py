"""Warps that work on tensor memory, each for its own 32 lanes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.atoms import catalog
from tilewright.errors import SimulationError
from tilewright.targets.launch import where
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.memory.tensor import TensorMemory
from tilewright.targets.simulator.ops.atoms import Warps, real
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.program import Frame
from tilewright.targets.simulator.sites import Site

_LIKE = "SM100_TMEM_LOAD_32dp32b1x"  # who has this has the others
QUARTER = 32  # lanes of tensor memory that a warp reaches
SUBPARTITIONS = 4


def tensor_site(op: Operation, kind: str, value: SSAValue) -> Site:
    """Where an op accesses tensor memory; `value` is what it has of it."""
    return Site(op, kind, value, "tensor memory", "tmem", 4, counted=False)


@dataclass(frozen=True, eq=False)
class Entries:
    """The warps that execute an op, an entry each: their rows among the lanes, and their numbers among the columns."""

    warps: Warps
    row: Numbers
    number: Numbers

    @staticmethod
    def of(frame: Frame, op: Operation, atom: str = _LIKE) -> Entries:
        """Those of a frame.

        Raises:
            SimulationError: the architecture has no tensor memory.
            BarrierError: lanes of a warp are missing.
        """
        lanes = real(frame)
        warps = Warps.of(frame, lanes, op, catalog.copy(atom))
        full = np.ones((lanes.shape[0], lanes.shape[1] // warps.size), bool)
        row, number = np.nonzero(full if warps.active is None else warps.active & full)
        return Entries(warps, row, number)

    @property
    def tensor(self) -> TensorMemory:
        """The memory."""
        return self.warps.lanes.machine.tensor

    @property
    def rows(self) -> Numbers:
        """Their rows in the machine."""
        return np.asarray(self.warps.lanes.rows[self.row])

    @property
    def actor(self) -> Numbers:
        """Their first lanes."""
        return np.asarray(self.warps.lanes.actor[self.row, self.number * self.warps.size])

    @property
    def quarter(self) -> Numbers:
        """The first lane of tensor memory that each reaches."""
        threads = self.warps.lanes.threads[self.number * self.warps.size]
        return np.asarray(threads // self.warps.size % SUBPARTITIONS * QUARTER)

    def names(self) -> Iterator[str]:
        """What a person calls their first lanes."""
        return (self.name(entry) for entry in range(len(self.row)))

    def name(self, entry: int) -> str:
        """What a person calls that of one of them."""
        return self.warps.lanes.name(int(self.actor[entry]))

    def agreed(self, frame: Frame, slot: int, what: str) -> Numbers:
        """The number on which the lanes of each agree.

        Raises:
            SimulationError: two of them do not.
        """
        lanes = self.warps.lanes
        full = np.broadcast_to(np.asarray(frame.number(slot)), lanes.shape).reshape(
            len(lanes.rows), -1, self.warps.size
        )
        given = full[self.row, self.number].astype(np.int64)
        wrong = (given != given[:, :1]).any(axis=1)
        if wrong.any():
            bad = int(np.argmax(wrong))
            numbers = ", ".join(f"{x:#x}" for x in distinct_values(given[bad])[:4].tolist())
            raise SimulationError(
                f"lanes of the warp of {self.name(bad)} give {what} {numbers}\n{where(self.warps.op)}"
            )
        return np.asarray(given[:, 0])
