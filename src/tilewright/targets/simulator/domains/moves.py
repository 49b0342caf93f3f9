"""Records kernels that only move data to and from matrix products: registers are a memory, atoms are events.

Every loop is recorded as one, however short, as far as its iterations are alike: nothing is moved while recording.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Attribute, Operation

from tilewright.arch.spec import ArchSpec
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.simulator.domains.affine import Counter
from tilewright.targets.simulator.domains.events import Access, Event, Forget
from tilewright.targets.simulator.domains.loops import LoopRecorder, Plan
from tilewright.targets.simulator.domains.record import Recorded
from tilewright.targets.simulator.domains.rolling import rolled
from tilewright.targets.simulator.memory.access import Function, Mask, NotUniformError, Operand
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.program import Loop
from tilewright.targets.simulator.sites import Site


@dataclass(frozen=True, eq=False)
class Cells(Recorded):
    """The registers of all lanes, as one memory."""

    def access(
        self, index: Operand, mask: Mask, site: Site, value: Operand | None, result: int | None, count: int = 1
    ) -> Access:
        """The access of so many registers of each lane."""
        found = super().access(index, mask, site, value, result, count)
        lanes = np.arange(self.lanes) if found.lanes is None else found.lanes
        steps = {counter: step * self.lanes for counter, step in found.steps.items()}
        return Access(site, self, None, found.rest * self.lanes + lanes, steps, found.lanes, value, result, count)


@dataclass(eq=False, kw_only=True)
class MoveRecorder(LoopRecorder):
    """The domain that records them, for an architecture that has the atoms."""

    spec: ArchSpec

    def plan(self, loop: Loop, turns: int) -> Plan:
        """As few turns as can be."""
        return Plan(1)

    def joined(self, loop: Loop, turns: Sequence[Sequence[Event]]) -> list[Event]:
        """The turns as a loop of their own, where they are alike."""
        found = rolled(turns, Counter(loop.op, len(turns), rolled=True))
        return super().joined(loop, turns) if found is None else [found]

    def apply(self, function: Function, *values: Operand) -> Operand:
        """The function of numbers; of data nothing is worked out."""
        names = self.names
        found = super().apply(function, *values)
        if self.names != names:
            raise NotUniformError
        return found

    def allocate(self, op: Operation, element: Attribute, size: int, space: str) -> Recorded:
        """The op's buffer, nothing in it written."""
        if space != LOCAL:
            found = super().allocate(op, element, size, space)
            assert isinstance(found, Recorded), "not in registers"
            return found
        if op not in self.shared:
            self.shared[op] = Cells(size, numpy_type(element), lanes=self.launch.threads, recorder=self)
        self.record(Forget(self.shared[op]))
        return self.shared[op]
