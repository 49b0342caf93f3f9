"""A tile that starts inside its buffer keeps its start, or is refused where no descriptor could begin there."""

from __future__ import annotations

import pytest

import tilewright as tw
from tilewright import Access, ComposedLayout, Layout, LayoutError, Swizzle
from tilewright.layout.axes import MEMORY
from tilewright.tirx.layout import ComposeLayout, S, TileLayout

# What a unit demands of the start, in bytes, by the span of the mode: TMA 128 bytes, a swizzle eight of its spans.
LEAST = {"tma": 128, "wgmma": 16}
SPANS = {"none": 0, "32B": 32, "64B": 64, "128B": 128}


@pytest.mark.parametrize("unit", LEAST)
@pytest.mark.parametrize("start", [0, 16, 64, 128, 256, 512, 1024, 1536, 8192, 8200])
@pytest.mark.parametrize("outer", [Swizzle(0, 0, 0), Swizzle(3, 3, 3)])
def test_advice_begins_where_the_tile_does(unit: str, start: int, outer: Swizzle) -> None:
    tile = ComposedLayout(outer, start // 2, Layout((64, 64), (64, 1)))
    expected = {mode for mode, span in SPANS.items() if start % max(LEAST[unit], 8 * span) == 0}
    if not expected:
        with pytest.raises(LayoutError, match=f"starts at element {start // 2} of its buffer, byte {start};"):
            tw.suggest_swizzle(tile, Access(instruction=unit), element_bits=16)
        return
    ranking = tw.suggest_swizzle(tile, Access(instruction=unit), element_bits=16)
    assert {advice.mode for advice in ranking} == expected
    for advice in ranking:
        assert isinstance(advice.layout, ComposedLayout)
        places = sorted(advice.layout(i) for i in range(64 * 64))
        assert places == list(range(start // 2, start // 2 + 64 * 64))
        assert advice.box is not None
        assert start % advice.alignment_bytes == 0


def test_a_tile_that_runs_backwards_begins_at_its_lowest_element() -> None:
    tile = ComposedLayout(Swizzle(0, 0, 0), 512 + 63 * 64, Layout((64, 64), (-64, 1)))
    best = tw.suggest_swizzle(tile, Access(instruction="tma"), element_bits=16)[0]
    assert isinstance(best.layout, ComposedLayout)
    assert min(best.layout(i) for i in range(64 * 64)) == 512


def test_a_tirx_tile_keeps_its_offset() -> None:
    tile = TileLayout(S[(64, 64) : (64, 1)] + 4096)
    best = tw.suggest_swizzle(tile, Access(instruction="tma"), element_bits=16)[0]
    assert isinstance(best.layout, ComposeLayout)
    assert best.mode == "128B"
    below = best.layout.tile_layout
    assert (below.base(0), below.size()) == ({MEMORY: 4096}, 64 * 64)
