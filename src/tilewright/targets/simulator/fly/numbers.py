"""Expressions of run-time leaves at the numbers that lanes hold, and the conditions that ops state on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import NoReturn

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import SimulationError
from tilewright.ir.fly.remembered import fill
from tilewright.layout.symbolic.conditions import Comparison, Compound, Truth
from tilewright.layout.symbolic.evaluation import value_at
from tilewright.layout.symbolic.polynomial import Polynomial, Variable
from tilewright.layout.symbolic.symint import Integer, SymInt
from tilewright.targets.launch import where
from tilewright.targets.simulator.memory.access import Number
from tilewright.targets.simulator.program import Frame


class Leaves:
    """The variables of an op's operands with their numbers, of all lanes of a frame."""

    def __init__(self, op: Operation, frame: Frame, leaves: Sequence[Variable], numbers: Sequence[Number]) -> None:
        self._op, self._frame = op, frame
        self._known: dict[Variable, Number] = dict(zip(leaves, numbers, strict=True))
        self._calls = {
            "floor": lambda a, b: a // self._divisor(b),
            "trunc": lambda a, b: quotient(a, self._divisor(b)),
            "min": lambda a, b: min(a, b) if isinstance(a, int) and isinstance(b, int) else np.minimum(a, b),
            "max": lambda a, b: max(a, b) if isinstance(a, int) and isinstance(b, int) else np.maximum(a, b),
            "xor": lambda a, b: a ^ b,
        }

    def of(self, p: Polynomial) -> Number:
        """The polynomial's number."""
        fill(p, self._known, self._at)
        return self._at(p)

    def _at(self, p: Polynomial) -> Number:
        found: Number = value_at(p, self._known, SymInt, self._calls)  # type: ignore[arg-type]  # arrays have int's operators
        return found

    def leaf(self, number: Integer) -> Number:
        """An integer, or the run-time one's number, which its width holds.

        Raises:
            SimulationError: it does not.
        """
        if not isinstance(number, SymInt):
            return number
        found, top = self.of(number.polynomial), 1 << number.width - 1
        wrong = self._frame.domain.outside(found, -top, top, self._frame.mask)
        if wrong is not None:
            self._refuse(wrong[1], f"the number {wrong[0]} leaves {number.width} bits")
        return found

    def truth(self, condition: Truth) -> Number:
        """The truth of a condition, for each lane."""
        if isinstance(condition, Compound):
            join = np.logical_or if condition.word == "or" else np.logical_and
            first, *rest = map(self.truth, condition.parts)
            return reduce(join, rest, first)
        if not isinstance(condition, Comparison):
            return int(bool(condition))
        number = self.of(condition.polynomial)
        match condition.relation:
            case ">=":
                return number >= 0
            case "==":
                return number == 0
        return number != 0

    def require(self, conditions: Sequence[Truth]) -> None:
        """Raises `SimulationError` where one does not hold for an active lane."""
        for condition in conditions:
            if condition is not True:
                self.claim(self.truth(condition), f"{self._op.name}: {condition}")

    def claim(self, truth: Number, what: str) -> None:
        """Raises `SimulationError` where it does not hold for an active lane."""
        number = int(truth) if np.ndim(truth) == 0 else np.asarray(truth).astype(np.int8)
        wrong = self._frame.domain.outside(number, 1, 2, self._frame.mask)
        if wrong is not None:
            self._refuse(wrong[1], what)

    def _divisor(self, number: Number) -> Number:
        """The number, which is positive; 1 where inactive lanes have another one."""
        self.claim(number >= 1, f"{self._op.name}: divides by what is to be positive")
        return number if isinstance(number, int) else np.maximum(number, 1)

    def _refuse(self, who: str, what: str) -> NoReturn:
        raise SimulationError(f"{who}: {what}\n{where(self._op)}")


def quotient(a: Number, b: Number) -> Number:
    """As C divides, and `fly` splits a coordinate: towards zero.

    >>> quotient(-7, 4), quotient(np.array([-8, -7, 7]), 4).tolist()
    (-1, [-2, -1, 1])
    """
    if isinstance(a, int) and isinstance(b, int):
        return -(-a // b) if a < 0 else a // b
    return np.where(np.asarray(a) < 0, -(-np.asarray(a) // b), np.asarray(a) // b)
