"""A layout of coordinates keeps the profile of its values through every operation, also where strides do not tell it.

The value at i is the coordinate, in the profile of the layout one began with, of the module element at i: also along
extents of 1, whose stride is 0 after a divide, and in modes, slices and compositions that reach some positions only.
"""

from __future__ import annotations

import copy
import pickle
from itertools import product

import pytest

import tilewright as tw
from tilewright import Layout, LayoutError
from tilewright.layout.axes import coordinate_of, element_at, term
from tilewright.layout.base import LayoutBase
from tilewright.layout.operation_table import TABLE

FLAT = [shape for rank in (1, 2, 3) for shape in product(range(1, 5), repeat=rank)]
NESTED = [(a, (b, c)) for a, b, c in product((1, 3), repeat=3)] + [((1, 6), 1), (1, (4, 1), 1), ((1, 1),)]
MODES = [Layout(s, d) for s, d in product((1, 2, 3), (0, 1, 2))] + [Layout((2, 1), (1, 0)), Layout((1,), (0,))]
ONE = Layout(1, 0)


def E(*path):
    return term(1, path)


def zero(shape):
    return tuple(map(zero, shape)) if isinstance(shape, tuple) else 0


def tilers(shape):
    """Tilers of the first modes of a shape."""
    sizes = [[*sorted({1, -(-tw.size(s) // 2), tw.size(s)}), None] for s in shape]
    return [tiler for rank in range(1, len(shape) + 1) for tiler in product(*sizes[:rank])]


def coordinates(shape):
    return product(*((None, 0, tw.size(s) - 1) for s in shape))


def modes_of(layout):
    for k in range(layout.rank):
        yield from (layout[k], list(layout)[k], layout[k:], tw.get(layout, k), tw.select(layout, k))
        yield from (tw.take(layout, 0, k + 1), tw.group(layout, 0, k + 1), tw.replace(layout, k, ONE))


def slices_of(layout):
    for where in coordinates(layout.shape):
        kept, offset = answer(tw.slice_and_offset, layout, where), None in where
        yield from (kept and kept[0], answer(tw.slice, where, layout), answer(tw.dice, layout, where))
        yield answer(layout, where) if offset else tw.domain_offset(layout, where)[0]
        yield answer(layout.slice_with_offset, where)


def rearranged(layout):
    size = layout.size
    for shape in (size, (size,), (1, size), (size, 1)):
        yield tw.with_shape(layout, shape)
    for change in (tw.coalesce, tw.simplify, tw.filter, tw.filter_zeros, tw.flatten, tw.complement):
        yield answer(change, layout)
    for rank in range(1, layout.rank + 1):
        yield from (answer(change, layout, (1,) * rank) for change in (tw.coalesce, tw.filter))
    yield from (tw.append(layout, ONE), tw.prepend(layout, ONE), tw.make_layout(ONE, layout), tw.zip(layout, layout))


def composed(layout):
    yield from (answer(tw.composition, layout, b) for b in (*MODES, *tilers(layout.shape)))
    yield from (answer(layout.compose, b) for b in MODES)


def divided(layout):
    for divide in (tw.logical_divide, tw.zipped_divide, tw.tiled_divide, tw.flat_divide):
        yield from (answer(divide, layout, tiler) for tiler in (*tilers(layout.shape), *MODES))
    for tiler in tilers(layout.shape):
        if None not in tiler:
            yield answer(tw.local_tile, layout, tiler, (0,) * len(tiler))
            yield answer(tw.local_partition, layout, Layout(tiler), 0)


def multiplied(layout):
    products = (tw.logical_product, tw.zipped_product, tw.tiled_product, tw.flat_product)
    for multiply in (*products, tw.blocked_product, tw.raked_product):
        yield from (answer(multiply, layout, mode) for mode in MODES)
    yield from (answer(multiply, layout, (n,)) for multiply in products for n in (1, 2))
    yield from (answer(tw.tile_to_shape, layout, tuple(n * tw.size(s) for s in layout.shape)) for n in (1, 2))
    yield from (answer(tw.recast_layout, layout, 8, bits) for bits in (4, 8, 16))


def answer(function, *args):
    try:
        return function(*args)
    except LayoutError:
        return None


@pytest.mark.parametrize("family", [modes_of, slices_of, rearranged, composed, divided, multiplied])
def test_values_are_coordinates_of_the_profile_they_had(family):
    for shape in [*FLAT[:20], *FLAT[20::14], *NESTED]:
        for found in family(tw.make_identity_layout(shape)):
            assert_coordinates(found, shape)


@pytest.mark.parametrize("family", [modes_of, slices_of, rearranged, composed, divided, multiplied])
def test_what_an_operation_gave_keeps_its_profile_through_the_next(family):
    for shape in [(1,), (1, 1), (4, 1), (1, 6), (2, 1, 3), (3, (1, 2))]:
        layout = tw.make_identity_layout(shape)
        for start in (tw.logical_divide(layout, shape), layout[0:1], tw.composition(layout, Layout((2, 3), (0, 0)))):
            for found in family(start):
                assert_coordinates(found, shape)


def assert_coordinates(found, shape):
    for i in range(min(found.size, 12) if found is not None else 0):
        assert found(i) == coordinate_of(found.at(i), zero(shape)), (shape, found, i)


def test_every_operation_says_in_whose_codomain_its_values_lie():
    """Of the first argument alone, of all arguments, or in none of them: the values are integers."""
    layout = tw.make_identity_layout((4, 1))
    of_none = {op.public for op in TABLE if op.values_of == 0}
    assert of_none == {
        *("ceil_div", "right_inverse", "left_inverse", "nullspace", "max_common_layout", "to_linear"),
        *("make_layout_like", "make_fragment_like", "make_fragment_layout_like", "make_layout_tv"),
    }
    for invert in (tw.right_inverse, tw.left_inverse):
        assert [invert(layout)(layout(i)) for i in range(4)] == [0, 1, 2, 3]


def test_compositions_agree_with_evaluation_one_after_the_other():
    for shape, b in product(FLAT, MODES):
        layout = tw.make_identity_layout(shape)
        found = answer(tw.composition, layout, b)
        assert found is None or [found(i) for i in range(b.size)] == [layout(b(i)) for i in range(b.size)]


def test_an_inverse_takes_the_values_of_what_lost_positions():
    for shape in FLAT[::2]:
        layout = tw.coalesce(tw.make_identity_layout(shape))
        assert [tw.left_inverse(layout)(layout(i)) for i in range(layout.size)] == list(range(layout.size))


def test_what_operations_give_of_named_axes_has_the_same_axes():
    layout = Layout((4, 2, 3), (term(1, "laneid"), term(1, "warpid"), 1))
    for found in (layout[0], tw.coalesce(layout), layout(0, None, 2), tw.composition(layout, Layout(3, 0))):
        assert all(found(i).keys() == {"laneid", "warpid", "m"} for i in range(found.size))


def test_run_time_extents_and_strides_keep_the_profile():
    n = tw.SymInt("n", lower=0)
    layout = tw.logical_divide(tw.make_identity_layout((n + 1, 1)), (n + 1, 1))
    assert layout.substitute({"n": 2})(2) == (2, 0)
    assert Layout((2, 2), (n * E(0), E(1))).substitute({"n": 0})(3) == (0, 1)


def lost():
    return [
        tw.composition(tw.make_identity_layout((6,)), Layout(5, 0)),
        tw.logical_divide(tw.make_identity_layout((8, 4, 1)), (8, 4, 1)),
        tw.coalesce(tw.make_identity_layout((1, 4, (1, 1)))),
        Layout((4, 2), (term(1, "laneid"), term(1, "warpid")))[1],
    ]


@pytest.mark.parametrize("layout", lost(), ids=str)
def test_the_codomain_belongs_to_the_layout(layout):
    """It enters equality, repr and pickles; the text is CuTe's, which has no place for it."""
    bare = Layout(layout.shape, layout.stride)
    assert layout != bare
    assert bare != layout
    assert str(layout) == str(bare)
    assert tw.coprofile(layout) != tw.coprofile(bare)
    same = (copy.copy(layout), copy.deepcopy(layout), pickle.loads(pickle.dumps(layout)))
    read = eval(repr(layout), {"Layout": Layout, "term": term})
    for other in (*same, read, bare.with_coprofile(tw.coprofile(layout))):
        assert other == layout
        assert hash(other) == hash(layout)
        assert repr(other) == repr(layout)
        assert [other(i) for i in range(layout.size)] == [layout(i) for i in range(layout.size)]


def test_strides_that_tell_the_profile_are_no_other_layout():
    layout = tw.make_identity_layout((4, (2, 3)))
    assert layout.with_coprofile((0, (0, 0))) is layout
    assert Layout(4).with_coprofile(0) == Layout(4)
    assert tw.coalesce(tw.make_identity_layout((4,))) == Layout(4, E(0))


@pytest.mark.parametrize("profile", [0, (0,), (0, (0, 0)), {"laneid": 0}], ids=str)
def test_a_profile_without_a_position_of_the_strides_is_refused(profile):
    with pytest.raises(LayoutError, match="no coordinates of the profile"):
        tw.make_identity_layout((4, 2)).with_coprofile(profile)


def test_under_a_swizzle_or_a_layout_the_codomain_is_that_of_the_outermost():
    inner = tw.make_identity_layout((4, 1))
    under = tw.make_composed_layout(Layout((4, 3), (E(1), E(2))), (0, 0), inner)
    assert tw.coalesce(under)(3) == under(3) == (0, 3, 0)
    assert under.with_coprofile((0, 0, 0, 0))(3) == (0, 3, 0, 0)
    moved = tw.make_composed_layout(tw.Swizzle(0, 0, 0), (2, 0, 0), inner)
    assert tw.coalesce(moved)(3) == (5, 0, 0)


def test_positions_within_one_another_are_shown_axis_by_axis():
    """As a tuple one of them would be lost."""
    layout = Layout((4, 8), (E(1), E(1, 0)))
    for i in range(layout.size):
        value = layout(i)
        parts = value if isinstance(value, dict) else {}
        assert sum((v * term(1, axis) for axis, v in parts.items()), 0) == layout.at(i)
    assert element_at(tw.make_identity_layout((4, 8))(5)) == tw.make_identity_layout((4, 8)).at(5)


def test_a_layout_of_single_elements_has_its_complement_on_its_axis():
    single = tw.make_identity_layout((1,))
    assert [tw.complement(single, 4)(i) for i in range(4)] == [(0,), (1,), (2,), (3,)]
    assert tw.logical_product(single, Layout(3)) == tw.logical_product(Layout((1,), (E(0),)), Layout(3))
    assert [tw.logical_product(single, Layout(3))(i) for i in range(3)] == [(0,), (1,), (2,)]
    with pytest.raises(LayoutError, match="says nothing about the axis"):
        tw.complement(tw.make_identity_layout((1, 1)), 4)
    with pytest.raises(LayoutError, match="no width"):
        tw.downcast(single, 2)


def test_layouts_are_the_only_values_that_have_a_codomain():
    assert not any(isinstance(x, LayoutBase) for x in (tw.coshape(lost()[0]), tw.cosize(lost()[0])))
    assert (tw.coshape(lost()[0]), tw.cosize(lost()[0])) == ((1,), 1)


def test_values_lie_in_the_codomain_also_where_every_stride_is_zero() -> None:
    still = tw.with_coprofile(Layout((2, 2), (0, 0)), (0, 0))
    assert [still(c) for c in (0, 3, (1, 1), (1,))] == [(0, 0)] * 4
    assert still(1, 1) == (0, 0)
