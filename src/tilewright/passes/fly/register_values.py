"""`fly-promote-regmem-to-vectorssa`: registers become vectors that loops and branches carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import gpu
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError
from tilewright.ir.core.carry import CARRIERS, carry
from tilewright.ir.core.dead import remove_dead
from tilewright.ir.core.location import place
from tilewright.ir.core.rewrite import erase, replace
from tilewright.ir.fly.ops import FlyOp
from tilewright.ir.fly.registers import is_register
from tilewright.ir.fly.storage import Place, allocated, place_of, reached, stored_as
from tilewright.ir.mlir.slices import inserted, taken
from tilewright.passes.cse import Cse

State = dict[Operation, SSAValue]  # of each allocation, the vector that it is now


@dataclass(frozen=True)
class PromoteRegmemToVectorSsa(ModulePass):
    """Every allocation of registers becomes a vector; loads take parts of it, stores make a new one.

    Loops and branches carry the vectors of what they touch. An allocation that is cast to another type of elements,
    or moved by an offset that is not known, stays memory.

    Raises:
        CompileError: registers are used otherwise, or an access does not lie within its allocation.
    """

    name = "fly-promote-regmem-to-vectorssa"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        for function in [inner for inner in op.walk() if isinstance(inner, gpu.FuncOp | FuncOp)]:
            _promote(function)
        remove_dead(op)
        Cse().apply(ctx, op)


def _promote(function: Operation) -> None:
    found = [op for op in function.walk() if allocated(op) is not None]
    chosen = {op: stored_as(op, allocated(op) or 0) for op in found if not _is_kept(op)}
    if not chosen:
        return
    for region in function.regions:
        for block in region.blocks:
            _Promotion(chosen).block(block, {})
    for allocation in chosen:
        _forget(allocation)
    if len(chosen) == len(found):
        _check_none_left(function)


def _is_kept(allocation: Operation) -> bool:
    users = [op for op in reached(allocation.results[0]) if isinstance(op, FlyOp)]
    return any(_is_cast(op) or _moves_unknown(op) for op in users)


def _is_cast(op: FlyOp) -> bool:
    return op.short == "recast_iter" and op.results[0].first_use is not None


def _moves_unknown(op: FlyOp) -> bool:
    found = place_of(op.results[0]) if op.short == "add_offset" else None
    return found is not None and found.offset is None


def _forget(allocation: Operation) -> None:
    # Pointers and views that nothing reads through any more, the last made first.
    for op in [*reversed(list(dict.fromkeys(reached(allocation.results[0])))), allocation]:
        if op.results and not any(result.first_use for result in op.results) and not op.regions:
            erase(op)


def _check_none_left(function: Operation) -> None:
    for op in function.walk():
        arguments = [argument for region in op.regions for block in region.blocks for argument in block.args]
        if any(is_register(value.type) for value in (*op.results, *op.operands)):
            raise _refused(op, "register operand/result remain after rmem SSA promotion")
        if any(is_register(argument.type) for argument in arguments):
            raise _refused(op, "register block arguments remain after rmem SSA promotion")


def _refused(op: Operation, words: str) -> CompileError:
    return CompileError(f"'{op.name}' op {words}\n{place(op)}".rstrip())


class _Promotion:
    """Rewrites blocks; `vectors` are the allocations that become vectors, with their types."""

    def __init__(self, vectors: Mapping[Operation, VectorType[Attribute]]) -> None:
        self.vectors = vectors

    def block(self, block: Block, state: State) -> State:
        """The vectors where the block ends, given those where it begins."""
        state = dict(state)
        for op in list(block.ops):
            if op in self.vectors:
                made = Builder(InsertPoint.before(op)).insert(PoisonOp(self.vectors[op]))
                made.location = op.location
                state[op] = made.result
            elif isinstance(op, CARRIERS):
                self._carried(op, state)
            elif op.regions:
                self._check_untouched(op)
            elif isinstance(op, FlyOp) and op.short in ("ptr.load", "ptr.store"):
                self._access(op, state)
        return state

    def _carried(self, op: Operation, state: State) -> None:
        touched = self._touched(op)

        def rewrite(block: Block, values: Sequence[SSAValue]) -> list[SSAValue]:
            after = self.block(block, {**state, **dict(zip(touched, values, strict=True))})
            return [after[allocation] for allocation in touched]

        state.update(zip(touched, carry(op, [state[one] for one in touched], rewrite), strict=True))

    def _touched(self, op: Operation) -> list[Operation]:
        """The allocations outside of an op that something within it accesses, in their order."""
        accessed = {found.allocation for found in self._accesses(op)}
        return [one for one in self.vectors if one in accessed and not op.is_ancestor(one)]

    def _accesses(self, op: Operation) -> Iterator[Place]:
        for inner in op.walk():
            found = self._place(inner) if isinstance(inner, FlyOp) else None
            if found:
                yield found

    def _place(self, op: FlyOp) -> Place | None:
        if op.short not in ("ptr.load", "ptr.store"):
            return None
        found = place_of(op.operands[-1])
        return found if found and found.allocation in self.vectors else None

    def _access(self, op: FlyOp, state: State) -> None:
        found = self._place(op)
        if found is None:
            return
        assert found.offset is not None, "allocations moved by unknown offsets stay memory"
        builder, vector = Builder(InsertPoint.before(op)), state[found.allocation]
        before = op.prev_op
        try:
            if op.short == "ptr.load":
                replace(op, taken(builder, vector, found.offset, op.results[0].type))
            else:
                state[found.allocation] = inserted(builder, op.operands[0], vector, found.offset)
                erase(op)
        except CompileError as error:
            raise _refused(op, str(error)) from None
        self._locate(before, op)

    def _locate(self, before: Operation | None, op: Operation) -> None:
        made = before.next_op if before else None
        while made is not None and made is not op and made.location != op.location and made.name.startswith("vector."):
            made.location = op.location
            made = made.next_op

    def _check_untouched(self, op: Operation) -> None:
        for inner in op.walk():
            if inner is not op and any(is_register(value.type) for value in (*inner.results, *inner.operands)):
                raise _refused(op, "unsupported region op with register values during rmem SSA")
