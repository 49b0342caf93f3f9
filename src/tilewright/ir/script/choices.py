"""Branches that one expression says: `x if c else y`, `c and x`, `c or y`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.core.effects import is_pure, is_read, moved_to
from tilewright.ir.core.facts import BINARY_OF
from tilewright.ir.core.intervals import BITS
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.core.ranges import constant_of


def is_choice(op: Operation) -> bool:
    """Has the op one result, and on either side only what stands in an expression, on one what may not be done idly?"""
    if not isinstance(op, scf.IfOp) or len(op.output) != 1:
        return False
    blocks = [region.block for region in op.regions]
    return all(map(_is_expression, blocks)) and not all(map(is_harmless, blocks))


def _is_expression(block: Block) -> bool:
    return all(in_expression(inner) for inner in block.ops if not isinstance(inner, scf.YieldOp))


def is_harmless(block: Block) -> bool:
    """Can all its ops be executed where nobody asks for their results? Of two such sides `x if c else y` selects."""
    return all(is_pure(op) and not _partial(op) for op in block.ops if not isinstance(op, scf.YieldOp))


def _partial(op: Operation) -> bool:
    """Is the op undefined for some operands?"""
    if isinstance(op, LookupOp):
        return True
    row = BINARY_OF.get(type(op))
    if row is None or not row.partial:
        return False
    second, kind = constant_of(op.operands[1]), op.results[0].type
    return second is None or row.undefined(second, kind.width.data if isinstance(kind, IntegerType) else BITS)


def in_expression(op: Operation) -> bool:
    """Can the op stand where its value is used, in an expression at the end of its block?"""
    if is_read(op):
        return moved_to(op) is not None
    return is_pure(op) or (is_choice(op) and op.results[0].has_one_use())


def says_all(block: Block, condition: SSAValue, written: Callable[[Operation], bool]) -> bool:
    """Does the condition, written as one expression, do what all ops before the block's end do, in their order?

    `written`: can the op stand in an expression?
    """
    doing = [op for op in list(block.ops)[:-1] if not is_pure(op)]
    asked = [op for op in _evaluated(condition, block) if not is_pure(op)]
    return doing == asked and all(is_choice(op) if op.regions else written(op) for op in doing)


def _evaluated(value: SSAValue, block: Block) -> Iterator[Operation]:
    """The ops of the block that the text of a value asks for, in the order in which it does."""
    op = value.owner
    if isinstance(op, Operation) and op.parent is block:
        for operand in op.operands:
            yield from _evaluated(operand, block)
        yield op


def given(block: Block) -> Sequence[SSAValue]:
    """What a block of a branch or loop gives."""
    last = block.last_op
    return last.operands if isinstance(last, scf.YieldOp) else ()
