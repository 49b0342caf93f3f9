"""Loops of nothing but products of tiles: which registers each takes is worked out once, then all are one step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol, cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from tilewright.ir.core.effects import is_pure
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.core.walk import of_kinds
from tilewright.ir.tile.atoms import MmaAtomOp
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.ops.atoms import MmaStep
from tilewright.targets.simulator.program import Frame, Step


class Counted(Protocol):
    """A loop whose body is these steps."""

    @property
    def bounds(self) -> tuple[int, ...]:
        """The slots of its bounds."""

    @property
    def induction(self) -> int:
        """The slot of its counter."""

    @property
    def body(self) -> tuple[Step, ...]:
        """What a turn does."""


@dataclass(eq=False)
class Nest:
    """A loop, perhaps of loops, around one matrix instruction, whose registers depend on the counters alone."""

    loop: Counted
    step: MmaStep
    calls: tuple[tuple[int, ...], ...] = field(default=(), init=False)
    apart: bool = field(default=False, init=False)

    @staticmethod
    def of(op: scf.ForOp, loop: Counted) -> Nest | None:
        """The nest that the loop is; None where it is none."""
        products = of_kinds(op, MmaAtomOp)
        steps = list(_products(loop.body))
        if len(products) != 1 or len(steps) != 1 or not all(_plain(inner, op) for inner in op.walk()):
            return None
        return Nest(loop, steps[0])

    def __call__(self, frame: Frame) -> bool:
        """Does all of it at once; False, and nothing done, where that cannot be."""
        if not isinstance(frame.domain, Lockstep):
            return False
        if not self.calls:
            self.calls = tuple(self._calls(self.loop, frame))
            self.apart = _apart(self.calls, self.step)
        step = self.step
        held, *others = (fragment.held(frame) for fragment in (step.d, step.a, step.b))
        if not self.apart or held in others or (step.c is not None and step.c.held(frame) is not held):
            return False
        step.together(frame, self.calls)
        return True

    def _calls(self, loop: Counted, frame: Frame) -> Iterator[tuple[int, ...]]:
        """The registers of each product, in order: the counters run, the products do not."""
        for counter in range(*(cast("int", frame.values[slot]) for slot in loop.bounds)):
            frame.values[loop.induction] = counter
            for step in loop.body:
                if isinstance(step, MmaStep):
                    yield step.starts(frame)
                elif hasattr(step, "induction"):
                    yield from self._calls(cast("Counted", step), frame)
                else:
                    step(frame)


def _products(body: Sequence[Step]) -> Iterator[MmaStep]:
    for step in body:
        if isinstance(step, MmaStep):
            yield step
        elif hasattr(step, "induction"):
            yield from _products(cast("Counted", step).body)


def _plain(inner: Operation, nest: scf.ForOp) -> bool:
    """Is it part of a nest, and does it depend on counters and constants alone?"""
    if isinstance(inner, scf.ForOp):
        counts = all(constant_of(bound) is not None for bound in (inner.lb, inner.ub, inner.step))
        return counts and not inner.iter_args
    known = isinstance(inner, MmaAtomOp | scf.YieldOp | arith.ConstantOp)
    indices = [operand for operand in inner.operands if isinstance(operand.type, IndexType)]
    return (known or (is_pure(inner) and len(indices) == len(inner.operands))) and all(
        constant_of(index) is not None or _inside(index, nest) for index in indices
    )


def _inside(value: SSAValue, nest: scf.ForOp) -> bool:
    owner = value.owner
    return nest.is_ancestor(owner)


def _apart(calls: Sequence[tuple[int, ...]], step: MmaStep) -> bool:
    """Are the results of different products the same registers, or none the same; and is each added to its own?"""
    starts = sorted({call[0] for call in calls})
    own = step.c is None or all(call[0] == call[3] for call in calls)
    return own and all(b - a >= step.d.registers for a, b in pairwise(starts))
