"""Names of numbers that a loop or branch gives other values: these go in, from turn to turn, and come out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Region, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.elements import BOOL
from tilewright.ir.core.ranges import Index
from tilewright.lang.choices import agreement
from tilewright.lang.core.rewrite.names import names_of
from tilewright.lang.expressions import as_element, is_element
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_index, number_of, show


def changing(t: Tracer, statements: Sequence[ast.stmt]) -> tuple[str, ...]:
    """The names that the statements assign and that are numbers outside of them, in the order of their binding."""
    assigned = names_of(statements).assigned
    return tuple(name for name in t.scopes.own if name in assigned and _is_number(t.scopes.look_up(name)))


def hint(name: str) -> str:
    """A name as the IR knows it; of a flag (`core/rewrite/jumps`) its word."""
    return name.strip("_").partition("_")[0] if name.startswith("__") else name


def _is_number(value: Value) -> bool:
    return is_index(value) or is_element(value) or type(value) in (bool, float)


@dataclass(frozen=True)
class Carried:
    """The names that a loop carries, and their values where it begins."""

    names: tuple[str, ...]
    start: tuple[SSAValue, ...]

    @staticmethod
    def of(t: Tracer, names: tuple[str, ...]) -> Carried:
        """Those of the loop that begins here."""
        return Carried(names, tuple(_started(t, name) for name in names))

    @property
    def types(self) -> list[Attribute]:
        """Of the values."""
        return [value.type for value in self.start]

    @contextmanager
    def within(self, t: Tracer, block: Block) -> Iterator[None]:
        """Building goes on in the block, whose last arguments the names are."""
        arguments = block.args[len(block.args) - len(self.names) :]
        for argument, name in zip(arguments, self.names, strict=True):
            argument.name_hint = argument.name_hint or hint(name)
        with t.at(block):
            t.scopes.shadow(self.names, arguments)
            yield

    def ends(self, t: Tracer) -> list[SSAValue]:
        """The values at the end of a turn."""
        return [_next(t, name, start) for name, start in zip(self.names, self.start, strict=True)]

    def leave(self, t: Tracer, results: Sequence[SSAValue]) -> None:
        """Behind the loop the names are its results."""
        for name, result in zip(self.names, results, strict=True):
            t.scopes.bind(name, result)


def _started(t: Tracer, name: str) -> SSAValue:
    value = t.scopes.look_up(name)
    if isinstance(value, float):
        raise KernelError(f"{name!r} changes in this loop and begins as {value!r}; say its type: T.float32({value!r})")
    return as_element(t, value, BOOL) if isinstance(value, bool) else t.index.value(cast("Index", value))


def _next(t: Tracer, name: str, start: SSAValue) -> SSAValue:
    value, kind = t.scopes.look_up(name), start.type
    if is_index(value) and isinstance(kind, IndexType):
        return t.index.value(value)
    if isinstance(value, SSAValue) and value.type == kind:
        return value
    if type(value) in (int, float, bool) and not isinstance(kind, IndexType):
        return t.elements.constant(number_of(value), element_dtype(kind))
    raise KernelError(
        f"{name!r} begins as {_kind(start)} and is {_kind(value)} at the end of a turn; one type for both"
    )


def _kind(value: Value) -> str:
    return "an index" if is_index(value) else str(element_dtype(value.type)) if is_element(value) else show(value)


def branch(t: Tracer, condition: SSAValue, names: tuple[str, ...], *sides: Callable[[], None]) -> None:
    """A `scf.if` of one or two sides, which may give the names other values."""
    ends = [_side(t, side, names) for side in sides]
    ends += [_side(t, lambda: None, names)] if names and len(sides) == 1 else []
    columns = [[values[position] for _, values in ends] for position in range(len(names))]
    agreed = [agreement(t, one, other) for one, other in columns]
    for block, values in ends:
        with t.at(block):
            given = [agree(value) for agree, value in zip(agreed, values, strict=True)]
            t.builder.insert(scf.YieldOp(*given))
    yes, *no = (Region(block) for block, _ in ends)
    made = scf.IfOp(condition, [value.type for value in given], yes, no[0] if no else None)
    t.insert(made)
    for name, result in zip(names, made.results, strict=True):
        result.name_hint = hint(name)
        t.scopes.bind(name, result)


def _side(t: Tracer, side: Callable[[], None], names: tuple[str, ...]) -> tuple[Block, list[Value]]:
    block, before = Block(), [t.scopes.look_up(name) for name in names]
    with t.at(block):
        t.scopes.shadow(names, before)
        side()
        return block, [t.scopes.look_up(name) for name in names]
