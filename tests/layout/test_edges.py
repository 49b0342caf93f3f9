"""Laws at the edges, where one more or one less decides, exhausted in small worlds."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from math import prod

import numpy as np
import pytest
from oracle import table, value

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle
from tilewright.layout import operations
from tilewright.layout.algebra.bends import carry, max_residue
from tilewright.layout.algebra.exact import SumOfFloors
from tilewright.layout.algebra.ragged import counts
from tilewright.layout.axes import term
from tilewright.layout.indexing import contains
from tilewright.layout.query import bounds
from tilewright.layout.table import MAX_TABLE


def answer(function, *args):
    try:
        return function(*args)
    except LayoutError:
        return None


def test_the_largest_residue():
    for modulus, count in product(range(1, 15), range(1, 15)):
        for step in range(2 * modulus):
            most, at = max_residue(step, modulus, count)
            assert most == max(i * step % modulus for i in range(count))
            assert at < count
            assert at * step % modulus == most


@pytest.mark.parametrize("extents", [(2, 2, 2), (3, 2, 2), (2, 3, 2), (2, 2, 2, 2), (4, 2, 3)])
def test_progressions_add_up_or_a_witness_says_where_not(extents):
    for strides in product((1, 2, 3, 5), repeat=len(extents)):
        floors = SumOfFloors([(list(extents), list(strides))])
        for n, m, d, e in product((2, 3, 5), (2, 4), (1, 2, 3, 6), (1, 3, 4)):
            steps = [(n, (d,)), (m, (e,))]

            def defect(i, j, d=d, e=e, floors=floors):
                return floors.value((i * d + j * e,)) - floors.value((i * d,)) - floors.value((j * e,))

            found = carry(floors.bends, steps)
            if found is None:
                assert all(defect(i, j) == 0 for i in range(n) for j in range(m))
            else:
                assert found[0] < n
                assert found[1] < m
                assert defect(*found) != 0


def test_modes_that_are_apart_count_if_they_meet_every_number_once():
    for extent, a, b, d, e in product(range(1, 9), range(1, 5), range(1, 5), range(1, 6), range(1, 6)):
        met = Counter(i * d + j * e for i in range(a) for j in range(b))
        below = all(met[n] == 1 for n in range(extent))
        if a * d <= e:  # apart
            assert counts(extent, [(a, d), (b, e)]) == below


def test_a_divide_begins_with_the_tile_and_loses_nothing():
    for s, t in product(range(1, 8), range(1, 5)):
        a = Layout((s, t), (t, 1))
        whole = set(table(a))
        for n, m, d in product(range(1, 8), range(1, 4), range(1, 8)):
            tile = Layout((n, m), (1, d))
            found = answer(tw.logical_divide, a, tile)
            if found is not None:
                assert [value(found[0], i) for i in range(tile.size)] == [value(a, tile(i)) for i in range(tile.size)]
                assert whole <= set(table(found))
        for n in range(1, s + 1):
            met = Counter(table(tw.logical_divide(a, n)))
            assert all(met[v] >= 1 for v in whole), f"{a} by {n}"


def test_a_complement_covers_a_shape():
    layouts = [Layout(n, d) for n, d in product((1, 2, 3, 4), (1, 2, 3))] + [
        Layout((2, 3), (1, 4)),
        Layout((2, 2), (3, 1)),
    ]
    for a, n, m in product(layouts, range(1, 8), range(1, 8)):
        found = answer(tw.complement, a, (n, m))
        if found is not None:
            assert len(set(table(a))) * found.size >= n * m


def test_an_upcast_keeps_the_elements_whole():
    for s, t, d, e, factor in product((1, 2, 3, 4), (1, 2, 4), (1, 2, 3, 4), (1, 2, 4, 8), (2, 4)):
        a = Layout((s, t), (d, e))
        found = answer(tw.upcast, a, factor)
        if found is not None:
            wide = Counter(v * factor + k for v in table(found) for k in range(factor))
            assert wide == Counter(table(a)), f"{a} by {factor}: {found}"


def test_a_layout_after_a_composed_one_at_every_offset():
    outers = [Layout(2, 3), Layout((2, 2), (1, 4)), Layout((2, 2), (2, 1)), Swizzle(1, 0, 1), Swizzle(1, 1, -1)]
    for a, outer, offset in product((Layout(3, 2), Layout((2, 3), (3, 1)), Layout((4, 2), (2, 1))), outers, range(6)):
        for inner in (Layout(1, 0), Layout(2, 1), Layout((2, 2), (2, 1)), Layout(3, 4)):
            b = ComposedLayout(outer, offset, inner)
            found = answer(tw.composition, a, b)
            if found is not None:
                assert [found(i) for i in range(inner.size)] == [a(b(i)) for i in range(inner.size)]


def test_the_common_vector_ends_with_the_layouts():
    for s, t in product(range(1, 8), range(1, 5)):
        for d, e in ((1, s), (t, 1), (2, 1)):
            a = Layout((s, t), (d, e))
            vector = tw.max_common_vector(a, a)
            places = {v: i for i, v in reversed(list(enumerate(table(a))))}
            assert all(v in places for v in range(vector))
            assert vector <= a.size == prod(mode.size for mode in a)


def test_positions_beyond_a_leaf_are_refused():
    assert tw.composition(Layout(4, 3), Layout(2, term(1, (0,)))) == Layout(2, 3)
    with pytest.raises(LayoutError, match="no mode at position"):
        tw.composition(Layout(4, 3), Layout(2, term(1, (1,))))


def test_a_right_inverse_under_an_offset():
    for swizzle, offset in product((Swizzle(1, 0, 1), Swizzle(1, 1, -1), Swizzle(0, 0, 0)), range(1, 5)):
        a = ComposedLayout(swizzle, offset, Layout(8))
        found = answer(tw.right_inverse, a)
        assert found is None or [a(found(i)) for i in range(found.size)] == list(range(found.size))


@pytest.mark.parametrize("paths", [((0,), (0, 1)), ((0, 1), (0,)), ((0,), (1,), (0, 0))])
def test_a_mode_and_a_part_of_it_cannot_both_be_addressed(paths):
    b = Layout((2,) * len(paths), tuple(term(1, path) for path in paths))
    with pytest.raises(LayoutError, match=r"all of \(0,\) at once"):
        tw.composition(Layout(((2, 2), 4)), b)
    apart = Layout((2, 2), (term(1, (0, 0)), term(1, (0, 1))))
    assert tw.composition(Layout(((2, 2), 4)), apart) == Layout((2, 2))


def test_a_divide_that_rounds_up_passes_whole_modes():
    """Where the tiles step over a mode they step over a multiple of its extent, or a composition exists."""
    refused = 0
    for s, n, d in product(range(2, 8), range(1, 6), range(1, 6)):
        a, tile = Layout((s, 2), (2, 20)), Layout(n, d)
        rest = answer(tw.complement, tile, (s, 2))
        if rest is None or answer(tw.composition, a, tw.make_layout(tile, rest)) is not None:
            continue
        if any(extent > 1 and step >= s and step % s for extent, step in rest.flat):
            refused += 1
            assert answer(tw.logical_divide, a, tile) is None, (a, tile)
    assert refused


@pytest.mark.parametrize("name", sorted(operations.FUNCTIONS))
def test_what_is_said_of_true_does_not_depend_on_calls_with_1(name):
    def said(number, layout):
        try:
            return getattr(operations, name)(layout, number)
        except (tw.TilewrightError, TypeError) as refused:
            return type(refused), str(refused)

    for one, wrapped in ((1, True), ((1,), (True,)), ((2, (1,)), (2, (True,))), (0, False)):
        first = said(wrapped, Layout((4, 2), (2, 8)))
        said(one, Layout((4, 2), (2, 8)))
        assert said(wrapped, Layout((4, 2), (2, 8))) == first, (name, wrapped)


def test_an_index_has_the_coordinate_that_it_comes_from():
    """Modes of extent 1 count for nothing, whatever their stride; a longer mode of stride 0 is named in the refusal."""
    for s, t, stride in product(range(1, 4), range(1, 4), (0, 1, 5, -2)):
        a = Layout((s, 1, t), (1, stride, s))
        for i, j in product(range(s), range(t)):
            assert tw.idx2crd(a(i, 0, j), a) == (i, 0, j)
        a = Layout((s, 2, t), (1, 0, s))
        with pytest.raises(LayoutError, match=rf"{re.escape(str(a))} has a mode of stride 0"):
            tw.idx2crd(0, a)


def test_the_order_of_strides_is_that_of_their_magnitudes():
    for strides in product((-6, -3, -2, -1, 1, 2, 3, 6), repeat=2):
        if abs(strides[0]) != abs(strides[1]):
            made = tw.make_layout_like(Layout((2, 3), strides))
            assert made == tw.make_layout_like(Layout((2, 3), tuple(map(abs, strides)))), strides


def test_a_downcast_keeps_the_bits_in_their_order():
    for shape, stride, factor in product(product((1, 2, 3), repeat=2), product((0, 1, 2, 4), repeat=2), (2, 3)):
        a = Layout(shape, stride)
        found = answer(tw.downcast, a, factor)
        if found is None:
            assert not {0, 1} & set(stride)
            assert 1 not in shape
            continue
        bits = Counter(factor * offset + j for offset in table(a) for j in range(factor))
        assert Counter(table(found)) == bits, a


ORDERED_STRIDES = {
    "integers": [(d, abs(d)) for d in (-2, 0, 1, 2, 4)],
    "coordinates": [(term(d, (k,)), (k * (d != 0), abs(d))) for d in (-2, 0, 1, 2) for k in (0, 1)],
    "sums": [(term(d, (0,)) + term(e, (1,)), (e, d)) for d in range(3) for e in range(2)],
}


@pytest.mark.parametrize("kind", ORDERED_STRIDES)
def test_modes_of_a_layout_like_another_start_where_those_of_smaller_strides_end(kind):
    for picked in product(ORDERED_STRIDES[kind], repeat=3):
        made = tw.make_layout_like(Layout((2, 3, 5), tuple(stride for stride, _ in picked)))
        live = [(place, made.shape[i], made.stride[i]) for i, (stride, place) in enumerate(picked) if stride != 0]
        for place, _, found in live:
            assert found == prod(extent for below, extent, _ in live if below < place), picked
        assert all(made.stride[i] == 0 for i, (stride, _) in enumerate(picked) if stride == 0)


def test_names_of_axes_have_no_order():
    with pytest.raises(LayoutError, match="no place in an order"):
        tw.make_layout_like(Layout((2, 3), (term(1, "laneid"), term(2, "laneid"))))


def test_bounds_are_the_least_and_the_largest_value():
    for s, t, d, e in product(range(1, 5), range(1, 4), range(-3, 4), range(-3, 4)):
        a = Layout((s, t), (d, e))
        values = table(a)
        assert bounds(a) == (min(values), max(values))
        assert tw.cosize(a) == max(values) + 1


def test_an_array_of_coordinates_is_inside_where_each_of_them_is():
    numbers = range(-3, 9)
    for shape in (4, (2, 3), (2, (1, 2))):
        size = tw.size(shape)
        assert contains(np.array(numbers), shape).tolist() == [0 <= i < size for i in numbers]
    for i, j in product(range(-2, 4), repeat=2):
        inside = contains((np.array([i, 0]), np.array([j, 0])), (2, 3))
        assert inside.tolist() == [0 <= i < 2 and 0 <= j < 3, True]
        assert contains((i, j), (2, 3)) == inside[0]


def test_modes_by_their_positions():
    """A range ends at the rank, which -1 names too; an empty one groups nothing; positions count from the end too."""
    for rank in range(1, 5):
        t = tuple(range(1, rank + 1))
        for begin, end in product(range(rank), range(rank + 3)):
            if begin <= end <= rank:
                grouped = (*t[:begin], t[begin:end], *t[end:]) if begin < end else t
                assert tw.group(t, begin, end) == grouped
            else:
                assert answer(tw.group, t, begin, end) is answer(tw.take, t, begin, end) is None
        for begin, operate in product(range(rank), (tw.take, tw.group)):
            assert operate(t, begin, -1) == operate(t, begin, rank)
        for at in range(-rank, rank):
            assert tw.replace(t, at, 9) == (*t[: at % rank], 9, *t[at % rank + 1 :])


def test_a_table_may_be_as_large_as_it_says():
    assert len(ComposedLayout(Swizzle(1, 0, 1), 0, Layout(MAX_TABLE - 1)).table()) == MAX_TABLE - 1
    with pytest.raises(LayoutError, match="too large"):
        Layout(MAX_TABLE + 1).table()


def test_a_table_holds_what_evaluation_gives():
    inner = Layout((4, 8), (8, 1))
    for b, m, s in product(range(3), range(2), range(-3, 4)):
        if abs(s) >= b:
            a = ComposedLayout(Swizzle(b, m, s), 0, inner)
            assert a.table().ravel(order="F").tolist() == [a(i) for i in range(a.size)], a
    for a in (Layout((2, 2), (2**62 + 5, -(2**62))), Layout((2, 2), (-(2**62), 2**62 + 5))):
        assert a.table().ravel(order="F").tolist() == [a(i) for i in range(a.size)], a
    with pytest.raises(LayoutError):
        ComposedLayout(Swizzle(1, 0, 1), 2**62, Layout((2, 2), (2**61, 2**61))).table()


def test_a_cotarget_of_several_modes_is_used_up_mode_by_mode():
    for target in product(range(1, 9), (1, 2, 3, 4, 6)):
        for reach in range(2, 13):
            rest = tw.complement(Layout(reach), target)
            assert rest.size == max(tw.size(tw.ceil_div(target, reach)), -(-prod(target) // reach)), (target, reach)


def test_empty_tuples_have_a_depth_of_their_own():
    assert [tw.depth(t) for t in (5, (), ((),), ((), (1, (2,))))] == [0, 1, 2, 3]


def test_a_leaf_has_mode_0_alone_as_a_tuple_of_one_has():
    for layout in (Layout(4), Layout((4,))):
        assert layout[0].size == layout[-1].size == 4
        for mode in (1, -2, 2):
            with pytest.raises(LayoutError, match="mode"):
                layout[mode]


def test_nothing_can_be_taken_of_an_empty_range():
    for n in range(3):
        for whole in ((4, 2), Layout((4, 2))):
            with pytest.raises(LayoutError, match="is empty"):
                tw.take(whole, n, n)


@pytest.mark.parametrize("shape", [(-1, -1), (-2, -3), (0, 4), (4, 0), (-1,), (2, (-1, -1)), (-1, 2, -1)])
def test_extents_below_1_are_refused_also_where_their_product_is_not(shape):
    for stride in (None, shape):
        with pytest.raises(LayoutError, match="at least 1"):
            Layout(shape, stride)
