"""`resolve-lanes`: the lanes of a warp become a constant, which decides branches, and so many warps become threads."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import BLOCK, LANES, WARPS
from tilewright.ir.core.facts import predicate_of
from tilewright.ir.core.index import KIND_OF_OP, IndexBuilder
from tilewright.ir.core.lanes import WarpSizeOp
from tilewright.ir.core.location import place
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.core.rewrite import replace
from tilewright.ir.core.walk import of_kinds
from tilewright.ir.tile.among import ShuffleAmongOp
from tilewright.ir.tile.together import ActiveMaskOp, ShuffleOp, VoteOp

_HOLDS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class ResolveLanes(ModulePass):
    """Leaves no `tile.warp_size`; a launch by warps is one by threads.

    Attributes:
        lanes: of a warp of the target.

    Raises:
        CompileError: the kernel counts on another number of lanes, or of threads.
    """

    name = "resolve-lanes"
    lanes: int = 32

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        for func in op.ops:
            if isinstance(func, FuncOp):
                self._launch(func)
        for asked in of_kinds(op, WarpSizeOp):
            self._constant(asked)
        for inner in of_kinds(op, ShuffleOp, ShuffleAmongOp, VoteOp, ActiveMaskOp):  # of those that are left
            if isinstance(inner, ShuffleOp | ShuffleAmongOp):
                self._segments(inner)
            elif isinstance(inner, VoteOp | ActiveMaskOp):
                self._bits(inner)

    def _segments(self, op: ShuffleOp | ShuffleAmongOp) -> None:
        """The width as a number."""
        op.width = IntegerAttr(op.segment(self.lanes), i64)

    def _bits(self, op: VoteOp | ActiveMaskOp) -> None:
        """Has every lane its bit?"""
        bits = op.result.type.width.data
        if 1 < bits < self.lanes:
            words = f"a number of {bits} bits for {self.lanes} lanes; write T.cuda.ballot_sync(0xFFFFFFFFFFFFFFFF, ..)"
            hint = "T.cuda.__match_any_sync and __match_all_sync likewise, T.cuda.__activemask(64): these give a uint64"
            raise CompileError(f"{words}, {hint}\n{place(op)}".rstrip())

    def _launch(self, func: FuncOp) -> None:
        counted, warps = (func.attributes.pop(name, None) for name in (LANES, WARPS))
        if isinstance(counted, IntegerAttr) and counted.value.data != self.lanes:
            self._refuse(func, f"counts on warps of {counted.value.data} lanes")
        if isinstance(warps, IntegerAttr):
            threads = DenseArrayBase.from_list(i64, [warps.value.data * self.lanes, 1, 1])
            given = func.attributes.setdefault(BLOCK, threads)
            if isinstance(given, DenseArrayBase) and given != threads:
                extents = tuple(given.get_values())
                self._refuse(func, f"has {warps.value.data} warps and blocks of {extents} threads")

    def _refuse(self, func: FuncOp, what: str) -> None:
        message = f"the kernel {func.sym_name.data!r} {what}; a warp of the target has {self.lanes} lanes"
        raise CompileError(f"{message}\n{place(func)}".rstrip())

    def _constant(self, op: WarpSizeOp) -> None:
        """The constant, and every quotient and remainder by it as the rules of indices write it."""
        waiting = [use.operation for use in op.result.uses]
        replace(op, IndexBuilder(Builder(InsertPoint.before(op))).value(self.lanes))
        while waiting:
            waiting += _folded(waiting.pop())


def _decide(op: arith.CmpiOp) -> None:
    """Leaves of the branches that ask this, where both sides are constants, the one that is taken."""
    left, right, sign = constant_of(op.lhs), constant_of(op.rhs), predicate_of(op).sign
    if left is None or right is None:
        return
    truth = _HOLDS[sign](left, right)
    for branch in [use.operation for use in op.result.uses if isinstance(use.operation, scf.IfOp)]:
        taken = branch.true_region if truth else branch.false_region
        if taken.blocks:
            end = taken.block.last_op
            assert isinstance(end, scf.YieldOp), "a branch ends so"
            results = list(end.operands)
            Rewriter.erase_op(end)
            Rewriter.inline_block(taken.block, InsertPoint.before(branch))
            Rewriter.replace_op(branch, [], results)
        else:
            Rewriter.erase_op(branch)


def _folded(op: Operation) -> list[Operation]:
    """Folds an index, where a rule does, and decides a branch; who uses what it became."""
    if isinstance(op, arith.CmpiOp):
        _decide(op)
    kind = KIND_OF_OP.get(type(op))
    if kind is None or op.parent is None or not isinstance(op.results[0].type, IndexType):
        return []
    index = IndexBuilder(Builder(InsertPoint.before(op)))
    found = index.fold(kind, *op.operands)
    if found is None:
        return []
    users = [use.operation for use in op.results[0].uses]
    replace(op, index.value(found))
    return users
