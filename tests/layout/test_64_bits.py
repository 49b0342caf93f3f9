"""No layout has 2^63 coordinates, or values that 64 bits do not hold, however it was made."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Layout, LayoutError
from tilewright.layout.parts import LEVELS, plain_size
from tilewright.tirx.layout import R, S, TileLayout

LIMIT = 2**63
NEAR = st.one_of(st.integers(1, 9), st.integers(0, 62).map(lambda k: 1 << k), st.integers(1, LIMIT - 1))
STEPS = st.one_of(NEAR, NEAR.map(int.__neg__), st.just(0))


def lawful(extents: tuple[int, ...], steps: tuple[int, ...]) -> bool:
    reach = [(s - 1) * d for s, d in zip(extents, steps, strict=True)]
    low, high = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
    return prod(extents) < LIMIT and low > -LIMIT and high + 1 < LIMIT


def accepted(make: Callable[[], object]) -> bool:
    try:
        make()
    except LayoutError as error:
        refusal = str(error)
    else:
        return True
    assert "2^63" in refusal or "64 bits" in refusal, refusal
    return False


@given(st.lists(st.tuples(NEAR, STEPS), min_size=1, max_size=4))
def test_a_layout_is_accepted_where_64_bits_hold_its_size_and_values(leaves: list[tuple[int, int]]) -> None:
    extents, steps = (tuple(leaf[k] for leaf in leaves) for k in (0, 1))
    good = lawful(extents, steps)
    assert accepted(lambda: Layout(extents, steps)) == good
    assert accepted(lambda: Layout((extents, 1), (steps, 0))) == good
    assert accepted(lambda: TileLayout(S[extents:steps])) == good
    assert accepted(lambda: tw.parse(f"({extents[0]},{extents}):(0,{steps})".replace(",)", ")"))) == lawful(
        (extents[0], *extents), (0, *steps)
    )
    if good:
        layout = Layout(extents, steps)
        assert (layout.size, layout.cosize) == (prod(extents), 1 + sum(max((s - 1) * d, 0) for s, d in layout.flat))


@given(st.lists(NEAR, min_size=1, max_size=5))
def test_products_of_tuples_stay_within_64_bits(extents: list[int]) -> None:
    shape, good = tuple(extents), prod(extents) < LIMIT
    for ask in (tw.size, tw.int_tuple_product, Layout, tw.make_layout_right, tw.make_identity_layout):
        assert accepted(lambda ask=ask: ask(shape)) == good


@given(st.integers(1, 2**24 - 1), st.integers(-(2**32) + 1, 2**32 - 1))
def test_the_fast_way_needs_no_bound_of_the_values(extent: int, stride: int) -> None:
    count = next(k for k in range(70) if extent ** (k + 1) >= LIMIT or k == 62)
    shape, strides = (extent,) * count, (stride,) * count
    if count and 0 < plain_size(shape, strides, LEVELS) < LIMIT:
        assert lawful(shape, strides)


B = 1 << 40
GROWING = [
    lambda: tw.logical_product(Layout(B), Layout(B)),
    lambda: tw.blocked_product(Layout((B, 2)), Layout((B, 2))),
    lambda: tw.downcast(Layout(1 << 60), 16),
    lambda: tw.recast_layout(Layout(1 << 60), 128, 8),
    lambda: tw.make_layout(Layout(B), Layout(B)),
    lambda: tw.append(Layout(B), Layout(B)),
    lambda: tw.replace(Layout((2, B)), 0, Layout(B)),
    lambda: tw.composition(Layout(4, 1 << 62), Layout(4, 1 << 10)),
    lambda: tw.make_ordered_layout((B, B), (1, 0)),
    lambda: tw.int_tuple_mul((B, 2), (B, 2)),
    lambda: tw.int_tuple_add(LIMIT - 1, 1),
    lambda: tw.cosize(tw.ComposedLayout(tw.Swizzle(1, 0, 3), LIMIT - 8, Layout(64))),
    lambda: tw.crd2idx((B, B), (2 * B, 2 * B)),
    lambda: Layout((4, 8))(1 << 62, 1 << 62),
    lambda: Layout((4, 8))(LIMIT),
    lambda: tw.make_identity_layout((4, 8))(1 << 70),
    lambda: TileLayout(S[4:1] + (LIMIT - 3)),
    lambda: TileLayout(S[4:1] + R[4 : 1 << 62]),
    lambda: TileLayout(S[1 << 62]).broadcast(4),
    lambda: TileLayout(S[B]).tile(TileLayout(S[B]), (B,), (B,)),
]


@pytest.mark.parametrize("make", GROWING)
def test_what_grows_beyond_64_bits_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(LayoutError, match=r"2\^63|64 bits"):
        make()


def test_run_time_integers_are_refused_at_their_values() -> None:
    m, n = (tw.SymInt(name, width=64) for name in "mn")
    layout, expression = Layout((m, n)), 4 * m * n
    product_ = tw.logical_product(Layout(m), Layout(B))
    for a, b in product((1, 3, B, 1 << 31, LIMIT - 1), repeat=2):
        values = {"m": a, "n": b}
        assert accepted(lambda: tw.substitute(layout, values)) == accepted(lambda: Layout((a, b)))  # noqa: B023  # at once
        assert accepted(lambda: tw.substitute(expression, values)) == (4 * a * b < LIMIT)  # noqa: B023  # at once
        assert accepted(lambda: tw.substitute(product_, values)) == (a * B < LIMIT)  # noqa: B023  # at once
    with pytest.raises(LayoutError, match="coordinates"):
        Layout((m, B, B))
