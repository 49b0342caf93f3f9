"""What a picture is before anyone draws it: panels of labelled, coloured cells, a legend, and arrows.

Cells count in rows and columns; each writer decides what a row or a column measures (SVG units, characters).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

MAX_CELLS = 2**16


class Cell(NamedTuple):
    """One cell of a panel. `tone` is an index into the scene's palette (None: blank), `note` tells the whole story.

    A label may have several lines; a marked cell is outlined.
    """

    row: int
    column: int
    label: str = ""
    tone: int | None = None
    note: str = ""
    marked: bool = False


class Place(NamedTuple):
    """A cell's address in a scene."""

    panel: int
    row: int
    column: int


class Arrow(NamedTuple):
    """From one cell to another."""

    start: Place
    end: Place


@dataclass(frozen=True, slots=True)
class Ruler:
    """One side of a panel: a label for every row or column, and heavy rules before those named in `rules`."""

    labels: tuple[str, ...]
    title: str = ""
    rules: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """How many rows or columns."""
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class Panel:
    """A titled grid of cells between two rulers.

    `place` is its (row, column) among panels that are to be aligned; without one, panels follow each other.
    """

    title: str
    rows: Ruler
    columns: Ruler
    cells: tuple[Cell, ...]
    place: tuple[int, int] | None = None

    def transposed(self) -> Panel:
        """The same cells with rows and columns exchanged."""
        turned = (cell._replace(row=cell.column, column=cell.row) for cell in self.cells)
        return replace(self, rows=self.columns, columns=self.rows, cells=tuple(turned))


@dataclass(frozen=True, slots=True)
class Swatch:
    """What one tone means."""

    tone: int
    text: str


@dataclass(frozen=True, slots=True)
class Legend:
    """What the colours mean, and which palette they come from: `hues` (kinds) or `steps` (small to large)."""

    title: str = ""
    swatches: tuple[Swatch, ...] = ()
    palette: str = "hues"


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture."""

    title: str
    panels: tuple[Panel, ...]
    legend: Legend = Legend()
    arrows: tuple[Arrow, ...] = ()
    notes: tuple[str, ...] = ()


def printable(text: str) -> str:
    """The text with every control character replaced: it can neither steer a terminal nor break XML."""
    return text if text.isprintable() else "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)
