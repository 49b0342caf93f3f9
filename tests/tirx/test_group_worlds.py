"""Laws of grouping, exhausted: groups have the extents asked for, the table stays, and nothing is cut needlessly."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from math import prod

import pytest

from tilewright.errors import LayoutError
from tilewright.layout.axes import AXES
from tilewright.tirx.canonical import tidy
from tilewright.tirx.group import group_many, try_group
from tilewright.tirx.iters import Iters, Parts, make_iter

SHAPES = [shape for rank in (1, 2, 3) for shape in product((1, 2, 3, 4, 6), repeat=rank) if prod(shape) in (6, 12)]


def shard_of(shape: tuple[int, ...]) -> Iters:
    """Strides by which every digit can be told."""
    return tuple(make_iter(extent, 100**k, AXES["m"]) for k, extent in enumerate(shape))


def table(shard: Iters) -> list[int]:
    found = [0]
    for each in shard:
        found = [value + digit * each.stride for value in found for digit in range(each.extent)]
    return found


def check(shard: Iters, found: Iters, seps: tuple[int, ...], shape: tuple[int, ...]) -> None:
    assert table(found) == table(shard)
    assert (seps[0], seps[-1]) == (0, len(found))
    assert [prod(it.extent for it in found[begin:end]) for begin, end in pairwise(seps)] == list(shape)


@pytest.mark.parametrize("own", SHAPES, ids=str)
def test_groups_have_the_extents_and_the_table(own: tuple[int, ...]) -> None:
    for shape in SHAPES:
        found = try_group(shard_of(own), shape)
        if found is not None:
            check(shard_of(own), *found, shape)
        assert (found is not None) == (prod(own) == prod(shape) and _divide(own, shape))


@pytest.mark.parametrize("own", SHAPES, ids=str)
def test_one_refinement_serves_many_shapes(own: tuple[int, ...]) -> None:
    shard = shard_of(own)
    same = [shape for shape in SHAPES if prod(shape) == prod(own)]
    for shapes in product(same, repeat=2):
        try:
            found, seps = group_many(shard, shapes)
        except LayoutError:
            assert not all(_divide(a, b) for a, b in product((own, *shapes), repeat=2))
            continue
        for shape, at in zip(shapes, seps, strict=True):
            check(shard, found, at, shape)
        assert [it.extent for it in found].count(1) == _units((own, *shapes))


def _divide(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Of any two boundaries, does one divide the other?"""
    return all(a % b == 0 or b % a == 0 for a, b in product(_ends(one), _ends(other)))


def _units(shapes: tuple[tuple[int, ...], ...]) -> int:
    """A unit dimension asks for a unit iter at its place, and those of other shapes there are served by the same."""
    asked = [Counter(prod(shape[k:]) for k in range(len(shape) + 1)) for shape in shapes]
    return sum(max(count[end] for count in asked) - 1 for end in set().union(*asked))


def _ends(shape: tuple[int, ...]) -> list[int]:
    return [prod(shape[k:]) for k in range(len(shape) + 1)]


@pytest.mark.parametrize("name", sorted(AXES))
def test_one_element_stays_on_the_axis_written_first(name: str) -> None:
    axis, other = AXES[name], AXES["m" if name != "m" else "laneid"]
    one = (make_iter(1, 7, axis), make_iter(1, 1, other))
    assert tidy(Parts(one)).shard == (make_iter(1, 1, axis),)
