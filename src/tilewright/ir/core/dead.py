"""What nobody uses: pure ops, loads, allocations without readers, loops and branches without effect."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.core.effects import is_allocation, is_removable, is_store
from tilewright.ir.core.rewrite import erase
from tilewright.ir.core.walk import operations


def remove_dead(module: ModuleOp) -> bool:
    """Removes dead ops, users before what they use; were there any?"""
    found = [_never_read(op.results[0]) for op in operations(module) if is_allocation(op)]
    return _block(module.body.block) or any(found)


def remove_unused(op: Operation) -> None:
    """Removes an op whose results nobody uses, if it may go, and what only it used."""
    if op.parent is None or any(result.first_use for result in op.results) or not is_removable(op):
        return
    operands = [operand.owner for operand in op.operands]
    erase(op)
    for owner in operands:
        if isinstance(owner, Operation):
            remove_unused(owner)


def _block(block: Block) -> bool:
    found = False
    for op in reversed(list(block.ops)):
        for region in op.regions:
            for inner in region.blocks:
                found = _block(inner) or found
        if op is not block.last_op and not any(result.first_use for result in op.results) and is_removable(op):
            erase(op)
            found = True
    return found


def _never_read(memory: SSAValue) -> bool:
    # Stores into memory that nothing reads: nobody outside can see an allocation.
    users = [use.operation for use in memory.uses]
    if not all(is_store(user) and user.operands[0] is not memory for user in users):
        return False
    for user in users:
        erase(user)
    return bool(users)
