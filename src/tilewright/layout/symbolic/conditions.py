"""Conditions on run-time integers: decided at once where that is possible, else objects that can be checked later.

A `Condition` has no truth of its own: asking for it raises `UndecidedError`. Within `assuming(...)` it has the truth
that is assumed, and what is not assumed is an `OpenQuestion` to the one who assumes; see `guards`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.layout.symbolic.polynomial import Polynomial, add, constant, scale
from tilewright.layout.symbolic.ranges import lower_bound, upper_bound
from tilewright.layout.symbolic.text import operand_text, text
from tilewright.layout.symbolic.work import spend

_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==", "or": "and", "and": "or"}


class UndecidedError(LayoutError):
    """The truth of a condition on run-time values was needed; `condition` is the condition."""

    def __init__(self, condition: Condition) -> None:
        super().__init__(f"undecided before run time: {condition}")
        self.condition = condition

    def __reduce__(self) -> tuple[type[UndecidedError], tuple[Condition]]:
        return UndecidedError, (self.condition,)


class OpenQuestion(BaseException):
    """A truth was asked for that is not among the assumptions. It passes every handler of errors on its way."""

    def __init__(self, condition: Condition) -> None:
        super().__init__(str(condition))
        self.condition = condition


class Condition:
    """A statement about run-time values that is neither proved nor disproved."""

    __slots__ = ()

    def __bool__(self) -> bool:
        assumed = _assumed.get()
        if assumed is None:
            raise UndecidedError(self)
        if self in assumed:
            return assumed[self]
        opposite = self.negated()
        if opposite in assumed:
            return not assumed[opposite]
        raise OpenQuestion(self)

    def negated(self) -> Condition:
        """The opposite statement."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


Truth: TypeAlias = bool | Condition

# `a sign b`, or with two polynomials on the left `a % d sign b`.
Sides: TypeAlias = tuple[tuple[Polynomial, ...], str, Polynomial]

_assumed: ContextVar[Mapping[Condition, bool] | None] = ContextVar("assumed", default=None)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Condition):
    """`polynomial relation 0`, where relation is `>=`, `==` or `!=`; `says` is the same as it was asked for.

    Equal when the normal forms of the expressions are.
    """

    polynomial: Polynomial
    relation: str
    says: Sides = field(compare=False)

    def negated(self) -> Comparison:
        """The opposite statement."""
        left, sign, right = self.says
        says: Sides = left, _OPPOSITE[sign], right
        if self.relation != ">=":
            return Comparison(self.polynomial, _OPPOSITE[self.relation], says)
        return Comparison(add(scale(self.polynomial, -1), constant(-1)), ">=", says)

    def __str__(self) -> str:
        left, sign, right = self.says
        sides = text(left[0]) if len(left) == 1 else " % ".join(map(operand_text, left))
        return f"{sides} {sign} {text(right)}"


@dataclass(frozen=True, slots=True, repr=False)
class Compound(Condition):
    """Several conditions joined by `and` or `or`."""

    word: str
    parts: tuple[Condition, ...]

    def negated(self) -> Compound:
        """The opposite statement."""
        return Compound(_OPPOSITE[self.word], tuple(part.negated() for part in self.parts))

    def __str__(self) -> str:
        return f" {self.word} ".join(f"({part})" if isinstance(part, Compound) else str(part) for part in self.parts)


def decide(p: Polynomial, relation: str, says: Sides) -> Truth:
    """The truth of `p relation 0` where the bounds prove or disprove it, else the condition."""
    spend(2 + 4 * len(p))
    low = lower_bound(p)
    if relation == ">=" and low is not None and low >= 0:
        return True
    high = upper_bound(p)
    if relation == ">=":
        return False if high is not None and high < 0 else Comparison(p, relation, says)
    nonzero = (low is not None and low > 0) or (high is not None and high < 0)
    if nonzero or not p:
        return nonzero == (relation == "!=")
    return Comparison(p, relation, says)


def any_of(*truths: Truth) -> Truth:
    """Does one of them hold?"""
    return _joined("or", truths, absorbing=True)


def all_of(*truths: Truth) -> Truth:
    """Do they all hold?"""
    return _joined("and", truths, absorbing=False)


@contextmanager
def assuming(truths: Mapping[Condition, bool]) -> Iterator[None]:
    """Within it the conditions have the given truths."""
    token = _assumed.set(truths)
    try:
        yield
    finally:
        _assumed.reset(token)


@contextmanager
def proving() -> Iterator[None]:
    """Within it nothing is assumed: what is not proved is an `UndecidedError`."""
    token = _assumed.set(None)
    try:
        yield
    finally:
        _assumed.reset(token)


def _joined(word: str, truths: tuple[Truth, ...], absorbing: bool) -> Truth:
    if any(truth is absorbing for truth in truths):
        return absorbing
    undecided = tuple(dict.fromkeys(truth for truth in truths if isinstance(truth, Condition)))
    if not undecided:
        return not absorbing
    return undecided[0] if len(undecided) == 1 else Compound(word, undecided)
