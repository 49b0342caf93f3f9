"""`serve`: what it says of the swizzle that it finds for accesses of several lengths is counted element by element."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from tilewright.analysis.swizzle.costs import TileAccess
from tilewright.analysis.swizzle.joint import Asked, _tile, serve
from tilewright.analysis.swizzle.ranking import best, ranked
from tilewright.arch import get

SPEC = get("sm_90")


def column(length: int, step: int, count: int, start: int) -> Asked:
    """A load of the first lanes, `step` elements apart."""
    return Asked((tuple(start + step * i if i < count else -1 for i in range(32)),), length, "load", "auto")


def test_what_accesses_of_mixed_lengths_reach_further() -> None:
    """The last of the elements that are asked for, once they are swizzled, less the last one before."""
    grown = set()
    for length, step, count, first in itertools.product((2, 4, 8), (8, 32, 64), (5, 16, 32), (0, 3, 7, 11)):
        asked = (column(length, step, count, 0), column(1, step, count, first))
        touched = {at + i for one in asked for at in one.rows[0] if at >= 0 for i in range(one.length)}
        served = serve(asked, 16, SPEC)
        assert served is not None
        further = max(map(served.swizzle, touched)) - max(touched)
        assert served.grows == max(0, further), asked
        grown.add(further > 0)
    assert grown == {True, False}


@pytest.mark.parametrize("seed", range(40))
def test_the_best_swizzle_is_the_first_of_the_ranking(seed: int) -> None:
    """Sought up to one without excess, it is the one that ranking all of them puts first; so with modes alone."""
    random_of = random.Random(seed)
    tiles: list[TileAccess] = []
    for _ in range(random_of.randrange(1, 4)):
        length = random_of.choice((1, 2, 4))
        steps = [length * random_of.choice((1, 2, 8, 16, 32, 64, 128)) for _ in range(5)]
        row = tuple(sum(step * (lane >> i & 1) for i, step in enumerate(steps)) for lane in range(32))
        tiles.append(_tile(Asked((row,), length, "load", "auto"), 16 << seed % 2, SPEC))
    times = [random_of.randrange(1, 4) for _ in tiles]
    every = ranked(tiles, 16 << seed % 2, times)
    modes = [one for one in every if not one.is_no_mode]
    assert best(tiles, 16 << seed % 2, times) == every[0].swizzle
    assert best(tiles, 16 << seed % 2, times, True) == (modes[0].swizzle if modes else None)


def test_accesses_that_are_asked_for_twice_count_as_often() -> None:
    """One of times a and one of times b are one of times a + b: how often decides which swizzle is the best."""
    pick = random.Random(3)
    spec = get("sm_90")
    decided = set()
    for _ in range(40):
        some, other = (
            Asked((tuple(pick.choice((1, 2, 4, 8, 32)) * pick.randrange(64) for _ in range(32)),), 1, "load", "auto")
            for _ in range(2)
        )
        apart = serve([replace(some, times=9), replace(other, times=4), replace(some, times=1)], 32, spec)
        whole = serve([replace(some, times=10), replace(other, times=4)], 32, spec)
        light = serve([replace(some, times=1), replace(other, times=4)], 32, spec)
        assert apart is not None
        assert whole is not None
        assert light is not None
        assert apart.swizzle == whole.swizzle
        decided.add(whole.swizzle == light.swizzle)
    assert decided == {True, False}
