"""Who runs next: cohorts in the order of the kernel's text, so that those behind catch up with those ahead.

Where the order is random, warps go by themselves: one of them is drawn, and its lanes go on for some instructions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from xdsl.dialects import scf

from tilewright.errors import BarrierError, SimulationError
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.cohort import Cohort
from tilewright.targets.simulator.agents.flow import Branch, Instruction, Jump, Meet
from tilewright.targets.simulator.agents.gathering import ForWarp
from tilewright.targets.simulator.agents.order import Order
from tilewright.targets.simulator.agents.polls import Patience
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Value
from tilewright.targets.simulator.ops.turns import told
from tilewright.targets.simulator.program import run

MOST_SHOWN = 4  # places where lanes wait for ever
MOST_AT_ONCE = 16  # instructions of a turn, where the order is random


def execute(code: Sequence[Instruction], lanes: Lockstep, values: list[Value], together: int = 0) -> None:
    """Runs the lanes, which hold these values, from the first instruction to behind the last.

    Args:
        code: the instructions. lanes: all of some blocks. values: what they hold.
        together: how many warps stay together where the order is random; 0: all of a block.

    Raises:
        BarrierError: lanes wait for what nobody is left to do.
    """
    order = lanes.machine.order
    whole = Cohort(0, values, lanes)
    scheduler = Scheduler(code, list(_groups(whole, together, order)) if order.random else [whole], order)
    while scheduler.cohorts:
        scheduler.turn()


@dataclass(eq=False)
class Scheduler:
    """The cohorts of some blocks; each lane is in one of them until it ends."""

    code: Sequence[Instruction]
    cohorts: list[Cohort] = field(default_factory=list)
    order: Order = field(default_factory=Order)
    patience: Patience = field(default_factory=Patience)
    turns: int = 0

    def turn(self) -> None:
        """The lanes that are furthest behind go on until they part, wait, end, or reach others."""
        self._wake()
        self.turns += 1
        able = [cohort for cohort in self.cohorts if cohort.waiting is None]
        engine = self.cohorts[0].domain.machine.engine
        if not able and (engine.advance() or self._parted()):
            return
        if self.order.random and self.order.among(2):
            engine.advance()
        if not able:
            raise BarrierError("\n".join(_stuck(self.cohorts, self.code)))
        able = self._patient(able)
        group = able[self.order.among(len(able))].group
        mine = [cohort for cohort in able if cohort.group == group]
        first = min(cohort.at for cohort in mine)
        chosen, *rest = _joined([cohort for cohort in mine if cohort.at == first])
        ahead = [cohort for cohort in mine if cohort.at > first]
        limit = min((cohort.at for cohort in (*rest, *ahead)), default=len(self.code))
        if self.order.random:
            limit = min(limit, first + 1 + self.order.among(MOST_AT_ONCE))
        moving = {id(cohort) for cohort in mine}
        others = [cohort for cohort in self.cohorts if id(cohort) not in moving]
        self.cohorts = [*rest, *ahead, *others, *self._gone(chosen, limit)]

    def _gone(self, cohort: Cohort, limit: int) -> list[Cohort]:
        """As `_go`; what goes wrong says in which turns of the loops around."""
        try:
            return self._go(cohort, limit)
        except SimulationError as error:
            around = [one for at, one in enumerate(self.code) if isinstance(one, Jump) and one.target <= cohort.at < at]
            for loop in around:
                if loop.counter is not None and isinstance(loop.op, scf.ForOp):
                    told(error, loop.op, cohort.frame.operand(loop.counter), cohort.frame)
            raise

    def _patient(self, able: list[Cohort]) -> list[Cohort]:
        """Those who have not asked in vain; where all have, a new round begins."""
        fresh = [cohort for cohort in able if not cohort.polled]
        if fresh:
            return fresh
        if not able[0].domain.machine.engine.advance():
            vain = self.patience.lose(able, [self._loop(cohort) for cohort in able])
            if vain is not None and not self._parted():
                raise vain
        for cohort in able:
            cohort.polled = False
        return able

    def _parted(self) -> bool:
        """Of those who wait for the rest of their warp the first go on without it; are there any?"""
        waiting = [(cohort.since, cohort) for cohort in self.cohorts if isinstance(cohort.waiting, ForWarp)]
        first = min((since for since, _ in waiting), default=0)
        for cohort in (cohort for since, cohort in waiting if since == first):
            assert isinstance(cohort.waiting, ForWarp), "chosen above"
            cohort.waiting.leave(cohort.frame)
            cohort.at, cohort.waiting = cohort.at + 1, None
        return bool(waiting)

    def _loop(self, cohort: Cohort) -> Jump:
        """The innermost loop that the cohort, at its head, asks in."""
        found = [one for one in self.code if isinstance(one, Jump) and one.polls and one.target == cohort.at]
        return found[0]

    def _wake(self) -> None:
        """Lets go on who waits for nothing more."""
        awake = []
        for cohort in self.cohorts:
            flags = None if cohort.waiting is None else cohort.waiting.ready(cohort.frame)
            parts = [(True, cohort)] if flags is None else cohort.parts(flags)
            for ready, part in parts:
                if ready and part.waiting is not None:
                    part.waiting.over(part.frame)
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
                if instruction.polls:
                    cohort.polled = True
                    return [cohort]
            elif isinstance(instruction, Meet):
                alike = instruction.alike(cohort.frame)
                if alike is not None:
                    return [one for _, part in cohort.parts(alike) for one in self._go(part, limit)]
                cohort.waiting = instruction.come(cohort.frame)
                if cohort.waiting is not None:
                    cohort.since = self.turns
                    return [cohort]
                cohort.at += 1
            else:
                run(instruction.steps, cohort.frame)
                cohort.at += 1
            if cohort.at >= len(self.code):
                return []
            if cohort.at >= limit:
                return [cohort]


def _groups(whole: Cohort, together: int, order: Order) -> Iterator[Cohort]:
    """The lanes in groups that an order moves by themselves: so many warps of a half, or of one block, and the rest."""
    (rows, threads), machine = whole.domain.shape, whole.domain.machine
    width = together * machine.warp_size or threads
    cut = (rows // 2, 1, rows - 1)[order.among(3)]
    parts = [part for part in np.split(np.arange(rows), [cut]) if len(part)]
    corners = [(part, start) for part in parts for start in range(0, threads, width)]
    for number, (part, start) in enumerate(corners):
        yield replace(whole.part(part, np.arange(start, min(start + width, threads))), group=number)


def _joined(cohorts: list[Cohort]) -> list[Cohort]:
    """The same lanes in as few cohorts as joining pairs gives."""
    found = _paired(cohorts)
    while len(found) < len(cohorts):
        cohorts, found = found, _paired(found)
    return found


def _paired(cohorts: list[Cohort]) -> list[Cohort]:
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


def _stuck(cohorts: Sequence[Cohort], code: Sequence[Instruction]) -> list[str]:
    """Who waits for what, one of each place."""
    first = {cohort.at: cohort for cohort in reversed(cohorts)}
    return [_waits(first[at], code) for at in dict.fromkeys(cohort.at for cohort in cohorts)][:MOST_SHOWN]


def _waits(cohort: Cohort, code: Sequence[Instruction]) -> str:
    instruction = code[cohort.at]
    assert cohort.waiting is not None, "only who waits is stuck"
    assert isinstance(instruction, Meet), "lanes wait where they meet"
    name = cohort.domain.name(int(cohort.domain.actor.flat[0]))
    return f"{name} waits {cohort.waiting.reason(cohort.frame)}\n{where(instruction.op)}"
