"""The elements of a layout as cells know them: where they are drawn, what the layout answers, and their key."""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.domain import Point
from tilewright.figures.formula import formulas
from tilewright.figures.memory import Memory
from tilewright.figures.values import Places, places, told
from tilewright.figures.views import View


class Element(NamedTuple):
    """A cell of the plane, the layout's value there, and how that comes about."""

    point: Point
    value: Any
    copies: Places  # where it lies, if that is no number
    story: str
    formula: str

    def cell(
        self,
        label: str,
        tone: int,
        group: int,
        store: Memory | None = None,
        owners: tuple[Owner, ...] = (),
        marked: bool = False,
    ) -> Cell:
        """The element's cell; with a memory the key says byte, bank and line too."""
        point, value, found, told, formula = self
        if type(value) is int:
            byte, bank, line = store.where(value) if store else (None, None, None)
            key = Key((point.flat,), point.coordinate, value, (), owners, byte, bank, line, None, group)
            told = store.story(value) if store else told
        else:
            copies = tuple([tuple(copy.items()) for copy in found])
            key = Key((point.flat,), point.coordinate, place=copies, owner=owners, group=group)
        return Cell(point.row, point.column, label, tone, f"{point.name} -> {told}", marked, key, formula)


def elements(layout: object, seen: View) -> list[Element]:
    """All elements of a layout in the plane of its view."""
    points = seen.domain.points()
    texts = list(islice(formulas(layout), len(points)))
    return [_element(point, seen.at(point.flat), texts[point.flat]) for point in points]


def _element(point: Point, value: object, text: str) -> Element:
    copies = [] if type(value) is int else places(value)
    story = told(copies) if copies else str(value)
    return Element(point, value, copies, story, f"{text} = {story}" if text else "")
