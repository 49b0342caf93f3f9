"""The common vector of run-time layouts: the same in either order, and no longer than their values have one."""

from __future__ import annotations

import itertools

import pytest

import tilewright as tw
from tilewright import ComposedLayout, Swizzle
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.symint import SymInt

N, M = SymInt("n"), SymInt("m", div=4)
STRIDES = [(1, N), (1, M), (N, 1), (M, 1), (1, 4), (4, 1), (0, 1), (4 * N, 1)]
WORLD = [Layout(shape, stride) for shape in itertools.product((1, 4, N, M), repeat=2) for stride in STRIDES]
VALUES = [{"n": n, "m": m} for n, m in itertools.product((1, 2, 4, 7), (4, 12))]


def prefix(a: Layout, b: Layout) -> int:
    """How many of 0, 1, 2, .. both layouts take at one and the same coordinate."""
    common = {(a(i), b(i)) for i in range(min(a.size, b.size))}
    return next(k for k in itertools.count() if (k, k) not in common)


@pytest.mark.parametrize("first", range(0, len(WORLD), 5))
def test_the_order_does_not_matter_and_values_keep_the_vector(first: int) -> None:
    a = WORLD[first]
    for b in WORLD[first:]:
        found = tw.max_common_vector(a, b)
        assert found == tw.max_common_vector(b, a), (a, b)
        if type(found) is int and found == 1:
            continue
        for values in VALUES:
            here = found.substitute(values) if isinstance(found, SymInt) else found
            assert here <= prefix(a.substitute(values), b.substitute(values)), (a, b, values)


def test_what_the_inverse_of_one_leaves_open_the_other_shows() -> None:
    assert tw.max_common_vector(Layout((M, N), (1, M)), Layout((1, 4), (N, 1))) == 4
    assert tw.max_common_vector(Layout((1, 4), (N, 1)), Layout((M, N), (1, M))) == 4


@pytest.mark.parametrize("first", range(0, len(WORLD), 9))
def test_swizzled_ones_allow_what_all_values_allow(first: int) -> None:
    for a, b in itertools.product(WORLD[first : first + 1], WORLD[::11]):
        for swizzle, offset in itertools.product((Swizzle(2, 2, -2), Swizzle(1, 0, 2)), (0, 2)):
            composed = ComposedLayout(swizzle, offset, a)
            found = tw.max_common_vector(composed, b)
            assert found == tw.max_common_vector(b, composed), (composed, b)
            for values in VALUES:
                here = found.substitute(values) if isinstance(found, SymInt) else found
                plain, other = a.substitute(values), b.substitute(values)
                starts = [swizzle(offset + y) for y in range(here)]
                assert here == 1 or here <= prefix(plain, other), (composed, b, values)
                assert starts == [starts[0] + i for i in range(here)], (composed, b, values)
                common = tw.max_common_layout(composed, b).substitute(values)
                assert [other(common(i)) for i in range(common.size)] == list(range(common.size)), (composed, b, values)


@pytest.mark.parametrize("width", [1, 3, 8])
def test_a_quotient_of_one_value_is_that_value(width: int) -> None:
    n = SymInt("n", lower=width)
    for dividend in range(-width, width):
        assert dividend // n == dividend // width
