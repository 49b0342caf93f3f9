"""The elements of a layout as cells know them: where they are drawn, what the layout answers, and their key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tilewright.figures.answers import Answers
from tilewright.figures.cell import Owner
from tilewright.figures.cells import Cells
from tilewright.figures.domain import Domain, Point
from tilewright.figures.formula import formulas
from tilewright.figures.memory import Memory
from tilewright.figures.series import Alone, Series, picked, words
from tilewright.figures.views import View


class Element(NamedTuple):
    """A cell of the plane, and the layout's value there."""

    point: Point
    value: Any


@dataclass(frozen=True, slots=True)
class Elements(Series[Element]):
    """All elements of a layout, row by row: the plane, what it answers there, what cells show, how that comes about."""

    domain: Domain
    answers: Answers
    labels: Sequence[str]
    formula: Sequence[str]

    def item(self, at: int) -> Element:
        """The element of the cell of that number."""
        row, column = divmod(at, self.domain.columns.count)
        point = Point(row, column, self.domain.flat[at], self.domain.coordinate[at], self.domain.name[at])
        return Element(point, self.answers[at])

    def __len__(self) -> int:
        return self.domain.size

    def __iter__(self) -> Iterator[Element]:
        return map(Element, self.domain.points(), self.answers)

    def cells(
        self,
        tone: Sequence[int],
        group: Sequence[int],
        store: Memory | None = None,
        label: Sequence[str] = (),
        owner: Sequence[tuple[Owner, ...]] = (),
        marked: Sequence[bool] = (),
    ) -> Cells:
        """The elements' cells; with a memory their keys say byte, bank and line too."""
        domain, offsets = self.domain, self.answers.offsets
        where = store.columns(offsets) if store and offsets is not None else ((), (), ())
        told = store.told(offsets, *where) if store and offsets is not None else self.answers.told()
        return Cells(
            range(domain.size),
            domain.columns.count,
            label=label or self.labels,
            tone=tone,
            note=words(domain.size, domain.name, " -> ", *told),
            marked=marked,
            formula=self.formula,
            elements=Alone(domain.flat),
            coordinate=domain.coordinate,
            offset=offsets or (),
            place=self.answers.places(),
            owner=owner,
            **dict(zip(("byte", "bank", "line"), where, strict=True)),
            group=group,
        )


def elements(layout: object, seen: View) -> Elements:
    """All elements of a layout in the plane of its view."""
    domain = seen.domain
    found = seen.answers.picked(domain.flat)
    labels = picked(seen.held, domain.flat) if seen.held else found.labels()
    text = formulas(layout, domain)
    formula = words(domain.size, text, " = ", *found.told()) if text[0] else ()
    return Elements(domain, found, labels, formula)
