"""The picture of a placement on named axes: the tile's elements, and the hardware's places with what lies there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from math import prod
from typing import TypeAlias

from tilewright.errors import UsageError, shown
from tilewright.figures.cells import Cells
from tilewright.figures.contents import Contents, contents
from tilewright.figures.domain import checked
from tilewright.figures.elements import Elements, elements
from tilewright.figures.figure import Figure
from tilewright.figures.fold import folded
from tilewright.figures.scene import Panel, Ruler, Scene
from tilewright.figures.series import Alone, Crossed, OnCopies, picked, words
from tilewright.figures.tones import hues
from tilewright.figures.values import axes, copies, places
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
    on = _positions(items, (*down, columns))
    rows, row = _rows(on[:-1], len(on[-1]))
    right = sorted(set(on[-1]))
    checked(len(rows) * len(right))
    column_of = {at: i for i, at in enumerate(right)}
    spots = [up * len(right) + column_of[at] for up, at in zip(row, on[-1], strict=True)]
    at, held = _held(spots, len(items))
    where = dict(zip((*down, columns), _crossed(rows, right, len(down)), strict=True))
    if len(at) < len(rows) * len(right):
        where = {name: picked(positions, at) for name, positions in where.items()}
    group = picked(groups, [own[0] for own in held])
    told = _cells(at, len(right), held, where, items)
    cells = replace(told, group=group, tone=list(map(tones.__getitem__, group)))
    heavy = tuple(i for i in range(1, len(rows)) if len(down) > 1 and rows[i][0] != rows[i - 1][0])
    ruler = Ruler(tuple(",".join(map(str, at)) for at in rows), ", ".join(down), heavy)
    return Panel(" x ".join((*down, columns)), ruler, Ruler(tuple(map(str, right)), columns), cells)


def _crossed(rows: Sequence[Positions], right: Sequence[int], count: int) -> Iterator[Sequence[int]]:
    """Of all spots the positions on each of the axes that go down, so many, and on the one that goes right."""
    yield from (Crossed([row[i] for row in rows], [0] * len(right)) for i in range(count))
    yield Crossed([0] * len(rows), right)


def _held(spots: Sequence[int], count: int) -> tuple[list[int], Sequence[tuple[int, ...]]]:
    """The spots in their order, and the numbers of the elements at each, of which there are so many in each copy."""
    there = dict(zip(spots, range(len(spots)), strict=True))
    if len(there) == len(spots):
        at = sorted(there)
        return at, Alone([there[spot] % count for spot in at])
    found: dict[int, list[int]] = {}
    for number, spot in enumerate(spots):
        found.setdefault(spot, []).append(number % count)
    at = sorted(found)
    return at, [tuple(sorted(found[spot])) for spot in at]


def _rows(down: Sequence[Sequence[int]], count: int) -> tuple[list[Positions], Sequence[int]]:
    """The rows, and the one of each of so many elements by their positions on the axes that go down.

    Rows are all combinations of the positions that are used on each axis, where they are few; else those that are used.
    """
    each = [sorted(set(positions)) for positions in down]
    row = [0] * count  # in all combinations, as a number with a digit for each axis
    for positions, used in zip(down, each, strict=True):
        digit = {at: i for i, at in enumerate(used)}
        row = [number * len(used) + digit[at] for number, at in zip(row, positions, strict=True)]
    taken = sorted(set(row))
    if prod(map(len, each)) <= 2 * len(taken):
        return list(product(*each)), row
    row_of = {number: i for i, number in enumerate(taken)}
    first = {number: at for at, number in enumerate(row)}
    places = [tuple(positions[first[number]] for positions in down) for number in taken]
    return places, list(map(row_of.__getitem__, row))


def _positions(items: Elements, names: Sequence[str]) -> list[list[int]]:
    """On each of these axes the positions of all elements, copy after copy."""
    copies: Iterable[Mapping[str, Sequence[int]]] = items.answers.copies
    if not copies:
        each = zip(*map(places, items.answers), strict=True)
        copies = [{name: [place[name] for place in copy] for name in names} for copy in each]
    return [list(chain.from_iterable(copy[name] for copy in copies)) for name in names]


def _cells(
    at: Sequence[int],
    width: int,
    held: Sequence[tuple[int, ...]],
    where: Mapping[str, Sequence[int]],
    items: Elements,
) -> Cells:
    """The cells of places, each with the numbers of the elements that it holds."""
    axes_ = [part for axis, positions in where.items() for part in (", ", f"{axis} ", positions)][1:]
    inside = contents(items.domain, held)
    return Cells(
        at,
        width,
        label=_labels(inside),
        note=words(len(at), *axes_, ": ", inside.told),
        elements=inside.elements,
        coordinate=inside.coordinate,
        place=OnCopies(len(at), (where,)),
    )


def _labels(inside: Contents) -> Sequence[str]:
    if isinstance(inside.held, Alone):
        return picked(inside.names, inside.first)
    return [_label([inside.names[n] for n in own[:SHOWN]], len(own)) for own in inside.held]


def _label(names: Sequence[str], count: int) -> str:
    return "\n".join(names) if count <= SHOWN else f"{names[0]}\n+{count - 1}"
