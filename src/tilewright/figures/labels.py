"""The labels of a panel in SVG: a group for each row of the panel and each line of its labels."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import compress, pairwise
from typing import Any, NamedTuple

from tilewright.figures.cells import Cells
from tilewright.figures.geometry import ADVANCE, PanelBox, number
from tilewright.figures.scene import Panel, Scene, printable

NO_BREAK = "\u00a0"
MOST_BYTES = 270_000  # of labels and notes; colours, rulers and legend of a picture take less than 30 kB more
PER_LINE = 24  # bytes around a line of a label
PER_NOTE = 15
SAMPLED = 500  # cells by which the bytes of a panel are estimated
MOST_BLANK = 60  # letters between two words of a run; a run of its own takes about as much
GLYPH = 0.602  # width of a letter in the monospaced fonts of browsers, in units of the font size
LEFT_OUT = "what a smaller picture tells of a cell where one points at it is left out of this one, for its size"


class Texts(NamedTuple):
    """What is written in cells of one row: where, what, is it on the page rather than on a colour, what is to tell."""

    column: Sequence[int]
    label: Sequence[str]
    plain: Sequence[bool]
    note: Sequence[str]

    def where(self, held: Sequence[object]) -> Texts:
        """Those of which it is true."""
        return self if all(held) else self._each(lambda column: list(compress(column, held)))

    def within(self, begin: int, end: int) -> Texts:
        """Those of these numbers."""
        return self._each(lambda column: column[begin:end])

    def lines(self) -> Iterator[tuple[int, int, Texts]]:
        """(line, lines, texts) for each line of the labels; labels of as many lines stand together."""
        split = [label.split("\n") for label in self.label]
        counts = list(map(len, split))
        for count in sorted(set(counts)):
            alike = [lines == count for lines in counts]
            some = self.where(alike)
            for line, written in enumerate(zip(*compress(split, alike), strict=True)):
                yield line, count, some._replace(label=written)

    def _each(self, change: Callable[[Sequence[Any]], Sequence[Any]]) -> Texts:
        return Texts(change(self.column), change(self.label), change(self.plain), change(self.note))


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
    for row, texts in _rows(box.panel):
        for line, count, written in texts.lines():
            place = f"{number(box.left)} {number(box.baseline(row, line, count))}"
            found = "".join(_line(written, box, own))
            yield f'<g transform="translate({place})">{found}</g>' if found else ""


def bare(panel: Panel) -> bool:
    """Do all labels stand on the page itself, none on a colour?"""
    return all(tone is None for tone in panel.cells.tone)


def _rows(panel: Panel) -> Iterator[tuple[int, Texts]]:
    cells, width = panel.cells, panel.cells.width
    every = Texts(cells.column, list(cells.label), [tone is None for tone in cells.tone], list(cells.note))
    ends = [bisect_left(cells.at, row * width) for row in range(panel.rows.count + 1)]
    for row, (begin, end) in enumerate(pairwise(ends)):
        yield row, every.within(begin, end)


def _line(texts: Texts, box: PanelBox, own: str) -> Iterator[str]:
    for plain in sorted(set(texts.plain)):
        some = texts.where([standing is plain for standing in texts.plain])
        told = "".join(_told(*one, box) for one in zip(some.column, some.label, some.note, strict=True) if one[2])
        words = some.where([label and not note for label, note in zip(some.label, some.note, strict=True)])
        written = told + "".join(_silent(words.column, words.label, box))
        yield f"<g{own}>{written}</g>" if plain and own and written else written


def _told(column: int, label: str, note: str, box: PanelBox) -> str:
    """The words, with space on both sides so that all of the cell can be pointed at."""
    space = NO_BREAK * ((int(box.cell_width / (box.font * ADVANCE)) - len(label) + 1) // 2)
    return f'<text x="{_middle(column, box)}">{space}{clean(label)}{space}<title>{_note(note)}</title></text>'


def _silent(columns: Sequence[int], texts: Sequence[str], box: PanelBox) -> Iterator[str]:
    """Words that tell nothing: a run of those with an even number of letters, one of the others.

    Letters that may be of another width than a font's others have a text of their own.
    """
    letters, lengths = "".join(texts), list(map(len, texts))
    pitch = round(box.cell_width / (box.font * GLYPH))
    if not (letters.isascii() and letters.isprintable() and max(lengths, default=0) <= pitch):
        each = zip(columns, texts, strict=True)
        yield from (f'<text x="{_middle(column, box)}">{clean(text)}</text>' for column, text in each)
        return
    for odd in (0, 1):
        alike = [length % 2 == odd for length in lengths]
        near = _near(list(compress(columns, alike)), list(compress(texts, alike)), MOST_BLANK // pitch)
        yield from (_run(*group, box, pitch) for group in near)


def _near(columns: Sequence[int], texts: Sequence[str], apart: int) -> Iterator[tuple[Sequence[int], Sequence[str]]]:
    """Columns and texts in groups, each of neighbours that are not further apart than so many columns."""
    ends = [at for at, (one, other) in enumerate(pairwise(columns), 1) if other - one > apart]
    spans = pairwise([0, *ends, len(columns)])
    return ((columns[begin:end], texts[begin:end]) for begin, end in spans if begin < end)


def _run(columns: Sequence[int], texts: Sequence[str], box: PanelBox, pitch: int) -> str:
    """Words as one text with so many letters to a cell; `textLength` sets them at that distance, whatever the font."""
    first, last = columns[0], columns[-1]
    cells = [" " * pitch] * (last - first + 1)
    for column, text in zip(columns, texts, strict=True):
        cells[column - first] = f"{text:^{pitch}}"
    before, after = (pitch - len(texts[0])) // 2, -((len(texts[-1]) - pitch) // 2)
    written = "".join(cells)[before : len(cells) * pitch - after]
    step, beside = box.cell_width / pitch, (pitch - len(texts[0])) % 2
    middle = (2 * (first * pitch + before) + len(written) + beside) * step / 2
    length = (len(written) - 1) * step + box.font * GLYPH
    return f'<text x="{number(middle)}" textLength="{number(length)}">{clean(written)}</text>'


def _middle(column: int, box: PanelBox) -> int:
    return column * box.cell_width + box.cell_width // 2


def _note(note: str) -> str:
    # XML asks for an escaped ">" only after "]]".
    return clean(note).replace(" -&gt; ", " -> ")


def _size(panels: Iterable[Panel]) -> int:
    """About how many bytes labels and notes take, by some of the cells."""
    return sum(_sampled(panel.cells) for panel in panels)


def _sampled(cells: Cells) -> int:
    step = len(cells) // SAMPLED | 1  # odd, so that it meets every column
    some = zip(cells.label[::step], cells.note[::step], strict=True)
    lengths = [_bytes(label, note) for label, note in some]
    return sum(lengths) * len(cells) // max(len(lengths), 1)


def _bytes(label: str, note: str) -> int:
    return (PER_LINE + (len(note) + PER_NOTE if note else 0)) * (label.count("\n") + 1) + len(label)


def _mute(panel: Panel) -> Panel:
    return replace(panel, cells=replace(panel.cells, note=()))
