"""`Writer`: the instructions of one function while they grow, and the operand that each value is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.bounds import Claim
from tilewright.ir.core.ranges import TightRanges
from tilewright.targets.launch import where
from tilewright.targets.llvm_emitter.narrow import FUNCTIONS
from tilewright.targets.llvm_emitter.types import INDEX, Value

Handlers: TypeAlias = Mapping[type[Operation], Callable[["Writer", Any], None]]


@dataclass(eq=False)
class Phi:
    """A value that depends on where control comes from; the line is written when all is known."""

    made: Value
    line: int
    ways: list[tuple[Value, str]]


@dataclass(eq=False)
class Writer:
    """Walks a function once, in order."""

    handlers: Handlers
    values: dict[SSAValue, Value] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)  # at the function's entry
    globals: list[str] = field(default_factory=list)
    used: dict[str, None] = field(default_factory=dict)  # functions that are called
    assertions: list[tuple[Claim, str]] = field(default_factory=list)
    turns: list[tuple[int, Value]] = field(default_factory=list)
    ranges: TightRanges = field(default_factory=TightRanges)
    label: str = "entry"
    names: int = 0
    stacked: int = 0  # bytes of arrays on the stack
    large: int = 0  # bytes of arrays that no stack should hold

    def block(self, block: Block) -> None:
        """The ops of a block, in order."""
        for op in block.ops:
            handler = self.handlers.get(type(op))
            if handler is None:
                raise CompileError(f"the LLVM emitter does not know the op {op.name}\n{where(op)}")
            handler(self, op)

    def fresh(self) -> str:
        """A new name."""
        self.names += 1
        return f"v{self.names}"

    def line(self, text: str) -> None:
        """Adds an instruction."""
        self.lines.append(f"  {text}")

    def make(self, kind: str, text: str) -> Value:
        """The result of an instruction."""
        name = self.fresh()
        self.line(f"%{name} = {text}")
        return Value(f"%{name}", kind)

    def call(self, kind: str, name: str, *given: Value) -> Value:
        """The result of a function."""
        self.used[name] = None
        return self.make(kind, f"call {kind} @{name}({', '.join(map(str, given))})")

    def start(self, label: str) -> None:
        """Begins a block of instructions."""
        self.lines.append(f"{label}:")
        self.label = label

    def jump(self, label: str) -> None:
        """Ends it."""
        self.line(f"br label %{label}")

    def branch(self, condition: Value, yes: str, no: str) -> None:
        """Ends it by a condition."""
        self.line(f"br {condition}, label %{yes}, label %{no}")

    def phi(self, kind: str, *ways: tuple[Value, str]) -> Phi:
        """A value by where control comes from; `close` writes it."""
        self.lines.append("")
        return Phi(Value(f"%{self.fresh()}", kind), len(self.lines) - 1, list(ways))

    def close(self, phi: Phi, *ways: tuple[Value, str]) -> Value:
        """Writes it, with more ways."""
        phi.ways += ways
        listed = ", ".join(f"[ {value.text}, %{label} ]" for value, label in phi.ways)
        self.lines[phi.line] = f"  {phi.made.text} = phi {phi.made.kind} {listed}"
        return phi.made

    def of(self, values: Sequence[SSAValue]) -> list[Value]:
        """The operands that these are."""
        return [self.values[value] for value in values]

    @contextmanager
    def turn(self, counter: Value, stride: Attribute | None) -> Iterator[None]:
        """Within a loop over threads, whose numbers lie so far apart."""
        if isinstance(stride, IntegerAttr):
            self.turns.append((stride.value.data, counter))
        yield
        if isinstance(stride, IntegerAttr):
            self.turns.pop()

    def thread(self) -> Value:
        """The number of the thread whose turn it is."""
        total = Value("0", INDEX)
        for stride, counter in self.turns:
            by = self.make(INDEX, f"mul {counter}, {stride}")
            total = self.make(INDEX, f"add {total}, {by.text}")
        return total

    def natural(self, value: SSAValue) -> bool:
        """Is an index certain to be at least 0?"""
        low = self.ranges.of(value)[0]
        return low is not None and low >= 0

    def functions(self) -> list[str]:
        """The texts of the functions that are called."""
        return [FUNCTIONS[name] for name in self.used]
