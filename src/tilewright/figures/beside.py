"""Layouts side by side, in one scale of colours: equal values have one colour, so that they are found again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import repeat

from tilewright.errors import UsageError, shown
from tilewright.figures.elements import Elements, elements
from tilewright.figures.figure import Figure
from tilewright.figures.kinship import number
from tilewright.figures.scene import Legend, Panel, Scene
from tilewright.figures.tones import steps
from tilewright.figures.values import story
from tilewright.figures.views import View, view

Seen = tuple[View, Elements]
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
    return Figure(Scene(name, panels, legend, notes=(*captions([one, other]), _verdict(one, other, differ))))


def looked_at(layout: object, shape: Sequence[int] | None = None) -> Seen:
    """The view of a layout, and all of its elements in it."""
    seen = view(layout, shape)
    return seen, elements(layout, seen)


def captions(every: Sequence[Seen]) -> tuple[str, ...]:
    """What the cells of these show, each said once."""
    return tuple(dict.fromkeys(seen.caption(items[0].value) for seen, items in every))


def side_by_side(named: Sequence[tuple[str, Seen]], marked: Sequence[set[Spot]]) -> tuple[tuple[Panel, ...], Legend]:
    """A panel for each, in one scale of their values; in each the cells to outline."""
    keys = [list(map(number, items.answers)) for _, (_, items) in named]
    tones, legend = steps((key for own in keys for key in own), "value")
    panels = map(coloured, named, keys, repeat(tones), marked)
    return tuple(panels), legend


def coloured(named: tuple[str, Seen], keys: Sequence[int], tones: Mapping[int, int], outlined: Set[Spot]) -> Panel:
    """The panel of a layout, each element in the tone of its key."""
    name, (seen, items) = named
    width = seen.domain.columns.count
    marked = [divmod(at, width) in outlined for at in range(len(items))] if outlined else ()
    cells = items.cells(list(map(tones.__getitem__, keys)), keys, marked=marked)
    return Panel(name, seen.domain.rows, seen.domain.columns, cells, subject=name)


def _values(seen: Seen) -> dict[Spot, object]:
    width = seen[0].domain.columns.count
    return {divmod(at, width): value for at, value in enumerate(seen[1].answers)}


def _differing(one: Seen, other: Seen) -> list[Spot]:
    """Where both have a cell, and not the same in it."""
    theirs = _values(other)
    return [spot for spot, value in _values(one).items() if theirs.get(spot, value) != value]


def _verdict(one: Seen, other: Seen, differ: Sequence[Spot]) -> str:
    mine, theirs = _values(one), _values(other)
    both = len(mine.keys() & theirs.keys())
    alone = (
        f"; {len(mine.keys() ^ theirs.keys())} cells are in one of them only" if mine.keys() != theirs.keys() else ""
    )
    if not differ:
        return f"they agree in all {both} cells that both have{alone}"
    row, column = differ[0]
    first = one[0].domain.name[row * one[0].domain.columns.count + column]
    said = f"{story(mine[differ[0]])} and {story(theirs[differ[0]])}"
    return f"framed: they differ in {len(differ)} of {both} cells, first at {first}: {said}{alone}"
