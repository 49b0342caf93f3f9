"""Where a kernel is cut: leaves, which each thread runs to their end, and what stands between them.

The cuts are the barriers of a block; leaves in which warps meet are cut again, into leaves of one warp. A loop or
branch around a barrier is cut with what is in it, and stands outside the threads: they all go the same way there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from xdsl.dialects import gpu, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import ReturnOp
from xdsl.dialects.memref import AllocaOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.core.attributes import UNROLL
from tilewright.ir.core.effects import is_pure
from tilewright.ir.tile.together import ShuffleOp, SyncOp, VoteOp
from tilewright.ir.tile.types import LOCAL, space_of

BLOCK, WARP = "cta", "warp"
# What a value of every thread is kept for: the value itself, or an op by which threads show each other one.
Home: TypeAlias = SSAValue | Operation
Control: TypeAlias = scf.ForOp | scf.IfOp | scf.WhileOp


@dataclass(eq=False)
class Leaf:
    """Ops that nobody waits in; at their end values are kept, each in its home, all at once."""

    ops: list[Operation] = field(default_factory=list)
    exports: list[tuple[SSAValue, Home]] = field(default_factory=list)

    def needed(self) -> list[SSAValue]:
        """The values from outside, in the order of their use."""
        inside = {value for op in self.ops for value in defined(op)}
        used = [operand for op in self.ops for inner in op.walk() for operand in _read(inner)]
        used += [value for value, _ in self.exports]
        return [value for value in dict.fromkeys(used) if value not in inside]


@dataclass(eq=False)
class Split:
    """A loop or branch that all go through together, with what is in its regions."""

    op: Control
    regions: list[list[Item]]


@dataclass(eq=False)
class Warps:
    """What each warp does, one after another."""

    items: list[Item]


@dataclass(eq=False)
class Ballot:
    """A vote of a warp on what its lanes have shown."""

    op: VoteOp


Item: TypeAlias = Leaf | Split | Warps | Ballot


def defined(op: Operation) -> Iterator[SSAValue]:
    """The values that an op and all in it define."""
    for inner in op.walk():
        yield from inner.results
        for region in inner.regions:
            for block in region.blocks:
                yield from block.args


def leaves(items: Iterable[Item]) -> Iterator[Leaf]:
    """All leaves, in the order of the program."""
    for item in items:
        if isinstance(item, Leaf):
            yield item
        elif isinstance(item, Split):
            for region in item.regions:
                yield from leaves(region)
        elif isinstance(item, Warps):
            yield from leaves(item.items)


@dataclass
class Plan:
    """The cuts of a function, and what is known of its values.

    `uniform`: the same in all threads, and worked out by pure ops; `simple`: by pure ops from these and the number of
    the thread. `same`: results that are kept in the home of another value. `asked`: what a loop or branch depends on.
    """

    extents: tuple[int, ...]
    uniform: set[SSAValue] = field(default_factory=set)
    simple: set[SSAValue] = field(default_factory=set)
    same: dict[SSAValue, SSAValue] = field(default_factory=dict)
    asked: set[SSAValue] = field(default_factory=set)
    items: list[Item] = field(default_factory=list)

    @staticmethod
    def of(body: Block, extents: tuple[int, ...]) -> Plan:
        """The plan of a function's body, for blocks of these extents."""
        plan = Plan(extents, set(body.args), set(body.args))
        plan.items = plan.cut(body.ops, BLOCK)
        return plan

    def kept(self) -> set[SSAValue]:
        """The values that some leaf, loop or branch needs of each thread, and no pure ops give."""
        needed = {value for leaf in leaves(self.items) for value in leaf.needed()} | self.asked
        return {self.home(value) for value in needed if value not in self.simple and not is_memory(value)}

    def home(self, value: SSAValue) -> SSAValue:
        """The value whose home it is kept in."""
        return self.same.get(value, value)

    def cut(self, ops: Iterable[Operation], group: str, exports: Sequence[tuple[SSAValue, Home]] = ()) -> list[Item]:
        """The ops of a block, cut where the group waits; `exports` are kept at its end."""
        found: list[Item] = []
        leaf = Leaf()

        def close(*more: Item) -> Leaf:
            if leaf.ops or leaf.exports:
                found.append(self._finished(leaf, group))
            found.extend(more)
            return Leaf()

        for op in ops:
            if isinstance(op, SyncOp) and op.scope.data == group:
                leaf = close()
            elif isinstance(op, ShuffleOp) and group == WARP:
                leaf.exports.append((op.value, op))
                leaf = close()
                leaf.ops.append(op)
            elif isinstance(op, VoteOp) and group == WARP:
                leaf.exports.append((op.condition, op))
                leaf = close(Ballot(op))
            elif isinstance(op, scf.ForOp | scf.IfOp | scf.WhileOp) and self._splits(op, group):
                leaf.exports += self._before(op)
                leaf = close(Split(op, self._regions(op, group)))
            elif not isinstance(op, scf.YieldOp | scf.ConditionOp | ReturnOp):
                leaf.ops.append(op)
                self._judge(op)
        leaf.exports += exports
        close()
        return found

    def _finished(self, leaf: Leaf, group: str) -> Item:
        """The leaf, or, where warps meet in it, what each warp does."""
        if group == WARP or not any(_parts(op, WARP) for op in leaf.ops):
            return leaf
        return Warps(self.cut(leaf.ops, WARP, leaf.exports))

    def _judge(self, op: Operation) -> None:
        """What is known of the op's results."""
        if isinstance(op, gpu.ThreadIdOp):
            self.simple.add(op.result)
            if self.extents["xyz".index(op.dimension.data)] == 1:
                self.uniform.add(op.result)
        elif is_pure(op) and not op.regions:
            for known in (self.uniform, self.simple):
                if known.issuperset(op.operands):
                    known.update(op.results)
        elif isinstance(op, AllocaOp) and space_of(op.memref) != LOCAL:
            self.uniform.add(op.memref)
        self.simple |= self.uniform.intersection(op.results)

    # ---- loops and branches

    def _splits(self, op: Control, group: str) -> bool:
        return any(_parts(inner, group) for inner in op.walk()) or self._streams(op)

    def _streams(self, op: Control) -> bool:
        """Is it a short loop that only moves elements? Then neighbouring threads do best to take each turn together."""
        if not isinstance(op, scf.ForOp) or UNROLL not in op.attributes or op.iter_args:
            return False
        needed = Leaf(list(op.body.block.ops)).needed()
        known = {*self.simple, op.body.block.args[0]}
        inside = (value for inner in op.walk() for value in (*inner.operands, *inner.results))
        return (
            all(bound in self.uniform for bound in (op.lb, op.ub, op.step))
            and all(value in known for value in needed)
            and not any(is_memory(value) and space_of(value) == LOCAL for value in inside)
        )

    def _ask(self, value: SSAValue) -> list[tuple[SSAValue, Home]]:
        """A condition or bound; it is kept first where it is worked out anew in each leaf."""
        if value in self.uniform:
            return []
        self.asked.add(value)
        return [(value, value)] if value in self.simple else []

    def _before(self, op: Control) -> list[tuple[SSAValue, Home]]:
        """What is kept before it: its bounds or its condition, and what it carries."""
        if isinstance(op, scf.IfOp):
            return self._ask(op.cond)
        if isinstance(op, scf.WhileOp):
            return list(zip(op.arguments, op.before_region.block.args, strict=True))
        asked = [kept for bound in (op.lb, op.ub, op.step) for kept in self._ask(bound)]
        return [*asked, *zip(op.iter_args, op.body.block.args[1:], strict=True)]

    def _regions(self, op: Control, group: str) -> list[list[Item]]:
        if isinstance(op, scf.IfOp):
            return [
                self.cut(region.block.ops, group, _given(region.block, op.output)) if region.blocks else []
                for region in op.regions
            ]
        if isinstance(op, scf.ForOp):
            induction, *carried = op.body.block.args
            self.uniform.add(induction)
            self.simple.add(induction)
            self.same.update(zip(op.res, carried, strict=True))
            return [self.cut(op.body.block.ops, group, _given(op.body.block, carried))]
        before, after = op.before_region.block, op.after_region.block
        last = cast(scf.ConditionOp, before.last_op)
        self.same.update(zip(op.res, after.args, strict=True))
        first = self.cut(before.ops, group, list(zip(last.args, after.args, strict=True)))
        kept = self._ask(last.condition)
        if kept:
            first.append(Leaf(exports=kept))
        return [first, self.cut(after.ops, group, _given(after, before.args))]


def _read(op: Operation) -> Sequence[SSAValue]:
    """The operands that a thread reads itself; what it shuffles it has shown before."""
    return [op.by] if isinstance(op, ShuffleOp) else op.operands


def is_memory(value: SSAValue) -> bool:
    """Is the value memory, and no number?"""
    return isinstance(value.type, MemRefType)


def _given(block: Block, homes: Sequence[SSAValue]) -> list[tuple[SSAValue, Home]]:
    """What a block yields, and where that is kept."""
    last = block.last_op
    given = last.operands if isinstance(last, scf.YieldOp) else ()
    return list(zip(given, homes, strict=True))


def _parts(op: Operation, group: str) -> bool:
    """Does somebody of the group wait in the op?"""
    if group == WARP:
        return any(
            isinstance(inner, ShuffleOp | VoteOp) or (isinstance(inner, SyncOp) and inner.scope.data == WARP)
            for inner in op.walk()
        )
    return any(isinstance(inner, SyncOp) and inner.scope.data == BLOCK for inner in op.walk())
