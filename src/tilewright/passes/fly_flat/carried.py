"""Numbers that a branch or loop carries, and leaves as they are: nobody carries them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.rewrite import erase


def drop_unchanged(func: Operation) -> None:
    """Removes what `scf.if` gives alike both ways, and what an `scf.for` gives back as it was; the inner ones first."""
    for op in reversed(list(func.walk())):
        if isinstance(op, scf.IfOp) and op.results and op.false_region.blocks:
            _branch(op)
        elif isinstance(op, scf.ForOp) and op.results:
            _loop(op)


def _branch(op: scf.IfOp) -> None:
    yes, no = (region.block.last_op for region in op.regions)
    assert yes is not None
    assert no is not None
    same = [i for i, (a, b) in enumerate(zip(yes.operands, no.operands, strict=True)) if a is b]
    for i in same:
        op.results[i].replace_all_uses_with(yes.operands[i])
    _without(op, same, 0)


def _loop(op: scf.ForOp) -> None:
    block, last = op.body.block, op.body.block.last_op
    assert last is not None
    same = [i for i, value in enumerate(last.operands) if value is block.args[i + 1] or value is op.iter_args[i]]
    for i in same:
        op.results[i].replace_all_uses_with(op.iter_args[i])
        block.args[i + 1].replace_all_uses_with(op.iter_args[i])
    _without(op, same, len(op.operands) - len(op.results))


def _without(op: scf.IfOp | scf.ForOp, unused: Sequence[int], given: int) -> None:
    """The op without these of its results, and what they come of; of a loop also the operands behind so many."""
    if not unused:
        return
    for region in op.regions:
        last = region.block.last_op
        assert last is not None
        last.operands = _kept(last.operands, unused)
        if isinstance(op, scf.ForOp):
            for i in reversed(unused):
                region.block.erase_arg(region.block.args[i + 1])
    operands = op.operands if isinstance(op, scf.IfOp) else [*op.operands[:given], *_kept(op.operands[given:], unused)]
    made = type(op).create(
        operands=operands,
        result_types=[result.type for result in _kept(op.results, unused)],
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(region) for region in list(op.regions)],
    )
    made.location = op.location
    Builder(InsertPoint.before(op)).insert(made)
    for old, new in zip(_kept(op.results, unused), made.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    erase(op)


def _kept(values: Sequence[SSAValue], unused: Sequence[int]) -> list[SSAValue]:
    return [value for i, value in enumerate(values) if i not in unused]
