"""Law 7: parse(text(x)) == x for every object of every notation; blanks between tokens mean nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notation_strategies import (
    ANY_ELEMENTS,
    BASES,
    compose_layouts,
    composed,
    layouts,
    linear_layouts,
    swizzles,
    tile_layouts,
    tilers,
    tirx_swizzles,
    trees,
)

from tilewright.errors import NotationError
from tilewright.layout.axes import AXES
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import flatten, unflatten
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation import parse, parse_fly, table_text, text, to_fly, to_triton
from tilewright.notation.tokens import tokenize

COORDS = trees(st.one_of(st.none(), ANY_ELEMENTS))
SYMBOLS = st.builds(SymInt, width=st.sampled_from([32, 64]), div=st.integers(1, 64))


def spaced(words: str) -> str:
    return "  ".join(token.text for token in tokenize(words))


@given(st.one_of(COORDS, layouts(), swizzles(), composed(), tilers()))
def test_cute_objects_read_back_from_their_text(x: Any) -> None:
    assert parse(text(x)) == x
    assert parse(spaced(text(x))) == x


@given(trees(ANY_ELEMENTS), layouts(), layouts())
def test_what_keeps_its_offset_alone_is_shown_without_a_swizzle(offset: Any, layout: Layout, outer: Layout) -> None:
    moved = ComposedLayout(Swizzle(0, 0, 0), offset, layout)
    assert str(moved) == f"{text(offset)} o {layout}"
    for x in (moved, ComposedLayout(moved, 0, outer), ComposedLayout(outer, 0, moved), ComposedLayout(moved, 1, moved)):
        assert parse(str(x)) == x
        assert parse(spaced(str(x))) == x


@pytest.mark.parametrize("words", ["3 o 0 o 4:1", "3 o 4:1 o 0 o 8:1", "(0,_) o 4:1", "3 o Sw<1,2,3>", "3 o [4:1|8:1]"])
def test_an_offset_stands_before_one_layout(words: str) -> None:
    with pytest.raises(NotationError, match="only layouts and swizzles are composed by `o`"):
        parse(words)


@given(st.one_of(trees(st.one_of(st.none(), BASES)), layouts(BASES), swizzles(), composed(), tilers(BASES)))
def test_fly_reads_back_what_it_prints(x: Any) -> None:
    assert parse_fly(to_fly(x)) == x
    assert parse(to_fly(x)) == x


@given(st.one_of(tile_layouts(), compose_layouts(), tirx_swizzles()))
def test_tirx_objects_read_back_from_each_of_their_texts(x: Any) -> None:
    texts = [str(x), as_tvm(str(x)), *([x.notation()] if hasattr(x, "notation") else [])]
    assert [parse(spelling) for spelling in texts] == [x] * len(texts)
    assert parse(spaced(str(x))) == x


def as_tvm(words: str) -> str:
    """TVM writes `T.` before its names, and `Axis.` before axes."""
    for name in ("TileLayout", "ComposeLayout", "SwizzleLayout", "S[", "R["):
        words = words.replace(name, f"T.{name}")
    for axis in AXES:
        words = words.replace(f"@ {axis}", f"@ Axis.{axis}") if axis != "m" else words
    return words.replace("Axis.Axis.", "Axis.")


@given(linear_layouts())
def test_linear_layouts_read_back_from_both_texts(x: LinearLayout) -> None:
    assert parse(str(x)) == x
    assert parse(table_text(x)) == x
    assert parse(spaced(str(x))) == x


@given(linear_layouts().filter(lambda x: x.is_surjective() and x.num_out_dims and x.columns))
def test_triton_reads_back_the_attribute_that_it_prints(x: LinearLayout) -> None:
    names = ("register", "lane", "warp", "block")
    y = LinearLayout.from_bases(dict(zip(names, dict(x.bases).values(), strict=False)), x.get_out_dim_names())
    full = LinearLayout.from_bases({**{name: [] for name in names}, **dict(y.bases)}, y.get_out_dim_names())
    assert parse(to_triton(y)) == full


@given(trees(st.integers(1, 16)), st.data())
def test_run_time_leaves_keep_their_text(shape: Any, data: st.DataObject) -> None:
    leaves = st.one_of(SYMBOLS, st.integers(-(2**55), 2**55))
    extents = st.one_of(SYMBOLS, st.integers(1, 16))
    own = unflatten(tuple(data.draw(extents) for _ in flatten(shape)), shape)
    layout = Layout(own, unflatten(tuple(data.draw(leaves) for _ in flatten(shape)), shape))
    assert str(parse(str(layout))) == str(layout)


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("_4", "4"),
        ("(_16, _-1)", "(16,-1)"),
        ("(4,)", "(4)"),
        ("*", "_"),
        ("1E1E0", "1@0@1"),
        ("E0", "1@0"),
        ("E<1,0>", "1@0@1"),
        ("2E0 + 3@1 + 1", "2@0+3@1+1"),
        ("-1@0", "-1@0"),
        ("3@m", "3"),
        ("4 @ Axis.laneid", "4@laneid"),
        ("?{i32}", "?"),
        ("?{i64 div=8}@laneid", "?{i64 div=8}@laneid"),
        ("S<3,3,-3>", "Sw<3,3,-3>"),
        ("Swizzle<3, 4, 3>", "Sw<3,4,3>"),
        ("Sw<3,3,3> ∘ 0 ∘ (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("Sw<3,2,3> o M0|(192&192)=192 o (64):(1)", "Sw<3,2,3> o 192 o (64):(1)"),
        ("[[8:1 o 0 o 4:1]]", "8:1 o 0 o 4:1"),
        ("[4; _]", "(4,_)"),
        ("[[2|2:1];8]", "[[2; 2:1]; 8]"),
        ("((4,4,2):(1,8,4),32,4)", "[(4,4,2):(1,8,4); 32; 4]"),
        ("!fly.layout<(4,8):(1E0,1E1)>", "(4,8):(1@0,1@1)"),
        ("!fly.composed_layout<S<3,3,3> o 0 o 8:1>", "Sw<3,3,3> o 0 o 8:1"),
        ("S[4, 8]", "TileLayout(S[(4, 8):(8, 1)])"),
        ("S[8]", "TileLayout(S[8:1])"),
        ("S[(8,64):(64@m,1@m)] + R[4:32@TLane] + 5@warpid", None),
        ("3@tx + S[8] - 1@laneid + 2", "TileLayout(S[8:1] + (-1 @ laneid + 2 + 3 @ tx))"),
        ("R[2:8] + R[3:16]", "TileLayout(R[(2, 3):(8, 16)])"),
        ("TileLayout.from_iters()", "TileLayout.from_iters()"),
        ("ComposeLayout(SwizzleLayout(3, 3, 3), S[8, 64])", "ComposeLayout(3, 3, 3, TileLayout(S[(8, 64):(64, 1)]))"),
        (
            "T.ComposeLayout(per_element=3, swizzle_len=3, atom_len=3, tile_layout=S[8], swizzle_inner=False)",
            "ComposeLayout(3, 3, 3, TileLayout(S[8:1]), swizzle_inner=False)",
        ),
        ("SwizzleLayout(per_element=3, swizzle_len=2, atom_len=3)", "SwizzleLayout(3, 2, 3)"),
    ],
)
def test_other_spellings_have_a_canonical_text(spelling: str, canonical: str | None) -> None:
    expected = "TileLayout(S[(8, 64):(64, 1)] + R[4:32 @ TLane] + 5 @ warpid)" if canonical is None else canonical
    assert text(parse(spelling)) == expected


@pytest.mark.parametrize(
    ("chain", "grouped"),
    [
        ("4:1 o 0 o 8:1 o 5 o 2:1", "[4:1 o 0 o 8:1] o 5 o 2:1"),
        ("Sw<1,4,3> o 0 o Sw<2,0,3> o 1 o 8:1", "Sw<1,4,3> o 0 o [Sw<2,0,3> o 1 o 8:1]"),
        ("2:1 o 3 o Sw<1,4,3> o 0 o 9:1 o 1 o 8:1", "2:1 o 3 o [[Sw<1,4,3> o 0 o 9:1] o 1 o 8:1]"),
    ],
)
def test_a_chain_groups_from_the_left_and_at_swizzles(chain: str, grouped: str) -> None:
    assert parse(chain) == parse(grouped)


def test_plain_integers_can_be_read_as_run_time_values() -> None:
    layout = parse("(16,_4):(_1,16)", plain=lambda n: SymInt(f"n{n}"))
    assert (str(layout), layout.shape[0] == layout.stride[1]) == ("(?,4):(1,?)", True)


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ('S[8:"laneid"]', "S[8:1@laneid]"),
        ('S[8:(4,"laneid")]', "S[8:4@laneid]"),
        (
            'S[(8,4,2):((4,"laneid"),"laneid",(3,"m"))] + R[4:"warpid"]',
            "S[(8,4,2):(4@laneid,1@laneid,3)] + R[4:1@warpid]",
        ),
        ("3@tx + S[8:1]", "S[8:1] + 3@tx"),
        ("R[2:8] + S[4] + R[3:16] + 1@tx + 5 + 2@tx", "S[4:1] + R[(2,3):(8,16)] + 3@tx + 5"),
    ],
)
def test_strides_and_sums_as_python_takes_them(words: str, same: str) -> None:
    assert parse(words) == parse(same)
