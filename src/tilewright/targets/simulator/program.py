"""A kernel compiled to closures, once: each op becomes a function that updates a frame.

Handlers are looked up by op class, in the table that the compiler is given.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.errors import CompileError, UsageError
from tilewright.ir.core.pool import pool_offset
from tilewright.ir.core.ranges import Ranges, TightRanges
from tilewright.ir.tile.ops import StorageOp, root
from tilewright.ir.tile.remote import RemoteOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.memory.access import (
    Lanes,
    Mask,
    Number,
    Operand,
    SharedStorage,
    Storage,
    Value,
)
from tilewright.targets.simulator.sites import Site

Step: TypeAlias = Callable[["Frame"], None]
Handler: TypeAlias = Callable[["Compiler", Any], Step | None]


class Domain(Lanes, Protocol):
    """What executes a program: real lanes, or a recorder that only learns what they would do."""

    def recall(self, key: Hashable) -> Operand | None:
        """What has been kept; None where nothing has."""

    def keep(self, key: Hashable, value: Operand) -> Operand:
        """The value, which is to be the same whenever the key comes again."""

    def decide(self, condition: Operand) -> Number:
        """A Python number where all lanes agree, else an array."""

    def outside(self, value: Operand, low: int, high: int, mask: Mask) -> tuple[int, str] | None:
        """The first active lane's value that is not in [low, high), and the name of its thread."""

    def thread_id(self, axis: int) -> Operand:
        """The lanes' thread coordinate."""

    def block_id(self, axis: int) -> Operand:
        """The lanes' block coordinate."""

    def allocate(self, op: Operation, element: Attribute, size: int, space: str) -> Storage:
        """The op's buffer, nothing in it written: `local` once a thread, `shared` once a block.

        An op that is reached again gives the same shared memory again, as C's `__shared__` does: whoever still reads
        it races with whoever writes it next.
        """

    def repeat(self, loop: Loop, frame: Frame, trips: range) -> None:
        """Takes all turns of a loop, whose number the lanes agree on."""

    def barrier(self, op: Operation, scope: str, mask: Mask) -> None:
        """The threads of the scope meet."""

    @property
    def warp_size(self) -> int:
        """The lanes of a warp."""

    def together(self, op: Operation, mask: Mask) -> None:
        """Raises `BarrierError` where the active lanes are no whole warps, which the op is for."""

    def hand_over(self, mask: Mask) -> None:
        """The active lanes, whole warps, give each other values: what they read lies before what they write later."""

    def burn(self, steps: int, op: Operation) -> None:
        """Uses up steps of the fuel, for the op."""


class Loop(Protocol):
    """A counted loop of a program."""

    @property
    def op(self) -> Operation:
        """Its op."""

    @property
    def nest(self) -> Callable[[Frame], bool] | None:
        """Does all turns at once, or nothing, and says which; None where there is no such way."""

    @property
    def work(self) -> int:
        """How many ops a turn takes at least."""

    @property
    def carried(self) -> list[int]:
        """The slots of what a turn gives to the next."""

    def turn(self, frame: Frame, counter: Operand) -> None:
        """One turn."""


class Frame:
    """The state of a running program: a value for each slot, the active lanes, and who executes."""

    __slots__ = ("domain", "mask", "values")

    def __init__(self, values: list[Value], domain: Domain) -> None:
        self.values = values
        self.mask: Mask = None
        self.domain = domain

    def operand(self, slot: int) -> Operand:
        """What the slot of a number holds."""
        return cast("Operand", self.values[slot])

    def operands(self, slots: Sequence[int]) -> list[Operand]:
        """What the slots of numbers hold."""
        return [self.operand(slot) for slot in slots]

    def number(self, slot: int) -> Number:
        """The same of real lanes, which hold numbers."""
        return cast("Number", self.values[slot])

    def memory(self, slot: int) -> Storage:
        """What the slot of a memory holds."""
        return cast("Storage", self.values[slot])

    def shared(self, slot: int) -> SharedStorage:
        """What the slot of a memory that is not local holds."""
        return cast("SharedStorage", self.values[slot])


@dataclass(frozen=True)
class Program:
    """A compiled kernel. `constants` fills the slots at the start; `arguments` are the slots of the parameters."""

    func: FuncOp
    steps: tuple[tuple[Operation, Step], ...]
    constants: tuple[Value, ...]
    arguments: tuple[int, ...]
    sites: tuple[Site, ...]

    def frame(self, domain: Domain, arguments: Sequence[Value]) -> Frame:
        """A frame at the start of the kernel."""
        values = list(self.constants)
        for slot, value in zip(self.arguments, arguments, strict=True):
            values[slot] = value
        return Frame(values, domain)

    def run(self, frame: Frame) -> None:
        """Executes the kernel."""
        run((step for _, step in self.steps), frame)


@dataclass
class Compiler:
    """Turns a function into a `Program`."""

    handlers: Mapping[type[Operation], Handler]
    slots: dict[SSAValue, int] = field(default_factory=dict)
    constants: list[Value] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    steady: dict[SSAValue, frozenset[int]] = field(default_factory=dict)  # numbers that depend on counters alone
    ranges: Ranges = field(default_factory=TightRanges)

    def slot(self, value: SSAValue) -> int:
        """The slot of a value."""
        if value not in self.slots:
            self.slots[value] = len(self.constants)
            self.constants.append(None)
        return self.slots[value]

    def slot_of_its_own(self) -> int:
        """A slot for a value that no op gives."""
        self.constants.append(None)
        return len(self.constants) - 1

    def site(
        self,
        op: Operation,
        kind: str,
        buffer: SSAValue,
        space: str,
        width_bytes: int,
        counted: bool = True,
        step_bytes: int = 0,
        instruction: str = "",
        inside: bool = False,
    ) -> Site:
        """A new access site."""
        memory = root(buffer)
        name, base = buffer_name(buffer), start_bytes(buffer)
        site = Site(op, kind, memory, name, space, width_bytes, counted, base, step_bytes, instruction, inside, buffer)
        self.sites.append(site)
        return site

    def block(self, block: Block) -> tuple[Step, ...]:
        """The steps of a block, in order."""
        return tuple(step for _, step in self.steps(block))

    def steps(self, block: Block) -> Iterator[tuple[Operation, Step]]:
        """The ops of a block that do something, with their steps."""
        return ((op, step) for op in block.ops if (step := self.step(op)) is not None)

    def program(self, func: FuncOp, steps: tuple[tuple[Operation, Step], ...]) -> Program:
        """The program of a function whose steps these are."""
        arguments = tuple(self.slot(argument) for argument in func.body.block.args)
        return Program(func, steps, tuple(self.constants), arguments, tuple(self.sites))

    def step(self, op: Operation) -> Step | None:
        """The step of one op; None where nothing is to be done."""
        handler = self.handlers.get(type(op))
        if handler is None:
            raise CompileError(f"the simulator has no meaning for the op {op.name}\n{where(op)}")
        try:
            return handler(self, op)
        except (CompileError, UsageError) as error:  # of a type, which knows no place
            if " at " in str(error):
                raise
            raise CompileError(f"{error}\n{where(op)}") from error


def buffer_name(value: SSAValue) -> str:
    """What a person calls the buffer; its storage bears its name."""
    if isinstance(value.owner, StorageOp):
        return buffer_name(value.owner.buffer)
    if isinstance(value.owner, RemoteOp) and not value.name_hint:
        return buffer_name(value.owner.memory)
    return value.name_hint or f"buffer{getattr(value, 'index', '')}"


def start_bytes(buffer: SSAValue) -> int:
    """Where a buffer's memory begins in the pool of its block; 0 where it is in none."""
    owner = root(buffer).owner
    return (pool_offset(owner) if isinstance(owner, Operation) else None) or 0


def run(steps: Iterable[Step], frame: Frame) -> None:
    """Executes the steps."""
    for step in steps:
        step(frame)


def compile_kernel(func: FuncOp, handlers: Mapping[type[Operation], Handler]) -> Program:
    """The program of a function.

    Raises:
        CompileError: an op without a handler, or one that its handler refuses.
    """
    compiler = Compiler(handlers)
    return compiler.program(func, tuple(compiler.steps(func.body.block)))
