"""Numbers that a `scf.while` counts up: where each starts, by how much it grows, and below what a turn is taken."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.ir import BlockArgument, SSAValue

from tilewright.ir.core.facts import predicate_of


class Counted(NamedTuple):
    """What an argument of a loop starts with, what is added in each turn, and below what it is within a turn."""

    start: SSAValue
    step: SSAValue
    stop: SSAValue | None


def counted(argument: BlockArgument) -> Counted | None:
    """The count that an argument of either block of a `scf.while` is, if it is one."""
    loop = argument.owner.parent_op()
    if not isinstance(loop, scf.WhileOp):
        return None
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = before.last_op, after.last_op
    if not isinstance(condition, scf.ConditionOp) or not isinstance(end, scf.YieldOp):
        return None
    position = argument.index
    if argument.owner is after:
        passed = condition.args[position]
        if not isinstance(passed, BlockArgument) or passed.owner is not before:
            return None
        position = passed.index
    counter, given = before.args[position], end.operands[position]
    step = _step(given.owner, condition, counter)
    if step is None:
        return None
    stop = _stop(condition.condition, counter) if argument.owner is after else None
    return Counted(loop.arguments[position], step, stop)


def _step(made: object, condition: scf.ConditionOp, counter: BlockArgument) -> SSAValue | None:
    """What the op adds to an argument of the turn that is the counter."""
    if not isinstance(made, arith.AddiOp):
        return None
    for one, other in ((made.lhs, made.rhs), (made.rhs, made.lhs)):
        if isinstance(one, BlockArgument) and one.owner is not counter.owner and one.index < len(condition.args):
            parent = one.owner.parent_op()
            if parent is condition.parent_op() and condition.args[one.index] is counter:
                return other
    return None


def _stop(condition: SSAValue, counter: SSAValue) -> SSAValue | None:
    """A value that the counter is below where the condition holds."""
    op = condition.owner
    if isinstance(op, arith.AndIOp):
        return _stop(op.lhs, counter) or _stop(op.rhs, counter)
    if isinstance(op, arith.CmpiOp) and predicate_of(op).name == "slt" and op.lhs is counter:
        return op.rhs
    return None
