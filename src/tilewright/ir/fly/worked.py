"""What an op gives as numbers, where its type only tells their width and divisor.

The rule is the one that inference runs (`table.TABLE`), on the same leaves named by their operand; but here a leaf that
a type would forget remembers the number that it stands for, nothing is taken for positive that need not be, and the
conditions that the rule asked for are kept: what is not proved of the values is to be asserted beside the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.ir.fly.infer import inferred
from tilewright.ir.fly.lattice import Leaf
from tilewright.ir.fly.leaves import mapped, run_time_leaves
from tilewright.ir.fly.remembered import Numbers, Remembered
from tilewright.ir.fly.settled import MOST_TERMS, key_of, settled_where
from tilewright.ir.fly.table import TABLE
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import Basis, CoordTensor, MemRef, Scalar, Tile, Value
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.comparison import equals
from tilewright.layout.symbolic.conditions import Comparison, Condition, Truth
from tilewright.layout.symbolic.expression import filled
from tilewright.layout.symbolic.polynomial import (
    Nameless,
    Polynomial,
    Variable,
    add,
    constant,
    of_atom,
    value_of,
    variables,
)
from tilewright.layout.symbolic.symint import Integer, SymInt

# For the way that takes nothing to be positive, of which there is another.
FEW_TERMS = 1 << 16


class Number(Leaf):
    """A leaf of which nothing is known but its width, and the number that it stands for."""

    __slots__ = ()

    @classmethod
    def forgotten(cls, polynomial: Polynomial, width: int, div: int) -> Number:
        """A leaf of its own that stands for the number."""
        return _number(key_of((polynomial, width, div), lambda: Remembered(polynomial)), width, div)


class Positive(Number):
    """A leaf that is taken to be positive, as inference takes it; what was taken so is noted.

    One that stands for a known integer which is not positive, is not taken so: it could never be.
    """

    __slots__ = ()

    @classmethod
    def forgotten(cls, polynomial: Polynomial, width: int, div: int) -> Number:
        """A leaf of its own that stands for the number."""
        key, known = key_of((polynomial, width, div), lambda: Remembered(polynomial)), value_of(polynomial)
        if known is not None and known < 1:
            return filled(object.__new__(cls), of_atom(_any(key, width)), width, div)
        return _positive(key, width, div)


def _number(key: str | Nameless, width: int, div: int) -> Number:
    return filled(object.__new__(Number), of_atom(_any(key, width)), width, div)


def _any(key: str | Nameless, width: int) -> Variable:
    top = 1 << width - 1
    return Variable(key, width, 1, -top, top - 1)


_taken: ContextVar[list[Variable]] = ContextVar("taken")


def _positive(key: str | Nameless, width: int, div: int) -> Number:
    variable = Variable(key, width, 1, 1, (1 << width - 1) - 1)
    _taken.get().append(variable)
    return filled(object.__new__(Positive), of_atom(variable), width, div)


LeafMaker: TypeAlias = Callable[[str, int, int], Number]


@dataclass(frozen=True, slots=True)
class Worked:
    """The value of an op in the variables of its operands' leaves, and what the rule asked of them."""

    value: Value
    conditions: tuple[Condition, ...]
    leaves: tuple[Variable, ...]

    def at(self, numbers: Sequence[Integer], keep: Callable[[Integer], Integer] = lambda number: number) -> Numbers:
        """What the value's polynomials are where the operands' leaves, from left to right, are these integers.

        `keep` gives what stands for a number on the way to them, which may be another expression of it.
        """
        return Numbers(dict(zip(self.leaves, numbers, strict=True)), keep)


@lru_cache(4096)
def worked(name: str, texts: tuple[str, ...], attributes: tuple[object, ...] = ()) -> Worked:
    """What the op gives for operands of these types: in the form of the type that is inferred, where there is one.

    Raises:
        LayoutError: the op has no result here, as inference says.

    >>> size = worked("size", ("!fly.layout<(?,8):(1,?)>",))
    >>> size.at([5, 7]).of(size.value.polynomial)
    40
    """
    kind, operands = inferred(name, texts, attributes, None), [read(text) for text in texts]
    try:
        done = _worked(name, operands, attributes, _number, FEW_TERMS)
        if has_form(done.value, kind):
            return done
    except LayoutError:
        pass
    return _taken_positive(name, operands, attributes)


def _taken_positive(name: str, operands: Sequence[Value], attributes: tuple[object, ...]) -> Worked:
    """Inference itself, on leaves that remember: it finds what inference found."""
    token = _taken.set([])
    try:
        done = _worked(name, operands, attributes, _positive, MOST_TERMS)
        taken = tuple(_is_positive(variable) for variable in _taken.get())
        return replace(done, conditions=(*taken, *done.conditions))
    finally:
        _taken.reset(token)


def _worked(
    name: str, operands: Sequence[Value], attributes: tuple[object, ...], leaf: LeafMaker, most_terms: int
) -> Worked:
    op, given = TABLE[name], [_named(value, i, leaf) for i, value in enumerate(operands)]
    known = len(_taken.get(()))

    def rule() -> Value:
        del _taken.get([])[known:]  # what another way took to be positive
        found: Value = op.rule(*op.grouped(given, None), *attributes)
        return found

    value, conditions = settled_where(rule, most_terms)
    leaves = [x for operand in given for x in run_time_leaves(operand)]
    return Worked(value, conditions, tuple(next(iter(variables(x.polynomial))) for x in leaves))


def _named(value: Value, operand: int, leaf: LeafMaker) -> Value:
    places = count()
    return mapped(value, lambda x: leaf(f"{operand}.{next(places)}", x.width, x.div))


def _is_positive(variable: Variable) -> Comparison:
    p = of_atom(variable)
    return Comparison(add(p, constant(-1)), ">=", ((p,), ">=", constant(1)))


def has_form(value: Value, type: Value) -> bool:
    """Has the type a leaf, or the same integer, wherever the value has one?

    >>> has_form((3, (4, 5)), read("!fly.int_tuple<(?,(4,?))>")), has_form((3, 4), read("!fly.int_tuple<(?,5)>"))
    (True, False)
    """
    if isinstance(type, Scalar):
        return isinstance(value, Scalar) and value.text == type.text  # whatever is asked
    if isinstance(type, bool):
        return value == type
    try:
        return False not in in_form(value, type)[1]
    except LayoutError:
        return False


def in_form(value: Value, type: Value) -> tuple[tuple[Integer, ...], tuple[Truth, ...]]:
    """A value's integers where the type has run-time leaves, and under which truths the others are the type's.

    Raises:
        LayoutError: the value is of another profile.

    >>> in_form((3, (4, 5)), read("!fly.int_tuple<(?,(4,?))>"))
    ((3, 5), (True,))
    """
    wanted, given = list[Integer](), list[Integer]()
    if _flat(value, given) != _flat(type, wanted):
        raise LayoutError(f"{write(value)} is not of the form {write(type)}")
    pairs = list(zip(given, wanted, strict=True))
    known = [(x, leaf) for x, leaf in pairs if not isinstance(leaf, SymInt)]
    return tuple(x for x, leaf in pairs if isinstance(leaf, SymInt)), tuple(equals(x, leaf) for x, leaf in known)


def _flat(value: object, found: list[Integer]) -> object:
    """The value's profile; its integers, from left to right, are added to `found`."""
    match value:
        case bool() | None:
            return value
        case int() | SymInt():
            found.append(value)
            return 0
        case tuple():
            return tuple(_flat(item, found) for item in value)
        case AxisSum():
            return tuple((axis, _flat(term, found)) for axis, term in value.terms)
        case Layout():
            return Layout, _flat(value.shape, found), _flat(value.stride, found)
        case ComposedLayout():
            return ComposedLayout, *(_flat(part, found) for part in (value.outer, value.offset, value.inner))
        case Tile():
            return Tile, _flat(value.tiler, found)
        case Basis():
            return Basis, _flat(value.element, found)
        case MemRef():
            return value.pointer, _flat(value.layout, found)
        case CoordTensor():
            return CoordTensor, _flat(value.base, found), _flat(value.layout, found)
    return value
