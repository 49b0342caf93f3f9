"""Where things lie in an SVG picture: from rows and columns to viewBox units (about a pixel each)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from math import ceil
from textwrap import wrap
from typing import TypeVar

from tilewright.figures.scene import Panel, Scene

MARGIN = 16.0
GAP = 28.0
TITLE_SIZE = 15.0
TITLE_LINE = 20.0
TEXT_SIZE = 12.0
NOTE_LINE = 18.0
LEGEND_ROW = 26.0
LEGEND_WIDTH = 400.0  # no narrower page, so that a legend does not become a column
TEXT_WIDTH = 720.0  # the title and the notes of a narrower page are not wrapped
PAGE_WIDTH = 1240.0  # panels stand side by side as long as they fit into it
ADVANCE = 0.61  # width of a monospaced character, in units of the font size
LINE = 1.15  # from one line of a label to the next, likewise

Size = TypeVar("Size", int, float)


@dataclass(frozen=True, slots=True)
class PanelBox:
    """A panel's place: the corner of its first cell, the size of a cell, its font size, and the space around."""

    panel: Panel
    left: float
    top: float
    cell_width: int
    cell_height: float
    font: float
    before: float
    above: float

    @property
    def right(self) -> float:
        """The right edge of the last column."""
        return self.x(self.panel.columns.count)

    @property
    def bottom(self) -> float:
        """The lower edge of the last row."""
        return self.y(self.panel.rows.count)

    @property
    def outer_width(self) -> float:
        """Cells, row labels, and titles that may be wider than they are."""
        titles = f"{self.panel.title}\n{self.panel.columns.title}"
        return max(self.before + self.right - self.left, text_width(titles, TEXT_SIZE))

    @property
    def outer_height(self) -> float:
        """Cells, or the row title beside them where it is longer, column labels and title."""
        return self.above + max(self.bottom - self.top, text_width(self.panel.rows.title, TEXT_SIZE))

    def x(self, column: float) -> float:
        """The left edge of a column; a half is its middle."""
        return self.left + column * self.cell_width

    def y(self, row: float) -> float:
        """The upper edge of a row, likewise."""
        return self.top + row * self.cell_height

    def centre(self, row: int, column: int) -> tuple[float, float]:
        """The middle of a cell."""
        return self.x(column + 0.5), self.y(row + 0.5)

    @property
    def middle(self) -> float:
        """Where the columns' title is centred: over the cells, further right where it would begin left of the panel."""
        half = text_width(self.panel.columns.title, TEXT_SIZE) / 2
        return max((self.left + self.right) / 2, self.left - self.before + half)

    def baseline(self, row: int, line: int, lines: int) -> float:
        """Where a line of the labels in a row stands, of labels with so many lines."""
        middle = self.y(row + 0.5) + self.font * 0.35
        return middle + (line - (lines - 1) / 2) * self.font * LINE

    def moved(self, x: float, y: float) -> PanelBox:
        """The same box with the corner of its surroundings at (x, y)."""
        return replace(self, left=x + self.before, top=y + self.above)


def text_width(text: str, size: float) -> float:
    """The width of monospaced text."""
    return max(map(len, text.split("\n"))) * size * ADVANCE


def number(value: float) -> str:
    """A length in as few characters as tell it to a hundredth.

    >>> number(12.0), number(9.775)
    ('12', '9.78')
    """
    return str(int(value)) if value == int(value) else f"{value:.2f}".rstrip("0").rstrip(".")


def font_size(columns: int) -> float:
    """The font of the cells: it shrinks for wide panels."""
    return 12.0 if columns <= 24 else 10.0 if columns <= 40 else 8.5


def measure(panel: Panel, font: float) -> PanelBox:
    """The panel's box at the origin: cells fit their longest label."""
    labels = {*panel.cells.label, *panel.columns.labels}
    width = text_width("\n".join(labels), font)
    lines = 1 + max(map(str.count, labels, repeat("\n")), default=0)
    cell_height = round(font * (LINE * lines + 0.75))
    cell_width = _even(max(width + font * 0.5, cell_height * (0.8 if width else 0.6)))
    row_label = max((text_width(label, font) for label in panel.rows.labels), default=0.0)
    before = row_label + 8 + (TEXT_SIZE * 1.5 if panel.rows.title else 0)
    column_label = any(panel.columns.labels) * (font + 6)
    above = bool(panel.title) * (TEXT_SIZE + 8) + bool(panel.columns.title) * (TEXT_SIZE + 5) + column_label
    return PanelBox(panel, 0, 0, cell_width, cell_height, font, before, above)


@dataclass(frozen=True, slots=True)
class Page:
    """Boxes of all panels, the lines of title and notes, the tops of legend and notes, and the size of the whole."""

    boxes: tuple[PanelBox, ...]
    title: tuple[str, ...]
    notes: tuple[str, ...]
    legend_top: float
    notes_top: float
    width: float
    height: float


def arrange(scene: Scene) -> Page:
    """Panels in their places, or from left to right while they fit into the page; legend and notes below.

    Titles and notes that are longer than panels and `TEXT_WIDTH` go on in the next line.
    """
    boxes = _boxes(scene)
    wide = max((box.left - box.before + box.outer_width for box in boxes), default=0.0)
    limit = max(wide - MARGIN, TEXT_WIDTH)
    title = tuple(_wrapped(scene.title, limit, TITLE_SIZE)) if scene.title else ()
    notes = tuple(line for note in scene.notes for line in _wrapped(note, limit, TEXT_SIZE))
    texts = max(text_width("\n".join(title), TITLE_SIZE), text_width("\n".join(notes), TEXT_SIZE))
    width = max(wide, MARGIN + texts, LEGEND_WIDTH if scene.legend.swatches else 0.0) + MARGIN
    top = MARGIN + (len(title) * TITLE_LINE + 14 - (TITLE_LINE - TITLE_SIZE) if title else 0)
    boxes = tuple(replace(box, top=box.top + top) for box in boxes)
    legend_top = max((box.top - box.above + box.outer_height for box in boxes), default=top) + 18
    notes_top = legend_top + legend_rows(scene, width) * LEGEND_ROW
    height = notes_top + len(notes) * NOTE_LINE + MARGIN * 0.5
    return Page(boxes, title, notes, legend_top, notes_top, width, height)


def _boxes(scene: Scene) -> tuple[PanelBox, ...]:
    """The panels' boxes, as if the page began with them."""
    aligned = all(panel.place for panel in scene.panels)
    fonts = [font_size(panel.columns.count) for panel in scene.panels]
    if aligned and fonts:
        fonts = [min(fonts)] * len(fonts)
    measured = list(map(measure, scene.panels, fonts))
    return tuple(_align(measured, 0.0) if aligned else _flow(measured, 0.0))


def _wrapped(text: str, width: float, size: float) -> list[str]:
    """The lines of a text, each as wide as the page at most; those after the first begin further right."""
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    fit = max(int(width / (size * ADVANCE)), 2 * len(indent))
    return [text] if len(text) <= fit else wrap(text, fit, subsequent_indent=indent, break_on_hyphens=False) or [""]


def swatch_width(text: str) -> float:
    """A legend entry: the square, its text, and the space to the next one."""
    return 20 + text_width(text, TEXT_SIZE) + 18


def legend_places(scene: Scene, width: float) -> Iterator[tuple[int, float]]:
    """(row, x) of the legend's title and of each entry, in a page of that width."""
    x, row = MARGIN, 0
    entries = [text_width(scene.legend.title, TEXT_SIZE) + 16, *(swatch_width(s.text) for s in scene.legend.swatches)]
    for entry in entries:
        if x > MARGIN and x + entry > width:
            x, row = MARGIN, row + 1
        yield row, x
        x += entry


def legend_rows(scene: Scene, width: float) -> int:
    """How many rows the legend takes; 0 without one."""
    return 1 + max(row for row, _ in legend_places(scene, width)) if scene.legend.swatches else 0


def _flow(boxes: list[PanelBox], top: float) -> Iterator[PanelBox]:
    x, row_bottom = MARGIN, top
    for box in boxes:
        if x > MARGIN and x + box.outer_width > PAGE_WIDTH:
            x, top = MARGIN, row_bottom + GAP
        yield box.moved(x, top)
        row_bottom = max(row_bottom, top + box.outer_height)
        x += box.outer_width + GAP


def _align(boxes: list[PanelBox], top: float) -> Iterator[PanelBox]:
    # Panels in one row have their first cells at one height and rows of one height; those in one column likewise,
    # and their titles begin below each other.
    places = [box.panel.place or (0, 0) for box in boxes]
    heights = _largest((row, box.cell_height) for (row, _), box in zip(places, boxes, strict=True))
    widths = _largest((column, box.cell_width) for (_, column), box in zip(places, boxes, strict=True))
    before = _largest((column, box.before) for (_, column), box in zip(places, boxes, strict=True))
    even = [
        replace(box, cell_height=heights[row], cell_width=widths[column], before=before[column])
        for (row, column), box in zip(places, boxes, strict=True)
    ]
    tops = _edges([(r, box.above, box.outer_height - box.above) for (r, _), box in zip(places, even, strict=True)], top)
    lefts = _edges(
        [(c, box.before, box.outer_width - box.before) for (_, c), box in zip(places, even, strict=True)], MARGIN
    )
    for (row, column), box in zip(places, even, strict=True):
        yield box.moved(lefts[column] - box.before, tops[row] - box.above)


def _largest(sizes: Iterable[tuple[int, Size]]) -> dict[int, Size]:
    found: dict[int, Size] = {}
    for track, size in sizes:
        found[track] = max(size, found.get(track, size))
    return found


def _edges(spans: list[tuple[int, float, float]], start: float) -> dict[int, float]:
    edges = {}
    for track in sorted({track for track, _, _ in spans}):
        edges[track] = start + max(before for at, before, _ in spans if at == track)
        start = edges[track] + max(after for at, _, after in spans if at == track) + GAP
    return edges


def _even(width: float) -> int:
    """The next even number: the middle of each cell is a whole one, which takes few characters."""
    return 2 * ceil(width / 2)
