"""The picture of a placement on named axes: the tile's elements, and the hardware's places with what lies there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import TypeAlias

from tilewright.errors import UsageError, shown
from tilewright.figures.cell import Cell, Key, OnAxes
from tilewright.figures.domain import checked
from tilewright.figures.elements import Element, elements
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel, Ruler, Scene
from tilewright.figures.tones import hues
from tilewright.figures.values import TOLD, axes, copies, places, shortened
from tilewright.figures.views import View, view
from tilewright.layout.axes import AXES

Positions: TypeAlias = tuple[int, ...]  # one on each of some axes

ACROSS = ("laneid", "tid_in_wg", "tx", "TCol", "F", "m")  # the axis of the columns: the first of these that there is
SHOWN = 2  # elements of one place that a label names


def picture(
    layout: object,
    *,
    shape: Sequence[int] | None = None,
    color: str | None = None,
    across: str | None = None,
    title: str | None = None,
) -> Figure:
    """The tile on the left, the places of its axes on the right; cells of one element are linked.

    Places are the positions that something lies at: lanes go right and registers down, TLane down and TCol right, warps
    and what else there is down before them.

    Args:
        layout: a layout on named axes.
        shape: (rows, columns) of the tile, instead of the layout's own modes.
        color: the axis that gives the colour; None: the first thread axis, or the first.
        across: the axis that goes right.
        title: instead of the layout's text.

    Raises:
        UsageError: a layout on no axis, or one that is none of its axes; more than 65536 cells.

    >>> from tilewright.notation import parse
    >>> layout = parse("S[(2,4):(2@laneid,1@laneid)] + R[2:8@laneid]")
    >>> [panel.title for panel in picture(layout).scene.panels]
    ['elements', 'laneid']
    """
    seen = view(layout, shape)
    items = elements(layout, seen)
    names = _named(seen, items)
    colour = _chosen(color, names, "color") or next(
        (axis for axis in names if axis in AXES and AXES[axis].is_thread()), names[0]
    )
    columns = _chosen(across, names, "across") or next((axis for axis in ACROSS if axis in names), names[-1])
    positions = [_group(item, colour) for item in items]
    tones, legend = hues(positions, colour)
    logical = items.cells(list(map(tones.__getitem__, positions)), positions)
    left = Panel("elements", seen.domain.rows, seen.domain.columns, logical, (0, 0))
    right = replace(_hardware(items, names, columns, colour, tones), place=(0, 1))
    note = f"{seen.caption(items[0].value)}; of a place: the elements there, in the colour of the first"
    return Figure(Scene(title or seen.title, (left, right), legend, notes=(note, *copies(items[0].value))))


def _named(seen: View, items: Sequence[Element]) -> tuple[str, ...]:
    names = axes(items[0].value) if items else ()
    if not any(name in AXES for name in names):
        raise UsageError(f"a placement picture needs a layout on named axes, {seen.title} is on none")
    return names


def _chosen(axis: str | None, names: Sequence[str], option: str) -> str | None:
    if axis is not None and axis not in names:
        raise UsageError(f"{option} {shown(axis)} is no axis of this layout, which has {', '.join(names)}")
    return axis


def _hardware(
    items: Sequence[Element], names: Sequence[str], columns: str, colour: str, tones: Mapping[int, int]
) -> Panel:
    """A row for each position on the other axes, a column for each on the one that goes right."""
    down = [name for name in names if name != columns]
    there: dict[tuple[Positions, int], list[Element]] = {}
    for item in items:
        for place in places(item.value):
            there.setdefault((tuple(place[name] for name in down), place[columns]), []).append(item)
    rows = _row_places([at for at, _ in there], len(down))
    right = sorted({at for _, at in there})
    checked(len(rows) * len(right))
    row_of, column_of = ({at: i for i, at in enumerate(order)} for order in (rows, right))
    cells = tuple(
        _place(row_of[up], column_of[at], dict(zip((*down, columns), (*up, at), strict=True)), held, colour, tones)
        for (up, at), held in there.items()
    )
    heavy = tuple(i for i in range(1, len(rows)) if len(down) > 1 and rows[i][0] != rows[i - 1][0])
    ruler = Ruler(tuple(",".join(map(str, at)) for at in rows), ", ".join(down), heavy)
    return Panel(" x ".join((*down, columns)), ruler, Ruler(tuple(map(str, right)), columns), cells)


def _row_places(used: Sequence[Positions], count: int) -> list[Positions]:
    """All combinations of the positions that are used on each axis, where they are few; else those that are used."""
    each = [sorted({at[i] for at in used}) for i in range(count)]
    return list(product(*each)) if prod(map(len, each)) <= 2 * len(set(used)) else sorted(set(used))


def _place(
    row: int, column: int, at: Mapping[str, int], held: Sequence[Element], colour: str, tones: Mapping[int, int]
) -> Cell:
    points = [item.point for item in held]
    names = [point.name.strip("()") for point in points]
    label = "\n".join(names[:SHOWN]) if len(names) <= SHOWN else f"{names[0]}\n+{len(names) - 1}"
    where = ", ".join(f"{axis} {position}" for axis, position in at.items())
    note = f"{where}: {shortened((point.name for point in points[:TOLD]), len(points), ', ')}"
    place: OnAxes = tuple(at.items())
    group = _group(held[0], colour)
    key = Key(tuple(point.flat for point in points), points[0].coordinate, place=(place,), group=group)
    return Cell(row, column, label, tones[group], note, key=key)


def _group(item: Element, colour: str) -> int:
    """What gives an element its colour, and so all of its copies: where the first one is."""
    return places(item.value)[0].get(colour, 0)
