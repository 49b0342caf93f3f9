"""F2 algebra against enumeration: every claim is checked on all vectors of the space."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tilewright.layout.linear import f2

BITS = 5
families = st.lists(st.integers(0, 2**BITS - 1), max_size=6)
SMALL = [family for n in range(4) for family in product(range(8), repeat=n)]


def span(vectors):
    return {f2.apply(vectors, x) for x in range(2 ** len(vectors))}


def test_rank_is_the_logarithm_of_the_span_in_small_worlds():
    for family in SMALL:
        assert 2 ** f2.rank(family) == len(span(family))


def test_kernel_is_exactly_what_maps_to_zero_in_small_worlds():
    for family in SMALL:
        zero = {x for x in range(2 ** len(family)) if f2.apply(family, x) == 0}
        assert span(f2.kernel(family)) == zero
        assert 2 ** len(f2.kernel(family)) == len(zero)


def test_inverse_exists_exactly_for_bijections_in_small_worlds():
    for family in product(range(8), repeat=3):
        inverse = f2.inverse(family)
        assert (inverse is not None) == (len(span(family)) == 8)
        if inverse is not None:
            assert all(f2.apply(inverse, f2.apply(family, x)) == x for x in range(8))


@given(families, st.integers(0, 2**BITS - 1))
def test_solve_answers_exactly_on_the_span(vectors, target):
    x = f2.solve(vectors, target)
    assert (x is not None) == (target in span(vectors)) == f2.in_span(vectors, target)
    if x is not None:
        assert f2.apply(vectors, x) == target


@given(families, st.integers(0, 2**BITS - 1))
def test_solve_leaves_free_columns_out(vectors, target):
    x = f2.solve(vectors, target)
    free = [i for i in range(len(vectors)) if f2.in_span(vectors[:i], vectors[i])]
    assert x is None or not any(x >> i & 1 for i in free)


@given(families, families)
def test_solve_all_solves_each(columns, targets):
    solved = f2.solve_all(columns, targets)
    if solved is None:
        assert any(t not in span(columns) for t in targets)
    else:
        assert f2.multiply(columns, solved) == tuple(targets)


@given(st.lists(st.integers(0, 15), min_size=5, max_size=5), families)
def test_multiply_composes(outer, inner):
    both = f2.multiply(outer, inner)
    for x in range(2 ** len(inner)):
        assert f2.apply(both, x) == f2.apply(outer, f2.apply(inner, x))


@given(families)
def test_transpose_is_an_involution_and_keeps_rank(vectors):
    rows = f2.transpose(vectors, BITS)
    assert f2.transpose(rows, len(vectors)) == tuple(vectors)
    assert f2.rank(rows) == f2.rank(vectors)


@given(families, families)
def test_span_basis_is_canonical(a, b):
    assert span(f2.span_basis(a)) == span(a)
    assert (f2.span_basis(a) == f2.span_basis(b)) == (span(a) == span(b))


@given(families, families)
def test_intersection_is_the_common_part(a, b):
    assert span(f2.intersection(a, b)) == span(a) & span(b)


@given(families)
def test_complement_completes_without_overlap(vectors):
    extra = f2.complement_basis(vectors, BITS)
    assert len(extra) + f2.rank(vectors) == BITS
    assert f2.rank([*vectors, *extra]) == BITS
