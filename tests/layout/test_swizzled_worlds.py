"""Laws of swizzled layouts, exhausted in small worlds: each operation against the values one by one."""

from __future__ import annotations

from itertools import permutations, product

import pytest

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle
from tilewright.layout.axes import term
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.swizzled.bits import varying_bits

SWIZZLES = [Swizzle(0, 1, 2)] + [
    Swizzle(b, m, s) for b, m, s in product((1, 2), range(3), range(-3, 4)) if abs(s) >= b and m + b + abs(s) < 6
]
LEAVES = [Layout(s, d) for s, d in product((2, 3, 4, 7, 12), (1, 2, 3, 4, 6))]
PAIRS = [
    Layout((s, t), (d, e))
    for (s, t), (d, e) in product(((2, 2), (2, 7), (4, 3), (8, 1)), product((1, 2, 4, 8), (1, 2, 3, 8)))
]
LAYOUTS = LEAVES + PAIRS
BITS = [Layout((2,) * 5, strides) for strides in permutations((1, 2, 4, 8, 16))]


def values(function, size):
    return [function(i) for i in range(size)]


def answer(function, *args):
    try:
        return function(*args)
    except LayoutError:
        return None


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_a_swizzle_moves_out_of_a_layout_with_its_values(swizzle):
    for size in range(1, 40):
        assert values(tw.composition(Layout(size), swizzle), size) == values(swizzle, size)
    for layout in LAYOUTS + BITS[:: 1 if swizzle.b > 1 else 7]:
        found = answer(tw.composition, layout, swizzle)
        if found is not None:
            assert values(found, layout.size) == [layout(swizzle(i)) for i in range(layout.size)], layout


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_the_cosize_is_one_more_than_the_largest_value(swizzle):
    for layout, offset in product(LAYOUTS, (0, 1, 8)):
        composed = ComposedLayout(swizzle, offset, layout)
        assert composed.cosize == 1 + max(values(composed, layout.size)), composed


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_slices_and_moves_have_the_values_of_the_whole(swizzle):
    for plain, offset in product(PAIRS, (0, 5)):
        composed = ComposedLayout(swizzle, offset, plain)
        nested = ComposedLayout(Swizzle(1, 0, 1), 2, composed)
        (s, t), whole = plain.shape, [composed, nested] if plain.stride[0] == 2 else [composed]
        for layout, (i, j) in product(whole, ((1, t - 1), (s - 1, 0))):
            row, column = tw.slice(layout, (i, None)), tw.slice(layout, (None, j))
            assert values(row, t) == [layout(i, y) for y in range(t)], (layout, i)
            assert values(column, s) == [layout(x, j) for x in range(s)], (layout, j)
            part, start = tw.slice_and_offset(layout, (i, None))
            assert [start + v for v in values(part, t)] == values(row, t)
            moved, start = tw.domain_offset(layout, (i, j))
            inner = moved.inner if layout is nested else moved
            steps = [plain(i, j) + plain(x) for x in range(plain.size)]
            assert [start + inner(x) for x in range(plain.size)] == [swizzle(offset + v) for v in steps], layout
            if layout is nested:
                assert values(moved, plain.size) == [nested.outer(2 + v) for v in values(inner, plain.size)]


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_a_composed_layout_is_what_is_made_of_its_parts(swizzle):
    for layout, offset in product(LEAVES, (0, 1, 5)):
        made = tw.make_composed_layout(swizzle, offset, layout)
        assert values(made, layout.size) == [swizzle(offset + layout(i)) for i in range(layout.size)]
    for axis_value, offset in product((1, 3), range(20)):
        assert swizzle(term(axis_value, "laneid") + offset) == term(axis_value, "laneid") + swizzle(offset)


def test_a_mode_of_one_element_moves_no_bit():
    for layout, step, offset in product(LEAVES, (0, 1, 2, 3, 8), (0, 1, 16)):
        beside = Layout((layout.shape, 1), (layout.stride, step))
        assert varying_bits(offset, beside) == varying_bits(offset, layout)


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_inverses_undo(swizzle):
    for layout, offset in product(LAYOUTS, (0, 1, 8)):
        composed = ComposedLayout(swizzle, offset, layout)
        right, left = answer(tw.right_inverse, composed), answer(tw.left_inverse, composed)
        if right is not None:
            assert [composed(right(i)) for i in range(right.size)] == list(range(right.size)), composed
            least = min(tw.right_inverse(layout).size, swizzle.yyy_mask & -swizzle.yyy_mask or layout.size)
            assert right.size >= least, composed
        if left is not None:
            assert swizzle.closed(left.size) == left.size >= composed.cosize, composed
        if left is not None and len(set(values(layout, layout.size))) == layout.size:
            assert [left(composed(i)) for i in range(layout.size)] == list(range(layout.size)), composed


@pytest.mark.parametrize("factor", [2, 4])
@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_recasts_keep_the_bits(swizzle, factor):
    for layout, offset in product(
        (Layout(8), Layout((4, 4)), Layout((4, 2), (1, 8)), Layout((2, 8), (8, 1))), (0, 1, 4)
    ):
        composed = ComposedLayout(swizzle, offset, layout)
        wide = answer(tw.upcast, composed, factor)
        # Bits that move down within a wide element stay inside; where they move up, others come in.
        assert wide is not None or swizzle.s < 0 or offset % factor
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
            start = a(common(0))
            assert [a(common(i)) for i in range(common.size)] == list(range(start, start + common.size)), composed
        moved = {layout(c): composed(c) for c in range(layout.size)}
        assert [moved[i] for i in range(count)] == [moved[0] + i for i in range(count)], composed
        if swizzle.b == 0:
            assert count == min(offset or layout.size, tw.max_common_vector(layout, layout)), composed
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


def test_two_swizzles_are_one_exactly_where_their_fields_join():
    for a, b in product(SWIZZLES, repeat=2):
        both = [a(b(i)) for i in range(64)]
        found = answer(tw.composition, a, b)
        if found is not None:
            assert values(found, 64) == both, (a, b)
        else:
            assert not any(both == values(c, 64) for c in SWIZZLES if a.s == b.s == c.s), (a, b)
            with pytest.raises(LayoutError, match="is not one swizzle; compose both with a layout"):
                tw.composition(a, b)


@pytest.mark.parametrize("fields", [(3, 50, 9), (1, 60, -1), (0, 0, 62), (0, 62, 0)])
def test_a_swizzle_stays_below_bit_62(fields):
    b, m, s = fields
    assert Swizzle(b, m, s)((1 << 62) - 1) < 1 << 62
    with pytest.raises(LayoutError, match="beyond bit 62"):
        Swizzle(b, m + 1, s)


def test_pointers_in_bytes_recast_by_their_bytes():
    for old, new, swizzle in product((1, 2, 4, 8, 16), (1, 4, 8, 16, 32), (Swizzle(3, 4, 3), Swizzle(2, 4, -3))):
        found = tw.recast_swizzle(swizzle, old, new, byte_addressed=True)
        assert found == tw.recast_swizzle(swizzle, max(old, 8), max(new, 8))


def test_a_swizzle_closes_what_it_maps_to_itself():
    for swizzle in SWIZZLES:
        for count in range(1, 65):
            closed = swizzle.closed(count)
            assert 0 < closed <= count
            assert sorted(values(swizzle, closed)) == list(range(closed))
        grain = swizzle.grain
        assert all(swizzle(i) // grain == i // grain for i in range(64))


@pytest.mark.parametrize("offset", [(1, 0, (2, 0)), (0, 0, 3), (0, 2, 0)])
def test_values_have_the_profile_of_a_coordinate_offset(offset):
    for position, step in product((0, 1), (1, 3)):
        inner = Layout(4, term(step, (position,)))
        moved = [tuple(v + i * step * (k == position) for k, v in enumerate(offset[:2])) for i in range(4)]
        expected = [(*front, offset[2]) for front in moved]
        assert values(ComposedLayout(Swizzle(0, 0, 0), offset, inner), 4) == expected
        if position:
            assert [ComposedLayout(Layout(8), (0, 0, 3), inner)(i) for i in range(4)] == [
                (0, i * step, 3) for i in range(4)
            ]


COORDINATE_SWIZZLES = [
    CoordSwizzle(b, low, row, high, column)
    for b, low, high in product((1, 2), (0, 1), (0, 2))
    for row, column in (((0,), (1,)), ((1,), (0,)), ((0,), (2, 1)), ((2, 0), (2, 1)))
]


@pytest.mark.parametrize("swizzle", COORDINATE_SWIZZLES, ids=str)
def test_a_coordinate_swizzle_reads_one_position_and_changes_another(swizzle):
    def at(coord, path):
        return at(coord[path[0]], path[1:]) if path else coord

    everywhere = [(0,), (1,), (2, 0), (2, 1)]
    for a, b, c, d in product((0, 1, 2, 3, 6, 7), repeat=4):
        coord = (a, b, (c, d))
        found = swizzle(coord)
        read = at(coord, swizzle.row) >> swizzle.row_base & (1 << swizzle.b) - 1
        for path in everywhere:
            changed = read << swizzle.column_base if path == swizzle.column else 0
            assert at(found, path) == at(coord, path) ^ changed
        assert swizzle(found) == coord


@pytest.mark.parametrize(
    "fields",
    [
        (1, 0, (0,), 0, (0,)),
        (2, 61, (0,), 0, (1,)),
        (2, 0, (0,), 61, (1,)),
        (-1, 0, (0,), 0, (1,)),
        (1, 0, (), 0, (1,)),
        (1, 0, (0,), 0, (-1,)),
    ],
)
def test_malformed_coordinate_swizzles_are_refused(fields):
    with pytest.raises(LayoutError):
        CoordSwizzle(*fields)
