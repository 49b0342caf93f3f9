"""A row of the table: the rule of an op, and what it takes, place by place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias, TypeVar, overload

from tilewright.errors import NotationError
from tilewright.ir.fly.kinds import MANY, Kind, Many, Maybe, Operand, Parameter
from tilewright.ir.fly.op_attributes import Attribute
from tilewright.ir.fly.types import Value

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")
G = TypeVar("G")

Given: TypeAlias = "Value | tuple[Value, ...]"


class Written(Parameter[tuple[Value, ...] | None]):
    """The types written for an op's results, of ops that do not infer them; None where none are given."""

    __slots__ = ()


WRITTEN = Written()


@dataclass(frozen=True)
class Op:
    """How an op infers.

    Args:
        rule: the function.
        kinds: of its operands.
        attributes: what it takes besides, in the order of the rule.
        written: are the types of results written, not inferred? Then the rule takes them first, None where none are
            given, and gives back what it finds consistent.
        names: of the operands, where the attribute `operandSegmentSizes` or a text tells them by name.
    """

    rule: Callable[..., Value]
    kinds: tuple[Operand, ...]
    attributes: tuple[Attribute[object], ...] = ()
    written: bool = False
    names: tuple[str, ...] = ()

    def named(self, names: str) -> Op:
        """The op with names for its operands."""
        return replace(self, names=tuple(names.split()))

    @cached_property
    def operands(self) -> tuple[int, int]:
        """The least and the most operands."""
        return sum(kind.least for kind in self.kinds), min(MANY, sum(kind.most for kind in self.kinds))

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The names: `d?` is one operand or none, `a*` are several."""
        return tuple(f"{name}{kind.mark}" for name, kind in zip(self.names, self.kinds, strict=False))

    @cached_property
    def segmented(self) -> bool:
        """Must an op say how many operands each group has?"""
        return sum(group[-1] in "*?" for group in self.groups) > 1

    def grouped(self, values: Sequence[Value], sizes: Sequence[int] | None = None) -> list[Given]:
        """The operands as the rule takes them.

        Raises:
            NotationError: the sizes of the groups are not those of these operands.
            LayoutError: an operand is of another kind.
        """
        sizes = self.sizes(len(values)) if sizes is None else sizes
        fits = len(sizes) == len(self.kinds) and sum(sizes) == len(values)
        if not fits or not all(kind.least <= size <= kind.most for kind, size in zip(self.kinds, sizes, strict=True)):
            raise NotationError(f"operandSegmentSizes {list(sizes)} do not group {len(values)} operands")
        taken, at = list[Given](), 0
        for kind, size in zip(self.kinds, sizes, strict=True):
            for i in range(at, at + size):
                if values[i] not in kind.kind:
                    raise kind.kind.refusal(i, values[i])
            taken.append(kind.taken(tuple(values[at : at + size])))
            at += size
        return taken

    def sizes(self, count: int) -> list[int]:
        """How many operands each group has, where nothing says so: the least, then those that may be missing."""
        if len(self.kinds) == 1:
            return [count]
        sizes = [kind.least for kind in self.kinds]
        for i, kind in enumerate(self.kinds):
            if isinstance(kind, Maybe) and sum(sizes) < count:
                sizes[i] = 1
        return sizes


# One line for each number of places: mypy compares what a rule takes with the kinds of the operands.
@overload
def op(rule: Callable[[], Value], /) -> Op: ...
@overload
def op(rule: Callable[[A], Value], a: Parameter[A], /) -> Op: ...
@overload
def op(rule: Callable[[A, B], Value], a: Parameter[A], b: Parameter[B], /) -> Op: ...
@overload
def op(rule: Callable[[A, B, C], Value], a: Parameter[A], b: Parameter[B], c: Parameter[C], /) -> Op: ...
@overload
def op(
    rule: Callable[[A, B, C, D], Value], a: Parameter[A], b: Parameter[B], c: Parameter[C], d: Parameter[D], /
) -> Op: ...
@overload
def op(
    rule: Callable[[A, B, C, D, E], Value],
    a: Parameter[A],
    b: Parameter[B],
    c: Parameter[C],
    d: Parameter[D],
    e: Parameter[E],
    /,
) -> Op: ...
@overload
def op(
    rule: Callable[[A, B, C, D, E, F], Value],
    a: Parameter[A],
    b: Parameter[B],
    c: Parameter[C],
    d: Parameter[D],
    e: Parameter[E],
    f: Parameter[F],
    /,
) -> Op: ...
@overload
def op(
    rule: Callable[[A, B, C, D, E, F, G], Value],
    a: Parameter[A],
    b: Parameter[B],
    c: Parameter[C],
    d: Parameter[D],
    e: Parameter[E],
    f: Parameter[F],
    g: Parameter[G],
    /,
) -> Op: ...
def op(rule: Callable[..., Value], /, *places: Parameter[object]) -> Op:
    """The row of a rule that takes these, in this order.

    >>> from tilewright.ir.fly.kinds import INT_TUPLE
    >>> op(lambda a, b: (a, b), INT_TUPLE, Maybe(INT_TUPLE)).operands
    (1, 2)
    """
    return Op(
        rule,
        tuple(place for place in places if isinstance(place, Kind | Maybe | Many)),
        tuple(place for place in places if isinstance(place, Attribute)),
        WRITTEN in places,
    )
