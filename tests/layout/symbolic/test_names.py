"""Names that a layout has not: a misspelt one leaves the right one without a value, and is refused."""

from __future__ import annotations

import pytest

import tilewright as tw

N, M = tw.SymInt("n"), tw.SymInt("m")
LAYOUTS = {
    "shown": tw.Layout((N, M), (M, 1)),
    "swizzled": tw.ComposedLayout(tw.Swizzle(2, 0, 3), N, tw.Layout((8, M))),
    "on axes": tw.Layout((4, M), (1, N @ tw.Axis.laneid)),
    "what it was made of": tw.Layout((N, M), (M, 1))[1],
    "guards": tw.logical_divide(tw.Layout(N), tw.Layout(M)),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_a_misspelt_name_is_refused_with_the_names_there_are(layout: tw.LayoutLike) -> None:
    for values in ({"q": 4}, {"n": 4, "q": 4}, {N: 4, tw.SymInt("q"): 4}, {"N": 4, "M": 4}):
        with pytest.raises(tw.LayoutError, match=r"has no run-time integer [qNM]; it has m, n"):
            tw.substitute(layout, values)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_values_of_other_layouts_may_be_among_those_of_all_of_its_own(layout: tw.LayoutLike) -> None:
    assert tw.substitute(layout, {"n": 8, "m": 4, "q": 3}) == tw.substitute(layout, {N: 8, M: 4})
    assert str(tw.substitute(layout, {})) == str(layout)
    assert tw.substitute(tw.Layout(8), {"q": 3}) == tw.Layout(8)
