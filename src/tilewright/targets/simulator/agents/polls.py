"""Loops in which lanes ask for what others do: they have their turns between, and none that waits for ever hangs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tilewright.errors import BarrierError
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.cohort import Cohort
from tilewright.targets.simulator.agents.flow import Jump
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.registers import Registers


@dataclass(eq=False)
class Patience:
    """What everybody held when all who could run had asked in vain."""

    held: tuple[object, ...] = ()

    def lose(self, cohorts: Sequence[Cohort], loops: Sequence[Jump]) -> BarrierError | None:
        """Another round in which all asked in vain; `loops` are those in which they did.

        What to raise where nothing has changed since the round before, so that nothing will: who asks where.
        """
        before, self.held = self.held, tuple(_fingerprint(cohort) for cohort in cohorts)
        if before == self.held:
            cohort, loop = cohorts[0], loops[0]
            name = cohort.domain.name(int(cohort.domain.actor.flat[0]))
            lanes = sum(c.domain.actor.size for c in cohorts)
            others = f" and {lanes - 1} other threads" if lanes > 1 else ""
            return BarrierError(f"{name}{others} go round in a loop for what nobody is left to do\n{where(loop.op)}")
        return None


def _fingerprint(cohort: Cohort) -> tuple[object, ...]:
    """What tells whether the lanes, and the memory that they reach, are as they were."""
    domain = cohort.domain
    return (cohort.at, domain.rows.tobytes(), domain.threads.tobytes(), *map(_bits, cohort.values))


def _bits(value: object) -> object:
    if isinstance(value, Registers):
        return tuple(map(_bits, value.cells))
    if isinstance(value, Memory):
        return value.changes
    return value.tobytes() if isinstance(value, np.ndarray | np.generic) else value
