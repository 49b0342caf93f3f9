"""A folded panel is one period of the whole one, frames included; what is framed or has several owners is explained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Access, ComposedLayout, Layout, Swizzle
from tilewright.analysis.model.patterns import walking
from tilewright.cli.main import main
from tilewright.figures import banks, draw, fold, phases
from tilewright.figures.figure import Figure
from tilewright.tirx.layout import R, S, TileLayout, laneid, warpid

SIZES = st.sampled_from([1, 3, 8, 16, 64, 128])


@settings(max_examples=25, deadline=None)
@given(SIZES, SIZES, st.booleans(), st.integers(0, 3), st.sampled_from(["rows", "columns"]), st.sampled_from([0, 8]))
def test_the_part_that_is_drawn_repeats_to_the_whole(
    rows: int, columns: int, by_row: bool, bits: int, order: str, gap: int
) -> None:
    plain = Layout((rows, columns), (columns + gap, 1) if by_row else (1, rows + gap))
    tile = ComposedLayout(Swizzle(bits, 3, 3), 0, plain) if bits else plain
    try:
        access = walking(plain, order, 2, element_bits=16, threads=32)
    except tw.UsageError:
        access = Access(Layout((1, 1)))
    whole = draw(tile, kind="banks", element_bits=16, access=access, whole=True)
    before, after = whole.scene.panels[0], fold(whole).scene.panels[0]
    looks = {(cell.row, cell.column): (cell.label, cell.tone) for cell in after.cells}
    high, wide = after.rows.count, after.columns.count
    assert all((c.label, c.tone) == looks[c.row % high, c.column % wide] for c in before.cells)
    assert [cell for cell in before.cells if cell.marked] == [cell for cell in after.cells if cell.marked]
    assert rows % high == 0 == columns % wide
    assert (high, wide) == (rows, columns) or (
        f": {high} x {wide} of {rows} x {columns}, which repeats {rows // high} x {columns // wide} times"
        in after.title
    )
    assert rows * columns > 1024 or after == before


@settings(max_examples=30)
@given(st.integers(1, 33), st.booleans())
def test_frames_are_explained_where_there_are_some(stride: int, alone: bool) -> None:
    tile, lanes = Layout(1024, 1), Access(Layout((32, 1), (stride, 0)))
    report = tw.bank_conflicts(tile, lanes.thread_value, element_bits=32)
    scene = (phases.picture(report) if alone else draw(tile, kind="banks", element_bits=32, access=lanes)).scene
    marks = [any(cell.marked for cell in panel.cells) for panel in scene.panels]
    assert (phases.FRAMED in scene.notes) == marks[-1]
    assert (banks.FRAMED in scene.notes) == (not alone and marks[0])


def test_the_period_reaches_beyond_the_last_frame() -> None:
    whole = draw(Layout((64, 32), (0, 1)), kind="banks", element_bits=32, whole=True)
    (panel, *_) = whole.scene.panels
    for row in (0, 1, 3, 31, 32, 63):
        marked = replace(panel.cells, marked=[at // 32 == row for at in panel.cells.at])
        folded = fold(Figure(replace(whole.scene, panels=(replace(panel, cells=marked),)))).scene.panels[0]
        assert folded.rows.count == next(n for n in (1, 2, 4, 8, 16, 32, 64) if n > row)
        assert any(folded.cells.marked)


def test_a_large_tile_of_banks_is_folded_unless_the_whole_is_asked_for() -> None:
    tile = Layout((128, 64), (64, 1))
    folded, whole = (draw(tile, kind="banks", element_bits=16, whole=whole) for whole in (False, True))
    assert folded == fold(whole)
    assert len(folded.svg()) < 20_000


def test_copies_of_a_large_placement_are_folded_unless_the_whole_is_asked_for() -> None:
    spread = S[(8, 8, 4, 16) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)]
    once, twice = TileLayout(spread), TileLayout(spread + R[2 : 16 @ warpid])
    tile, there = draw(twice, kind="placement", shape=(64, 64)).scene.panels
    whole = draw(twice, kind="placement", shape=(64, 64), whole=True)
    assert tile == whole.scene.panels[0]
    assert there == fold(whole).scene.panels[1]
    assert list(there.cells.label) == list(draw(once, kind="placement", shape=(64, 64)).scene.panels[1].cells.label)
    assert there.title.endswith("128 x 32 of 256 x 32, which repeats 2 x 1 times")


@pytest.mark.parametrize("tile", ["(64,128)", "(128,64)", "(64,192)"])
def test_pictures_of_large_tiles_stay_small(tile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "s.svg"
    assert main(["swizzle", tile, "--dtype", "f16", "--svg", str(target)]) == 0
    assert "picture" in capsys.readouterr().out
    assert target.stat().st_size < 350_000


def test_owners_of_tiled_operands_are_explained() -> None:
    mma = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x8_F32F16F16F32_TN"), Layout((2, 2, 1)))
    notes = draw(mma).scene.notes
    assert [note.split(":")[0] for note in notes if "have this element" in note] == ["A", "B"]
