"""Branches that one expression says: `x if c else y`, `c and x`, `c or y`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.core.effects import is_pure, is_read, moved_to


def is_choice(op: Operation) -> bool:
    """Has the op one result, and on either side only what stands in an expression?"""
    if not isinstance(op, scf.IfOp) or len(op.output) != 1:
        return False
    return all(in_expression(inner) for region in op.regions for inner in list(region.block.ops)[:-1])


def in_expression(op: Operation) -> bool:
    """Can the op stand where its value is used, in an expression at the end of its block?"""
    if is_read(op):
        return moved_to(op) is not None
    return is_pure(op) or (is_choice(op) and op.results[0].has_one_use())


def given(block: Block) -> Sequence[SSAValue]:
    """What a block of a branch or loop gives."""
    last = block.last_op
    return last.operands if isinstance(last, scf.YieldOp) else ()
