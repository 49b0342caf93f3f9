"""Sums of digits: their bounds are tight, their text shows the digits, and both belong to the polynomial alone."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from cpu import within
from hypothesis import given
from hypothesis import strategies as st

from tilewright.layout.symbolic.symint import SymInt

FACTORS = (-9, -4, -1, 0, 1, 2, 4, 33)


def digits_of(i, *extents):
    """The digits of i in these extents; the last one is what is left."""
    found = []
    for extent in extents[:-1]:
        found.append(i % extent)
        i = i // extent
    return [*found, i]


def bounds_of(e):
    return (e, e) if isinstance(e, int) else (e.lower, e.upper)


EXTENTS = [(4, 8), (4, 8, 2), (2, 2, 2), (3, 5, 7), (32, 4, 4), (6, 1, 6), (2, 3, 2, 4)]


@pytest.mark.parametrize("extents", EXTENTS, ids=str)
def test_the_bounds_of_a_sum_of_digits_are_those_of_its_values(extents):
    """Every digit takes all its values beside every value of the others: the ends are sums of ends."""
    whole = 1
    for extent in extents:
        whole *= extent
    i = SymInt("i", lower=0, upper=whole - 1)
    for factors in product(FACTORS[:: len(extents) - 1], repeat=len(extents)):
        ends = [sorted((0, k * (extent - 1))) for k, extent in zip(factors, extents, strict=True)]
        e = sum(k * digit for k, digit in zip(factors, digits_of(i, *extents), strict=True))
        assert bounds_of(e) == (sum(low for low, _ in ends), sum(high for _, high in ends)), (factors, e)


def test_a_digit_by_a_run_time_divisor_has_its_bounds():
    i, n = SymInt("i", lower=0, upper=35), SymInt("n", lower=1, upper=9)
    for k, m in product((1, 2, 8), (1, 3)):
        e = k * (i % n) + m * (i // n)
        assert bounds_of(e)[0] >= 0
        assert bounds_of(e)[1] <= 8 * k + 35 * m


VALUES = {"i": (-20, -1, 0, 13, 38, 59), "j": (0, 3, 8, 15), "n": (1, 2, 5)}
I, J, N = SymInt("i", lower=-20, upper=59), SymInt("j", lower=0, upper=15), SymInt("n", lower=1, upper=5)


@st.composite
def sums(draw):
    total = 0
    for _ in range(draw(st.integers(1, 4))):
        a = draw(st.sampled_from([I, J, N])) + draw(st.sampled_from([0, 0, 1, J]))
        b = draw(st.sampled_from([2, 3, 4, 8, N, 4 * N]))
        c = draw(st.sampled_from([2, 3]))
        total = total + draw(st.integers(-9, 9)) * draw(st.sampled_from([a, a % b, a // b, a // b % c, a // b // c]))
    return total


@given(sums())
def test_bounds_contain_and_the_text_has_every_value(e):
    if isinstance(e, int):
        return
    lower, upper = e.lower, e.upper
    for values in product(*VALUES.values()):
        at = dict(zip(VALUES, values, strict=True))
        value = e.substitute(at)
        assert lower is None or lower <= value, (e.expression, at)
        assert upper is None or value <= upper, (e.expression, at)
        assert eval(e.expression, dict(at)) == value, (e.expression, at)


def test_equal_sums_have_one_text_in_whatever_order_they_are_made():
    i, j = SymInt("i", lower=0, upper=63), SymInt("j", lower=0, upper=63)
    parts = [8 * (i % 4), i // 4, 9 * (j % 8), 3 * ((j // 8) % 2), -(j // 16)]
    made = {sum(order).expression for order in permutations(parts)}
    assert made == {"-(j//16) + 3*((j//8) % 2) + 8*(i % 4) + 9*(j % 8) + i//4"}


@pytest.mark.parametrize(
    ("sum_of", "text"),
    [
        (lambda i, n: 8 * (i % 4) + i // 4, "8*(i % 4) + i//4"),
        (lambda i, n: 8 * (i % n) + i // n, "8*(i % n) + i//n"),
        (lambda i, n: 100 * (i % 4) + 10 * (i // 4 % 8) + i // 32, "10*((i//4) % 8) + 100*(i % 4) + i//32"),
        (lambda i, n: i % 4 + i // 4 % 8, "((i//4) % 8) + (i % 4)"),
        (lambda i, n: i + i // 4, "i + i//4"),
        (lambda i, n: i % 4 + 2 * (i // 4), "-2*(i//4) + i"),
        (lambda i, n: 8 * i + 5 * n - 31 * ((i + n) // 4), "-31*((i + n)//4) + 5*n + 8*i"),
        (lambda i, n: 3 * ((i + 1) % 4) + (i + 1) // 4, "(i + 1)//4 + 3*((i + 1) % 4)"),
    ],
)
def test_digits_are_shown_where_they_are_the_shorter_sum(sum_of, text):
    e = sum_of(SymInt("i", lower=0, upper=1023), SymInt("n"))
    assert e.expression == text


def test_many_digits_take_no_longer_than_they_may():
    rng = random.Random(5)
    i = SymInt("i", lower=0, upper=(1 << 30) - 1)
    with within(4):
        for _ in range(20):
            e = sum(rng.randint(-99, 99) * digit for digit in digits_of(i, *(2,) * 25))
            assert bounds_of(e)[0] is not None
            assert eval(e.expression, {"i": 123456789}) == e.substitute({"i": 123456789})
