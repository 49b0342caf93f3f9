"""Where a swizzle leaves conflicts the tile is placed anew, if that has fewer: one to one, with the tile's modes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Access, Layout, suggest_swizzle
from tilewright.analysis.model.patterns import walking
from tilewright.cli.main import main
from tilewright.layout.composed import ComposedLayout

TMA = Access(instruction="tma")


def fragments(rows: int, columns: int) -> Access:
    """Stores of 8 bytes as the accumulators of an MMA lie: 8 rows of 4 threads with 4 halves each."""
    values = (4, rows // 8, columns // 16), (rows, 8, 16 * rows)
    return Access(Layout(((4, 8), values[0]), ((4 * rows, 1), values[1])), 64, "store", name="fragments")


def rows_of_16_bytes(rows: int, columns: int) -> Access:
    return Access(Layout((rows, (8, columns // 8)), (1, (rows, 8 * rows))), instruction="ldmatrix")


@settings(max_examples=40)
@given(
    st.sampled_from([8, 16, 32]),
    st.sampled_from([16, 32, 64, 128, 192]),
    st.sampled_from([0, 8]),
    st.lists(
        st.sampled_from(["fragments", "ldmatrix", "rows 2", "columns 2", "columns 4", "columns 8"]),
        min_size=1,
        max_size=3,
    ),
)
def test_what_is_placed_anew_costs_less_and_nothing_under_a_descriptor_costs_less_still(
    rows: int, columns: int, gap: int, names: list[str]
) -> None:
    tile = Layout((rows, columns), (columns + gap, 1))

    def access(name: str) -> Access:
        if " " in name:
            order, width = name.split()
            return walking(tile, order, int(width), element_bits=16, threads=16)
        return fragments(rows, columns) if name == "fragments" else rows_of_16_bytes(rows, columns)

    asked = [access(name) for name in names]
    ranking = suggest_swizzle(tile, asked, element_bits=16)
    best, anew = ranking[0], ranking[0].retiled
    assert {advice.retiled for advice in ranking} == {anew}
    fewest = min(best.excess, anew.excess if anew else best.excess)
    assert fewest <= suggest_swizzle(tile, [*asked, TMA], element_bits=16)[0].excess
    if anew is None:
        return
    assert anew.excess < best.excess
    assert sum(report.wavefronts for report in anew.reports) == anew.wavefronts
    assert isinstance(anew.layout, ComposedLayout)
    assert tw.compatible(tile.shape, anew.layout.inner.shape)
    assert len({anew.layout(i) for i in range(tile.size)}) == tile.size


def test_fragments_and_matrices_of_a_wide_tile_are_free_of_conflicts() -> None:
    tile = Layout((64, 128), (128, 1))
    best = suggest_swizzle(tile, [fragments(64, 128), rows_of_16_bytes(64, 128)], element_bits=16)[0]
    anew = best.retiled
    assert (best.wavefronts, best.ideal) == (384, 256)
    assert anew is not None
    assert (str(anew.layout), anew.wavefronts) == ("Sw<1,3,3> o 0 o (64,(16,8)):(16,(1,1024))", 256)
    assert f"placed anew: {anew.layout}, mode 32B: 256 wavefronts, ideal 256" in str(best)


def test_a_tile_without_room_in_shared_memory_is_not_placed_anew() -> None:
    for rows, fits in ((512, True), (4096, False)):
        stores = Access(Layout(((4, 8), (4, 8)), ((4 * rows, 1), (rows, 16 * rows))), 64, "store")
        loads = Access(Layout((64, (8, 16)), (1, (rows, 8 * rows))), instruction="ldmatrix")
        best = suggest_swizzle(Layout((rows, 128), (128, 1)), [stores, loads], element_bits=16)[0]
        assert best.excess > 0
        assert (best.retiled is not None) == fits


def test_the_commands_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    stores, place = "store ((4,8),(4,8,8)):((256,1),(64,8,1024)) 8B", "Sw<1,3,3> o 0 o (64,(16,8)):(16,(1,1024))"
    assert main(["banks", "(64,128)", stores, "ldmatrix", "--dtype", "f16"]) == 1
    assert f"or place  {place}: 256 wavefronts, mode 32B" in capsys.readouterr().out
    assert main(["swizzle", "(64,128)", "--access", stores, "--access", "ldmatrix", "--dtype", "f16"]) == 1
    assert f"placed anew: {place}" in capsys.readouterr().out
