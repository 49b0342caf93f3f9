"""The numbers of leaves that remember what they stand for, where the leaves of operands are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from operator import itemgetter
from typing import TypeVar

from tilewright.ir.fly.leaves import mapped
from tilewright.ir.fly.types import Value
from tilewright.layout.symbolic.conditions import Comparison, Compound, Truth, all_of, any_of, decide
from tilewright.layout.symbolic.evaluation import value_at
from tilewright.layout.symbolic.expression import as_polynomial
from tilewright.layout.symbolic.polynomial import Nameless, Polynomial, Variable, variables
from tilewright.layout.symbolic.symint import Integer

V = TypeVar("V")


class Remembered(Nameless):
    """The key of a leaf that stands for a number."""

    __slots__ = ("polynomial",)

    def __init__(self, polynomial: Polynomial) -> None:
        super().__init__()
        self.polynomial = polynomial


def fill(p: Polynomial, known: MutableMapping[Variable, V], at: Callable[[Polynomial], V]) -> None:
    """Adds to what is known the numbers that leaves of p stand for, each after those of its own leaves."""
    todo = _unknown(p, known)
    while todo:
        variable, inner = todo[-1]
        before = [] if variable in known else _unknown(inner, known)
        if before:
            todo += before
            continue
        todo.pop()
        if variable not in known:
            known[variable] = at(inner)


def _unknown(p: Polynomial, known: Mapping[Variable, V]) -> list[tuple[Variable, Polynomial]]:
    found = [(v, v.key.polynomial) for v in variables(p) if v not in known and isinstance(v.key, Remembered)]
    return sorted(found, key=itemgetter(0), reverse=True)  # the first is worked out first


class Numbers:
    """Polynomials where their variables are given integers; what leaves stand for is worked out once."""

    def __init__(self, given: Mapping[Variable, Integer], keep: Callable[[Integer], Integer]) -> None:
        self._known: dict[Variable, Integer] = dict(given)
        self._keep = keep

    def of(self, p: Polynomial) -> Integer:
        """The integer or SymInt."""
        fill(p, self._known, lambda inner: self._keep(value_at(inner, self._known)))
        found: Integer = value_at(p, self._known)
        return found

    def value(self, value: Value) -> Value:
        """The value with these numbers for its leaves."""
        return mapped(value, lambda leaf: self.of(leaf.polynomial))

    def truth(self, condition: Truth) -> Truth:
        """The truth of the condition, or the condition on the given numbers."""
        if isinstance(condition, Compound):
            join = any_of if condition.word == "or" else all_of
            return join(*map(self.truth, condition.parts))
        if not isinstance(condition, Comparison):
            return condition
        left, sign, right = condition.says
        says = tuple(as_polynomial(self.of(p)) for p in left), sign, as_polynomial(self.of(right))
        return decide(as_polynomial(self.of(condition.polynomial)), condition.relation, says)
