"""Layouts of 65,536 elements: every cell is told as the engine tells it, and a moving pointer paints no cell anew."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from explored import click, drawn, settled

from tilewright.explorer.engine import Engine

ENGINE = Engine()
TEXTS = ["Swizzle<3,3,3> o 0 o (256,256):(256,1)", "S[(8,32,4,64):(4@laneid,1@warpid,1@laneid,1@m)]"]
COUNTED = """() => {
  const { prototype } = CanvasRenderingContext2D;
  const { fillRect } = prototype;
  window.filled = 0;
  prototype.fillRect = function (...box) { window.filled += 1; return fillRect.apply(this, box); };
}"""


def cells_of(text):
    reply = ENGINE.reply({"ask": "answer", "tab": "layout", "inputs": {"a": text}})
    return drawn(reply)[0].cells


def opened(page, server, text):
    page.goto(f"{server.address}&tab=layout&a={quote(text)}")
    page.wait_for_selector(".picture canvas")
    settled(page)


@pytest.mark.parametrize("text", TEXTS)
def test_any_cell_is_told_where_it_is_pointed_at_held_and_reached_by_keys(page, server, text):
    opened(page, server, text)
    cells, told, board = cells_of(text), page.locator(".told").first, page.locator(".scroller").first
    assert len(cells) == 1 << 16
    page.evaluate(COUNTED)
    for cell in (0, 1, 100, 420):
        at = page.evaluate("cell => explorer.middle(0, 0, cell)", cell)
        page.mouse.move(at["x"], at["y"])
        told.filter(has_text=cells.note[cell]).wait_for()
    assert page.evaluate("() => filled") == 0
    click(page, 300)
    settled(page)
    assert f"held: {cells.note[300]}" in told.inner_text()
    assert cells.formula[300] in told.inner_text()
    board.press("End")
    board.press("PageDown")
    last = cells.width - 1 + (300 // cells.width + 8) * cells.width
    assert page.locator("[role=gridcell]").first.inner_text() == cells.note[last]
    assert cells.note[last] in told.inner_text()


def test_what_is_linked_is_found_among_all_cells(page, server):
    opened(page, server, "(256,256):(0,1)")
    page.get_by_label("link by").select_option("offset")
    click(page, 640)
    assert "256 cells" in page.locator(".told").first.inner_text()
