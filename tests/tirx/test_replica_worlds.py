"""The difference of two replicas, exhausted: with what was known it makes the whole, as sets of offsets."""

from __future__ import annotations

from itertools import product

import pytest

from tilewright.layout.axes import Axis
from tilewright.tirx.iters import Iters, Terms, make_iter
from tilewright.tirx.replica import normal_replica, replica_difference

STEPS = (-4, -2, -1, 1, 2, 4)
ONES = [(make_iter(extent, stride, Axis.m),) for extent in (2, 3, 4) for stride in STEPS]
TWOS = [(a, b) for (a,), (b,) in product(ONES, repeat=2) if a.extent * b.extent <= 8]


def offsets(replica: Iters, shift: Terms = ()) -> set[int]:
    found = {sum(value for _, value in shift)}
    for each in replica:
        found = {at + k * each.stride for at in found for k in range(each.extent)}
    return found


@pytest.mark.parametrize("known", ONES, ids=str)
def test_the_difference_and_the_known_are_the_whole(known: Iters) -> None:
    for whole in (*ONES, *TWOS):
        found = replica_difference(whole, known)
        if found is not None:
            rest, shift = found
            assert {a + b for a in offsets(rest, shift) for b in offsets(known)} == offsets(whole)


def test_what_was_put_together_comes_apart() -> None:
    for rest, known in product(ONES, repeat=2):
        for whole in ((*rest, *known), normal_replica((*rest, *known))[0]):
            assert replica_difference(whole, known) is not None


@pytest.mark.parametrize("replica", [*ONES, *TWOS], ids=str)
def test_the_normal_form_is_the_set(replica: Iters) -> None:
    assert offsets(*normal_replica(replica)) == offsets(replica)


@pytest.mark.parametrize("known", [*ONES, *TWOS], ids=str)
def test_nothing_is_left_of_another_spelling_of_the_same(known: Iters) -> None:
    normal, shift = normal_replica(known)
    found = replica_difference(normal, known)
    assert found is not None
    rest, back = found
    assert offsets(rest, (*back, *shift)) == {0}
