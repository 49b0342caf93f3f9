"""Bounded turns: what a block may do is counted, by loops, before they do it, so that no kernel runs for ever.

A loop whose turns are few counts as so many ops where it stands; others ask before they begin, and those that nobody
knows the end of, before each turn.
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.attributes import TRAP
from tilewright.ir.core.ranges import TightRanges, constant_of
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.host.lane_code import Code
from tilewright.targets.launch import kernel_of

OPS = 1 << 14  # of one thread, in a step
FEW = 1 << 16  # ops that a loop does without being asked


def bound_turns(module: ModuleOp, steps: int) -> None:
    """Changes a kernel whose threads are loops: a block that would do more than so many steps fails an assertion."""
    body = kernel_of(module).body.block
    if any(isinstance(op, scf.ForOp | scf.WhileOp) for op in body.walk()):
        _Meter(body, steps).block(body)


class _Meter:
    """Counts ops of a function, and puts in what counts them when it runs; `left` is where that is kept."""

    def __init__(self, body: Block, steps: int) -> None:
        kind = MemRefType(i64, [1], memory_space=StringAttr(LOCAL))
        made = memref.AllocaOp(operands=[[], []], result_types=[kind])
        made.memref.name_hint = "left"
        self.left, self.steps, self.ranges = made.memref, steps, TightRanges()
        code = Code(Builder(InsertPoint.at_start(body)))
        code.builder.insert(made)
        code.store(code.number(min(steps * OPS, (1 << 63) - 1), i64), self.left, 0)

    def block(self, block: Block) -> int:
        """The ops of a block, those of its large loops left out."""
        return sum(map(self.op, list(block.ops)))

    def op(self, op: Operation) -> int:
        """The ops that an op is."""
        inner = sum(self.block(block) for region in op.regions for block in region.blocks)
        if isinstance(op, scf.WhileOp):
            block = op.after_region.block
            self.ask(Code(Builder(InsertPoint.at_start(block))), None, inner, op)
            return 1
        if not isinstance(op, scf.ForOp):
            return 1 + inner
        most = self.most(op)
        if most is not None and most * inner <= FEW:
            return 1 + most * inner
        code = Code.before(op)
        self.ask(code, self.turns(code, op), inner, op)
        return 1

    def most(self, op: scf.ForOp) -> int | None:
        """The most turns that a loop can have."""
        (low, _), (_, high), step = self.ranges.of(op.lb), self.ranges.of(op.ub), constant_of(op.step)
        return None if low is None or high is None or not step else max(0, -(-(high - low) // step))

    def turns(self, code: Code, op: scf.ForOp) -> SSAValue:
        """How many turns a loop has, or one more; a number without sign."""
        low, high, step = (code.cast(arith.IndexCastOp, bound, i64) for bound in (op.lb, op.ub, op.step))
        zero, one = code.number(0, i64), code.number(1, i64)
        span = code.choose(code.compare("sgt", high, low), code.op(arith.SubiOp, high, low), zero)
        if constant_of(op.step) == 1:
            return span
        by = code.choose(code.compare("sgt", step, zero), step, one)
        return code.op(arith.AddiOp, code.op(arith.DivUIOp, span, by), one)

    def ask(self, code: Code, turns: SSAValue | None, ops: int, of: Operation) -> None:
        """So many turns of so many ops are about to be done, on behalf of a loop; None: one."""
        left, cost = code.load(self.left, 0), code.number(ops + 1, i64)
        if turns is None:
            claim = code.compare("sle", cost, left)
        else:
            claim = code.compare("ule", turns, code.op(arith.DivUIOp, left, cost))
            cost = code.op(arith.MuliOp, turns, cost)
        text = f"its block takes more than {self.steps} steps, each of {OPS} ops of a thread"
        made = AssertOp(claim, f"{text}; raise the limit with steps=... if it is to take as many")
        made.attributes[TRAP] = UnitAttr()
        made.location = next((inner.location for inner in of.walk() if inner.location), of.location)
        code.builder.insert(made)
        code.store(code.op(arith.SubiOp, left, cost), self.left, 0)
