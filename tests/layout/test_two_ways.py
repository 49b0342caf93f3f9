"""Where the algebra has two ways to one answer they agree; and what strides say where a mode has one element."""

from __future__ import annotations

import random
from itertools import product

import pytest
from oracle import table

import tilewright as tw
from tilewright import Layout, LayoutError
from tilewright.layout.algebra.exact import compose_exactly
from tilewright.layout.algebra.modes import extended
from tilewright.layout.algebra.recast import upcast_rounding_up
from tilewright.layout.algebra.walk import walked

LEAVES = list(product((1, 2, 3, 4), (0, 1, 2, 3, 4, 6, 8)))
ONE = [Layout(s, d) for s, d in LEAVES]
TWO = [Layout((s, t), (d, e)) for (s, d), (t, e) in product(LEAVES, repeat=2)]


def test_the_walk_and_the_complete_decision_give_one_layout():
    dice = random.Random(7)
    pairs = [(a, b) for a in dice.sample(TWO, 90) for b in ONE + dice.sample(TWO, 30)]
    both = 0
    for a, b in pairs:
        found = walked(extended(a.shape, a.stride), b)
        if found is not None:
            assert compose_exactly(a, b) == found, (a, b)
            both += 1
    assert both > len(pairs) // 2


def test_a_layout_of_one_mode_scales_every_stride():
    for (s, d), (t, e) in product(LEAVES, product((1, 2, 3), (-6, -1, 0, 1, 4))):
        if t == 1 or e >= 0:
            assert tw.composition(Layout(s, d), Layout((t, 2), (e, 1))) == Layout((t, 2), (d * e, d))
            assert tw.composition(Layout(s, d), Layout(t, e)) == Layout(t, d * e)
        else:
            for b in (Layout(t, e), Layout((t, 2), (e, 1))):
                with pytest.raises(LayoutError, match="negative values"):
                    tw.composition(Layout(s, d), b)


def test_a_mode_of_one_element_keeps_the_step_in_the_last_mode_rounded_up():
    for s, d, e in product((2, 4, 6), (1, 5), range(-13, 14)):
        step = -(-abs(e) // s) * (1 if e > 0 else -1)
        assert tw.composition(Layout((s, 9), (s, d)), Layout(1, e)) == Layout(1, step * d)


@pytest.mark.parametrize("factor", [1, 2, 4, 8])
def test_an_upcast_that_rounds_up_counts_the_wide_elements_that_it_meets(factor):
    for s, d in product(range(1, 9), (1, 2, 4, 8, 16)):
        found, met = upcast_rounding_up(Layout(s, d), factor), dict.fromkeys(i * d // factor for i in range(s))
        assert [found(i) for i in range(found.size)] == list(met)
        assert upcast_rounding_up(Layout((s, 2), (d, 1)), factor)[0] == found
        assert upcast_rounding_up(Layout(s, -d), factor) == Layout(found.shape, -found.stride)


def test_a_mode_of_one_element_is_recast_as_others_are():
    for d, factor in product((1, 2, 3, 4, 6, 8), (2, 4)):
        assert tw.upcast(Layout((factor, 1), (1, factor * d)), factor) == Layout((1, 1), (1, d))


def test_a_complement_without_a_cotarget_is_refused_only_where_none_would_be_large_enough():
    for a in TWO:
        live = sorted((d, s) for s, d in a.flat if s > 1 and d)
        reach = size = room = 1
        for d, s in live:
            room, size, reach = room * (d // reach), size * s, d * s if d >= reach else 0
            if not reach:
                break
        try:
            found = tw.complement(a)
        except LayoutError:
            assert not reach or room < a.cosize // size, a
            continue
        assert reach
        held = set(table(a))
        assert len({v + w for v in held for w in table(found)}) == len(held) * found.size
        assert found.size >= a.cosize // len(held)
