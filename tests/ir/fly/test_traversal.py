"""A traversal visits every coordinate once; its first letter runs fastest, and a serpentine one takes single steps."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from tilewright.errors import LayoutError
from tilewright.ir.fly.dialect_attributes import TraversalOrderAttr
from tilewright.ir.fly.traversal import by_layout, by_order
from tilewright.layout.layout import Layout

EXTENTS = [extents for rank in (2, 3) for extents in product((1, 2, 3), repeat=rank)]


@pytest.mark.parametrize("order", TraversalOrderAttr.words)
def test_orders(order: str) -> None:
    for extents in EXTENTS:
        visited = list(by_order(order, extents))
        assert sorted(visited) == list(product(*map(range, extents)))
        steps = [sum(abs(a - b) for a, b in zip(x, y, strict=True)) for x, y in pairwise(visited)]
        if order.endswith("_serpentine"):
            assert set(steps) <= {1}
        else:
            axes = ["mnk".index(letter) for letter in order if "mnk".index(letter) < len(extents)]
            assert visited == sorted(visited, key=lambda at: [at[axis] for axis in reversed(axes)])


def test_layouts_say_which_atom_comes_when() -> None:
    for shape, stride in product(EXTENTS, [(1, 2, 4), (4, 2, 1), (2, 4, 1)]):
        if len(shape) != 3 or set(shape) != {2}:
            continue
        natural = Layout((2, 2, 2))
        walk = Layout(shape, stride)
        assert [natural(at) for at in by_layout(walk, (2, 2, 2))] == [walk(i) for i in range(8)]


def test_a_layout_that_misses_an_atom_is_refused() -> None:
    for layout in (Layout((2, 2), (1, 1)), Layout(3), Layout(8), Layout((2, 2), (1, 4))):
        with pytest.raises(LayoutError, match="does not visit each"):
            list(by_layout(layout, (2, 2)))
