"""What a picture is before anyone draws it: panels of labelled, coloured cells, a legend, and arrows.

Cells count in rows and columns; each writer decides what a row or a column measures (SVG units, characters).
Every kind of picture makes a `Scene`, every writer is a function of one, and a page needs nothing else: see
`docs/scenes.md` for the JSON form.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from tilewright.errors import UsageError
from tilewright.figures import columns, columns_read
from tilewright.figures.cell import Cell
from tilewright.figures.cells import Cells
from tilewright.figures.columns import Json
from tilewright.figures.palette import PALETTES, TONES
from tilewright.figures.plain import Reader, below, many, text

MAX_CELLS = 2**16
SCHEMA = "tilewright.scene/2"
PLACE = ("panel", "row", "column")


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

    def first(self, count: int) -> Ruler:
        """The first labels and rules."""
        return replace(self, labels=self.labels[:count], rules=tuple(rule for rule in self.rules if rule < count))

    def to_json(self) -> Json:
        """The ruler as plain values."""
        return {"title": self.title, "labels": list(self.labels), "rules": list(self.rules)}

    @classmethod
    def read(cls, data: Reader) -> Self:
        """The ruler that plain values stand for."""
        labels = data.field("labels").all(text)
        if not labels:
            raise data.field("labels").wrong("a list of one or more labels")
        return cls(labels, data.field("title").read(text), data.field("rules").all(below(len(labels))))


@dataclass(frozen=True, slots=True, init=False)
class Panel:
    """A titled grid of cells between two rulers; the cells are kept row by row, as columns of their attributes.

    `place` is its (row, column) among panels that are to be aligned; without one, panels follow each other.
    `subject` says what the cells' keys number as elements: two panels of one subject show the same elements.
    """

    title: str
    rows: Ruler
    columns: Ruler
    cells: Cells
    place: tuple[int, int] | None = None
    subject: str = "element"

    def __init__(
        self,
        title: str,
        rows: Ruler,
        columns: Ruler,
        cells: Iterable[Cell],
        place: tuple[int, int] | None = None,
        subject: str = "element",
    ) -> None:
        values = (title, rows, columns, Cells.of(cells, columns.count), place, subject)
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def transposed(self) -> Panel:
        """The same cells with rows and columns exchanged."""
        turned = self.cells.transposed(self.rows.count)
        return replace(self, rows=self.columns, columns=self.rows, cells=turned)

    def corner(self, rows: int, columns: int, title: str) -> Panel:
        """The first rows and columns, under another title."""
        down, across = self.rows.first(rows), self.columns.first(columns)
        return replace(self, title=title, rows=down, columns=across, cells=self.cells.corner(rows, columns))

    def to_json(self) -> Json:
        """The panel as plain values."""
        return {
            "title": self.title,
            "subject": self.subject,
            "place": None if self.place is None else list(self.place),
            "rows": self.rows.to_json(),
            "columns": self.columns.to_json(),
            "cells": columns.written(self.cells),
        }

    @classmethod
    def read(cls, data: Reader) -> Self:
        """The panel that plain values stand for."""
        rows, across = Ruler.read(data.field("rows")), Ruler.read(data.field("columns"))
        cells = columns_read.read(data.field("cells"), rows.count, across.count)
        place = data.field("place")
        pair = None if place.value is None else place.read(many(below(MAX_CELLS)))
        if pair is not None and len(pair) != 2:
            raise place.wrong("a row and a column")
        where = (pair[0], pair[1]) if pair else None
        return cls(data.field("title").read(text), rows, across, cells, where, data.field("subject").read(text))


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

    def to_json(self) -> Json:
        """The legend as plain values."""
        swatches = [{"tone": swatch.tone, "text": swatch.text} for swatch in self.swatches]
        return {"title": self.title, "palette": self.palette, "swatches": swatches}

    @classmethod
    def read(cls, data: Reader) -> Self:
        """The legend that plain values stand for."""
        palette = data.field("palette")
        if palette.read(text) not in PALETTES:
            raise palette.wrong(" or ".join(PALETTES))
        swatches = (
            Swatch(entry.field("tone").read(below(TONES)), entry.field("text").read(text))
            for entry in data.field("swatches").items()
        )
        return cls(data.field("title").read(text), tuple(swatches), palette.read(text))


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture."""

    title: str
    panels: tuple[Panel, ...]
    legend: Legend = Legend()
    arrows: tuple[Arrow, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> Json:
        """The scene as plain values, which `from_json` reads back: `Scene.from_json(scene.to_json()) == scene`."""
        return {
            "schema": SCHEMA,
            "title": self.title,
            "panels": [panel.to_json() for panel in self.panels],
            "legend": self.legend.to_json(),
            "arrows": [[dict(zip(PLACE, end, strict=True)) for end in arrow] for arrow in self.arrows],
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The scene that plain values stand for.

        Raises:
            UsageError: another schema, or a value that is not as `docs/scenes.md` says; it names the place.
        """
        root = Reader(data)
        schema = root.field("schema")
        if schema.value != SCHEMA:
            raise schema.wrong(repr(SCHEMA))
        panels = tuple(map(Panel.read, root.field("panels").items()))
        cells = sum(len(panel.cells) for panel in panels)
        if cells > MAX_CELLS * 8:
            raise UsageError(f"{cells} cells are too many for a scene, the limit is {MAX_CELLS * 8}")
        arrows = tuple(_arrow(arrow, panels) for arrow in root.field("arrows").items())
        legend, notes = Legend.read(root.field("legend")), root.field("notes").all(text)
        return cls(root.field("title").read(text), panels, legend, arrows, notes)


def _arrow(data: Reader, panels: tuple[Panel, ...]) -> Arrow:
    ends = data.items()
    if len(ends) != 2:
        raise data.wrong("a start and an end")
    return Arrow(_place(ends[0], panels), _place(ends[1], panels))


def _place(data: Reader, panels: tuple[Panel, ...]) -> Place:
    panel = data.field("panel").read(below(len(panels)))
    row = data.field("row").read(below(panels[panel].rows.count))
    return Place(panel, row, data.field("column").read(below(panels[panel].columns.count)))


def printable(text: str) -> str:
    """The text with every control character replaced: it can neither steer a terminal nor break XML."""
    return text if text.isprintable() else "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)
