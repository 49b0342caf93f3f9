"""Formulas are the same whatever order a polynomial's set of terms has: no two terms have one place."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tilewright.ir.core.term_order import term_order
from tilewright.layout.symbolic.symint import SymInt

X, Y = SymInt("x"), SymInt("y", div=2)
ATOMS = [X, Y, X // 3, X % Y, Y // X]


@given(st.lists(st.tuples(st.integers(-3, 3), st.lists(st.sampled_from(ATOMS), max_size=4)), min_size=2, max_size=6))
def test_terms_have_places_of_their_own(summands: list[tuple[int, list[SymInt]]]) -> None:
    total = SymInt("z")
    for factor, atoms in summands:
        product: SymInt | int = factor
        for atom in atoms:
            product = product * atom
        total = total + product
    places = sorted(map(term_order, total.polynomial))
    assert all(a < b for a, b in pairwise(places))


def test_squares_of_different_factors() -> None:
    terms = (X * X * Y - X * Y * Y).polynomial
    assert len({str(term_order((mono, 1))) for mono, _ in terms}) == 2
