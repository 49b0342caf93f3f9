"""The labels of a panel in SVG: a group for each row of the panel and each line of its labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from tilewright.figures.geometry import ADVANCE, PanelBox, number
from tilewright.figures.scene import Panel, Scene, printable

NO_BREAK = "\u00a0"
MOST_BYTES = 270_000  # of labels and notes; colours, rulers and legend of a picture take less than 30 kB more
PER_LINE = 24  # bytes around a line of a label
PER_NOTE = 15
MOST_BLANK = 60  # letters between two words of a run; a run of its own takes about as much
GLYPH = 0.602  # width of a letter in the monospaced fonts of browsers, in units of the font size
LEFT_OUT = "what a smaller picture tells of a cell where one points at it is left out of this one, for its size"


class Text(NamedTuple):
    """What is written in a cell: is it on the page rather than on a colour, and what is there to tell?"""

    row: int
    column: int
    plain: bool
    label: str
    note: str


def clean(text: str) -> str:
    """Text that XML may hold: escaped, characters that XML forbids replaced."""
    return text if text.isalnum() else escape(printable(text))


def without_notes(scene: Scene) -> Scene:
    """The same picture with nothing to tell where one points at a cell."""
    return replace(scene, panels=tuple(_mute(panel) for panel in scene.panels))


def fitting(scene: Scene) -> Scene:
    """The scene as it is, or without the notes of cells where its text became too long; then the picture says so."""
    if _size(scene.panels) <= MOST_BYTES:
        return scene
    return replace(without_notes(scene), notes=(*scene.notes, LEFT_OUT))


def labels(box: PanelBox) -> Iterator[str]:
    """Row by row and line by line: a text for each cell that has something to tell, runs of all others of a line."""
    own = "" if bare(box.panel) else ' class="tw-bare"'  # of labels that stand on the page among others
    for row, group in groupby(_texts(box.panel), itemgetter(0)):
        cells = [(text, text.label.split("\n")) for text in group]
        for count in {len(lines) for _, lines in cells}:
            alike = [(text, lines) for text, lines in cells if len(lines) == count]
            for line in range(count):
                own_line = [Text(*text[:3], lines[line], text.note) if count > 1 else text for text, lines in alike]
                place = f"{number(box.left)} {number(box.baseline(row, line, count))}"
                found = "".join(_line(own_line, box, own))
                yield f'<g transform="translate({place})">{found}</g>' if found else ""


def bare(panel: Panel) -> bool:
    """Do all labels stand on the page itself, none on a colour?"""
    return all(tone is None for tone in panel.cells.tone)


def _texts(panel: Panel) -> Iterator[Text]:
    cells = panel.cells
    plain = (tone is None for tone in cells.tone)
    return map(Text, cells.row, cells.column, plain, cells.label, cells.note)


def _line(texts: Sequence[Text], box: PanelBox, own: str) -> Iterator[str]:
    for plain in (False, True):
        some = [text for text in texts if text.plain is plain]
        told = "".join(_told(text, box) for text in some if text.note)
        written = told + "".join(_silent([text for text in some if text.label and not text.note], box))
        yield f"<g{own}>{written}</g>" if plain and own and written else written


def _told(text: Text, box: PanelBox) -> str:
    """The words, with space on both sides so that all of the cell can be pointed at."""
    space = NO_BREAK * ((int(box.cell_width / (box.font * ADVANCE)) - len(text.label) + 1) // 2)
    return f'<text x="{_middle(text, box)}">{space}{clean(text.label)}{space}<title>{_note(text.note)}</title></text>'


def _silent(texts: Sequence[Text], box: PanelBox) -> Iterator[str]:
    """Words that tell nothing: a run of those with an even number of letters, one of the others.

    Letters that may be of another width than a font's others have a text of their own.
    """
    letters = "".join([text.label for text in texts])
    pitch = round(box.cell_width / (box.font * GLYPH))
    if not (
        letters.isascii() and letters.isprintable() and max([len(text.label) for text in texts], default=0) <= pitch
    ):
        yield from (f'<text x="{_middle(text, box)}">{clean(text.label)}</text>' for text in texts)
        return
    for odd in (0, 1):
        alike = [text for text in texts if len(text.label) % 2 == odd]
        yield from (_run(near, box, pitch) for near in _near(alike, MOST_BLANK // pitch))


def _near(texts: Sequence[Text], apart: int) -> Iterator[Sequence[Text]]:
    """The texts in groups, each of neighbours that are not further apart than so many columns."""
    ends = [at for at in range(1, len(texts)) if texts[at].column - texts[at - 1].column > apart]
    return (texts[begin:end] for begin, end in pairwise([0, *ends, len(texts)]) if begin < end)


def _run(texts: Sequence[Text], box: PanelBox, pitch: int) -> str:
    """Words as one text with so many letters to a cell; `textLength` sets them at that distance, whatever the font."""
    begin = end = texts[0].column * pitch + (pitch - len(texts[0].label)) // 2
    parts: list[str] = []
    for text in texts:
        start = text.column * pitch + (pitch - len(text.label)) // 2
        parts += (" " * (start - end), text.label)
        end = start + len(text.label)
    step, beside = box.cell_width / pitch, (pitch - len(texts[0].label)) % 2
    middle, length = (begin + end + beside) * step / 2, (end - begin - 1) * step + box.font * GLYPH
    return f'<text x="{number(middle)}" textLength="{number(length)}">{clean("".join(parts))}</text>'


def _middle(text: Text, box: PanelBox) -> int:
    return text.column * box.cell_width + box.cell_width // 2


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


def _mute(panel: Panel) -> Panel:
    return replace(panel, cells=replace(panel.cells, note=()))
