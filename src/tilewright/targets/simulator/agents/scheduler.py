"""Who runs next: cohorts in the order of the kernel's text, so that those behind catch up with those ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tilewright.errors import BarrierError
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.cohort import Cohort
from tilewright.targets.simulator.agents.flow import Branch, Instruction, Jump, Meet
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Value
from tilewright.targets.simulator.program import run


def execute(code: Sequence[Instruction], lanes: Lockstep, values: list[Value]) -> None:
    """Runs the lanes, which hold these values, from the first instruction to behind the last.

    Raises:
        BarrierError: lanes wait for what nobody is left to do.
    """
    scheduler = Scheduler(code, [Cohort(0, values, lanes)])
    while scheduler.cohorts:
        scheduler.turn()


@dataclass(eq=False)
class Scheduler:
    """The cohorts of some blocks; each lane is in one of them until it ends."""

    code: Sequence[Instruction]
    cohorts: list[Cohort] = field(default_factory=list)

    def turn(self) -> None:
        """The lanes that are furthest behind go on until they part, wait, end, or reach others."""
        self._wake()
        able = [cohort for cohort in self.cohorts if cohort.waiting is None]
        if not able:
            raise BarrierError(_stuck(self.cohorts[0], self.code))
        first = min(cohort.at for cohort in able)
        chosen, *rest = _joined([cohort for cohort in able if cohort.at == first])
        ahead = [cohort for cohort in able if cohort.at > first]
        limit = min((cohort.at for cohort in (*rest, *ahead)), default=len(self.code))
        waiting = [cohort for cohort in self.cohorts if cohort.waiting is not None]
        self.cohorts = [*rest, *ahead, *waiting, *self._go(chosen, limit)]

    def _wake(self) -> None:
        """Lets go on who waits for nothing more."""
        awake = []
        for cohort in self.cohorts:
            flags = None if cohort.waiting is None else cohort.waiting.ready(cohort.frame)
            parts = [(True, cohort)] if flags is None else cohort.parts(flags)
            for ready, part in parts:
                if ready and part.waiting is not None:
                    part.at, part.waiting = part.at + 1, None
                awake.append(part)
        self.cohorts = awake

    def _go(self, cohort: Cohort, limit: int) -> list[Cohort]:
        """The cohort after its turn, or what became of it: nothing where it ended."""
        while True:
            instruction = self.code[cohort.at]
            if isinstance(instruction, Branch):
                holds = np.asarray(cohort.frame.number(instruction.condition))
                parts = [(bool(holds), cohort)] if holds.ndim == 0 else list(cohort.parts(holds))
                for flag, part in parts:
                    part.at = part.at + 1 if flag else instruction.otherwise
                if len(parts) > 1:
                    return [part for _, part in parts if part.at < len(self.code)]
                ((_, cohort),) = parts
            elif isinstance(instruction, Jump):
                cohort.domain.burn(instruction.work, instruction.op)
                cohort.at = instruction.target
            elif isinstance(instruction, Meet):
                cohort.waiting = instruction.come(cohort.frame)
                if cohort.waiting is not None:
                    return [cohort]
                cohort.at += 1
            else:
                run(instruction.steps, cohort.frame)
                cohort.at += 1
            if cohort.at >= len(self.code):
                return []
            if cohort.at >= limit:
                return [cohort]


def _joined(cohorts: list[Cohort]) -> list[Cohort]:
    """The same lanes in fewer cohorts."""
    joined: list[Cohort] = []
    for cohort in cohorts:
        for i, other in enumerate(joined):
            both = other.joined(cohort)
            if both is not None:
                joined[i] = both
                break
        else:
            joined.append(cohort)
    return joined


def _stuck(cohort: Cohort, code: Sequence[Instruction]) -> str:
    instruction = code[cohort.at]
    assert cohort.waiting is not None, "only who waits is stuck"
    assert isinstance(instruction, Meet), "lanes wait where they meet"
    name = cohort.domain.name(int(cohort.domain.actor.flat[0]))
    return f"{name} waits {cohort.waiting.reason(cohort.frame)}\n{where(instruction.op)}"
