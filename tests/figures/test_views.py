"""Every kind of layout is drawn in its own order: TIRx row by row, linear layouts by their dimensions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.atoms import mma
from tilewright.errors import LayoutError, UsageError
from tilewright.figures.cell import Cell
from tilewright.figures.draw import draw
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.tirx.layout import ComposeLayout, R, S, SwizzleLayout, TileLayout, laneid, warpid

FRAGMENT = TileLayout(S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid)


def cells(layout: object, **options: object) -> dict[tuple[int, int], Cell]:
    (panel,) = draw(layout, **options).scene.panels
    return {(cell.row, cell.column): cell for cell in panel.cells}


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4), st.lists(st.integers(0, 50), min_size=4, max_size=4))
def test_tile_layouts_are_drawn_row_major(shape: list[int], strides: list[int]) -> None:
    layout = TileLayout(S[tuple(shape) : tuple(strides[: len(shape)])])
    (panel,) = draw(layout).scene.panels
    rows, columns = panel.rows.count, panel.columns.count
    assert rows * columns == len(panel.cells) == layout.size()
    assert rows <= columns or len(shape) == 2 or rows == shape[0]
    for cell in panel.cells:
        assert cell.label == str(layout.apply(cell.row * columns + cell.column).get("m", 0))


def test_the_register_tile_of_document_003() -> None:
    for (i, j), cell in cells(FRAGMENT, shape=(8, 16)).items():
        lane, warp, slot = cell.label.split("\n")
        assert lane == str(4 * i + j // 2 % 4)
        assert warp == f"{5 + j // 8}|{9 + j // 8}"
        assert slot == str(j % 2)


def test_copies_beyond_two_are_shortened() -> None:
    (cell, *_) = cells(TileLayout(S[32 : 1 @ laneid] + R[4 : 1 @ warpid])).values()
    assert cell.label == "0\n0|..|3"
    assert cell.note == "0 -> laneid 0, warpid 0; laneid 0, warpid 1; laneid 0, warpid 2; laneid 0, warpid 3"


@pytest.mark.parametrize("color", ["laneid", "warpid", "m"])
def test_a_named_axis_colours(color: str) -> None:
    found = cells(FRAGMENT, shape=(8, 16), color=color)
    assert len({cell.tone for cell in found.values()}) == {"laneid": 8, "warpid": 2, "m": 2}[color]


def test_compose_and_swizzle_layouts() -> None:
    swizzle = SwizzleLayout(3, 3, 3)
    for (row, column), cell in cells(ComposeLayout(swizzle, TileLayout(S[(8, 64) : (64, 1)]))).items():
        assert cell.label == str(64 * row + (column ^ 8 * row))
    assert all(cell.label == str(swizzle.apply(64 * r + c)["m"]) for (r, c), cell in cells(swizzle).items())


def test_linear_layouts_are_drawn_by_their_dimensions() -> None:
    layout = LinearLayout.from_bases([("row", [[1, 1], [2, 2]]), ("col", [[1, 0], [2, 0]])], ["col", "row"])
    for (row, column), cell in cells(layout).items():
        place = layout.apply({"row": row, "col": column})
        assert cell.label == f"{place['col']}\n{place['row']}"
    assert [cell.label for cell in cells(LinearLayout.strided_1d(4, 2, "i", "o")).values()] == ["0", "2", "4", "6"]


def test_what_cannot_be_evaluated_is_refused() -> None:
    with pytest.raises((UsageError, LayoutError)):
        draw(ComposeLayout(SwizzleLayout(1, 1, 1), TileLayout(S[8 : 1 @ laneid])))
    with pytest.raises(UsageError, match="65536"):
        draw(TileLayout(S[(1024, 1024) : (1024, 1)]))


@pytest.mark.parametrize(
    "shown",
    [
        Layout((4, 8)),
        ComposedLayout(Swizzle(1, 0, 1), 0, Layout((4, 8))),
        LinearLayout.strided_1d(4, 2, "i", "o"),
        FRAGMENT,
        SwizzleLayout(1, 1, 1),
        ComposeLayout(SwizzleLayout(1, 0, 1), TileLayout(S[4, 8])),
        mma("SM80_16x8x8_F32F16F16F32_TN"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_notebooks_show_pictures(shown: Any) -> None:
    assert draw(shown).svg().split("<style>")[1] in shown._repr_html_()


def test_notebooks_show_text_where_there_is_no_picture() -> None:
    assert Layout((1024, 1024))._repr_html_() is None
    assert Layout((SymInt("n"), 8))._repr_html_() is None
