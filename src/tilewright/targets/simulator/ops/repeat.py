"""The handler of `scf.while`: lanes leave at different times, and go on together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.dialects import scf
from xdsl.ir import Operation

from tilewright.errors import SimulationError
from tilewright.ir.core.effects import is_pure, is_read
from tilewright.targets.launch import where
from tilewright.targets.simulator.ops.control import both, joined, move, slots, yielded
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step, run

TURN = 128  # steps that a turn costs beside its ops: nobody knows how many there will be


@dataclass(frozen=True)
class WhileStep:
    """The step of an `scf.while`. `idle`: a turn changes nothing, so that who begins a second one never leaves."""

    op: scf.WhileOp
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    initial: list[int]
    carried: list[int]
    condition: int
    passed: list[int]
    taken: list[int]
    yielded: list[int]
    results: list[int]
    idle: bool

    def __call__(self, frame: Frame) -> None:
        """Turns, until no lane goes on; a lane that has left keeps its values."""
        values, domain, outer = frame.values, frame.domain, frame.mask
        move(values, self.initial, self.carried)
        turns = 0
        while True:
            run(self.before, frame)
            self.keep(frame, self.passed, self.results, first=turns == 0)
            going = domain.decide(frame.operand(self.condition))
            if np.ndim(going) == 0:
                if not going:
                    break
            else:
                active = both(going, frame.mask, domain.shape)
                if not active.any():
                    break
                frame.mask = active
            if self.idle and turns:
                raise SimulationError(f"this loop never ends: nothing in it changes what it asks for\n{where(self.op)}")
            domain.burn(TURN + len(self.before) + len(self.after), self.op)
            move(values, self.passed, self.taken)
            run(self.after, frame)
            self.keep(frame, self.yielded, self.carried, first=False)
            turns += 1
        frame.mask = outer

    def keep(self, frame: Frame, new: list[int], old: list[int], first: bool) -> None:
        """The active lanes take new values."""
        values, mask = frame.values, frame.mask
        if mask is None or first:
            move(values, new, old)
            return
        found = joined(frame.domain, mask, frame.operands(new), frame.operands(old))
        for slot, value in zip(old, found, strict=True):
            values[slot] = value


def _while(compiler: Compiler, op: scf.WhileOp) -> Step:
    before, after = op.before_region.block, op.after_region.block
    last = before.last_op
    assert isinstance(last, scf.ConditionOp), "verified"
    return WhileStep(
        op,
        compiler.block(before),
        compiler.block(after),
        slots(compiler, op.arguments),
        slots(compiler, before.args),
        compiler.slot(last.condition),
        slots(compiler, last.args),
        slots(compiler, after.args),
        yielded(compiler, after),
        slots(compiler, op.res),
        idle(op),
    )


def idle(op: scf.WhileOp) -> bool:
    """Does a turn of the loop change nothing that it could ask for?"""
    return not op.arguments and all(is_pure(inner) or is_read(inner) or inner.regions for inner in op.walk())


def _nothing(compiler: Compiler, op: Operation) -> None:
    return None


REPEAT_HANDLERS: Mapping[type[Operation], Handler] = {scf.WhileOp: _while, scf.ConditionOp: _nothing}
