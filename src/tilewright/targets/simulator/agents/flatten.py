"""From a kernel that can wait to a list of instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from tilewright.errors import SimulationError
from tilewright.ir.core.walk import only, operations
from tilewright.ir.tile.polling import polls
from tilewright.ir.tile.tmem import TmemAllocOp
from tilewright.ir.tile.together import BarOp, SyncOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.flow import Branch, Instruction, Jump, Meet, Run, Waiting
from tilewright.targets.simulator.agents.gathering import GATHERED, gather, gather_warps, of_warps
from tilewright.targets.simulator.agents.pairs import is_paired, pair
from tilewright.targets.simulator.agents.waits import RESUMED, WAITS
from tilewright.targets.simulator.observers.watch import Watch, watched_code
from tilewright.targets.simulator.ops.control import moves, slots, yielded
from tilewright.targets.simulator.ops.repeat import TURN
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Program, Step

_APART: tuple[type[Operation], ...] = (*WAITS, *GATHERED)


def can_wait(func: FuncOp) -> bool:
    """May lanes of the kernel have to be resumed at different places?"""
    ops = operations(func)
    return any(op.scope.data == "cluster" for op in only(ops, SyncOp)) or _is_apart(ops, RESUMED)


def _is_apart(ops: Sequence[Operation], kinds: Sequence[type[Operation]]) -> bool:
    """Is one of these ops of such a kind, or does it wait for what others do?"""
    waits = any(map(polls, only(ops, scf.WhileOp))) or any(map(is_paired, only(ops, TmemAllocOp)))
    return waits or bool(only(ops, *kinds))


class Compiled(NamedTuple):
    """A kernel ready to run: by the steps of its program, or where lanes run apart by instructions."""

    program: Program
    code: tuple[Instruction, ...] = ()
    watched: bool = False


def flatten(func: FuncOp, handlers: Mapping[type[Operation], Handler], watch: Watch | None = None) -> Compiled:
    """A kernel whose lanes run apart: a program without steps, and the instructions in their place.

    Raises:
        CompileError: an op without a handler, or one that its handler refuses.
    """
    flat = Flat(Compiler(handlers))
    flat.block(func.body.block)
    code = tuple(flat.code) if watch is None else watched_code(flat.code, flat.compiler, watch)
    return Compiled(flat.compiler.program(func, ()), code)


@dataclass
class Flat:
    """The instructions so far."""

    compiler: Compiler
    code: list[Instruction] = field(default_factory=list)

    def block(self, block: Block) -> None:
        """Adds those of a block."""
        for op in block.ops:
            inner = operations(op)
            if not _is_apart(inner, _APART):
                if any(map(of_warps, inner)):
                    self.gathered(op, gather_warps)
                self.step(op)
            elif is_paired(op):
                self.gathered(op, gather_warps)
                self.gathered(op, pair)
                self.step(op)
            elif isinstance(op, GATHERED):
                self.gathered(op, gather)
                self.step(op)
            elif type(op) in WAITS:
                if of_warps(op):
                    self.gathered(op, gather_warps)
                number = self.compiler.slot(op.barrier) if isinstance(op, BarOp) else None
                self.code.append(Meet(op, WAITS[type(op)](self.compiler, op), number))
            else:
                _PARTS[type(op)](self, op)

    def gathered(self, op: Any, gather: Callable[[Any, Frame], Waiting | None]) -> None:
        """Lanes wait for each other before the op."""
        self.code.append(Meet(op, partial(gather, op), before=True))

    def step(self, op: Operation) -> None:
        """Adds that of an op, if it has one."""
        step = self.compiler.step(op)
        self.steps([] if step is None else [step])

    def steps(self, steps: Iterable[Step]) -> None:
        """Adds steps."""
        self.code.append(Run(tuple(steps)))

    def hole(self, op: Operation) -> int:
        """A place whose instruction is not known yet."""
        self.code.append(Jump(op, -1))
        return len(self.code) - 1


def _if(flat: Flat, op: scf.IfOp) -> None:
    condition, results = flat.compiler.slot(op.cond), slots(flat.compiler, op.output)
    branch, holes = flat.hole(op), list[int]()
    for region in op.regions:
        if region.blocks:
            flat.block(region.block)
            flat.steps([moves(yielded(flat.compiler, region.block), results)])
        holes.append(flat.hole(op))
    over, end = holes
    flat.code[branch] = Branch(condition, over + 1)
    flat.code[over] = flat.code[end] = Jump(op, len(flat.code))


def _for(flat: Flat, op: scf.ForOp) -> None:
    compiler = flat.compiler
    low, high, by = slots(compiler, (op.lb, op.ub, op.step))
    induction, *carried = slots(compiler, op.body.block.args)
    going = compiler.slot_of_its_own()

    def start(frame: Frame) -> None:
        step = frame.number(by)
        if np.any(np.asarray(step) <= 0):
            raise SimulationError(f"the step of a loop must be positive, got {np.min(step)}\n{where(op)}")
        frame.values[induction] = frame.values[low]

    def test(frame: Frame) -> None:
        frame.values[going] = frame.number(induction) < frame.number(high)

    def advance(frame: Frame) -> None:
        frame.values[induction] = frame.number(induction) + frame.number(by)

    flat.steps([start, moves(slots(compiler, op.iter_args), carried)])
    head = len(flat.code)
    flat.steps([test])
    branch = flat.hole(op)
    flat.block(op.body.block)
    flat.steps([moves(yielded(compiler, op.body.block), carried), advance])
    flat.code.append(Jump(op, head, len(flat.code) - head, counter=induction))
    flat.code[branch] = Branch(going, len(flat.code))
    flat.steps([moves(carried, slots(compiler, op.res))])


def _while(flat: Flat, op: scf.WhileOp) -> None:
    compiler, before, after = flat.compiler, op.before_region.block, op.after_region.block
    last = before.last_op
    assert isinstance(last, scf.ConditionOp), "verified"
    carried, passed = slots(compiler, before.args), slots(compiler, last.args)
    flat.steps([moves(slots(compiler, op.arguments), carried)])
    head = len(flat.code)
    flat.block(before)
    branch = flat.hole(op)
    flat.steps([moves(passed, slots(compiler, after.args))])
    flat.block(after)
    flat.steps([moves(yielded(compiler, after), carried)])
    flat.code.append(Jump(op, head, TURN + len(flat.code) - head, polls(op)))
    flat.code[branch] = Branch(compiler.slot(last.condition), len(flat.code))
    flat.steps([moves(passed, slots(compiler, op.res))])


_PARTS: dict[type[Operation], Callable[[Flat, Any], None]] = {
    scf.IfOp: _if,
    scf.ForOp: _for,
    scf.WhileOp: _while,
}
