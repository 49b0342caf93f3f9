"""The body of a kernel whose threads are loops, built from its plan."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import IndexType, UnitAttr, i1, i64
from xdsl.dialects.cf import AssertOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import TRAP
from tilewright.ir.core.bounds import PARTED
from tilewright.ir.core.dependence import LANE_ID, WARP_ID, depends_on
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.ranges import Index
from tilewright.ir.tile.together import ShuffleOp
from tilewright.ir.tile.types import SHARED, space_of
from tilewright.passes.fission.memory import allocated, element_of, load, worked_out
from tilewright.passes.fission.plan import WARP, Ballot, Control, Home, Item, Leaf, Plan, Split, Warps
from tilewright.passes.fission.registers import Local, Registers, size_of
from tilewright.passes.fission.threads import Scope, Thread, Threads, turns
from tilewright.passes.fission.together import shuffled, voted

MOST_BYTES = 1 << 28  # of one array, over all threads


@dataclass
class Turn:
    """What one thread does in a leaf; `bases` is where its parts of arrays begin."""

    thread: Thread
    values: ChainMap[SSAValue, SSAValue]
    bases: dict[SSAValue, Index] = field(default_factory=dict)


@dataclass
class Cutting:
    """A function being written anew. `rooms` are the arrays that keep a value of each thread."""

    plan: Plan
    threads: Threads
    registers: Registers
    kept: set[SSAValue]
    top: list[Operation] = field(default_factory=list)
    rooms: dict[Home, SSAValue] = field(default_factory=dict)
    parts: dict[SSAValue, SSAValue] = field(default_factory=dict)

    @staticmethod
    def body(func: FuncOp, plan: Plan, threads: Threads) -> Region:
        """The new body of the function."""
        old = func.body.block
        new = Block(arg_types=[argument.type for argument in old.args])
        for before, after in zip(old.args, new.args, strict=True):
            after.name_hint = before.name_hint
        cutting = Cutting(plan, threads, Registers.of(plan.items), plan.kept())
        builder = Builder(InsertPoint.at_end(new))
        scope = Scope(builder, dict(zip(old.args, new.args, strict=True)))
        cutting._share(func, scope)
        cutting.items(plan.items, scope)
        builder.insert(ReturnOp())
        first = new.first_op
        assert first is not None, "it returns"
        new.insert_ops_before(cutting.top, first)
        return Region(new)

    def _share(self, func: FuncOp, scope: Scope) -> None:
        """Shared memory is the block's, wherever it is declared."""
        for op in func.walk():
            if isinstance(op, memref.AllocaOp) and space_of(op.memref) == SHARED:
                self.top.append(op.clone(scope.known))

    # ---- outside the threads

    def items(self, items: Sequence[Item], scope: Scope) -> None:
        """The items of a block, one after another."""
        for item in items:
            _WRITE[type(item)](self, item, scope)

    def warps(self, item: Warps, scope: Scope) -> None:
        """Each warp, one after another."""
        with turns(scope.builder, self.threads.warps, "w", self.threads.lanes) as (inside, warp):
            self.items(item.items, Scope(inside, dict(scope.known), WARP, warp))

    def ballot(self, item: Ballot, scope: Scope) -> None:
        """A vote: its result is the warp's, and of each lane where somebody needs it later."""
        room, op = self.room(item.op, item.op.condition.type), item.op

        def shown(thread: Thread) -> SSAValue:
            return load(thread.builder, room, thread.number, i1)

        scope.known[op.result] = made = voted(op, self.threads, scope, shown)
        if op.result in self.kept:
            with self.threads.each(scope) as thread:
                self._keep(thread, made, op.result)

    def split(self, item: Split, scope: Scope) -> None:
        """A loop or branch that all take."""
        made = _CONTROL[type(item.op)](self, item, scope)
        made.attributes.update(item.op.attributes)
        made.location = item.op.location
        scope.builder.insert(made)

    def _for(self, item: Split, scope: Scope) -> Operation:
        op = cast(scf.ForOp, item.op)
        low, high, step = (self.asked(bound, scope, item.op) for bound in (op.lb, op.ub, op.step))
        block = Block(arg_types=[op.body.block.args[0].type])
        inside = scope.inside(block)
        inside.known[op.body.block.args[0]] = block.args[0]
        block.args[0].name_hint = op.body.block.args[0].name_hint
        self.items(item.regions[0], inside)
        inside.builder.insert(scf.YieldOp())
        return scf.ForOp(low, high, step, [], block)

    def _if(self, item: Split, scope: Scope) -> Operation:
        condition = self.asked(cast(scf.IfOp, item.op).cond, scope, item.op)
        regions: list[Region] = []
        for items in item.regions:
            block = Block()
            inside = scope.inside(block)
            self.items(items, inside)
            inside.builder.insert(scf.YieldOp())
            regions.append(Region(block))
        return scf.IfOp(condition, [], regions[0], regions[1])

    def _while(self, item: Split, scope: Scope) -> Operation:
        op = cast(scf.WhileOp, item.op)
        last = op.before_region.block.last_op
        assert isinstance(last, scf.ConditionOp), "verified"
        before, after = Block(), Block()
        asking, going = scope.inside(before), scope.inside(after)
        self.items(item.regions[0], asking)
        asking.builder.insert(scf.ConditionOp(self.asked(last.condition, asking, item.op)))
        self.items(item.regions[1], going)
        going.builder.insert(scf.YieldOp())
        return scf.WhileOp([], [], [before], [after])

    def asked(self, value: SSAValue, scope: Scope, op: Control) -> SSAValue:
        """A condition or bound, on which the threads agree; an assertion says so where nothing proves it."""
        if value in self.plan.uniform or value in scope.known:
            return self._uniform(value, scope)
        home = self.plan.home(value)
        room, kind = self.room(home, value.type), value.type
        first = load(scope.builder, room, self.threads.first(scope), kind)
        apart = {LANE_ID} if scope.group == WARP else {LANE_ID, WARP_ID}
        if depends_on([value], self.threads.lanes) & apart:
            with self.threads.each(scope) as thread:
                mine = load(thread.builder, room, thread.number, kind)
                same = thread.builder.insert(arith.CmpiOp(mine, first, "eq")).result
                asserted = thread.builder.insert(AssertOp(same, PARTED))
                asserted.attributes[TRAP] = UnitAttr()
                asserted.location = op.location
        return first

    def _uniform(self, value: SSAValue, scope: Scope) -> SSAValue:
        return worked_out(value, scope.known, scope.builder, {})

    # ---- inside

    def leaf(self, leaf: Leaf, scope: Scope) -> None:
        """A loop over the threads, around what each does."""
        needed = leaf.needed()
        uniform = [value for value in needed if value in self.plan.uniform or value in scope.known]
        values = {value: self._uniform(value, scope) for value in uniform}
        with self.threads.each(scope) as thread:
            mine = Turn(thread, ChainMap(dict(values), scope.known))
            held = [(array, self.registers.held[leaf, array]) for array in self.registers.of_leaf.get(leaf, ())]
            for array, local in held:
                self._hold(mine, array, local)
            for value in needed:
                if value not in mine.values:
                    self._fetch(mine, value)
            for op in leaf.ops:
                self._copy(mine, op)
            self._end(mine, leaf)
            for array, local in held:
                if local.moved_out:
                    self._move(thread, (mine.values[array], 0), self._part(array, thread), size_of(array))

    def _end(self, mine: Turn, leaf: Leaf) -> None:
        """What the leaf keeps, all at once."""
        kept = [(result, result) for op in leaf.ops for result in op.results if result in self.kept]
        for value, home in leaf.exports:
            self._keep(mine.thread, mine.values[value], home)
        for result, home in kept:
            self._keep(mine.thread, mine.values[result], home)

    def _fetch(self, mine: Turn, value: SSAValue) -> None:
        """What the value is for the thread."""
        if value in self.plan.simple:
            worked_out(value, mine.values, mine.thread.builder, mine.thread.ids)
            return
        home = self.plan.home(value)
        mine.values[value] = load(mine.thread.builder, self.room(home, value.type), mine.thread.number, value.type)

    def _copy(self, mine: Turn, op: Operation) -> None:
        """The op, for one thread."""
        thread, values = mine.thread, mine.values
        if isinstance(op, ShuffleOp):
            at = shuffled(op, values[op.by], thread, self.threads.lanes)
            values[op.result] = load(thread.builder, self.room(op, op.value.type), at, op.value.type)
        elif isinstance(op, gpu.ThreadIdOp):
            values[op.result] = thread.index.value(thread.ids[op.dimension.data])
        elif not (isinstance(op, memref.AllocaOp) and op.memref in values):
            mapped = {
                operand: values[operand] for inner in op.walk() for operand in inner.operands if operand in values
            }
            made = thread.builder.insert(op.clone(mapped))
            values.update((old, mapped[old]) for old in op.results)
            for old, new in zip(op.walk(), list(made.walk()), strict=True):
                self._displace(mine, old, new)

    def _displace(self, mine: Turn, old: Operation, new: Operation) -> None:
        """An access of a thread's part begins where that does; thread numbers within an op are the turn's."""
        index = IndexBuilder(Builder(InsertPoint.before(new)))
        if isinstance(new, gpu.ThreadIdOp):
            new.result.replace_all_uses_with(index.value(mine.thread.ids[new.dimension.data]))
        elif isinstance(old, memref.LoadOp | memref.StoreOp) and old.memref in mine.bases:
            new.operands[len(new.operands) - 1] = index.value(index.add(mine.bases[old.memref], new.operands[-1]))

    # ---- memory

    def _hold(self, mine: Turn, array: SSAValue, local: Local) -> None:
        """Makes an array ready."""
        if local.in_place:
            mine.values[array], mine.bases[array] = self._part(array, mine.thread)
            return
        made = allocated(element_of(array), size_of(array), array.name_hint)
        mine.values[array] = mine.thread.builder.insert(made).memref
        if local.moved_in:
            self._move(mine.thread, self._part(array, mine.thread), (mine.values[array], 0), size_of(array))

    def _part(self, array: SSAValue, thread: Thread) -> tuple[SSAValue, Index]:
        """The memory in which each thread has its part of an array, and where the thread's begins."""
        if array not in self.parts:
            self.parts[array] = self._above(element_of(array), self.threads.count * size_of(array), array.name_hint)
        return self.parts[array], thread.index.mul(thread.number, size_of(array))

    def room(self, home: Home, kind: Attribute) -> SSAValue:
        """The memory that keeps a value of each thread; lanes may look at those that a last warp lacks."""
        if home not in self.rooms:
            shown = isinstance(home, Operation)
            count = self.threads.warps * self.threads.lanes if shown else self.threads.count
            hint = "shown" if isinstance(home, Operation) else home.name_hint or "kept"
            self.rooms[home] = self._above(i64 if isinstance(kind, IndexType) else kind, count, hint)
        return self.rooms[home]

    def _above(self, element: Attribute, count: int, hint: str | None) -> SSAValue:
        size = count * element_dtype(element).bytes
        if size > MOST_BYTES:
            what = f"{hint or 'a value'} of all threads of a block"
            raise CompileError(f"{what} takes {size} bytes; at most {MOST_BYTES}")
        self.top.append(made := allocated(element, count, hint))
        return made.memref

    def _keep(self, thread: Thread, value: SSAValue, home: Home) -> None:
        builder, room = thread.builder, self.room(home, value.type)
        if isinstance(value.type, IndexType):
            value = builder.insert(arith.IndexCastOp(value, i64)).result
        builder.insert(memref.StoreOp.get(value, room, [thread.index.value(thread.number)]))

    def _move(self, thread: Thread, source: tuple[SSAValue, Index], target: tuple[SSAValue, Index], size: int) -> None:
        with turns(thread.builder, size, "e") as (inside, at):
            index = IndexBuilder(inside)
            (here, start), (there, end) = source, target
            moved = inside.insert(memref.LoadOp.get(here, [index.value(index.add(start, at))])).res
            inside.insert(memref.StoreOp.get(moved, there, [index.value(index.add(end, at))]))


_WRITE: Mapping[type[Item], Callable[[Cutting, Any, Scope], None]] = {
    Leaf: Cutting.leaf,
    Split: Cutting.split,
    Warps: Cutting.warps,
    Ballot: Cutting.ballot,
}
_CONTROL: Mapping[type[Operation], Callable[[Cutting, Split, Scope], Operation]] = {
    scf.ForOp: Cutting._for,
    scf.IfOp: Cutting._if,
    scf.WhileOp: Cutting._while,
}
