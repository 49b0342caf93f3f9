"""By how much integers of a loop's body grow from a turn to the next, and which conditions hold as at the ends."""

from __future__ import annotations

from functools import singledispatchmethod

from xdsl.dialects import arith, gpu, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from tilewright.ir.core.facts import predicate_of
from tilewright.ir.core.ranges import constant_of

MOST_STEP = 1 << 20  # elements from a thread to the next
SIGNED = ("slt", "sle", "sgt", "sge")
_CASTS = (arith.IndexCastOp, arith.ExtSIOp)
TOTAL = (
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.CmpiOp, arith.SelectOp),
    *(arith.MinSIOp, arith.MaxSIOp, arith.ConstantOp, arith.ExtUIOp, arith.TruncIOp, *_CASTS),
    *(gpu.BlockIdOp, gpu.BlockDimOp, gpu.GridDimOp),
)
"""What may be worked out of any numbers."""


class Steps:
    """By how much integers of a loop's body grow from a turn to the next; None: nobody knows.

    `exact` are those that must not wrap between two turns, for that to be so of what is made of them.
    """

    def __init__(self, loop: scf.ForOp) -> None:
        self.loop, self.known = loop, dict[SSAValue, int | None]({loop.body.block.args[0]: 1})
        self.exact = dict[SSAValue, int]()

    def of(self, value: SSAValue) -> int | None:
        """That of a value, 0 of those from outside."""
        if value not in self.known:
            owner = value.owner
            inside = self.loop.is_ancestor(owner)
            made = self._made(owner) if inside and isinstance(owner, Operation) else None
            self.known[value] = made if inside else 0
        step = self.known[value]
        return step if step is None or abs(step) <= MOST_STEP else None

    def straight(self, value: SSAValue) -> int | None:
        """The same of one that is not to wrap."""
        step = self.of(value)
        if step and value is not self.loop.body.block.args[0]:
            self.exact[value] = step
        return step

    def _made(self, op: Operation) -> int | None:
        if not isinstance(op, TOTAL):
            return None
        steps = [self.of(x) for x in op.operands]
        if not any(steps) and None not in steps:
            return 0
        return None if None in steps else self._sum(op, [x or 0 for x in steps])

    @singledispatchmethod
    def _sum(self, op: Operation, steps: list[int]) -> int | None:
        if not isinstance(op, _CASTS):
            return None
        wider = _bits(op.results[0]) > _bits(op.operands[0])
        return self.straight(op.operands[0]) if wider else steps[0]

    @_sum.register
    def _(self, op: arith.AddiOp, steps: list[int]) -> int | None:
        return steps[0] + steps[1]

    @_sum.register
    def _(self, op: arith.SubiOp, steps: list[int]) -> int | None:
        return steps[0] - steps[1]

    @_sum.register
    def _(self, op: arith.MuliOp, steps: list[int]) -> int | None:
        scale = constant_of(op.rhs) if steps[0] else constant_of(op.lhs)
        return None if scale is None or all(steps) else (steps[0] or steps[1]) * scale

    def convex(self, condition: SSAValue) -> bool:
        """Does it hold between two turns at which it holds?"""
        op = condition.owner
        if self.of(condition) == 0:
            return True
        if isinstance(op, arith.AndIOp):
            return self.convex(op.lhs) and self.convex(op.rhs)
        if not isinstance(op, arith.CmpiOp) or not self._ordered(op):
            return False
        return self.straight(op.lhs) is not None and self.straight(op.rhs) is not None

    def _ordered(self, op: arith.CmpiOp) -> bool:
        most = constant_of(op.rhs)
        return predicate_of(op).name in SIGNED or (predicate_of(op).name == "ult" and most is not None and most >= 0)


def _bits(value: SSAValue) -> int:
    return value.type.width.data if isinstance(value.type, IntegerType) else 64
