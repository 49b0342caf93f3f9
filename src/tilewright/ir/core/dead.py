"""What nobody uses: pure ops, loads, allocations without readers, loops and branches without effect."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.core.attributes import OFFSET
from tilewright.ir.core.effects import is_allocation, is_removable, is_store
from tilewright.ir.core.pool import pool_offset, size_in_bytes
from tilewright.ir.core.rewrite import erase
from tilewright.ir.core.walk import operations, ops_of

UNKNOWN = 1 << 31  # bytes of a buffer whose layout nobody asks here


def remove_dead(module: ModuleOp, faults: bool = True) -> bool:
    """Removes dead ops, users before what they use; were there any? Without `faults`, what may fail stays."""
    found = _block(module.body.block, faults)
    while faults and _never_read(module):
        found = True
        _block(module.body.block, faults)
    return found


def without_dead(module: ModuleOp) -> ModuleOp:
    """The module, or a copy without dead ops."""
    if not any(map(_dead, operations(module))):
        return module
    copy = module.clone()
    remove_dead(copy)
    return copy


def remove_unused(op: Operation) -> None:
    """Removes an op whose results nobody uses, if it may go, and what only it used."""
    if op.parent is None or _is_used(op) or not is_removable(op):
        return
    operands = [operand.owner for operand in op.operands]
    erase(op)
    for owner in operands:
        if isinstance(owner, Operation):
            remove_unused(owner)


def _is_used(op: Operation) -> bool:
    for result in op.results:  # noqa: SIM110 - `any` asks a generator for each, thousands of times
        if result.first_use:
            return True
    return False


def _block(block: Block, faults: bool) -> bool:
    found = False
    for op in reversed(ops_of(block)):
        for region in op.regions:
            for inner in region.blocks:
                found = _block(inner, faults) or found
        if op is not block.last_op and not _is_used(op) and is_removable(op, faults):
            erase(op)
            found = True
    return found


def _never_read(module: ModuleOp) -> bool:
    """Removes the stores into memory that nothing reads; were there any?"""
    users = [user for op in operations(module) if _is_alone(op) for user in _only_stores(op.results[0])]
    for user in users:
        erase(user)
    return bool(users)


def _is_alone(op: Operation) -> bool:
    """Does it allocate memory that no other op does? In the pool buffers may share their bytes."""
    return is_allocation(op) and not (OFFSET in op.attributes and _shares(op))


def _shares(op: Operation) -> bool:
    """Does an allocation in the pool share bytes with another one that has users?"""
    around: Operation = op
    while (parent := around.parent_op()) is not None:
        around = parent
    first, last = _bytes(op)
    others = (_bytes(one) for one in around.walk() if OFFSET in one.attributes and one is not op and _is_used(one))
    return any(start < last and first < end for start, end in others)


def _bytes(op: Operation) -> tuple[int, int]:
    start, kind = pool_offset(op) or 0, op.results[0].type
    return start, start + (size_in_bytes(kind) if isinstance(kind, MemRefType) else UNKNOWN)


def _only_stores(memory: SSAValue) -> list[Operation]:
    """The stores into memory that nothing reads: nobody outside can see an allocation."""
    users = [use.operation for use in memory.uses]
    return users if all(is_store(user) and user.operands[0] is not memory for user in users) else []


def _dead(op: Operation) -> bool:
    if op.parent is None or op is op.parent.last_op:
        return False
    unused = not _is_used(op) and is_removable(op)
    return unused or (_is_alone(op) and bool(_only_stores(op.results[0])))
