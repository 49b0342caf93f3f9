"""`resolve-lanes`: the lanes of a warp become a constant, and so many warps become threads."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import BLOCK, LANES, WARPS
from tilewright.ir.core.index import KIND_OF_OP, IndexBuilder
from tilewright.ir.core.lanes import WarpSizeOp
from tilewright.ir.core.location import place
from tilewright.ir.core.rewrite import replace
from tilewright.ir.tile.together import ShuffleOp


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
        for inner in [inner for inner in op.walk() if isinstance(inner, WarpSizeOp)]:
            self._constant(inner)
        for moved in [inner for inner in op.walk() if isinstance(inner, ShuffleOp)]:
            if moved.width.value.data > self.lanes:
                words = f"a shuffle in segments of {moved.width.value.data} lanes"
                raise CompileError(f"{words}; a warp of the target has {self.lanes}\n{place(moved)}".rstrip())

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


def _folded(op: Operation) -> list[Operation]:
    """Folds an index, where a rule does; who uses what it became."""
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
