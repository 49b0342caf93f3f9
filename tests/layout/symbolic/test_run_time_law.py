"""Law 72 for every operation: what it gives for run-time leaves is, at given values, what it gives for the values.

Where that is not so, guards fail. A sample of `tests/fuzz/fuzz_run_time.py`, and what it found.
"""

from __future__ import annotations

import pytest
from run_time_cases import CASES, World, answered, judged
from strategies import Dice

from tilewright.errors import LayoutError
from tilewright.layout import operations as tw
from tilewright.layout.algebra.modes import coalesced, settled
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.comparison import equals
from tilewright.layout.symbolic.conditions import assuming
from tilewright.layout.symbolic.substitution import substitute
from tilewright.layout.symbolic.symint import SymInt

EACH = 30

K, M, N = SymInt("k"), SymInt("m"), SymInt("n")
Z = SymInt("z", lower=0)
E = SymInt("e", div=2)


def test_every_operation_has_cases():
    assert set(CASES) == set(tw.FUNCTIONS)


@pytest.mark.parametrize("name", CASES)
def test_at_the_values_it_is_the_result_for_the_values(name):
    outcomes = [outcome for seed in range(EACH) for outcome in outcomes_of(name, seed)]
    assert [outcome for outcome in outcomes if outcome.startswith("wrong")] == []
    assert "same" in outcomes


def outcomes_of(name, seed):
    pick = Dice(seed)
    world = World(pick)
    try:
        args = CASES[name](world)
    except LayoutError:
        return []
    found = answered(getattr(tw, name), *args)
    return [judged(name, args, found, world.values(pick)) for _ in range(3)]


# An extent of 1 is the case to try: its mode disappears, its stride means nothing.
AT_ONE = {
    "complement": (Layout(N, 2),),
    "logical_divide": (Layout(K, 2), Layout(N, 3)),
    "tiled_divide": (Layout((3, N), (K, M)), Layout(4, 6)),
    "zipped_divide": (Layout((K, 8)), (Layout(N, 3), 4)),
    "downcast": (Layout((3, 1, 2), (N, 9, 3)), 3),
    "make_layout_like": (Layout((4, 8), (N, 1)),),
    "right_inverse": (Layout((N, 8), (M, 1)),),
    "logical_product": (Layout(N, 4), Layout(3, 2)),
}


@pytest.mark.parametrize("name", AT_ONE)
def test_an_extent_or_stride_of_1_is_asked_for(name):
    function, args = getattr(tw, name), AT_ONE[name]
    found = function(*args)
    assert found.guards
    for values in ({"k": k, "m": m, "n": n} for k in (1, 4) for m in (1, 4) for n in (1, 2)):
        at = answered(substitute, found, values)
        static = answered(function, *substitute(args, values))
        assert isinstance(at, LayoutError) or (at.size, table(at)) == (static.size, table(static))


def test_modes_of_b_that_leave_a_mode_of_a_together_are_refused():
    with pytest.raises(LayoutError, match="together leave the mode of extent 4"):
        tw.composition(Layout((4, M), (1, N)), Layout((2, 2), (1, 3)))


def test_a_negative_stride_is_for_one_element():
    found = tw.composition(Layout((4, M)), Layout(N, -1))
    assert substitute(found, {"n": 1}).size == 1
    with pytest.raises(LayoutError, match="is right only where"):
        substitute(found, {"n": 2})


def test_an_inverse_takes_neighbours_before_others_of_one_stride():
    found = tw.right_inverse(Layout((2, 4, N), (4, 1, 4)))
    for n in (2, 3, 5):
        assert table(substitute(found, {"n": n})) == table(tw.right_inverse(Layout((2, 4, n), (4, 1, 4))))


def test_modes_settle_as_they_coalesce_at_the_values():
    with assuming({equals(N, 1): True}):
        assert settled(([4, N, 4], [1, 7, 4])) == coalesced((4, 1, 4), (1, 7, 4))
    with assuming({equals(4, M): True}):
        assert settled(([4, 8], [1, M])) == coalesced((4, 8), (1, 4))


def test_orders_below_zero_beside_run_time_ones():
    for order in ((-1, -2), (-2, -1)):
        found = tw.make_ordered_layout((4, 2, 3), (*order, M))
        assert substitute(found, {"m": 5}) == tw.make_ordered_layout((4, 2, 3), (*order, 5))


def test_a_cotarget_of_run_time_modes_is_covered_as_at_the_values():
    found = tw.complement(Layout(4), (3, N))
    for n in range(1, 12):
        count = substitute(found, {"n": n}).size
        assert count == tw.complement(Layout(4), (3, n)).size
        assert 4 * count >= 3 * n


def table(layout):
    return [layout(i) for i in range(layout.size)]


# What no value can change needs no guard.
UNGUARDED = {
    "a run-time leading stride": lambda: tw.make_fragment_like(Layout((4, 8, 2), (N, 1, 8))),
    "row-major": lambda: tw.make_layout_like(Layout((4, M, N), (M * N, N, 1))),
    "row-major, a fragment": lambda: tw.make_fragment_like(Layout((4, M, N), (M * N, N, 1))),
    "the stride of an extent of 1": lambda: tw.make_layout_like(Layout((1, M, 4), (N, 1, M))),
    "a row-major inverse": lambda: tw.right_inverse(Layout((M, N), (N, 1))),
    "a compact block": lambda: tw.complement(Layout((M, N)), 4 * M * N),
    "a compact tile": lambda: tw.logical_divide(Layout((8, K)), Layout(4)),
    "a gap below a run-time repeat": lambda: tw.complement(Layout((4, SymInt("s", lower=2)), (1, 8)), M),
    "a tile over two modes": lambda: tw.logical_divide(Layout((4, E), (1, N)), 8),
    "a vector in front of a run-time stride": lambda: tw.max_common_layout(Layout((16, N), (1, M)), Layout((16, N))),
}


@pytest.mark.parametrize("name", UNGUARDED)
def test_no_guard_where_the_answer_does_not_depend_on_it(name):
    assert isinstance(UNGUARDED[name](), Layout)


def test_a_stride_that_may_be_0_is_asked_for():
    layout = Layout((4, 8), (Z, 1))
    assert [str(guard) for guard in tw.make_fragment_like(layout).guards] == ["z != 0"]
    assert [str(guard) for guard in tw.filter(layout).guards] == ["z != 0"]
    assert [str(guard) for guard in tw.nullspace(layout).guards] == ["z != 0"]


def test_vectors_are_what_all_values_allow():
    a, b = Layout((16, N), (1, M)), Layout((16, N), (1, 2 * M))
    assert tw.max_common_vector(a, b) == 16
    assert tw.max_alignment(Layout((16, N), (1, SymInt("s", div=8)))) == 8
    assert tw.max_common_vector(Layout(SymInt("s", div=4)), Layout(8)) >= 1


@pytest.mark.parametrize("tile", [Layout((2, 2), (1, 8)), Layout((2, 4), (1, 8)), Layout((2, 2), (4, 1))], ids=str)
def test_divides_by_tiles_of_several_modes_hold_where_a_mode_vanishes(tile):
    """Where the whole tile, not only its first mode, must fill the modes one by one."""
    outcomes = []
    for extent in (2, 4, 8):
        args = Layout((extent, K), (extent, 1)), tile
        found = answered(tw.logical_divide, *args)
        outcomes += [judged("logical_divide", args, found, {"k": k}) for k in range(1, 40)]
    assert [outcome for outcome in outcomes if outcome.startswith("wrong")] == []
    assert "same" in outcomes
