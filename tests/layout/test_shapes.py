"""Coordinates of shapes, their common refinement, and tilers as layouts: laws by enumeration of small worlds."""

from __future__ import annotations

from itertools import product

import pytest
from oracle import refines, size

import tilewright as tw
from tilewright import Layout, LayoutError, Swizzle, SymInt

LEAVES = (1, 2, 3, 4, 6)
PAIRS = list(product(LEAVES, LEAVES))
NESTED = [((a, b), c) for a, b, c in product((1, 2, 3), repeat=3)] + [
    (c, (a, b)) for a, b, c in product((1, 2, 3), repeat=3)
]
SHAPES = [*LEAVES, *((a,) for a in LEAVES), *PAIRS, *NESTED]
N = SymInt("n")


@pytest.mark.parametrize("shape", [1, 4, (3,), (2, 3), (2, (3, 2)), ((2, 2), 1, 3), ()], ids=str)
def test_coordinates_are_those_of_the_indices_in_their_order(shape):
    found = list(tw.coordinates(shape))
    assert found == [tw.idx2crd(i, shape) for i in range(size(shape))]
    assert list(tw.coordinates(Layout(shape))) == found


def test_coordinates_of_composed_layouts_and_refusals():
    swizzled = tw.composition(Swizzle(1, 0, 2), Layout((4, 4)))
    assert list(tw.coordinates(swizzled)) == list(tw.coordinates((4, 4)))
    for wrong in ((4, N), (4, 0), "4"):
        with pytest.raises(LayoutError):
            tw.coordinates(wrong)


def test_a_common_refinement_is_the_least_shape_that_refines_both():
    by_size = {n: [s for s in SHAPES if size(s) == n] for n in {size(s) for s in SHAPES}}
    for n in (1, 4, 6, 12):
        for a, b in product(by_size[n], repeat=2):
            both = [t for t in by_size[n] if refines(t, a) and refines(t, b)]
            try:
                found = tw.common_refinement(a, b)
            except LayoutError:
                assert not both, (a, b)
                continue
            assert refines(found, a)
            assert refines(found, b)
            assert all(refines(t, found) for t in both), (a, b)


def test_what_no_shape_refines_is_refused():
    for a, b in [((2, (3, 5)), ((3, 2), 5)), ((6, 5), (2, 15)), (6, 4), ((6,), (2, 3)), (6, (2, 2))]:
        with pytest.raises(LayoutError, match="no shape refines"):
            tw.common_refinement(a, b)
        with pytest.raises(LayoutError, match="no shape refines"):
            tw.common_refinement(b, a)


TILES = (1, 2, 4, Layout(2, 2), Layout((2, 2), (1, 4)), Layout(2, 0))
HOSTS = (Layout((4, 8)), Layout((8, 8), (8, 1)), Layout(((2, 4), 8), ((8, 1), 16)))


@pytest.mark.parametrize("host", HOSTS, ids=str)
def test_a_tiler_as_a_layout_composes_as_the_tiler_does(host):
    for first, second in product(TILES, repeat=2):
        whole = tw.tiler_to_layout((first, second))
        parts = [tile if isinstance(tile, Layout) else Layout(tile, 1) for tile in (first, second)]
        for coord in tw.coordinates(whole):
            assert whole(coord) == tuple(part(c) for part, c in zip(parts, coord, strict=True))
        expected, found = tw.composition(host, (first, second)), tw.composition(host, whole)
        assert [found(i) for i in range(found.size)] == [expected(i) for i in range(expected.size)]
        assert tw.compatible(whole, found)


def test_tilers_of_one_tile_and_nested_ones():
    assert tw.tiler_to_layout(3) == Layout(3, 1)
    assert tw.tiler_to_layout(Layout((7, 2), (3, 1))) == Layout((7, 2), (3, 1))
    nested = tw.tiler_to_layout(((2, Layout(3, 2)), 4))
    assert [nested(c) for c in tw.coordinates(nested)] == [((a, 2 * b), c) for (a, b), c in tw.coordinates(((2, 3), 4))]
    inside = tw.tiler_to_layout((tw.make_identity_layout((2, 3)), 4))
    assert [inside(c) for c in tw.coordinates(inside)] == list(tw.coordinates(((2, 3), 4)))


@pytest.mark.parametrize("wrong", [None, (4, None), (4, Layout(2, tw.term(1, "laneid"))), "4"], ids=str)
def test_tilers_that_are_no_layout_are_refused(wrong):
    with pytest.raises(LayoutError):
        tw.tiler_to_layout(wrong)
