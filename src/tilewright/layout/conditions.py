"""Conditions on run-time integers: decided at once where that is possible, else an object that can be checked later.

A static condition of the algebra that cannot be decided becomes a guard: see `guards`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from tilewright.errors import LayoutError
from tilewright.layout.polynomial import Polynomial
from tilewright.layout.polynomial_range import bounds


class UndecidedError(LayoutError):
    """The truth of a condition on run-time values was needed; `condition` is the condition."""

    def __init__(self, condition: Condition) -> None:
        super().__init__(f"undecided before run time: {condition}")
        self.condition = condition

    def __reduce__(self) -> tuple[type[UndecidedError], tuple[Condition]]:
        return UndecidedError, (self.condition,)


@dataclass(frozen=True, slots=True)
class Condition:
    """`polynomial relation 0` for run-time values, where relation is `>=`, `==` or `!=`. It has no truth of its own.

    Conditions are equal when the normal forms of their expressions are; `text` says them for a person.
    """

    polynomial: Polynomial
    relation: str
    text: str = field(compare=False)

    def __bool__(self) -> NoReturn:
        raise UndecidedError(self)

    def __str__(self) -> str:
        return self.text


def decide(p: Polynomial, relation: str, text: str) -> bool | Condition:
    """The truth of `p relation 0` where the bounds prove or disprove it, else the condition."""
    low, high = bounds(p)
    if relation == ">=":
        if low is not None and low >= 0:
            return True
        return False if high is not None and high < 0 else Condition(p, relation, text)
    nonzero = (low is not None and low > 0) or (high is not None and high < 0)
    if nonzero or not p:
        return nonzero == (relation == "!=")
    return Condition(p, relation, text)
