"""Loops in which lanes ask for what others do: they have their turns between, and none that waits for ever hangs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects import scf
from xdsl.dialects.builtin import MemRefType, StringAttr
from xdsl.ir import Attribute, Operation

from tilewright.errors import BarrierError
from tilewright.ir.core.effects import is_allocation, is_pure, is_read, is_store
from tilewright.ir.tile.asynchronous import MbarrierTestOp
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.cohort import Cohort
from tilewright.targets.simulator.agents.flow import Jump
from tilewright.targets.simulator.memory.registers import Registers

POLLS = (AtomicLoadOp, AtomicOp, AtomicCasOp, MbarrierTestOp)
PATIENCE = 4096  # rounds in which everybody asks in vain


def polls(op: Operation) -> bool:
    """Is the op a loop that asks for what other lanes do?"""
    return isinstance(op, scf.WhileOp) and any(isinstance(inner, POLLS) for inner in op.walk())


def _only_asks(op: Operation) -> bool:
    """Does a turn of the loop change nothing but its lanes' own registers?"""
    return all(
        is_pure(inner) or is_read(inner) or isinstance(inner, _HARMLESS) or _is_own(inner) for inner in op.walk()
    )


_HARMLESS = (scf.WhileOp, scf.ForOp, scf.IfOp, scf.YieldOp, scf.ConditionOp, AtomicLoadOp, MbarrierTestOp)


def _is_own(op: Operation) -> bool:
    """Does the op write or allocate a register?"""
    if is_allocation(op):
        return True
    return is_store(op) and LOCAL in (getattr(op.operands[1].type, "scope", None), _space(op.operands[1].type))


def _space(kind: Attribute) -> str | None:
    space = kind.memory_space if isinstance(kind, MemRefType) else None
    return space.data if isinstance(space, StringAttr) else None


@dataclass(eq=False)
class Patience:
    """How often in a row everybody who could run has asked in vain, and what they held then."""

    rounds: int = 0
    held: tuple[object, ...] = ()

    def lose(self, cohorts: Sequence[Cohort], loops: Sequence[Jump]) -> None:
        """Another round; `loops` are those in which the cohorts ask.

        Raises:
            BarrierError: nobody is left who could change what they ask for; says who asks where.
        """
        self.rounds += 1
        if self.rounds > PATIENCE or (self.rounds > 1 and self._stuck(cohorts, loops)):
            cohort, loop = cohorts[0], loops[0]
            name = cohort.domain.name(int(cohort.domain.actor.flat[0]))
            lanes = sum(c.domain.actor.size for c in cohorts)
            others = f" and {lanes - 1} other threads" if lanes > 1 else ""
            raise BarrierError(f"{name}{others} go round in a loop for what nobody is left to do\n{where(loop.op)}")

    def _stuck(self, cohorts: Sequence[Cohort], loops: Sequence[Jump]) -> bool:
        """Have they only asked since the round before, and hold what they held?"""
        if not all(_only_asks(loop.op) for loop in loops):
            return False
        before, self.held = self.held, tuple(_fingerprint(cohort) for cohort in cohorts)
        return before == self.held


def _fingerprint(cohort: Cohort) -> tuple[object, ...]:
    """What tells whether the lanes hold what they held."""
    return (cohort.at, cohort.domain.threads.tobytes(), *(_bits(value) for value in cohort.values))


def _bits(value: object) -> object:
    if isinstance(value, Registers):
        return tuple(_bits(cell) for cell in value.cells)
    return value.tobytes() if isinstance(value, np.ndarray | np.generic) else value
