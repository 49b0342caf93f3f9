"""`fly-promote-regmem-to-vectorssa`: registers become vectors that loops and branches carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import gpu
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from tilewright.errors import CompileError
from tilewright.ir.core.carry import CARRIERS, carry
from tilewright.ir.core.dead import remove_dead
from tilewright.ir.core.location import place
from tilewright.ir.core.rewrite import Before, Puts, erase, replace
from tilewright.ir.core.walk import operations, ops_of
from tilewright.ir.fly.ops import FlyOp, is_fly
from tilewright.ir.fly.registers import is_register
from tilewright.ir.fly.storage import Reach, allocated, reach, stored_as
from tilewright.ir.mlir.slices import inserted, taken
from tilewright.passes.cse import Cse
from tilewright.passes.fly.placed import Registers, named

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
        for function in [inner for inner in operations(op) if type(inner) in (gpu.FuncOp, FuncOp)]:
            _promote(function)
        remove_dead(op)
        Cse().apply(ctx, op)


def _promote(function: Operation) -> None:
    found = [op for op in operations(function) if allocated(op) is not None]
    reached = {op: reach(op) for op in found}
    chosen = {op: stored_as(op, allocated(op) or 0) for op in found if _becomes_a_value(reached[op])}
    if not chosen:
        return
    places = {value: Place(op, at) for op in chosen for value, at in reached[op].offsets.items() if at is not None}
    registers = {op: named(reached[op], vector) for op, vector in chosen.items()}
    for region in function.regions:
        for block in region.blocks:
            _Promotion(chosen, places, registers).block(block, {})
    for allocation in chosen:
        _forget(allocation, reached[allocation])
    if len(chosen) == len(found):
        _check_none_left(function)


def _becomes_a_value(found: Reach) -> bool:
    return found.is_known and not any(_is_cast(op) for op in found.users)


def _is_cast(op: Operation) -> bool:
    return is_fly(op) and op.short == "recast_iter" and op.results[0].first_use is not None


def _forget(allocation: Operation, found: Reach) -> None:
    # Pointers and views that nothing reads through any more, the last made first.
    for op in (*reversed(found.users), allocation):
        if op.parent is not None and op.results and not any(r.first_use for r in op.results) and not op.regions:
            erase(op)


def _check_none_left(function: Operation) -> None:
    for op in operations(function):
        arguments = [argument for region in op.regions for block in region.blocks for argument in block.args]
        # An operand is the result of another op here, or an argument.
        if any(is_register(value.type) for value in op.results):
            raise _refused(op, "register operand/result remain after rmem SSA promotion")
        if any(is_register(argument.type) for argument in arguments):
            raise _refused(op, "register block arguments remain after rmem SSA promotion")


def _refused(op: Operation, words: str) -> CompileError:
    return CompileError(f"'{op.name}' op {words}\n{place(op)}".rstrip())


@dataclass(frozen=True, slots=True)
class Place:
    """An element of an allocation."""

    allocation: Operation
    offset: int


@dataclass(frozen=True)
class _Promotion:
    """Rewrites blocks: `vectors` are the allocations that become vectors, `places` where pointers point in them.

    `registers` are those that the program names for an allocation.
    """

    vectors: Mapping[Operation, VectorType[Attribute]]
    places: Mapping[SSAValue, Place]
    registers: Mapping[Operation, Registers | None]

    def block(self, block: Block, state: State) -> State:
        """The vectors where the block ends, given those where it begins."""
        state = dict(state)
        for op in ops_of(block):
            if op in self.vectors:
                made = Before(op).put(PoisonOp(self.vectors[op]))
                made.location = op.location
                state[op] = made.result
            elif type(op) in CARRIERS:
                self._carried(op, state)
            elif op.regions:
                self._check_untouched(op)
            elif is_fly(op) and op.short in ("ptr.load", "ptr.store"):
                self._access(op, state)
            elif is_fly(op) and op.short == "set_register" and op.operands[0] in self.places:
                erase(op)
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
        for inner in operations(op):
            found = self._place(inner) if is_fly(inner) else None
            if found:
                yield found

    def _place(self, op: FlyOp) -> Place | None:
        return self.places.get(op.operands[-1]) if op.short in ("ptr.load", "ptr.store") else None

    def _access(self, op: FlyOp, state: State) -> None:
        found = self._place(op)
        if found is None:
            return
        builder, vector = Before(op), state[found.allocation]
        before = op.prev_op
        try:
            if op.short == "ptr.load":
                value = taken(builder, vector, found.offset, op.results[0].type)
                replace(op, self._placed(builder, value, found))
            else:
                value = self._placed(builder, op.operands[0], found)
                state[found.allocation] = inserted(builder, value, vector, found.offset)
                erase(op)
        except CompileError as error:
            raise _refused(op, str(error)) from None
        self._locate(before, op)

    def _placed(self, builder: Puts, value: SSAValue, where: Place) -> SSAValue:
        registers = self.registers[where.allocation]
        return registers.holding(builder, value, where.offset) if registers else value

    def _locate(self, before: Operation | None, op: Operation) -> None:
        made = before.next_op if before else None
        while made is not None and made is not op and made.location != op.location and made.name.startswith("vector."):
            made.location = op.location
            made = made.next_op

    def _check_untouched(self, op: Operation) -> None:
        for inner in op.walk():
            if any(is_register(value.type) for value in (*inner.results, *inner.operands)):
                raise _refused(op, "unsupported region op with register values during rmem SSA")
