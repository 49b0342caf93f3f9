"""Handlers of `scf` and of assertions: where lanes disagree, a mask says which are active."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.core.bounds import claim_of
from tilewright.targets.launch import where
from tilewright.targets.simulator.memory.access import Array, Compound, Mask, Number, Operand, Value, select
from tilewright.targets.simulator.ops.nests import Nest
from tilewright.targets.simulator.ops.turns import told
from tilewright.targets.simulator.program import Compiler, Domain, Frame, Handler, Step, run


@dataclass(frozen=True)
class LoopStep:
    """The step of an `scf.for`.

    `work` is how many ops an iteration takes at least. `trips` is known where the bounds are constants; then the loop
    around it, where there is one, has paid for its steps.
    """

    op: scf.ForOp
    bounds: tuple[int, ...]
    induction: int
    body: tuple[Step, ...]
    initial: list[int]
    carried: list[int]
    yielded: list[int]
    results: list[int]
    work: int
    trips: int | None
    paid: bool = False
    nest: Callable[[Frame], bool] | None = None

    def __call__(self, frame: Frame) -> None:
        """Counts for all lanes at once where they agree on the bounds."""
        values, domain = frame.values, frame.domain
        low, high, by = (domain.decide(frame.operand(slot)) for slot in self.bounds)
        if np.any(np.asarray(by) <= 0):
            raise SimulationError(f"the step of a loop must be positive, got {np.min(by)}\n{where(self.op)}")
        move(values, self.initial, self.carried)
        if all(type(bound) is int for bound in (low, high, by)):
            self.count(frame, range(low, high, by))
        else:
            self.diverge(frame, low, high, by)
        move(values, self.carried, self.results)

    def count(self, frame: Frame, trips: range) -> None:
        """All lanes together."""
        if not self.paid:
            frame.domain.burn(len(trips) * self.work, self.op)
        frame.domain.repeat(self, frame, trips)

    def turn(self, frame: Frame, counter: Operand) -> None:
        """One turn of all lanes."""
        frame.values[self.induction] = counter
        try:
            run(self.body, frame)
        except SimulationError as error:
            told(error, self.op, counter, frame)
            raise
        move(frame.values, self.yielded, self.carried)

    def diverge(self, frame: Frame, low: Number, high: Number, by: Number) -> None:
        """Each lane counts for itself; a lane that is done keeps its values."""
        values, domain, outer = frame.values, frame.domain, frame.mask
        counter = np.broadcast_to(low, domain.shape)
        while (active := both(counter < high, outer, domain.shape)).any():
            domain.burn(self.work, self.op)
            frame.mask, values[self.induction] = active, counter
            try:
                run(self.body, frame)
            except SimulationError as error:
                told(error, self.op, counter, frame)
                raise
            found = joined(domain, active, frame.operands(self.yielded), frame.operands(self.carried))
            for slot, value in zip(self.carried, found, strict=True):
                values[slot] = value
            counter = counter + by
        frame.mask = outer


def _for(compiler: Compiler, op: scf.ForOp) -> Step:
    if not isinstance(op.lb.type, IndexType):
        raise CompileError(f"the simulator counts loops in index, not {op.lb.type}\n{where(op)}")
    induction, *carried = slots(compiler, op.body.block.args)
    bounds = tuple(slots(compiler, (op.lb, op.ub, op.step)))
    body = tuple(map(_paid, compiler.block(op.body.block)))
    inner = (step.trips * step.work for step in body if isinstance(step, LoopStep) and step.trips is not None)
    made = LoopStep(
        op,
        bounds,
        induction,
        body,
        slots(compiler, op.iter_args),
        carried,
        yielded(compiler, op.body.block),
        slots(compiler, op.res),
        1 + len(body) + sum(inner),
        _trips(*(compiler.constants[slot] for slot in bounds)),
    )
    return replace(made, nest=Nest.of(op, made))


def _paid(step: Step) -> Step:
    """A step of a loop's body: a loop of known trips is paid for by the loop around it."""
    return replace(step, paid=True) if isinstance(step, LoopStep) and step.trips is not None else step


def _trips(low: object, high: object, by: object) -> int | None:
    if not (isinstance(low, int) and isinstance(high, int) and isinstance(by, int)) or by <= 0:
        return None
    return len(range(low, high, by))


def _if(compiler: Compiler, op: scf.IfOp) -> Step:
    condition, results = compiler.slot(op.cond), slots(compiler, op.output)
    branches = [(compiler.block(r.block), yielded(compiler, r.block)) if r.blocks else ((), []) for r in op.regions]

    def step(frame: Frame) -> None:
        values, outer = frame.values, frame.mask
        chosen = frame.domain.decide(frame.operand(condition))
        if np.ndim(chosen) == 0:
            body, yielded = branches[0 if chosen else 1]
            run(body, frame)
            move(values, yielded, results)
            return
        merged: list[Operand] = []
        for (body, yielded), lanes in zip(branches, (chosen, ~chosen), strict=True):
            mask = both(lanes, outer, frame.domain.shape)
            if mask.any():
                frame.mask = mask
                run(body, frame)
                found = frame.operands(yielded)
                merged = joined(frame.domain, mask, found, merged) if merged else found
        frame.mask = outer
        for slot, value in zip(results, merged, strict=True):
            values[slot] = value

    return step


def _assert(compiler: Compiler, op: AssertOp) -> Step:
    claim = claim_of(op)
    value, low, high = compiler.slot(claim.value), claim.low, claim.high

    def step(frame: Frame) -> None:
        found = frame.domain.outside(frame.operand(value), low, high, frame.mask)
        if found is not None:
            raise claim.error(*found, where(op))

    return step


def joined(domain: Domain, mask: Array, new: Sequence[Operand], old: Sequence[Operand]) -> list[Operand]:
    """The new values at the lanes of the mask, at others the old ones."""
    return [cast("Operand", _chosen(domain, mask, *pair)) for pair in zip(new, old, strict=True)]


def _chosen(domain: Domain, mask: Number, new: Value, old: Value) -> Value:
    if isinstance(new, Compound) and isinstance(old, Compound):
        return new.with_(old, lambda a, b: _chosen(domain, mask, a, b))
    if new is old:
        return new
    return domain.apply(select, mask, cast("Operand", new), cast("Operand", old))


def both(lanes: Number, outer: Mask, shape: tuple[int, int]) -> Array:
    """The active ones of the lanes."""
    full = np.broadcast_to(lanes, shape)
    return full if outer is None else full & outer


def move(values: list[Value], sources: list[int], targets: list[int]) -> None:
    """Puts values into other slots, all at once."""
    for target, value in zip(targets, [values[slot] for slot in sources], strict=True):
        values[target] = value


def moves(sources: list[int], targets: list[int]) -> Step:
    """The step that puts values into other slots, all at once."""
    return lambda frame: move(frame.values, sources, targets)


def slots(compiler: Compiler, values: Iterable[SSAValue]) -> list[int]:
    """The slots of values."""
    return [compiler.slot(value) for value in values]


def yielded(compiler: Compiler, block: Block) -> list[int]:
    """The slots of what a block gives."""
    last = block.last_op
    return slots(compiler, last.operands) if isinstance(last, scf.YieldOp) else []


CONTROL_HANDLERS: dict[type[Operation], Handler] = {
    AssertOp: _assert,
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.YieldOp: lambda compiler, op: None,
}
