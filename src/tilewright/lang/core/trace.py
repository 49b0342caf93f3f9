"""The trace: where ops are inserted while a user's function runs, entered by `with`, found in a `ContextVar`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from xdsl.builder import Builder
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.errors import KernelError
from tilewright.ir.core.location import source
from tilewright.lang.core.frames import here, location

MOST_OPS = 1 << 16
"""Ops of a trace: these take some two seconds, and a kernel written to be run has some thousands."""
OUTSIDE = "this needs a value of run time, which only a kernel has: call it within @flyc.kernel or jit"
MOST_TURNS = 1 << 20
"""Items of Python's iterables that a trace goes through: these take some tenths of a second."""
Op = TypeVar("Op", bound=Operation)
_STACK: ContextVar[tuple[Trace, ...]] = ContextVar("tilewright_traces", default=())


class Trace:
    """What is being made of a function: ops go to the end of the innermost block that is open.

    Args:
        body: the function's block.
        name: the function, for messages.
    """

    def __init__(self, body: Block, name: str) -> None:
        self.name = name
        self._blocks = [body]
        self._known: dict[Hashable, SSAValue] = {}
        self._last: Operation | None = None
        self._count = self._turns = 0

    def emit(self, op: Op) -> Op:
        """Inserts an op where the user's function is, and gives it that place.

        Raises:
            KernelError: an operand was made in a loop or a branch that is over; too many ops.
        """
        op.location = location(sys._getframe(1))
        self._count += 1
        if self._count > MOST_OPS:
            raise KernelError(
                f"{self.name} has more than {MOST_OPS} operations; unroll less: write `for .. in range(..)`"
            )
        for operand in op.operands:
            self.require_seen(operand)
        self._blocks[-1].add_op(op)
        return op

    def go_through(self, count: int) -> None:
        """Counts items of an iterable that Python goes through.

        Raises:
            KernelError: there are too many.
        """
        self._turns += count
        if self._turns > MOST_TURNS:
            raise KernelError(
                f"{self.name} goes through more than {MOST_TURNS} items while it is traced; "
                "write `for .. in range(..)`, whose turns are taken at run time"
            )

    def once(self, key: Hashable, make: Callable[[], Operation]) -> SSAValue:
        """The result of an op without operands at the beginning of the function, made for the first one of its key.

        What depends on what is so inserted before may have it as operands.
        """
        if key not in self._known:
            op = make()
            op.location = location(sys._getframe(1))
            at = InsertPoint.at_start(self._blocks[0]) if self._last is None else InsertPoint.after(self._last)
            Builder(at).insert(op)
            self._last, self._known[key] = op, op.results[0]
        return self._known[key]

    def require_seen(self, value: SSAValue) -> None:
        """Raises `KernelError` for a value of a loop or a branch that is over."""
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        if block not in self._blocks:
            made = value.owner if isinstance(value.owner, Operation) else None
            line = source(made.location) if made is not None else None
            where = f", in line {line.line.data}" if line is not None else ""
            raise KernelError(
                f"a value that was made inside a run-time loop or branch{where} is used outside of it; assign it to a "
                "variable, or to an element of a list that exists before, which are carried out"
            )

    @contextmanager
    def into(self, block: Block) -> Iterator[Block]:
        """Within it ops go to that block."""
        depth = len(self._blocks)
        self._blocks.append(block)
        try:
            yield block
        finally:
            del self._blocks[depth:]

    @property
    def depth(self) -> int:
        """How many loops and branches are open."""
        return len(self._blocks) - 1

    @contextmanager
    def entered(self) -> Iterator[Trace]:
        """Within it this is the current trace."""
        before = _STACK.set((*_STACK.get(), self))
        try:
            yield self
        finally:
            _STACK.reset(before)


def current() -> Trace | None:
    """The innermost trace, if any."""
    return (_STACK.get() or (None,))[-1]


def tracing() -> Trace:
    """The innermost trace.

    Raises:
        KernelError: no kernel is being traced.
    """
    found = current()
    if found is None:
        raise KernelError(OUTSIDE, here())
    return found


def emit(op: Op) -> Op:
    """Inserts an op into the current trace."""
    return tracing().emit(op)


def result(op: Operation) -> SSAValue:
    """Inserts an op into the current trace; its result."""
    return tracing().emit(op).results[0]


def types_of(values: tuple[SSAValue, ...]) -> tuple[Attribute, ...]:
    """The types of values."""
    return tuple(value.type for value in values)
