"""Run-time leaves of types: nameless in the text, named while an operation is inferred, erased by what is printed.

A leaf of a type is its width and divisor. Each leaf of each operand becomes a variable of its own, so that two
operands that print alike are two numbers; the divisor travels by fly's lattice alone (+ - % min max take the greatest
common one, * multiplies, / forgets it), never by what the expression would prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count, islice
from math import gcd
from typing import TYPE_CHECKING, Self, TypeAlias, TypeGuard, TypeVar

from tilewright.errors import LayoutError
from tilewright.ir.fly.types import AnyLayout, Basis, CoordTensor, MemRef, Tile, Value, is_tree
from tilewright.layout.axes import AxisSum, from_terms
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.conditions import Comparison, Compound, Condition, assuming
from tilewright.layout.symbolic.evaluation import is_typical
from tilewright.layout.symbolic.expression import Expression, as_polynomial, div_of, filled, width_of
from tilewright.layout.symbolic.guards import search
from tilewright.layout.symbolic.operators import as_int
from tilewright.layout.symbolic.polynomial import Call, Nameless, Polynomial, Variable, atoms, of_atom
from tilewright.layout.symbolic.symint import Integer, SymInt
from tilewright.layout.symbolic.work import TooMuchWorkError, bounded

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import CheckedTiler
    from tilewright.layout.inttuple import Element, Elements, IntTuple, Tree

Item = TypeVar("Item")
Change: TypeAlias = Callable[[SymInt], Integer]

MOST_TERMS = 200_000  # of all expressions and conditions of one op: kernels' layouts take up to some thousands
MOST = 16  # variables of an expression, beyond which a type forgets how it came about


def is_run_time(value: object) -> TypeGuard[SymInt]:
    """Is it a run-time integer, for which `int` stands elsewhere?"""
    return isinstance(value, SymInt)


def named(value: Value, operand: int) -> Value:
    """The value with every run-time leaf a variable of its own, named by the operand and its place there.

    >>> a, b = (named(Layout(SymInt(div=8), 1), i) for i in (0, 1))
    >>> print(a.shape - b.shape, a.shape - a.shape)
    ?{div=8} 0
    """
    places = count()
    return mapped(value, lambda x: leaf(f"{operand}.{next(places)}", x.width, x.div))


def mapped(value: Value, change: Change) -> Value:
    """The value with `change(leaf)` for each of its run-time leaves, from left to right."""
    match value:
        case Layout() | ComposedLayout():
            return _layout(value, change)
        case Tile():
            return Tile(_tiler(value.tiler, change))
        case Basis():
            return Basis(_leaf(value.element, change))
        case MemRef():
            return MemRef(value.pointer, _layout(value.layout, change))
        case CoordTensor():
            return CoordTensor(_tree(value.base, change), _layout(value.layout, change))
    return _tree(value, change) if is_tree(value) else value


def _tree(tree: Tree, change: Change) -> Tree:
    if isinstance(tree, tuple):
        return tuple(_tree(item, change) for item in tree)
    return tree if tree is None else _leaf(tree, change)


def _leaf(leaf: Element, change: Change) -> Element:
    if isinstance(leaf, AxisSum):
        return from_terms((axis, _integer(number, change)) for axis, number in leaf.terms)
    return _integer(leaf, change)


def _integer(number: int, change: Change) -> int:
    return as_int(change(number)) if is_run_time(number) else number


def _layout(layout: AnyLayout, change: Change) -> AnyLayout:
    if isinstance(layout, Layout):
        return _plain(layout, change)
    outer = layout.outer if isinstance(layout.outer, Swizzle | CoordSwizzle) else _layout(layout.outer, change)
    return ComposedLayout(outer, _tree(layout.offset, change), _layout(layout.inner, change))


def _plain(layout: Layout, change: Change) -> Layout:
    if layout.is_static:
        return layout
    return trusted(_integers(layout.shape, change), _strides(layout.stride, change))


def _integers(tree: IntTuple, change: Change) -> IntTuple:
    return tuple(_integers(item, change) for item in tree) if isinstance(tree, tuple) else _integer(tree, change)


def _strides(tree: Elements, change: Change) -> Elements:
    return tuple(_strides(item, change) for item in tree) if isinstance(tree, tuple) else _leaf(tree, change)


def _tiler(tiler: CheckedTiler, change: Change) -> CheckedTiler:
    if isinstance(tiler, tuple):
        return tuple(_tiler(item, change) for item in tiler)
    if isinstance(tiler, Layout):
        return _plain(tiler, change)
    return tiler if tiler is None else _integer(tiler, change)


def run_time_leaves(value: Value) -> list[SymInt]:
    """The run-time leaves of a value, from left to right.

    >>> [str(leaf) for leaf in run_time_leaves(Layout((SymInt(div=8), 4), (1, SymInt(width=64))))]
    ['?{div=8}', '?{i64}']
    """
    found: list[SymInt] = []

    def note(leaf: SymInt) -> SymInt:
        found.append(leaf)
        return leaf

    mapped(value, note)
    return found


def settled(function: Callable[[], Item]) -> Item:
    """`function()` where every condition on run-time values has the truth that is typical.

    Type inference needs one form of the result; the conditions under which it is right are no part of a type, and
    are asserted where the operation is lowered. Where the typical way is refused, others are tried, at last those of
    the algebra's guards: what the algebra answers under guards, has a type.

    Raises:
        LayoutError: every way is refused.
    """
    return settled_where(function)[0]


def settled_where(function: Callable[[], Item], most_terms: int = MOST_TERMS) -> tuple[Item, tuple[Condition, ...]]:
    """What `settled` gives, and the conditions under which it is right.

    Raises:
        LayoutError: every way is refused, or they take too many terms.
    """
    with bounded(most_terms):
        return _settled_where(function)


def _settled_where(function: Callable[[], Item]) -> tuple[Item, tuple[Condition, ...]]:
    refusals: list[LayoutError] = []
    for way in (_typical, _wanted):
        oracle = _Oracle(way)
        try:
            with assuming(oracle):
                return function(), oracle.answered
        except TooMuchWorkError:
            raise
        except LayoutError as error:
            refusals.append(error)
    try:
        with _keys_again() as again:
            found, assumed = search(lambda: again(function), {})
    except TooMuchWorkError:
        raise
    except LayoutError:
        raise refusals[0] from None
    return found, tuple(c if truth else c.negated() for c, truth in assumed.items())


def _typical(condition: Condition) -> bool:
    return is_typical(condition)


def _wanted(condition: Condition) -> bool:
    # What the algebra demands are divisions and orders; equality is what makes modes merge and vanish.
    if isinstance(condition, Compound):
        return (any if condition.word == "or" else all)(map(_wanted, condition.parts))
    return not (isinstance(condition, Comparison) and condition.relation == "==" and len(condition.says[0]) == 1)


class _Oracle(Mapping[Condition, bool]):
    """Every condition, with the truth that a rule gives it, and which were asked for."""

    def __init__(self, way: Callable[[Condition], bool]) -> None:
        self._way = way
        self._answers: dict[Condition, bool] = {}

    @property
    def answered(self) -> tuple[Condition, ...]:
        """The conditions asked for, each as it was taken to be."""
        return tuple(c if truth else c.negated() for c, truth in self._answers.items())

    def __getitem__(self, condition: Condition) -> bool:
        return self._answers.setdefault(condition, self._way(condition))

    def __contains__(self, condition: object) -> bool:
        return isinstance(condition, Condition)

    def __iter__(self) -> Iterator[Condition]:
        return iter(self._answers)

    def __len__(self) -> int:
        return len(self._answers)


class _Keys:
    """The keys of forgotten leaves, the same ones each time that a rule is run anew as far as it goes the same way."""

    def __init__(self) -> None:
        self._made: list[tuple[object, Nameless]] = []
        self._at = 0

    def __call__(self, function: Callable[[], Item]) -> Item:
        self._at = 0
        return function()

    def key(self, what: object, make: Callable[[], Nameless]) -> Nameless:
        """The next key, which is for this."""
        if self._at == len(self._made) or self._made[self._at][0] != what:
            self._made[self._at :] = [(what, make())]
        self._at += 1
        return self._made[self._at - 1][1]


_keys: ContextVar[_Keys | None] = ContextVar("keys", default=None)


@contextmanager
def _keys_again() -> Iterator[_Keys]:
    keys = _Keys()
    token = _keys.set(keys)
    try:
        yield keys
    finally:
        _keys.reset(token)


def key_of(what: object, make: Callable[[], Nameless]) -> Nameless:
    """The key of a leaf that is forgotten: a new one, but where a rule is run again to look for another way."""
    keys = _keys.get()
    return make() if keys is None else keys.key(what, make)


class Leaf(SymInt):
    """A run-time integer of which types tell the width and the divisor alone.

    Sums and products stay expressions, so that n - n is 0; a quotient, remainder or minimum that is not known becomes
    a leaf of its own, as a type forgets how it came about. Modes of such extents are never merged.
    """

    __slots__ = ()
    stays_apart = True

    @classmethod
    def of_result(cls, polynomial: Polynomial, width: int, div: int) -> Leaf:
        """The result, as a leaf of its own where it is more than a few sums and products."""
        found = list(islice(atoms(polynomial), MOST + 1))
        if len(found) > MOST or any(isinstance(atom, Call) for atom in found):
            return cls.forgotten(polynomial, width, div)
        return filled(object.__new__(cls), polynomial, width, div)

    @classmethod
    def forgotten(cls, polynomial: Polynomial, width: int, div: int) -> Leaf:
        """A leaf of its own for the number."""
        return leaf(key_of((polynomial, width, div), Nameless), width, div)

    @classmethod
    def truncated(cls, a: int | Expression, b: int | Expression) -> int | Self:
        """a / b rounded towards 0."""
        return cls._own(cls._quotient(a, b, super().truncated(a, b), 1))

    @classmethod
    def truncated_rest(cls, a: int | Expression, b: int | Expression) -> int | Self:
        """a - b * (a / b)."""
        return cls._own(cls._quotient(a, b, super().truncated_rest(a, b), gcd(div_of(a), div_of(b))))

    @classmethod
    def extremum(cls, which: str, a: int | Expression, b: int | Expression) -> int | Self:
        """The least or greatest: never one known integer, which a type does not know to be it."""
        found = super().extremum(which, a, b)
        if isinstance(found, cls):
            return found
        return cls._own(cls.forgotten(as_polynomial(found), max(width_of(a), width_of(b)), gcd(div_of(a), div_of(b))))

    @classmethod
    def _own(cls, found: int | Leaf) -> int | Self:
        assert isinstance(found, int | cls)  # as every leaf that the class makes
        return found

    @classmethod
    def _quotient(cls, a: int | Expression, b: int | Expression, found: int | Expression, div: int) -> int | Leaf:
        # What a run-time leaf divides, a type does not know, but for 0 and for the leaf itself.
        if found.__class__ is int and (b.__class__ is int or as_polynomial(a) in (as_polynomial(0), as_polynomial(b))):
            return found
        return cls.forgotten(as_polynomial(found), max(width_of(a), width_of(b)), div)

    def __floordiv__(self, other: int | Expression) -> int | Leaf:
        found = super().__floordiv__(other)
        return found if found is NotImplemented else self._quotient(self, other, found, 1)

    def __rfloordiv__(self, other: int | Expression) -> int | Leaf:
        return self._quotient(other, self, super().__rfloordiv__(other), 1)

    def __mod__(self, other: int | Expression) -> int | Leaf:
        found = super().__mod__(other)
        return found if found is NotImplemented else self._quotient(self, other, found, gcd(self.div, div_of(other)))

    def __rmod__(self, other: int | Expression) -> int | Leaf:
        return self._quotient(other, self, super().__rmod__(other), gcd(div_of(other), self.div))


def is_leaf(value: object) -> TypeGuard[Leaf]:
    """Is it a run-time integer of a type?"""
    return isinstance(value, Leaf)


def leaf(key: str | Nameless, width: int, div: int) -> Leaf:
    """A new leaf: nothing is known of its value but that it is positive and, by `div`, what divides it."""
    variable = Variable(key, width, 1, 1, (1 << width - 1) - 1)
    return filled(object.__new__(Leaf), of_atom(variable, 1), width, div)
