"""What an op gives as numbers, where its type only tells their width and divisor.

The rule is the one that inference runs (`infer.TABLE`), on the same leaves named by their operand; but here a leaf that
a type would forget remembers the number that it stands for, nothing is taken for positive, and the conditions that the
rule asked for are kept: what is not proved of the values is to be asserted beside the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any

from tilewright.errors import LayoutError
from tilewright.ir.fly.canonical import read
from tilewright.ir.fly.infer import TABLE
from tilewright.ir.fly.lattice import Leaf, mapped, run_time_leaves, settled_where
from tilewright.ir.fly.types import Value
from tilewright.layout.symbolic.comparison import equals
from tilewright.layout.symbolic.conditions import Comparison, Compound, Condition, Truth, all_of, any_of, decide
from tilewright.layout.symbolic.evaluation import value_at
from tilewright.layout.symbolic.expression import as_polynomial, filled
from tilewright.layout.symbolic.polynomial import Nameless, Polynomial, Variable, of_atom, variables


class Remembered(Nameless):
    """The key of a leaf that stands for a number."""

    __slots__ = ("polynomial",)

    def __init__(self, polynomial: Polynomial) -> None:
        super().__init__()
        self.polynomial = polynomial


class Number(Leaf):
    """A leaf of which nothing is known but its width, and the number that it stands for."""

    __slots__ = ()

    @classmethod
    def forgotten(cls, polynomial: Polynomial, width: int, div: int) -> Number:
        """A leaf of its own that stands for the number."""
        return _number(Remembered(polynomial), width, div)


def _number(key: str | Nameless, width: int, div: int) -> Number:
    top = 1 << width - 1
    return filled(object.__new__(Number), of_atom(Variable(key, width, 1, -top, top - 1)), width, div)


@dataclass(frozen=True, slots=True)
class Worked:
    """The value of an op in the variables of its operands' leaves, and what the rule asked of them."""

    value: Value
    conditions: tuple[Condition, ...]
    leaves: tuple[tuple[Variable, ...], ...]

    def at(self, operands: Sequence[Sequence[Any]]) -> tuple[Value, tuple[Truth, ...]]:
        """The value, and the truth of the conditions, where the operands' leaves are these integers."""
        numbers = Numbers(
            {
                variable: number
                for mine, theirs in zip(self.leaves, operands, strict=True)
                for variable, number in zip(mine, theirs, strict=True)
            }
        )
        return numbers.value(self.value), tuple(map(numbers.truth, self.conditions))


@lru_cache(4096)
def worked(name: str, texts: tuple[str, ...], attributes: tuple[object, ...] = ()) -> Worked:
    """What the op gives for operands of these types.

    Raises:
        LayoutError: the op has no result here.

    >>> done = worked("size", ("!fly.layout<(?,8):(1,?)>",))
    >>> done.at([[5, 7]])
    (40, ())
    """
    operands = [_named(read(text), i) for i, text in enumerate(texts)]
    rule = TABLE[name].rule
    value, conditions = settled_where(lambda: rule(*operands, *attributes))
    leaves = tuple(tuple(next(iter(variables(x.polynomial))) for x in run_time_leaves(v)) for v in operands)
    return Worked(value, conditions, leaves)


def _named(value: Value, operand: int) -> Value:
    places = count()
    return mapped(value, lambda x: _number(f"{operand}.{next(places)}", x.width, x.div))


class Numbers:
    """Polynomials where their variables are given integers, those that leaves stand for worked out once."""

    def __init__(self, given: Mapping[Variable, Any]) -> None:
        self._known: dict[Variable, Any] = dict(given)

    def of(self, p: Polynomial) -> Any:
        """The integer or SymInt."""
        for variable in variables(p):
            if variable not in self._known and isinstance(variable.key, Remembered):
                self._known[variable] = self.of(variable.key.polynomial)
        return value_at(p, self._known)

    def value(self, value: Value) -> Value:
        """The value with these numbers for its leaves."""
        return mapped(value, lambda leaf: self.of(leaf.polynomial))

    def truth(self, condition: Condition) -> Truth:
        """The truth of the condition, or the condition on the given numbers."""
        if isinstance(condition, Compound):
            join = any_of if condition.word == "or" else all_of
            return join(*map(self.truth, condition.parts))
        if not isinstance(condition, Comparison):
            return condition
        left, sign, right = condition.says
        says = tuple(as_polynomial(self.of(p)) for p in left), sign, as_polynomial(self.of(right))
        return decide(as_polynomial(self.of(condition.polynomial)), condition.relation, says)


def declared(value: Any, type_value: Any) -> tuple[Any, tuple[Truth, ...]]:
    """The value in the form of its type, and the truths under which it is: a leaf that the type tells is that leaf.

    Raises:
        LayoutError: they have different profiles.
    """
    leaves = iter(())
    del leaves
    raise LayoutError(f"{value} is not of the form {type_value}, {equals}")
