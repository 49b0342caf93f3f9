"""Outside the domain values are the same known, in arrays, and at run time; negative integers round down."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import ComposedLayout, Layout, Swizzle, SymInt
from tilewright.ir.fly.rules import coordinates as fly
from tilewright.layout.inttuple import product
from tilewright.tirx.layout import ComposeLayout, Iter, TileLayout

I = SymInt("i", lower=-(1 << 20), upper=1 << 20)
BELOW = st.integers(-400, 100)


def trees(leaves):
    return st.recursive(leaves, lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple), max_leaves=4)


@st.composite
def layouts(draw):
    shape = draw(trees(st.integers(1, 6)))
    flat = tw.get_leaves(shape)
    return Layout(shape, tw.unflatten(tuple(draw(st.integers(-9, 40)) for _ in flat), shape))


SWIZZLES = st.builds(
    lambda b, m, s: Swizzle(b, m, s * (b + 1)), st.integers(0, 2), st.integers(0, 3), st.sampled_from((1, -1))
)
FUNCTIONS = st.recursive(
    layouts(), lambda inner: st.builds(ComposedLayout, SWIZZLES | layouts(), st.integers(-30, 30), inner), max_leaves=3
)


def floored(i, shape, stride):
    """The definition: digits of all modes but the last lie in their extents."""
    if not isinstance(shape, tuple):
        return i * stride
    total = 0
    for s, d in zip(shape[:-1], stride[:-1], strict=True):
        total, i = total + floored(i % product(s), s, d), i // product(s)
    return total + floored(i, shape[-1], stride[-1])


@given(layouts(), BELOW)
def test_an_integer_is_split_rounding_down(layout, i):
    assert layout(i) == floored(i, layout.shape, layout.stride)
    if isinstance(layout.shape, tuple):
        assert layout(i) == layout(tw.idx2crd(i, layout.shape))


@given(FUNCTIONS, BELOW, st.data())
def test_known_in_arrays_and_at_run_time(function, i, data):
    value = function(i)
    assert function(np.array([i, 0])).tolist() == [value, function(0)]
    assert tw.substitute(function(I), {"i": i}) == value
    if function.rank > 1:
        coord = tuple(data.draw(BELOW) for _ in range(function.rank))
        symbols = [SymInt(f"c{k}", lower=-500) for k in range(function.rank)]
        found = function(*coord)
        assert function(*(np.array([c]) for c in coord)).tolist() == [found]
        assert tw.substitute(function(*symbols), {f"c{k}": c for k, c in enumerate(coord)}) == found


@given(layouts(), BELOW)
def test_coordinates_of_an_index_likewise(layout, i):
    if 0 in tw.get_leaves(layout.stride):
        return
    for ask in (tw.idx2crd, tw.get_flat_coord, tw.get_1d_coord):
        found = ask(i, layout)
        assert tw.substitute(ask(I, layout), {"i": i}) == found
        assert one(ask(np.array([i]), layout)) == found


def one(tree):
    return tuple(map(one, tree)) if isinstance(tree, tuple) else int(np.ravel(tree)[0])


@given(st.lists(st.builds(Iter, st.integers(1, 6), st.integers(-9, 40), st.just("m")), min_size=1, max_size=3), BELOW)
def test_tirx_layouts_likewise(iters, i):
    tile = TileLayout(iters)
    for layout in (tile, ComposeLayout(1, 1, 2, tile)):
        found = layout.apply(i)
        assert {axis: int(values[0]) for axis, values in layout.apply(np.array([i])).items()} == found
        assert {axis: tw.substitute(value, {"i": i}) for axis, value in layout.apply(I).items()} == found


@given(FUNCTIONS, BELOW)
def test_ops_of_fly_split_as_c_divides_known_or_not(function, i):
    assert tw.substitute(fly.crd2idx(I, function), {"i": i}) == fly.crd2idx(i, function)
    if i >= 0 or not isinstance(function, Layout):
        return
    assert fly.crd2idx(i, function) == -fly.crd2idx(-i, function)


def test_the_three_readings_of_one_coordinate():
    layout = Layout((4, 8), (8, 1))
    assert (layout(-1), tw.idx2crd(-1, (4, 8)), fly.crd2idx(-1, layout)) == (23, (3, -1), -8)
