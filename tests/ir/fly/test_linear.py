"""Where a swizzled view is said to move as a whole, its elements lie to one another as without the swizzle."""

from __future__ import annotations

from itertools import product

from tilewright.ir.fly.linear import moves_as_a_whole
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt

SWIZZLES = [Swizzle(b, m, s) for b, m, s in product((1, 2), (0, 1, 2), (-2, 2, 3))]
RUNS = [Layout(4, 1), Layout(2, 1), Layout(1, 0), Layout((2, 2), (1, 2)), Layout(2, 2), Layout((2, 1), (3, 0))]


def _moves(swizzle: Swizzle, offset: int, run: Layout[int]) -> bool:
    return all(swizzle(offset + run(i)) == swizzle(offset) + run(i) for i in range(run.size))


def test_what_is_said_holds() -> None:
    said = 0
    for swizzle, offset, run in product(SWIZZLES, range(32), RUNS):
        if moves_as_a_whole(ComposedLayout(swizzle, offset, run)):
            said += 1
            assert _moves(swizzle, offset, run)
    assert said > 1000


def test_of_run_time_offsets_it_holds_for_every_value() -> None:
    said = 0
    for swizzle, div, run in product(SWIZZLES, (1, 2, 4, 8), RUNS):
        if moves_as_a_whole(ComposedLayout(swizzle, SymInt("x", div=div), run)):
            said += 1
            assert all(_moves(swizzle, offset, run) for offset in range(0, 64, div))
    assert said > 100


def test_what_scatters_is_not_said_to_move() -> None:
    assert not moves_as_a_whole(ComposedLayout(Swizzle(2, 1, 3), 0, Layout(4, 1)))
    assert not moves_as_a_whole(ComposedLayout(Swizzle(2, 2, 3), SymInt("x", div=2), Layout(4, 1)))
    assert not moves_as_a_whole(Layout(4, 1))
