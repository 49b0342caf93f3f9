"""What is common to two layouts, and inverses of coordinate layouts: no valid question of a small world is refused."""

from __future__ import annotations

import itertools

import pytest

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
    where = {b(i): i for i in range(b.size)}
    count = 0
    while count in where and where[count] < a.size and a(where[count]) == count:
        count += 1
    return count


def injective(layout: Layout) -> bool:
    return len({layout(i) for i in range(layout.size)}) == layout.size


@pytest.mark.parametrize("partner", PARTNERS, ids=str)
def test_common_vectors_are_the_common_prefix(partner: Layout) -> None:
    for layout in WORLD:
        for a, b in ((layout, partner), (partner, layout)):
            common, count = tw.max_common_layout(a, b), tw.max_common_vector(a, b)
            values = [(a(common(i)), b(common(i))) for i in range(count)]
            assert values == [(values[0][0] + i, values[0][1] + i) for i in range(count)], (a, b)
            if injective(b):
                assert count == prefix(a, b), (a, b)


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
