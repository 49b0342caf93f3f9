"""What is listed at once is what the layout gives index by index."""

from __future__ import annotations

from itertools import product

import pytest

from tilewright.analysis.model.plain_table import values_at
from tilewright.errors import LayoutError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation import parse

STRIDES = (-3, 0, 1, 4)
LAYOUTS = [
    *(Layout((3, 2), stride) for stride in product(STRIDES, STRIDES)),
    *(Layout(((2, 1), (3, 2)), ((a, 5), (b, 7))) for a, b in product(STRIDES, STRIDES)),
    Layout(4, 2),
    Layout(1, 0),
    Layout((), ()),
]


def functions(layout):
    yield layout
    yield from (ComposedLayout(Swizzle(2, 0, shift), offset, layout) for shift in (-2, 2) for offset in (0, 9))
    yield ComposedLayout(Layout((4, 8), (8, 1)), 0, Layout((2, 2), (1, 3)))
    yield ComposedLayout(Swizzle(1, 0, 1), 2, ComposedLayout(Swizzle(1, 1, 1), 3, layout))


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_all_some_repeated_and_farther_indices(layout):
    size = layout.size
    for function in functions(layout):
        for indices in ([], [0], [size - 1], range(size), [0, size - 1] * size, range(size + 3)):
            assert values_at(function, list(indices)) == [int(function(i)) for i in indices]


def test_coordinates_are_no_integers():
    with pytest.raises((TypeError, LayoutError)):
        values_at(parse("(2,2):(1@0,1@1)"), [0, 1, 2, 3])
