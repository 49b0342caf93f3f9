"""Predicates of layouts against their words, over all elements; what shows that they fail does show it."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt

Places = list[object]
Words = Callable[[Places], bool]


def places(layout: Layout | ComposedLayout) -> Places:
    return [str(layout(i)) if isinstance(layout(i), dict) else layout(i) for i in range(int(layout.size))]


def fills(found: Places) -> bool:
    return sorted(found) == list(range(min(found), max(found) + 1))


WORDS: dict[Callable[..., bool], Words] = {
    tw.is_injective: lambda found: len(set(found)) == len(found),
    tw.is_surjective: lambda found: set(found) == set(range(max(found) + 1)),
    tw.is_bijective: lambda found: sorted(found) == list(range(len(found))),
    tw.is_compact: fills,
    tw.is_contiguous: lambda found: found == list(range(found[0], found[0] + len(found))),
}


@st.composite
def layouts(draw: st.DrawFn, low: int = -6) -> Layout | ComposedLayout:
    shape = draw(st.lists(st.integers(1, 4), max_size=3).map(tuple))
    inner = Layout(shape, tuple(draw(st.integers(low, 9)) for _ in shape))
    if low < 0 or draw(st.booleans()):
        return inner
    return ComposedLayout(Swizzle(draw(st.integers(0, 2)), draw(st.integers(0, 1)), 2), draw(st.integers(0, 5)), inner)


@pytest.mark.parametrize("predicate", WORDS)
@given(layout=st.one_of(layouts(), layouts(0)))
def test_predicates_are_what_their_words_say(predicate: Callable[..., bool], layout: Layout | ComposedLayout) -> None:
    found = places(layout)
    if predicate in (tw.is_surjective, tw.is_bijective) and min(found) < 0:
        with pytest.raises(LayoutError, match="outside of 0 and up"):
            tw.is_surjective(layout)
        return
    assert predicate(layout) is WORDS[predicate](found) is getattr(layout, predicate.__name__)()
    shown = tw.counterexample(predicate, layout)
    assert (shown is None) is predicate(layout)
    if shown is not None and len(shown.elements) == 2:
        i, j = shown.elements
        assert i < j
        assert found[i] == found[j] == shown.places[0]
        assert found[j] not in found[:i]
    elif shown is not None and not shown.elements:
        assert shown.places[0] not in found
    elif shown is not None:
        (i,) = shown.elements
        assert shown.places == (found[i], found[0] + i)


@given(layouts(), layouts(0), st.booleans())
def test_equivalence_and_overlap(a: Layout | ComposedLayout, b: Layout | ComposedLayout, same: bool) -> None:
    b = tw.coalesce(a) if same else b
    assert tw.equivalent(a, b) is (places(a) == places(b))
    assert tw.overlaps(a, b) is bool({*places(a)} & {*places(b)})
    differs, meets = tw.counterexample(tw.equivalent, a, b), tw.counterexample(tw.overlaps, a, b)
    if differs and differs.elements:
        (i,) = differs.elements
        assert places(a)[:i] == places(b)[:i]
        assert (places(a)[i], places(b)[i]) == differs.places
    if meets:
        assert places(a)[meets.elements[0]] == places(b)[meets.elements[1]]


@given(layouts())
def test_the_image_is_every_place_once(layout: Layout) -> None:
    assert list(tw.image(layout)) == sorted(set(places(layout)))


def test_plain_layouts_are_equivalent_where_they_agree_at_all_elements() -> None:
    """Exhaustive over small worlds: no two coalesced forms are one function."""
    seen: dict[tuple[object, ...], Layout] = {}
    for shape in [(8,), (2, 4), (4, 2), (2, 2, 2)]:
        for stride in itertools.product(range(-1, 4), repeat=len(shape)):
            layout = Layout(shape, stride)
            other = seen.setdefault(tuple(places(layout)), layout)
            assert tw.equivalent(layout, other)
            assert all(tw.equivalent(layout, x) is (x is other) for x in list(seen.values())[:12])


HUGE = 1 << 40


@pytest.mark.parametrize(
    ("layout", "injective", "compact"),
    [
        (Layout((HUGE, 4), (1, HUGE)), True, True),
        (Layout((HUGE, 4), (4, 1)), True, True),
        (Layout((HUGE, 4), (-4, 1)), True, True),
        (Layout((HUGE, 4), (1, HUGE + 1)), True, False),
        (Layout((HUGE, 4), (1, 0)), False, False),
    ],
)
def test_modes_decide_what_is_too_large_to_list(layout: Layout, injective: bool, compact: bool) -> None:
    assert (tw.is_injective(layout), tw.is_compact(layout)) == (injective, compact)
    assert tw.equivalent(layout, Layout((2, HUGE // 2, 4), (layout.stride[0], 2 * layout.stride[0], layout.stride[1])))


def test_coordinates_and_names_as_values() -> None:
    assert tw.is_injective(tw.make_identity_layout((4, 8)))
    shown = tw.counterexample(tw.is_injective, tw.parse("(4,8):(1@0,1@0)"))
    assert str(shown) == "the elements 1 and 4 both lie at (1,)"
    assert str(tw.counterexample(tw.is_injective, tw.parse("(4,4):(1@laneid,2@laneid)"))) == (
        "the elements 2 and 4 both lie at 2@laneid"
    )
    assert tw.equivalent(tw.parse("(4,8):(1@laneid,1)"), tw.parse("((2,2),8):((1@laneid,2@laneid),1)"))
    with pytest.raises(LayoutError, match="are no integers"):
        tw.image(tw.make_identity_layout((4, 8)))


def test_layouts_of_other_views_answer_for_themselves() -> None:
    assert tw.is_injective(tw.parse("S[8:1@laneid]"))
    assert not tw.is_bijective(tw.parse("S[8:2]"))
    assert tw.is_surjective(tw.parse("{lane = [[1], [2]]} -> {o = 4}"))


@pytest.mark.parametrize("nonsense", [None, "4:1", (4, 8), 8, tw.LinearLayout])
def test_what_is_no_layout_is_refused(nonsense: object) -> None:
    for predicate in WORDS:
        with pytest.raises(LayoutError, match="expected a layout"):
            predicate(nonsense)


def test_what_cannot_be_decided_is_refused() -> None:
    with pytest.raises(LayoutError, match="undecided"):
        tw.is_injective(Layout((HUGE, 4), (3, 7)))
    with pytest.raises(LayoutError):
        tw.is_injective(Layout((SymInt(), 4), (1, 3)))
    with pytest.raises(LayoutError, match=r"from 0 to 7, outside of 0 \.\. 3"):
        tw.is_surjective(Layout(8), 4)
    with pytest.raises(LayoutError, match="at most 1048576"):
        tw.image(Layout(1 << 21))
    with pytest.raises(UsageError, match="counterexample takes is_injective"):
        tw.counterexample(tw.size, Layout(8))
