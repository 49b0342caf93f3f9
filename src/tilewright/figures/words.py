"""All text of a picture: what stands where, how large, in which role."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tilewright.figures.geometry import (
    LEGEND_ROW,
    MARGIN,
    NOTE_LINE,
    TEXT_SIZE,
    TITLE_LINE,
    TITLE_SIZE,
    Page,
    PanelBox,
    legend_places,
)
from tilewright.figures.scene import Ruler, Scene

START, MIDDLE, END = "start", "mid", "end"


class Word(NamedTuple):
    """A line of text; `anchor` says which part of it is at (x, y), its base line. `turned` reads upwards."""

    text: str
    x: float
    y: float
    size: float = TEXT_SIZE
    role: str = "soft"
    anchor: str = START
    bold: bool = False
    turned: bool = False


def words(scene: Scene, page: Page) -> Iterator[Word]:
    """The title, those of panels, their rulers, the legend and the notes; empty ones are left out."""
    return (word for word in _all(scene, page) if word.text)


def cell_words(box: PanelBox) -> Iterator[Word]:
    """The labels in the cells of a panel, a word for each line."""
    for cell in box.panel.cells:
        lines = cell.label.split("\n") if cell.label else []
        role = "text" if cell.tone is None else "ink"
        for line, text in enumerate(lines):
            y = box.baseline(cell.row, line, len(lines))
            yield Word(text, box.x(cell.column + 0.5), y, box.font, role, MIDDLE)


def _all(scene: Scene, page: Page) -> Iterator[Word]:
    for line, title in enumerate(page.title):
        yield Word(title, MARGIN, MARGIN + TITLE_SIZE + line * TITLE_LINE, TITLE_SIZE, "text", bold=True)
    for box in page.boxes:
        yield from _around(box)
    yield from _legend(scene, page)
    for line, note in enumerate(page.notes):
        yield Word(note, MARGIN, page.notes_top + TEXT_SIZE + line * NOTE_LINE)


def _around(box: PanelBox) -> Iterator[Word]:
    rows, columns = box.panel.rows, box.panel.columns
    left, top, above_cells = box.left - box.before, box.top - box.above, box.top - 5
    yield Word(box.panel.title, left, top + TEXT_SIZE, role="text", bold=True)
    over = box.font + 6 if any(columns.labels) else 0
    yield Word(columns.title, box.middle, above_cells - over, anchor=MIDDLE)
    middle = (2 * box.top + box.outer_height - box.above) / 2
    yield Word(rows.title, left + TEXT_SIZE, middle, anchor=MIDDLE, turned=True)
    for i in _shown(columns, box.cell_width, max(map(len, columns.labels)) * box.font * 0.62 + 2):
        yield Word(columns.labels[i], box.x(i + 0.5), above_cells, box.font, anchor=MIDDLE)
    for i in _shown(rows, box.cell_height, box.font):
        yield Word(rows.labels[i], box.left - 6, box.baseline(i, 0, 1), box.font, anchor=END)


def _shown(ruler: Ruler, room: float, need: float) -> range:
    # Every label where there is room, else every 2nd, 4th, 8th ...
    step = 1
    while step * room < need:
        step *= 2
    return range(0, ruler.count, step)


def _legend(scene: Scene, page: Page) -> Iterator[Word]:
    if not scene.legend.swatches:
        return
    (row, x), *places = legend_places(scene, page.width)
    base = page.legend_top + 13
    yield Word(scene.legend.title, x, base + row * LEGEND_ROW)
    for swatch, (row, x) in zip(scene.legend.swatches, places, strict=True):
        yield Word(swatch.text, x + 20, base + row * LEGEND_ROW, role="text")
