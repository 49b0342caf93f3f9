"""Which numbers of a kernel are the same whenever lanes come by with the same counters of the same loops."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.core.ranges import constant_of
from tilewright.targets.simulator.program import Compiler


def steady(compiler: Compiler, op: Operation) -> tuple[int, ...] | None:
    """The slots of the counters that the op's result depends on, if those, the lane and arguments are all there is.

    None where there is more, or where lanes never come by again with the same counters.
    """
    found = [_counters(compiler, operand) for operand in op.operands]
    if None in found:
        return None
    counters = frozenset[int]().union(*(part for part in found if part is not None))
    compiler.steady[op.results[0]] = counters
    return tuple(sorted(counters)) if _comes_back(compiler, op, counters) else None


def constant_lanes(compiler: Compiler, result: SSAValue) -> None:
    """Notes that a number never changes."""
    compiler.steady[result] = frozenset()


def _counters(compiler: Compiler, value: SSAValue) -> frozenset[int] | None:
    if isinstance(value, BlockArgument):
        parent = value.block.parent_op()
        if isinstance(parent, scf.ForOp):
            return frozenset({compiler.slot(value)}) if value.index == 0 else None
        return frozenset() if isinstance(parent, FuncOp) else None
    return frozenset() if constant_of(value) is not None else compiler.steady.get(value)


def _comes_back(compiler: Compiler, op: Operation, counters: frozenset[int]) -> bool:
    """Is there a loop around it that turns while the counters stay?"""
    around = op.parent_op()
    while around is not None:
        counts = isinstance(around, scf.ForOp) and compiler.slot(around.body.block.args[0]) in counters
        if isinstance(around, scf.ForOp | scf.WhileOp) and not counts:
            return True
        around = around.parent_op()
    return False
