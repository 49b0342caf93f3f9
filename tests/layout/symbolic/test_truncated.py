"""Run-time integers of either sign divide as C does: what the quotient is at values is the quotient of the values."""

from __future__ import annotations

import pytest

from tilewright.layout.arithmetic import quotient, remainder
from tilewright.layout.symbolic.symint import SymInt

X = SymInt("x", lower=-60, upper=60)
N = SymInt("n", lower=1, upper=7)
NUMBERS = (X, 6 * X, X + 1, 3 * X - 5, 4 * X * N, -X, X * X, N - 3)


@pytest.mark.parametrize("divisor", [1, 2, 3, 8, -3, N, 2 * N, N + 1], ids=str)
def test_quotients_and_remainders_are_those_of_the_values(divisor: int | SymInt) -> None:
    for number in NUMBERS:
        whole, rest = quotient(number, divisor), remainder(number, divisor)
        for x in range(-60, 61, 7):
            for n in range(1, 8, 2):
                a, b, q, r = (_at(value, x, n) for value in (number, divisor, whole, rest))
                assert (q, r) == (quotient(a, b), remainder(a, b)), (number, divisor, x, n)
                assert q * b + r == a


def test_what_is_natural_is_divided_with_a_floor() -> None:
    i = SymInt("i", lower=0)
    assert quotient(i, 4) == i // 4
    assert remainder(i, N) == i % N
    assert quotient(-i, 4) == -(i // 4)


def test_bounds_of_truncated_quotients() -> None:
    found = quotient(X, 8)
    assert isinstance(found, SymInt)
    assert (found.lower, found.upper) == (-7, 7)


def _at(value: int | SymInt, x: int, n: int) -> int:
    return value.substitute({"x": x, "n": n}) if isinstance(value, SymInt) else value
