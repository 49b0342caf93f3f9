"""Wide elements come in the order in which the layout begins them: every such layout is found, and none other given."""

from __future__ import annotations

from collections import Counter
from itertools import product

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import table

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle


def judged(layout: Layout, factor: int) -> Layout | None:
    """The upcast, after its law; None where it is refused, for a reason."""
    expected = oracle.wide_elements(layout, factor)
    try:
        found = tw.upcast(layout, factor)
    except LayoutError as error:
        refusal = str(error)
    else:
        assert table(found) == expected, (layout, factor)
        return found
    assert expected is None or oracle.fit(expected) is None, (layout, factor)
    assert ("whole, but" in refusal) == (expected is not None), refusal
    return None


def test_every_upcast_of_a_small_world() -> None:
    for shape in product((1, 2, 3, 4, 6), (2, 3, 4, 6)):
        for stride in product((-1, 0, 1, 2, 3, 4, 6, 8), repeat=2):
            for factor in (2, 3, 4, 6, 8):
                judged(Layout(shape, stride), factor)


leaf = st.tuples(st.integers(1, 6), st.one_of(st.integers(-3, 12), st.sampled_from((16, 18, 24, 36))))


@given(st.lists(leaf, min_size=1, max_size=4), st.integers(2, 12))
def test_upcasts_of_several_modes(leaves: list[tuple[int, int]], factor: int) -> None:
    judged(Layout(tuple(s for s, _ in leaves), tuple(d for _, d in leaves)), factor)


@given(st.permutations((2, 3, 4, 5)), st.permutations(range(4)), st.integers(2, 24))
def test_an_upcast_is_refused_where_the_alignment_forbids_it_or_no_layout_has_the_order(
    extents: list[int], order: list[int], factor: int
) -> None:
    layout = tw.make_ordered_layout(tuple(extents), tuple(order))
    found = judged(layout, factor)
    expected = oracle.wide_elements(layout, factor)
    assert (expected is not None) == (tw.max_alignment(layout) % factor == 0)
    assert (found is not None) == (expected is not None and oracle.fit(expected) is not None)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=3), st.integers(2, 8))
def test_modes_that_hold_whole_wide_elements_stay_apart(modes: list[tuple[int, int]], factor: int) -> None:
    nested, flat, reach = [], [], 1
    for a, b in modes:
        nested.append(((a, b), (reach, reach * a)))
        flat.append((a * b, reach))
        reach *= a * b
    wide = judged(Layout(tuple(s for s, _ in nested), tuple(d for _, d in nested)), factor)
    alone = judged(Layout(tuple(s for s, _ in flat), tuple(d for _, d in flat)), factor)
    assert (wide is None) == (alone is None)
    if wide is not None and alone is not None and alone.rank == len(modes):
        assert [mode.size for mode in wide] == [mode.size for mode in alone]


@pytest.mark.parametrize("over", [(1 << 20, 1 << 40), (1 << 30, -(1 << 31))])
def test_modes_over_wide_elements_may_be_of_any_size(over: tuple[int, int]) -> None:
    plain, (extent, stride) = Layout((4, 6), (6, 1)), over
    for shape, steps in (((4, 6, extent), (6, 1, stride)), ((extent, 4, 6), (stride, 6, 1))):
        found = tw.upcast(Layout(shape, steps), 8)
        assert sorted(found.flat) == sorted([*tw.upcast(plain, 8).flat, (extent, stride // 8)])


def test_what_is_too_large_to_list_is_refused_at_once() -> None:
    with pytest.raises(LayoutError, match="there is no list"):
        tw.upcast(Layout((1 << 20, 3 << 20), (3 << 20, 1)), 1 << 22)


@given(
    st.lists(leaf, min_size=1, max_size=3), st.integers(0, 2), st.integers(0, 3), st.integers(-3, 3), st.integers(0, 4)
)
def test_swizzled_layouts_keep_their_bits(leaves: list[tuple[int, int]], b: int, m: int, s: int, offset: int) -> None:
    if abs(s) < b or min(d for _, d in leaves) < 0:
        return
    inner = Layout(tuple(s for s, _ in leaves), tuple(d for _, d in leaves))
    for factor in (2, 4, 8):
        composed = ComposedLayout(Swizzle(b, m, s), offset * factor, inner)
        try:
            found = tw.upcast(composed, factor)
        except LayoutError:
            continue
        fine, wide = ([layout(i) for i in range(layout.size)] for layout in (composed, found))
        assert Counter(fine) == Counter(x * factor + j for x in wide for j in range(factor)), (composed, factor)
        if factor <= 1 << m or not b:
            assert wide == [x // factor for x in fine if x % factor == 0], (composed, factor)


def test_run_time_layouts_agree_with_their_values() -> None:
    n = tw.SymInt("n")
    for layout in (
        Layout((4, 6, n), (6, 1, 24)),
        Layout((n, 4), (4, 1)),
        Layout((2, n), (3, 6)),
        Layout((n, 6), (6, 1)),
    ):
        for factor in (2, 3, 4):
            try:
                found = tw.upcast(layout, factor)
            except LayoutError:
                continue
            for value in range(1, 9):
                try:
                    here = tw.substitute(found, {"n": value})
                except LayoutError:
                    continue
                assert table(here) == oracle.wide_elements(tw.substitute(layout, {"n": value}), factor)
