"""What a value depends on: does it differ between the lanes of a warp, the warps of a block, the blocks of the grid?"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import arith, gpu, scf
from xdsl.dialects.builtin import MemRefType, StringAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.core.effects import is_read, is_store
from tilewright.ir.core.facts import predicate_of
from tilewright.ir.core.ranges import constant_of

WARP = 32
LANE_ID, WARP_ID, BLOCK_ID = "lane", "warp", "block"
LOCAL = "local"  # the memory space of registers


def depends_on(values: Iterable[SSAValue], lanes: int = WARP) -> frozenset[str]:
    """The subset of `lane`, `warp`, `block` by which any of the values may vary at one moment.

    An element that is loaded varies as its indices do; one of a register also as whatever is stored there, and where.
    """
    found: set[str] = set()
    waiting, seen = list(values), set[SSAValue]()
    while waiting:
        value = waiting.pop()
        if value not in seen:
            seen.add(value)
            own = _own(value, lanes)
            found |= own
            waiting += [] if own else _sources(value)
    return frozenset(found)


def behind(values: Iterable[SSAValue]) -> set[SSAValue]:
    """The values, and all that they are worked out from."""
    waiting, seen = list(values), set[SSAValue]()
    while waiting:
        value = waiting.pop()
        if value not in seen:
            seen.add(value)
            waiting += _sources(value)
    return seen


def reached_by(op: Operation, lanes: int = WARP) -> frozenset[str]:
    """What decides whether, and how often, the op is executed: the conditions and bounds around it."""
    return depends_on(_deciding(op), lanes)


def _deciding(op: Operation) -> list[SSAValue]:
    found: list[SSAValue] = []
    parent = op.parent_op()
    while parent is not None:
        found += parent.operands
        found += _conditions(parent)
        parent = parent.parent_op()
    return found


def _conditions(op: Operation) -> list[SSAValue]:
    """What a `scf.while` asks."""
    last = op.before_region.block.last_op if isinstance(op, scf.WhileOp) else None
    return list(last.operands) if last is not None else []


def _own(value: SSAValue, lanes: int) -> set[str]:
    op = value.owner
    if isinstance(op, gpu.BlockIdOp):
        return {BLOCK_ID}
    if isinstance(op, gpu.ThreadIdOp):
        return {LANE_ID, WARP_ID}
    if isinstance(op, arith.DivUIOp | arith.ShRUIOp | arith.RemUIOp | arith.AndIOp) and _is_thread_x(op.lhs):
        return _of_thread_x(op, lanes)
    if isinstance(op, arith.CmpiOp) and _is_thread_x(op.lhs) and _parts_warps(op, lanes):
        return {WARP_ID}
    return set()


def _of_thread_x(op: arith.DivUIOp | arith.ShRUIOp | arith.RemUIOp | arith.AndIOp, lanes: int) -> set[str]:
    c = constant_of(op.rhs)
    if c is None or c < 1:
        return set()
    if isinstance(op, arith.DivUIOp | arith.ShRUIOp):
        width = c if isinstance(op, arith.DivUIOp) else 1 << min(c, 63)
        return {WARP_ID} if width % lanes == 0 else set()
    below = c if isinstance(op, arith.RemUIOp) else c + 1
    return {LANE_ID} if lanes % below == 0 else set()


def _parts_warps(op: arith.CmpiOp, lanes: int) -> bool:
    """Does the comparison with a constant have one answer in each warp, as `x < 64` and `x > 31` have?"""
    c, sign = constant_of(op.rhs), predicate_of(op).sign
    return c is not None and (c + (sign in ("<=", ">"))) % lanes == 0 and sign not in ("==", "!=")


def _is_thread_x(value: SSAValue) -> bool:
    return isinstance(value.owner, gpu.ThreadIdOp) and value.owner.dimension.data == "x"


def _sources(value: SSAValue) -> list[SSAValue]:
    if isinstance(value, BlockArgument):
        loop = value.owner.parent_op()
        return _carried(loop) if isinstance(loop, scf.ForOp | scf.WhileOp) else []
    op = value.owner
    if not isinstance(op, Operation):
        return []
    found = list(op.operands)
    if isinstance(op, scf.ForOp | scf.WhileOp | scf.IfOp):
        found += _carried(op)
    if is_read(op) and is_register(op.operands[0]):
        found += _stored(op.operands[0])
    return found


def _carried(op: Operation) -> list[SSAValue]:
    """What decides on the results of a loop or branch, and on what a loop carries."""
    ends = [block.last_op for region in op.regions for block in region.blocks]
    return [*op.operands, *(operand for end in ends if end is not None for operand in end.operands)]


def is_register(memory: SSAValue) -> bool:
    """Is it memory of the lane alone?"""
    kind = memory.type
    space = kind.memory_space if isinstance(kind, MemRefType) else getattr(kind, "scope_name", None)
    return isinstance(space, StringAttr) and space.data == LOCAL


def _stored(memory: SSAValue) -> list[SSAValue]:
    """All that is stored in a register, where, and what decides whether it is; other users may store what they have."""
    found: list[SSAValue] = []
    for user in (use.operation for use in memory.uses):
        if is_store(user):
            found += [*user.operands, *_deciding(user)]
        elif not is_read(user):
            found += [operand for operand in user.operands if operand is not memory]
    return found
