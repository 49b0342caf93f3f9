"""Laws of swizzled layouts, exhausted in small worlds: each operation against the values one by one."""

from __future__ import annotations

from itertools import product

import pytest

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle

SWIZZLES = [Swizzle(0, 1, 2)] + [
    Swizzle(b, m, s) for b, m, s in product((1, 2), range(3), range(-3, 4)) if abs(s) >= b and m + b + abs(s) < 6
]
LEAVES = [Layout(s, d) for s, d in product((2, 3, 4, 7, 12), (1, 2, 3, 4, 6))]
PAIRS = [
    Layout((s, t), (d, e))
    for (s, t), (d, e) in product(((2, 2), (2, 7), (4, 3), (8, 1)), product((1, 2, 4, 8), (1, 2, 3, 8)))
]
LAYOUTS = LEAVES + PAIRS


def values(function, size):
    return [function(i) for i in range(size)]


def answer(function, *args):
    try:
        return function(*args)
    except LayoutError:
        return None


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_a_swizzle_moves_out_of_a_layout_with_its_values(swizzle):
    for layout in LAYOUTS:
        found = answer(tw.composition, layout, swizzle)
        if found is not None:
            assert values(found, layout.size) == [layout(swizzle(i)) for i in range(layout.size)], layout


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_the_cosize_is_one_more_than_the_largest_value(swizzle):
    for layout, offset in product(LAYOUTS, (0, 1, 8)):
        composed = ComposedLayout(swizzle, offset, layout)
        assert composed.cosize == 1 + max(values(composed, layout.size)), composed


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_slices_have_the_values_of_the_whole(swizzle):
    for layout, offset in product(PAIRS, (0, 5)):
        composed = ComposedLayout(swizzle, offset, layout)
        for i in range(layout.shape[0]):
            row = tw.slice(composed, (i, None))
            assert values(row, layout.shape[1]) == [composed(i, j) for j in range(layout.shape[1])], (composed, i)
            part, start = tw.slice_and_offset(composed, (i, None))
            assert [start + v for v in values(part, layout.shape[1])] == values(row, layout.shape[1])


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_inverses_undo(swizzle):
    for layout, offset in product(LAYOUTS, (0, 1, 8)):
        composed = ComposedLayout(swizzle, offset, layout)
        right, left = answer(tw.right_inverse, composed), answer(tw.left_inverse, composed)
        if right is not None:
            assert [composed(right(i)) for i in range(right.size)] == list(range(right.size)), composed
            least = min(tw.right_inverse(layout).size, swizzle.yyy_mask & -swizzle.yyy_mask or layout.size)
            assert right.size >= least, composed
        if left is not None and len(set(values(layout, layout.size))) == layout.size:
            assert [left(composed(i)) for i in range(layout.size)] == list(range(layout.size)), composed


@pytest.mark.parametrize("factor", [2, 4])
@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_recasts_keep_the_bits(swizzle, factor):
    for layout, offset in product((Layout(8), Layout((4, 4)), Layout((4, 2), (1, 8)), Layout((2, 8), (8, 1))), (0, 4)):
        composed = ComposedLayout(swizzle, offset, layout)
        wide = answer(tw.upcast, composed, factor)
        if wide is not None:
            bits = sorted(factor * v + k for v in values(wide, wide.size) for k in range(factor))
            assert bits == sorted(values(composed, layout.size)), composed
        narrow = answer(tw.downcast, composed, factor)
        if narrow is not None:
            bits = sorted(factor * v + k for v in values(composed, layout.size) for k in range(factor))
            assert sorted(values(narrow, narrow.size)) == bits, composed


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_common_vectors_lie_one_after_another_and_are_aligned(swizzle):
    for layout, offset in product(LAYOUTS, (0, 2)):
        composed = ComposedLayout(swizzle, offset, layout)
        count, common = tw.max_common_vector(composed, layout), tw.max_common_layout(composed, layout)
        for a in (composed, layout):
            assert [a(common(i)) for i in range(count)] == [a(common(0)) + i for i in range(count)], composed
        vector = tw.max_alignment(composed)
        held = sorted(values(composed, layout.size))
        assert layout.size % vector == 0
        if len(set(held)) == len(held):
            starts = held[::vector]
            assert held == [v + k for v in starts for k in range(vector)], composed
            assert all(v % vector == 0 for v in starts)


@pytest.mark.parametrize("size", [8, 100, 2**17 + 1, 2**20])
def test_a_swizzle_moves_out_at_every_size(size):
    for swizzle, layout in product((Swizzle(3, 3, 3), Swizzle(2, 0, -4)), (Layout(4), Layout(2**30))):
        tile = ComposedLayout(swizzle, 0, Layout(size))
        found = tw.composition(layout, tile)
        assert not isinstance(found.outer, Layout)
        assert all(found(i) == tile(i) for i in range(0, size, 1 + size // 1000))


def test_two_swizzles_compose_as_functions():
    for a, b in product(SWIZZLES, repeat=2):
        found = answer(tw.composition, a, b)
        if found is not None:
            assert values(found, 64) == [a(b(i)) for i in range(64)], (a, b)
        if a.s == b.s and a.m == b.m + b.b and abs(a.s) >= a.b + b.b and a.b * b.b:
            assert found == Swizzle(a.b + b.b, b.m, a.s)


def test_a_swizzle_closes_what_it_maps_to_itself():
    for swizzle in SWIZZLES:
        for count in range(1, 65):
            closed = swizzle.closed(count)
            assert 0 < closed <= count
            assert sorted(values(swizzle, closed)) == list(range(closed))
        grain = swizzle.grain
        assert all(swizzle(i) // grain == i // grain for i in range(64))
