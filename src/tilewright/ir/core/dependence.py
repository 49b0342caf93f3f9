"""What a value depends on: does it differ between the lanes of a warp, the warps of a block, the blocks of the grid?"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import arith, gpu, scf
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.core.facts import predicate_of
from tilewright.ir.core.ranges import constant_of

WARP = 32
LANE_ID, WARP_ID, BLOCK_ID = "lane", "warp", "block"


def depends_on(values: Iterable[SSAValue]) -> frozenset[str]:
    """The subset of `lane`, `warp`, `block` by which any of the values may vary at one moment.

    An element that is loaded varies as its indices do.
    """
    found: set[str] = set()
    waiting, seen = list(values), set[SSAValue]()
    while waiting:
        value = waiting.pop()
        if value not in seen:
            seen.add(value)
            own = _own(value)
            found |= own
            waiting += [] if own else _sources(value)
    return frozenset(found)


def reached_by(op: Operation) -> frozenset[str]:
    """What decides whether, and how often, the op is executed: the conditions and bounds around it."""
    deciding: list[SSAValue] = []
    parent = op.parent_op()
    while parent is not None:
        deciding += parent.operands
        parent = parent.parent_op()
    return depends_on(deciding)


def _own(value: SSAValue) -> set[str]:
    op = value.owner
    if isinstance(op, gpu.BlockIdOp):
        return {BLOCK_ID}
    if isinstance(op, gpu.ThreadIdOp):
        return {LANE_ID, WARP_ID}
    if isinstance(op, arith.DivUIOp | arith.ShRUIOp | arith.RemUIOp | arith.AndIOp) and _is_thread_x(op.lhs):
        return _of_thread_x(op)
    if isinstance(op, arith.CmpiOp) and _is_thread_x(op.lhs) and _parts_warps(op):
        return {WARP_ID}
    return set()


def _of_thread_x(op: arith.DivUIOp | arith.ShRUIOp | arith.RemUIOp | arith.AndIOp) -> set[str]:
    c = constant_of(op.rhs)
    if c is None or c < 1:
        return set()
    if isinstance(op, arith.DivUIOp | arith.ShRUIOp):
        width = c if isinstance(op, arith.DivUIOp) else 1 << min(c, 63)
        return {WARP_ID} if width % WARP == 0 else set()
    below = c if isinstance(op, arith.RemUIOp) else c + 1
    return {LANE_ID} if WARP % below == 0 else set()


def _parts_warps(op: arith.CmpiOp) -> bool:
    """Does the comparison with a constant have one answer in each warp, as `x < 64` and `x > 31` have?"""
    c, sign = constant_of(op.rhs), predicate_of(op).sign
    return c is not None and (c + (sign in ("<=", ">"))) % WARP == 0 and sign not in ("==", "!=")


def _is_thread_x(value: SSAValue) -> bool:
    return isinstance(value.owner, gpu.ThreadIdOp) and value.owner.dimension.data == "x"


def _sources(value: SSAValue) -> list[SSAValue]:
    if isinstance(value, BlockArgument):
        loop = value.owner.parent_op()
        return list(loop.operands) if isinstance(loop, scf.ForOp) else []
    return list(value.owner.operands) if isinstance(value.owner, Operation) else []
