"""What a tab answers: pictures as scenes, and what is said of them. A page draws it and computes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tilewright.figures.scene import Scene

Json = dict[str, object]


def captioned(scene: Scene, *told: object) -> Scene:
    """The scene without those of its notes that what is told below it has as lines.

    >>> captioned(Scene("", (), notes=("in each cell: the offset", "  1. a step")), "steps\\n  1. a step").notes
    ('in each cell: the offset',)
    """
    below = {line.strip() for text in told for line in str(text).splitlines()}
    return replace(scene, notes=tuple(note for note in scene.notes if note.strip() not in below))


@dataclass(frozen=True, slots=True)
class Step:
    """A step of an explanation, and the steps within it."""

    text: str
    steps: tuple[Step, ...] = ()

    def to_json(self) -> Json:
        """As a page reads it."""
        return {"text": self.text, "steps": [inner.to_json() for inner in self.steps]}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; `apply` are inputs that a click on it gives to the tab, or to another one, `tab`."""

    cells: tuple[str, ...]
    apply: Mapping[str, str] = field(default_factory=dict)
    tab: str = ""

    def to_json(self) -> Json:
        """As a page reads it."""
        return {"cells": list(self.cells), "apply": dict(self.apply), "tab": self.tab}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads; `act` is what a click on a row does, in a word."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    act: str = "apply"

    def to_json(self) -> Json:
        """As a page reads it."""
        rows = [row.to_json() for row in self.rows]
        return {"title": self.title, "heads": list(self.heads), "rows": rows, "act": self.act}


@dataclass(frozen=True, slots=True)
class Mark:
    """Cells of a scene that a frame shows: the panel, and the numbers of its cells."""

    scene: int
    panel: int
    cells: tuple[int, ...]

    def to_json(self) -> list[object]:
        """As a page reads it."""
        return [self.scene, self.panel, list(self.cells)]


@dataclass(frozen=True, slots=True)
class Frame:
    """A moment of what goes on in time: a phase, a round, a step of a kernel.

    `apply` are inputs that show more of it: a page offers them.
    """

    title: str
    text: str = ""
    marks: tuple[Mark, ...] = ()
    apply: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> Json:
        """As a page reads it."""
        marks = [mark.to_json() for mark in self.marks]
        return {"title": self.title, "text": self.text, "marks": marks, "apply": dict(self.apply)}


@dataclass(frozen=True, slots=True)
class Answer:
    """All that a tab shows for its inputs.

    Attributes:
        scenes: the pictures, one below the other.
        facts: names and what they are, such as the size.
        tables: ranked choices and the like.
        steps: how the result comes about.
        frames: what a timeline plays, if something goes on in time.
        begin: the frame at which it begins.
        notes: what there is to know.
        python: the lines of Python that give the same.
    """

    scenes: tuple[Scene, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    tables: tuple[Table, ...] = ()
    steps: tuple[Step, ...] = ()
    frames: tuple[Frame, ...] = ()
    begin: int = 0
    notes: tuple[str, ...] = ()
    python: str = ""

    def to_json(self) -> Json:
        """As a page reads it: `docs/explorer.md` is the schema."""
        return {
            "scenes": [scene.to_json() for scene in self.scenes],
            "facts": [list(fact) for fact in self.facts],
            "tables": [table.to_json() for table in self.tables],
            "steps": [step.to_json() for step in self.steps],
            "frames": [frame.to_json() for frame in self.frames],
            "begin": self.begin,
            "notes": list(self.notes),
            "python": self.python,
        }
