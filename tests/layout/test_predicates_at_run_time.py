"""Predicates of layouts that only run time knows: what is answered holds for all values of their integers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle, SymInt

N, M = SymInt("n"), SymInt("m", div=4)
VALUES = [{"n": n, "m": m} for n, m in product((1, 2, 3, 5), (4, 8))]
PREDICATES = (tw.is_injective, tw.is_surjective, tw.is_bijective, tw.is_compact, tw.is_contiguous)
EXTENTS, STRIDES = (1, 2, 3, 4, N, M), (0, 1, 2, 4, -1, 8, N, M, 4 * N, N * M, M - 1, 2 * N)


def answer(predicate: Callable[..., bool], layout: Layout) -> bool | None:
    try:
        return predicate(layout)
    except LayoutError:
        return None


@given(st.lists(st.tuples(st.sampled_from(EXTENTS), st.sampled_from(STRIDES)), min_size=1, max_size=3))
def test_an_answer_holds_for_all_values(modes: list[tuple[int, int]]) -> None:
    layout = Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
    known = [tw.substitute(layout, values) for values in VALUES]
    for predicate in PREDICATES:
        found = answer(predicate, layout)
        if found is not None:
            assert {predicate(one) for one in known if min(tw.image(one)) >= 0 or predicate != tw.is_surjective} <= {
                found
            }


@pytest.mark.parametrize(
    ("layout", "wanted"),
    [
        (Layout((4, N), (1, 4)), (True, True, True, True, True)),
        (Layout((N, 4), (4, 1)), (True, True, True, True, None)),
        (Layout((N, M), (M, 1)), (True, True, True, True, None)),
        (Layout((4, 8, N), (8, 1, 32)), (True, True, True, True, False)),
        (Layout((4, 1, N), (1, 7, 4)), (True, True, True, True, True)),
        (Layout((4, N), (1, 2)), (None, True, None, None, None)),
        (Layout((4, N), (1, M)), (True, None, None, None, None)),
        (Layout((4, 2, N), (1, 2, 8)), (False, None, False, False, None)),
        (Layout(N, -1), (True, None, None, True, None)),
        (Layout((N, 2), (1, 2 * N)), (True, None, None, None, None)),
    ],
)
def test_what_strides_prove_is_answered(layout: Layout, wanted: tuple[bool | None, ...]) -> None:
    assert tuple(answer(p, layout) for p in PREDICATES) == wanted


def test_a_swizzle_keeps_elements_apart() -> None:
    assert tw.is_injective(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((4, N), (1, 4))))
    with pytest.raises(LayoutError, match="size"):
        tw.is_injective(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((4, N), (1, 2))))
    with pytest.raises(LayoutError, match="size"):
        tw.is_injective(ComposedLayout(Layout(4, 0), 0, Layout((4, N), (1, 4))))


def test_two_layouts_of_run_time() -> None:
    nested = Layout((2, (2, N)), (1, (2, 4)))
    assert tw.equivalent(nested, Layout((4, N), (1, 4)))
    assert tw.overlaps(Layout((4, N)), Layout(4, 9))
    shown = tw.counterexample(tw.overlaps, Layout((4, N)), Layout(4, 9))
    assert shown is not None
    assert (shown.elements, shown.places) == ((0, 0), (0, 0))
    with pytest.raises(LayoutError, match="only run time knows"):
        tw.equivalent(Layout((4, N), (1, 4)), Layout((4, N), (1, M)))
    with pytest.raises(LayoutError, match="only run time knows"):
        tw.overlaps(Layout((4, N)), ComposedLayout(Swizzle(0, 0, 0), 7, Layout(4)))


@pytest.mark.parametrize(
    ("predicate", "layout", "unknown"),
    [
        (tw.is_contiguous, Layout((4, N), (1, M)), "m == 4"),
        (tw.is_surjective, Layout((4, N), (1, M)), "m <= 4"),
        (tw.is_injective, Layout((N, 4), (1, M)), "m >= n"),
        (tw.is_injective, Layout((N, 4), (1, M - 8)), "the sign of a stride"),
        (tw.is_surjective, Layout(N, -1), "below 0"),
    ],
)
def test_a_refusal_says_what_is_not_known(predicate: Callable[..., bool], layout: Layout, unknown: str) -> None:
    with pytest.raises(LayoutError, match=unknown):
        predicate(layout)
