"""The picture of a placement on named axes: the tile's elements, and the hardware's places with what lies there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import TypeAlias

from tilewright.errors import UsageError, shown
from tilewright.figures.cells import Cells
from tilewright.figures.domain import checked
from tilewright.figures.elements import Elements, elements
from tilewright.figures.figure import Figure
from tilewright.figures.fold import folded
from tilewright.figures.scene import Panel, Ruler, Scene
from tilewright.figures.series import OnCopies, picked, words
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
    whole: bool = False,
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
        whole: draw every place; else more than 1024 places that repeat what lies there, as copies do, are drawn
            as their first period, and their title says how often it comes.
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
    positions = items.answers.on(colour) or [0] * len(items)  # of the first copy, which gives all their colour
    tones, legend = hues(positions, colour)
    logical = items.cells(list(map(tones.__getitem__, positions)), positions)
    left = Panel("elements", seen.domain.rows, seen.domain.columns, logical, (0, 0))
    there = replace(_hardware(items, names, columns, positions, tones), place=(0, 1))
    right = there if whole else folded(there)
    note = f"{seen.caption(items[0].value)}; of a place: the elements there, in the colour of the first"
    return Figure(Scene(title or seen.title, (left, right), legend, notes=(note, *copies(items[0].value))))


def _named(seen: View, items: Elements) -> tuple[str, ...]:
    names = axes(items[0].value) if items else ()
    if not any(name in AXES for name in names):
        raise UsageError(f"a placement picture needs a layout on named axes, {seen.title} is on none")
    return names


def _chosen(axis: str | None, names: Sequence[str], option: str) -> str | None:
    if axis is not None and axis not in names:
        raise UsageError(f"{option} {shown(axis)} is no axis of this layout, which has {', '.join(names)}")
    return axis


def _hardware(
    items: Elements, names: Sequence[str], columns: str, groups: Sequence[int], tones: Mapping[int, int]
) -> Panel:
    """A row for each position on the other axes, a column for each on the one that goes right."""
    down = [name for name in names if name != columns]
    there: dict[tuple[Positions, int], list[int]] = {}
    for copy in _copies(items, (*down, columns)):
        for number, (*up, at) in enumerate(copy):
            there.setdefault((tuple(up), at), []).append(number)
    rows = _row_places([at for at, _ in there], len(down))
    right = sorted({at for _, at in there})
    checked(len(rows) * len(right))
    row_of, column_of = ({at: i for i, at in enumerate(order)} for order in (rows, right))
    spots = sorted((row_of[up] * len(right) + column_of[at], up, at) for up, at in there)
    held = [sorted(there[up, at]) for _, up, at in spots]
    where = {name: [up[i] for _, up, _ in spots] for i, name in enumerate(down)} | {columns: [at for *_, at in spots]}
    first = [groups[own[0]] for own in held]
    told = _cells([at for at, _, _ in spots], len(right), held, where, items)
    cells = replace(told, group=first, tone=list(map(tones.__getitem__, first)))
    heavy = tuple(i for i in range(1, len(rows)) if len(down) > 1 and rows[i][0] != rows[i - 1][0])
    ruler = Ruler(tuple(",".join(map(str, at)) for at in rows), ", ".join(down), heavy)
    return Panel(" x ".join((*down, columns)), ruler, Ruler(tuple(map(str, right)), columns), cells)


def _row_places(used: Sequence[Positions], count: int) -> list[Positions]:
    """All combinations of the positions that are used on each axis, where they are few; else those that are used."""
    each = [sorted({at[i] for at in used}) for i in range(count)]
    return list(product(*each)) if prod(map(len, each)) <= 2 * len(set(used)) else sorted(set(used))


def _copies(items: Elements, names: Sequence[str]) -> Iterator[Iterable[tuple[int, ...]]]:
    """Of each copy the positions of every element on these axes."""
    if items.answers.copies:
        yield from (zip(*(copy[name] for name in names), strict=True) for copy in items.answers.copies)
    else:
        each = [places(value) for value in items.answers]
        yield from ([tuple(place[name] for name in names) for place in copy] for copy in zip(*each, strict=True))


def _cells(
    at: Sequence[int],
    width: int,
    held: Sequence[Sequence[int]],
    where: Mapping[str, Sequence[int]],
    items: Elements,
) -> Cells:
    """The cells of places, each with the numbers of the elements that it holds."""
    flat, names = list(items.domain.flat), list(items.domain.name)
    axes_ = [part for axis, positions in where.items() for part in (", ", f"{axis} ", positions)][1:]
    told = [shortened([names[n] for n in own[:TOLD]], len(own), ", ") for own in held]
    return Cells(
        at,
        width,
        label=[_label([names[n].strip("()") for n in own[:SHOWN]], len(own)) for own in held],
        note=words(len(at), *axes_, ": ", told),
        elements=[tuple(flat[n] for n in own) for own in held],
        coordinate=picked(items.domain.coordinate, [own[0] for own in held]),
        place=OnCopies(len(at), (where,)),
    )


def _label(names: Sequence[str], count: int) -> str:
    return "\n".join(names) if count <= SHOWN else f"{names[0]}\n+{count - 1}"
