"""`parse(text, kind)` is `parse(text)` where that is of the kind, and a refusal with a caret elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notation_strategies import compose_layouts, composed, layouts, linear_layouts, swizzles, tile_layouts, tilers

import tilewright as tw
from tilewright.notation import parse, text
from tilewright.tirx.layout import ComposeLayout, TileLayout

KINDS = (tw.Layout, tw.ComposedLayout, tw.Swizzle, tw.LinearLayout, TileLayout, ComposeLayout, tuple, int)
OBJECTS = st.one_of(
    layouts(), composed(), swizzles(), tilers(), linear_layouts(), tile_layouts(), compose_layouts(), st.integers(0, 99)
)


@given(OBJECTS)
def test_a_text_is_of_its_own_kind_and_of_no_other(x: Any) -> None:
    words = text(x)
    for kind in KINDS:
        if isinstance(parse(words), kind):
            assert parse(words, kind) == parse(words)
        else:
            with pytest.raises(tw.NotationError, match=f"expected {kind.__name__}, got"):
                parse(words, kind)


@given(layouts())
def test_layouts_of_integers_are_those_whose_values_are_all_known_integers(x: tw.Layout) -> None:
    if all(type(x(i)) is int for i in range(min(x.size, 64))):
        assert parse(text(x), tw.Layout[int]) == x
    else:
        with pytest.raises(tw.NotationError, match=r"\[int\], whose values are known integers"):
            parse(text(x), tw.Layout[int])


@pytest.mark.parametrize("words", ["?:1", "4:?", "(4,8):(1@0,1@1)", "4:1@laneid", "4:1 o ? o 4:1", "? o 4:1"])
def test_what_is_no_layout_of_known_integers(words: str) -> None:
    assert isinstance(parse(words, tw.LayoutLike), tw.LayoutLike)
    kind = tw.Layout[int] if isinstance(parse(words), tw.Layout) else tw.ComposedLayout[int]
    with pytest.raises(tw.NotationError, match=r"\[int\], whose values are known integers"):
        parse(words, kind)


@pytest.mark.parametrize("kind", ["Layout", 4, (tw.Layout, tw.Swizzle), tw.Layout[str], list[int] | None])
def test_what_is_no_kind(kind: Any) -> None:
    with pytest.raises(tw.LayoutError, match="a kind is a class, such as Layout"):
        parse("4:1", kind)
