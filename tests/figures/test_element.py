"""The picture of an element's way adds up to its places."""

from __future__ import annotations

import pytest
from drawn import FRAGMENT

from tilewright.errors import UsageError
from tilewright.figures.draw import draw
from tilewright.figures.scene import Panel
from tilewright.notation import parse
from tilewright.tirx.layout import ComposeLayout, R, S, SwizzleLayout, TileLayout, explain_element, warpid


def table(panel: Panel) -> dict[tuple[str, str], int]:
    return {(panel.rows.labels[c.row], panel.columns.labels[c.column]): int(c.label) for c in panel.cells}


@pytest.mark.parametrize("flat", range(0, 128, 9))
def test_digits_and_offset_add_up_to_the_sum_and_copies_are_the_places(flat: int) -> None:
    sums, copies = (table(panel) for panel in draw(explain_element(FRAGMENT, flat)).scene.panels)
    for axis in ("laneid", "warpid", "m"):
        parts = [value for (row, column), value in sums.items() if column == axis and row != "sum"]
        assert sum(parts) == sums["sum", axis]
    for row in ("digit 0", "digit 1", "digit 2", "digit 3"):
        (added,) = (sums[row, axis] for axis in ("laneid", "warpid", "m") if (row, axis) in sums)
        assert added == sums[row, "digit"] * sums[row, "stride"]
    found = [{axis: copies[copy, axis] for axis in ("laneid", "warpid", "m")} for copy in ("0", "1")]
    assert sorted(map(str, found)) == sorted(str({a: p[a] for a in found[0]}) for p in FRAGMENT.apply(flat))


@pytest.mark.parametrize("row", range(8))
def test_in_memory_the_bank_after_the_swizzle_is_told(row: int) -> None:
    layout = ComposeLayout(SwizzleLayout(3, 3, 3), TileLayout(S[8, 64]))
    _, places = draw(explain_element(layout, (row, 0), (8, 64), 16)).scene.panels
    assert table(places)["0", "bank"] == 4 * row
    assert table(places)["0", "swizzled"] == 72 * row


@pytest.mark.parametrize("layout", [TileLayout(R[4 : 1 @ warpid]), parse("S[(4):(0@laneid)]"), TileLayout(S[1, 1])])
def test_placements_without_digits_are_drawn(layout: TileLayout) -> None:
    assert draw(explain_element(layout, 0)).svg().startswith("<svg")


def test_what_is_no_explanation_is_refused() -> None:
    with pytest.raises(UsageError, match="what explain_element gives"):
        draw(FRAGMENT, kind="element")
