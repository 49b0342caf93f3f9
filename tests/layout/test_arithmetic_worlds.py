"""Arithmetic on int tuples and module elements against that of integers, signs and all."""

from __future__ import annotations

from itertools import product

import pytest

import tilewright as tw
from tilewright import LayoutError
from tilewright.layout.axes import components, term


def test_division_is_that_of_c():
    for a, b in product(range(-9, 10), (-4, -3, -1, 1, 2, 5)):
        towards_zero = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        assert tw.int_tuple_div((a, a), (b, 1)) == (towards_zero, a)
        assert tw.int_tuple_mod((a, a), (b, 1)) == (a - b * towards_zero, 0)


def test_a_shape_is_divided_where_one_divides_the_other():
    for a, b in product(range(1, 13), repeat=2):
        if a % b and b % a:
            with pytest.raises(LayoutError, match="divides the other"):
                tw.shape_div(a, b)
        else:
            assert tw.shape_div(a, b) == -(-a // b) == tw.ceil_div(a, b)


def test_products_need_a_mode_for_each_of_the_guide():
    for count, wanted in product(range(1, 4), range(1, 4)):
        value, guide = (2, 3, 5)[:count], (0,) * wanted
        if wanted > count:
            with pytest.raises(LayoutError, match="more modes"):
                tw.int_tuple_product_like(value, guide)
        else:
            assert tw.int_tuple_product_like(value, guide) == value[:wanted]


def test_a_sum_keeps_every_axis_and_writes_memory_last():
    for a, b in product(range(-2, 3), repeat=2):
        found = term(a, "warpid") + b
        assert dict(components(found)) == {axis: v for axis, v in (("warpid", a), ("m", b)) if v}
        if a and b:
            assert str(found) == f"{a}@warpid+{b}"


def test_tuples_are_compared_leaf_by_leaf():
    tuples = [t for n in (1, 2) for t in product(range(3), repeat=n)]
    for a, b in product(tuples, repeat=2):
        fits = len(a) <= len(b)
        pairs = list(zip(a, b, strict=False))
        assert tw.elem_less(a, b) == (fits and all(x < y for x, y in pairs))
        assert tw.elem_leq(a, b) == (fits and all(x <= y for x, y in pairs))


def test_a_shape_is_divided_evenly_if_nothing_is_rounded():
    for s, t, n in product(range(1, 7), range(1, 7), range(1, 13)):
        count = tw.size(tw.ceil_div((s, t), n))
        assert tw.evenly_divides((s, t), n) == (count * n == s * t)
