"""The labels of a panel in SVG: a group for each row of the panel and each line of its labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from operator import itemgetter

from tilewright.figures.cell import Cell
from tilewright.figures.geometry import ADVANCE, PanelBox, number
from tilewright.figures.scene import Panel, Scene, printable

Text = tuple[Cell, str]
NO_BREAK = "\u00a0"
MOST_BYTES = 280_000  # of labels and notes; colours, rulers and legend of a picture take less than 20 kB more
PER_LINE = 24  # bytes around a line of a label
PER_NOTE = 15
LEFT_OUT = "what a smaller picture tells of a cell where one points at it is left out of this one, for its size"


def clean(text: str) -> str:
    """Text that XML may hold: escaped, characters that XML forbids replaced."""
    return text if text.isalnum() else escape(printable(text))


def without_notes(scene: Scene) -> Scene:
    """The same picture with nothing to tell where one points at a cell."""
    return replace(scene, panels=tuple(_silent(panel) for panel in scene.panels))


def fitting(scene: Scene) -> Scene:
    """The scene as it is, or without the notes of cells where its text became too long; then the picture says so."""
    if _size(scene.panels) <= MOST_BYTES:
        return scene
    return replace(without_notes(scene), notes=(*scene.notes, LEFT_OUT))


def labels(box: PanelBox) -> Iterator[str]:
    """Row by row and line by line: a text for each cell that has something to tell, one for all others of a line."""
    own = "" if bare(box.panel) else ' class="tw-bare"'  # of labels that stand on the page among others
    for row, group in groupby(box.panel.cells, itemgetter(0)):
        cells = [(cell, cell.label.split("\n")) for cell in group]
        for count in {len(lines) for _, lines in cells}:
            alike = [(cell, lines) for cell, lines in cells if len(lines) == count]
            for line in range(count):
                place = f"{number(box.left)} {number(box.baseline(row, line, count))}"
                texts = "".join(_line([(cell, lines[line]) for cell, lines in alike], box, own))
                yield f'<g transform="translate({place})">{texts}</g>' if texts else ""


def bare(panel: Panel) -> bool:
    """Do all labels stand on the page itself, none on a colour?"""
    return all(tone is None for tone in panel.cells.tone)


def _line(texts: Iterable[Text], box: PanelBox, own: str) -> Iterator[str]:
    for plain, found in groupby(sorted(texts, key=_plain), _plain):
        some = list(found)
        told = "".join(_told(cell, words, box) for cell, words in some if cell.note)
        silent = [(cell, words) for cell, words in some if words and not cell.note]
        written = told + (_packed(silent, box) if silent else "")
        yield f"<g{own}>{written}</g>" if plain and own and written else written


def _plain(text: Text) -> bool:
    return text[0].tone is None


def _told(cell: Cell, words: str, box: PanelBox) -> str:
    """The words, with space on both sides so that all of the cell can be pointed at."""
    space = NO_BREAK * ((int(box.cell_width / (box.font * ADVANCE)) - len(words) + 1) // 2)
    x = cell.column * box.cell_width + box.cell_width // 2
    return f'<text x="{x}">{space}{clean(words)}{space}<title>{_note(cell.note)}</title></text>'


def _packed(texts: Sequence[Text], box: PanelBox) -> str:
    """Many words in one text, which says where each letter stands: that takes a third of a text for each."""
    step, half = round(box.font * ADVANCE), box.cell_width // 2
    xs: list[int] = []
    for cell, words in texts:
        start = cell.column * box.cell_width + half - step * (len(words) - 1) // 2
        xs += range(start, start + step * len(words), step)
    return f'<text x="{" ".join(map(str, xs))}">{clean("".join(words for _, words in texts))}</text>'


def _note(note: str) -> str:
    # XML asks for an escaped ">" only after "]]".
    return clean(note).replace(" -&gt; ", " -> ")


def _size(panels: Iterable[Panel]) -> int:
    """About how many bytes labels and notes take."""
    return sum(
        (PER_LINE + (len(note) + PER_NOTE if note else 0)) * (label.count("\n") + 1) + len(label)
        for panel in panels
        for label, note in zip(panel.cells.label, panel.cells.note, strict=True)
    )


def _silent(panel: Panel) -> Panel:
    return replace(panel, cells=replace(panel.cells, note=()))
