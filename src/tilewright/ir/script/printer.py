"""`Printer`: the lines of a script while it grows; which statement an op becomes is told by a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.core.effects import is_pure
from tilewright.ir.script.expressions import Expressions

# Of ops of one class each, which the type of their table cannot say.
Statement: TypeAlias = Callable[["Printer", Any], None]


class Printer:
    """Prints ops as statements, by `statements` or else by `other`; pure ops stand in expressions."""

    def __init__(self, statements: Mapping[type[Operation], Statement], other: Statement) -> None:
        self.show = Expressions()
        self.lines: list[str] = []
        self.level = 0
        self.statements, self.other = statements, other

    def nested(self, block: Block, end: Callable[[], None] = lambda: None) -> None:
        """The ops of a block, one level deeper, and what stands at its end."""
        self.level += 1
        before = len(self.lines)
        with self.show.block():
            self.operations(list(block.ops))
            end()
        if len(self.lines) == before:
            self.emit("pass")
        self.level -= 1

    def operations(self, ops: list[Operation]) -> None:
        """The ops, in order."""
        for op in ops:
            statement = self.statements.get(type(op))
            if statement is not None:
                statement(self, op)
            elif not is_pure(op):
                self.other(self, op)
            elif self.show.shared(op):
                self.define(op.results[0])

    def define(self, value: SSAValue) -> None:
        """`name = expression`."""
        text, _ = self.show.tree(value)
        self.emit(f"{self.show.name(value)} = {text}")

    def emit(self, line: str) -> None:
        """A line at the present depth."""
        self.lines.append("    " * self.level + line)
