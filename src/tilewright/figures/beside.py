"""Layouts side by side, in one scale of colours: equal values have one colour, so that they are found again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilewright.errors import UsageError, shown
from tilewright.figures.elements import Element, elements
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Legend, Panel, Scene
from tilewright.figures.tones import steps
from tilewright.figures.values import places, story
from tilewright.figures.views import View, view

Seen = tuple[View, Sequence[Element]]
Spot = tuple[int, int]  # row and column


def picture(
    layout: object, *, to: object = None, shape: Sequence[int] | None = None, title: str | None = None
) -> Figure:
    """Two layouts side by side; cells in which they differ are outlined, and a note counts them.

    Args:
        layout: the one.
        to: the other.
        shape: (rows, columns) of both planes, instead of the layouts' own modes.
        title: instead of the layouts' texts.

    Raises:
        UsageError: no layouts, or none beside the first.
    """
    if to is None:
        raise UsageError(f"give the layout beside {shown(layout)} that it is compared with, as to=")
    one, other = (looked_at(thing, shape) for thing in (layout, to))
    differ = _differing(one, other)
    panels, legend = side_by_side([(one[0].title, one), (other[0].title, other)], [set(differ)] * 2)
    name = title or f"{one[0].title}  and  {other[0].title}"
    return Figure(Scene(name, panels, legend, notes=(_verdict(one, other, differ),)))


def looked_at(layout: object, shape: Sequence[int] | None = None) -> Seen:
    """The view of a layout, and all of its elements in it."""
    seen = view(layout, shape)
    return seen, elements(layout, seen)


def side_by_side(named: Sequence[tuple[str, Seen]], marked: Sequence[set[Spot]]) -> tuple[tuple[Panel, ...], Legend]:
    """A panel for each; in each the cells to outline."""
    tones, legend = steps(_keys(seen for _, seen in named), "value")
    panels = []
    for (name, (seen, items)), outlined in zip(named, marked, strict=True):
        cells = tuple(
            item.cell(
                seen.label(item.point.flat, item.value, item.copies),
                tones[_key(item.value)],
                _key(item.value),
                marked=(item.point.row, item.point.column) in outlined,
            )
            for item in items
        )
        panels.append(Panel(name, seen.domain.rows, seen.domain.columns, cells, subject=name))
    return tuple(panels), legend


def _keys(every: Iterable[Seen]) -> Iterable[int]:
    return (_key(item.value) for _, items in every for item in items)


def _key(value: object) -> int:
    return value if isinstance(value, int) else next(iter(places(value)[0].values()), 0)


def _differing(one: Seen, other: Seen) -> list[Spot]:
    """Where both have a cell, and not the same in it."""
    theirs = {(item.point.row, item.point.column): item.value for item in other[1]}
    spots = ((item.point.row, item.point.column, item.value) for item in one[1])
    return [(row, column) for row, column, value in spots if theirs.get((row, column), value) != value]


def _verdict(one: Seen, other: Seen, differ: Sequence[Spot]) -> str:
    mine, theirs = ({(item.point.row, item.point.column): item for item in items} for _, items in (one, other))
    both = len(mine.keys() & theirs.keys())
    alone = (
        f"; {len(mine.keys() ^ theirs.keys())} cells are in one of them only" if mine.keys() != theirs.keys() else ""
    )
    if not differ:
        return f"they agree in all {both} cells that both have{alone}"
    first = mine[differ[0]]
    said = f"{story(first.value)} and {story(theirs[differ[0]].value)}"
    return f"framed: they differ in {len(differ)} of {both} cells, first at {first.point.name}: {said}{alone}"
