"""One way through a rule that asks conditions of run-time values: which it took, and what it forgot on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from tilewright.errors import LayoutError
from tilewright.layout.symbolic.conditions import Comparison, Compound, Condition, assuming
from tilewright.layout.symbolic.evaluation import is_typical
from tilewright.layout.symbolic.guards import search
from tilewright.layout.symbolic.polynomial import Nameless
from tilewright.layout.symbolic.work import TooMuchWorkError, bounded

Item = TypeVar("Item")

MOST_TERMS = 200_000  # of all expressions and conditions of one op: kernels' layouts take up to some thousands


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
