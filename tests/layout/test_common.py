"""What is common to two layouts, and inverses of coordinate layouts: no valid question of a small world is refused."""

from __future__ import annotations

import itertools

import pytest
from oracle import table

import tilewright as tw
from tilewright.layout.layout import Layout

EXTENTS, STRIDES = (1, 2, 3, 4), (0, 1, 2, 3, 4, 8)
WORLD = [
    Layout((a, b), (d, e))
    for a, b in itertools.product(EXTENTS, (1, 3, 4))
    for d, e in itertools.product(STRIDES, (1, 3, 4))
]
WORLD += [
    Layout((4, 3, 5), (1, 8, 3)),
    Layout((2, 2, 3), (1, 6, 2)),
    Layout((2, 2, 3), (6, 3, 1)),
    Layout((3, 2, 2), (-1, 3, 6)),
    Layout((2, 1), (0, 1)),
    Layout((4, 5, 2), (1, 2, 50)),
]
PARTNERS = [
    Layout(40),
    Layout(12),
    Layout(6, 2),
    Layout((4, 3), (3, 1)),
    Layout((2, 3, 2), (1, 2, 6)),
    Layout((4, 3, 5), (1, 8, 3)),
    Layout((3, 2), (2, 1)),
    Layout((4, 2, 5), (1, 100, 4)),
]


def prefix(a: Layout, b: Layout) -> int:
    """How many of 0, 1, 2, .. both layouts take at one and the same coordinate."""
    common = {i for i, j in zip(table(a), table(b), strict=False) if i == j}
    return next(n for n in itertools.count() if n not in common)


@pytest.mark.parametrize("partner", PARTNERS, ids=str)
def test_common_vectors_are_the_common_prefix(partner: Layout) -> None:
    for layout in WORLD:
        for a, b in ((layout, partner), (partner, layout)):
            common, count = tw.max_common_layout(a, b), tw.max_common_vector(a, b)
            assert count == prefix(a, b), (a, b)
            for layout in (a, b):
                assert [layout(common(i)) for i in range(common.size)] == list(range(common.size)), (a, b)


SMALL = [
    Layout(shape, stride)
    for shape in ((2, 3), (2, 8), (5, 2), (3, 3))
    for stride in itertools.product((0, 1, 2, 3), repeat=2)
]
SMALL += [Layout((2, 2, 2), stride) for stride in itertools.product((0, 1, 2, 4), repeat=3)]


def test_the_order_does_not_matter_and_values_taken_twice_count_where_they_meet() -> None:
    for a, b in itertools.islice(itertools.combinations_with_replacement(SMALL, 2), 0, None, 2):
        count = prefix(a, b)
        assert tw.max_common_vector(a, b) == tw.max_common_vector(b, a) == count, (a, b)
        held = set()
        for found in (tw.max_common_layout(a, b), tw.max_common_layout(b, a)):
            held.add(sum(1 for _ in itertools.takewhile(min(a.size, b.size).__gt__, table(found))))
            for layout in (a, b):
                assert [layout(found(i)) for i in range(found.size)] == list(range(found.size)), (a, b)
        assert len(held) == 1, (a, b)


def test_vectors_of_more_coordinates_than_are_listed_are_those_that_the_modes_show() -> None:
    line, repeated, across = Layout(1 << 22), Layout((1 << 20, 4), (1, 0)), Layout((4, 1 << 20), (1 << 20, 1))
    for a, b, expected in ((line, repeated, 1 << 20), (line, across, 1), (repeated, across, 1)):
        assert tw.max_common_vector(a, b) == tw.max_common_vector(b, a) == expected


def test_the_common_vector_of_a_layout_that_the_other_s_inverse_does_not_fit() -> None:
    gap, plain = Layout((4, 3, 5), (1, 8, 3)), Layout(40)
    assert tw.max_common_vector(gap, plain) == tw.max_common_vector(plain, gap) == 4


SHAPES = [
    *itertools.product((1, 2, 3), repeat=2),
    1,
    4,
    (1,),
    (4,),
    (4, (1, 1)),
    ((1, 1), 1),
    ((2, 1), (1, 3)),
    (3, (1, (1, 2))),
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("invert", [tw.left_inverse, tw.right_inverse])
def test_the_inverse_of_an_identity_layout_takes_every_coordinate(invert, shape) -> None:
    identity = tw.make_identity_layout(shape)
    inverse = invert(identity)
    assert [inverse(identity(i)) for i in range(identity.size)] == list(range(identity.size))


def test_steps_that_do_not_divide_the_extents_are_counted_to_the_last() -> None:
    a, b = Layout((400, 300), (3, -2)), Layout((401, 390), (10**9, 1))
    assert tw.max_common_vector(a, b) == tw.max_common_vector(b, a) == 300
    a, b = Layout((300, 300, 2), (2, -1, 500_000)), Layout((301, 400), (10**6, 1))
    assert tw.max_common_layout(a, b) == tw.max_common_layout(b, a) == Layout(300, 301)


def whole_vectors(values: list[int]) -> int:
    """The most n such that n neighbours from each multiple of n on are all in the set, or none of them."""
    held = set(values)
    counts = (n for n in range(1, len(held) + 1) if len(held) % n == 0)
    return max(n for n in counts if all(x - x % n + j in held for x in held for j in range(n)))


def test_alignment_is_the_size_of_the_whole_vectors() -> None:
    for shape in itertools.product((1, 2, 4), (1, 3, 4), (1, 2, 3)):
        for stride in itertools.product((0, 1, 2, 4, 6, 12), repeat=3):
            values = table(layout := Layout(shape, stride))
            if len(set(values)) == len(values):
                assert tw.max_alignment(layout) == whole_vectors(values), layout


@pytest.mark.parametrize("swizzle", [tw.Swizzle(1, 2, 3), tw.Swizzle(0, 2, 2), tw.Swizzle(1, 0, 2)], ids=str)
@pytest.mark.parametrize("offset", [0, 3, 4])
def test_neighbours_that_a_swizzle_leaves_may_end_within_a_row(swizzle: tw.Swizzle, offset: int) -> None:
    """Rows of three, of which four are left neighbours: the inverse has no layout of its first four elements."""
    for shape, stride in (((2, 3), (3, 1)), ((4, 3), (3, 1)), ((2, 2, 2), (2, 4, 1)), ((8, 3, 3, 2), (9, 3, 1, 72))):
        plain = Layout(shape, stride)
        swizzled = tw.ComposedLayout(swizzle, offset, plain)
        for a, b in ((plain, swizzled), (swizzled, plain), (swizzled, swizzled)):
            common = tw.max_common_layout(a, b)
            assert 1 <= common.size <= tw.max_common_vector(a, b)
            for layout in (a, b):
                assert [layout(common(i)) - layout(common(0)) for i in range(common.size)] == list(range(common.size))
