"""Loops and branches that carry more values than before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.builder import Builder
from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.rewrite import erase

Rewrite = Callable[[Block, Sequence[SSAValue]], Sequence[SSAValue]]
CARRIERS = (scf.ForOp, scf.IfOp, scf.WhileOp)


def carry(op: Operation, values: Sequence[SSAValue], rewrite: Rewrite) -> list[SSAValue]:
    """What the values become by an `scf.for`, `scf.if` or `scf.while`, which is replaced by one that carries them too.

    Args:
        rewrite: changes a block, given what the values are where it begins; what they are where it ends. A branch that
            is missing leaves them as they are.
    """
    given = values if isinstance(op, scf.ForOp | scf.WhileOp) else ()
    if not values:
        for region in op.regions:
            for block in region.blocks:
                rewrite(block, ())
        return []
    for region in op.regions:
        _carried(_block_of(region), values, given, rewrite)
    made = type(op).create(
        operands=[*op.operands, *given],
        result_types=[*op.result_types, *(value.type for value in values)],
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(region) for region in list(op.regions)],
    )
    made.location = op.location
    Builder(InsertPoint.before(op)).insert(made)
    for old, new in zip(op.results, made.results, strict=False):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    erase(op)
    return list(made.results[-len(values) :])


def _block_of(region: Region) -> Block:
    if not region.blocks:
        region.add_block(Block([scf.YieldOp()]))
    return region.block


def _carried(block: Block, values: Sequence[SSAValue], given: Sequence[SSAValue], rewrite: Rewrite) -> None:
    inside = [block.insert_arg(value.type, len(block.args)) for value in given] or values
    after = rewrite(block, inside)
    last = block.last_op
    assert last is not None, "a block of scf ends with what it gives"
    last.operands = [*last.operands, *after]
