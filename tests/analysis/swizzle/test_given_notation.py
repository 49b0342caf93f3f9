"""Advice about a TIRx layout is in the notation and the order of modes in which it was asked for."""

from __future__ import annotations

from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.model.memory import memory_layout
from tilewright.analysis.model.patterns import walking
from tilewright.analysis.swizzle.search import suggest_swizzle
from tilewright.cli.main import main
from tilewright.errors import LayoutError
from tilewright.layout.swizzle import Swizzle
from tilewright.notation import parse, to_cute
from tilewright.tirx.layout import ComposeLayout, Iter, SwizzleLayout, TileLayout
from tilewright.tirx.views import tirx_view


@st.composite
def memory_tiles(draw: st.DrawFn) -> TileLayout:
    """Powers of two in any order, from 256 to 4096 elements of memory without holes."""
    extents = draw(st.lists(st.sampled_from([2, 4, 8, 16, 32]), min_size=2, max_size=4))
    extents += [2] * (8 - min(8, prod(extents).bit_length() - 1))
    extents = extents if prod(extents) <= 4096 else [32, 32]
    order = draw(st.permutations(range(len(extents))))
    strides = [0] * len(extents)
    for rank, place in enumerate(order):
        strides[place] = prod(extents[before] for before in order[:rank])
    return TileLayout([Iter(extent, stride) for extent, stride in zip(extents, strides, strict=True)])


@given(memory_tiles(), st.sampled_from(["tile", "swizzled"]), st.sampled_from(["rows", "columns"]))
def test_swizzled_and_padded_layouts_have_the_iters_that_were_given(tile: TileLayout, kind: str, order: str) -> None:
    asked = tile if kind == "tile" else ComposeLayout(SwizzleLayout(3, 1, 3), tile)
    access = walking(asked, order, 4, element_bits=32, threads=32)
    ranking = suggest_swizzle(asked, [access], element_bits=32)
    plain = suggest_swizzle(memory_layout(asked), [access], element_bits=32)
    for ours, known in zip(ranking[:4], plain[:4], strict=True):
        assert isinstance(ours.layout, ComposeLayout)
        assert ours.layout.tile_layout == tile
        assert str(to_cute(ours.layout)) == str(known.layout)
        assert ours.reports == known.reports
    padded = ranking[0].padding
    if padded is not None:
        assert padded.layout.shape == tile.shape
        assert str(to_cute(padded.layout)) == str(plain[0].padding.layout)


@pytest.mark.parametrize("text", ["S[(32,32):(32,1)]", "TileLayout(S[(16, 2, 32):(64, 32, 1)])"])
@pytest.mark.parametrize("command", [["banks", "load columns 4B"], ["swizzle", "--access", "load columns 4B"]])
def test_the_command_answers_in_the_notation_of_the_question(
    text: str, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main([command[0], text, *command[1:], "--element-bits", "32"])
    out = capsys.readouterr().out
    found = [line.split(": ")[-1] for line in out.splitlines() if line.startswith(("or pad", "padding instead"))]
    assert found
    for padded in map(parse, found):
        assert isinstance(padded, TileLayout)
        assert padded.shape == parse(text).shape
    repairs = [line for line in out.splitlines() if line.startswith("repair")]
    assert all("Sw<" not in line for line in repairs)


@pytest.mark.parametrize("wrong", [TileLayout([Iter(4, 1), Iter(8, 4)], offset=-1)])
def test_refusals_name_the_layout_that_was_given(wrong: Any) -> None:
    with pytest.raises(LayoutError) as caught:
        suggest_swizzle(wrong, [to_cute(TileLayout([Iter(32, 1)]))], element_bits=32)
    assert "(8,4)" not in str(caught.value)


@pytest.mark.parametrize(("b", "m", "s"), [(0, 0, 0), (0, 2, 0), (1, 0, 1), (2, 1, -2), (2, 1, 3)])
def test_a_swizzle_turns_the_other_way_only_where_its_shift_is_negative(b: int, m: int, s: int) -> None:
    made = tirx_view(Swizzle(b, m, s))
    assert isinstance(made, SwizzleLayout)
    assert made == SwizzleLayout(m, b, abs(s), swizzle_inner=s >= 0)
    assert all(made.apply(x) == {"m": Swizzle(b, m, s)(x)} for x in range(64))
