"""`Flat`: a kernel's function while it is written anew, op by op, and what each of its values has become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar, cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, UnknownLoc, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.location import shown
from tilewright.ir.core.rewrite import AtEnd
from tilewright.ir.fly.foreign import name_of
from tilewright.ir.fly.memories import Memories, memory_of
from tilewright.passes.fly_flat.aligned import Zeros
from tilewright.passes.fly_flat.held import Held, types_of

Handler: TypeAlias = Callable[["Flat", Any], None]
Handlers: TypeAlias = Mapping[type[Operation] | str, Handler]
Made = TypeVar("Made", bound=Operation)


class Flat:
    """Writes at the insertion point of `builder`; `held` says what the values of the old function are in the new one.

    Args:
        memories: which memory each pointer points into. handlers: by an op's class, or by its name.
        dynamic: bytes of shared memory that a launch sets aside.
    """

    def __init__(self, block: Block, memories: Memories, handlers: Handlers, dynamic: int) -> None:
        self.memories, self.handlers, self.dynamic = memories, handlers, dynamic
        self.builder = AtEnd(block)
        self.held: dict[SSAValue, Held] = {}
        self.states: dict[SSAValue, dict[str, SSAValue]] = {}  # what atoms carry, by its name
        self.memory: dict[SSAValue, SSAValue] = {}  # the flat memory that stands for where a memory begins
        self.aligned: dict[SSAValue, int] = {}  # of a memory the bytes that divide its address; of others `ALIGNED` do
        self.zeros = Zeros({})

    # ---- what values are

    def __getitem__(self, value: SSAValue) -> Held:
        return self.held[value]

    def one(self, value: SSAValue) -> SSAValue:
        """The number that a value is."""
        return self.held[value].one

    def set(self, value: SSAValue, numbers: Iterable[SSAValue], memory: SSAValue | None = None) -> None:
        """Says what a value of the old function is."""
        self.held[value] = Held(tuple(numbers), memory)
        if len(self.held[value].numbers) == 1 and self.held[value].one.name_hint is None and value.name_hint:
            self.held[value].one.name_hint = value.name_hint

    def root(self, value: SSAValue, op: Operation) -> SSAValue | None:
        """The memory that a pointer points into.

        Raises:
            CompileError: it may be one of several.
        """
        if memory_of(value.type) is None:
            return None
        found = {self.memory[begin]: None for begin in self.memories.of(value)}
        if len(found) != 1:
            raise refused(op, f"a pointer that may point into one of {len(found)} memories; index one memory instead")
        return next(iter(found))

    # ---- ops

    def insert(self, op: Made) -> Made:
        """An op of the new function."""
        return self.builder.put(op)

    @property
    def index(self) -> IndexBuilder:
        """Arithmetic of indices here."""
        return IndexBuilder(self.builder)

    def constant(self, value: float, kind: Attribute) -> SSAValue:
        """A number."""
        if isinstance(kind, IntegerType | IndexType):
            return self.insert(arith.ConstantOp(IntegerAttr(int(value), kind))).result
        return self.insert(arith.ConstantOp(FloatAttr(value, cast("AnyFloat", kind)))).result

    def truth(self, value: SSAValue) -> SSAValue:
        """An integer as whether it is not 0."""
        if value.type == i1:
            return value
        return self.insert(arith.CmpiOp(value, self.constant(0, value.type), "ne")).result

    def as_index(self, value: SSAValue) -> SSAValue:
        """An integer as an index."""
        return self.as_type(value, IndexType())

    def as_type(self, value: SSAValue, kind: Attribute) -> SSAValue:
        """An index as an integer, or an integer as an index."""
        return value if value.type == kind else self.insert(arith.IndexCastOp(value, kind)).result

    def block(self, old: Block, new: Block, given: Sequence[Held] = ()) -> None:
        """Writes a block's ops at the end of another; its arguments are what is given."""
        self.held.update(zip(old.args, given, strict=True))
        with self.within(new):
            for op in old.ops:
                last = new.last_op
                self.statement(op)
                _place(new.first_op if last is None else last.next_op, op.location)

    @contextmanager
    def within(self, block: Block) -> Iterator[None]:
        """What is inserted goes to the end of a block."""
        outer, self.builder = self.builder, AtEnd(block)
        yield
        self.builder = outer

    def statement(self, op: Operation) -> None:
        """One op.

        Raises:
            CompileError: there is no row for it.
        """
        handler = self.handlers.get(type(op)) or self.handlers.get(name_of(op))
        if handler is None:
            raise refused(op, "has no meaning in flat code")
        handler(self, op)

    # ---- control flow

    def entered(self, old: Sequence[SSAValue], new: Block, op: Operation) -> list[Held]:
        """What the arguments of a block are in a new one, which gets theirs."""
        found = []
        for value in old:
            made = [new.insert_arg(kind, len(new.args)) for kind in types_of(value.type)]
            found.append(Held(tuple(made), self.root(value, op)))
            for number in made:
                number.name_hint = value.name_hint
        return found

    def spread(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        """The numbers of several values."""
        return [number for value in values for number in self.held[value].numbers]

    def results(self, old: Operation, new: Sequence[SSAValue]) -> None:
        """What the results of an op are, given the numbers of them all."""
        rest = iter(new)
        for result in old.results:
            numbers = [next(rest) for _ in types_of(result.type)]
            self.set(result, numbers, self.root(result, old))

    def either(
        self, condition: SSAValue, kinds: Sequence[Attribute], yes: Callable[[], Sequence[SSAValue]],
        no: Callable[[], Sequence[SSAValue]] = tuple,
    ) -> Sequence[SSAValue]:  # fmt: skip
        """The numbers that one of two functions gives, each of which writes a branch."""
        made = self.insert(scf.IfOp(condition, kinds, Region(Block()), Region(Block())))
        for region, write in zip(made.regions, (yes, no), strict=True):
            with self.within(region.block):
                self.insert(scf.YieldOp(*write()))
        return made.results


def refused(op: Operation, why: str) -> CompileError:
    """The error that an op cannot be flattened."""
    where = next((text for one in _near(op) if (text := shown(one))), "")
    return CompileError(f"{name_of(op)}: {why}\n{where}".rstrip())


def _near(op: Operation) -> Iterator[Operation]:
    """The op, and where it has no place of its own those that use what it gives, one after the other."""
    following: Operation | None = op
    while following is not None:
        yield following
        uses = next((result.uses for result in following.results if result.first_use), ())
        following = next((use.operation for use in uses), None)


def _place(op: Operation | None, location: Attribute) -> None:
    """Where ops come from that say nothing of it, from one on."""
    while op is not None:
        for made in op.walk():
            if isinstance(made.location, UnknownLoc):
                made.location = location  # type: ignore[assignment]  # of an op
        op = op.next_op
