"""The picture of one element's way to its places: the digits of its number, what each adds to an axis, the copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tilewright.errors import UsageError, counted, shown
from tilewright.figures.cell import Cell, Key
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel, Ruler, Scene
from tilewright.figures.tones import hues
from tilewright.tirx.explain import ElementSteps

CAPTION = "in each cell: a digit times its stride is what it adds to an axis; below, their sums"
GIVEN = ("extent", "digit", "stride")
MOST_COPIES = 32
MEMORY = ("address", "swizzled", "byte", "bank", "line")


def picture(steps: ElementSteps, *, title: str | None = None) -> Figure:
    """A row for each digit of the element's flat number, with what it adds to an axis; then offset, sum and copies.

    An axis has one colour. Of a layout in memory the places have their bytes, banks and lines.

    Args:
        steps: what `explain_element` gives.
        title: instead of the coordinate.

    Raises:
        UsageError: something else.

    >>> from tilewright.notation import parse
    >>> from tilewright.tirx.explain import explain_element
    >>> steps = explain_element(parse("S[(8,2,4,2):(4@laneid,1@warpid,1@laneid,1)] + 5@warpid"), (2, 5), (8, 16))
    >>> picture(steps).scene.panels[0].rows.labels
    ('digit 0', 'digit 1', 'digit 2', 'digit 3', 'offset', 'sum')
    """
    if not isinstance(steps, ElementSteps):
        raise UsageError(f"an element picture needs what explain_element gives, got {shown(steps)}")
    axes = tuple(dict.fromkeys(map(str, (*steps.base, *steps.places[0]))))
    tones, legend = hues(range(len(axes)), "axis", axes.__getitem__)
    panels = [_sums(steps, axes, tones)]
    if steps.memory:
        panels.append(_memory(steps))
    elif len(steps.places) > 1:
        panels.append(_copies(steps, axes, tones))
    name = title or f"element {_text(steps.coord)} of {_text(steps.shape)}: number {steps.flat}"
    return Figure(Scene(name, tuple(panels), legend, notes=(CAPTION, *str(steps).splitlines())))


def _sums(steps: ElementSteps, axes: Sequence[str], tones: Mapping[int, int]) -> Panel:
    count = len(steps.iters)
    rows = [f"digit {i}" for i in range(count)] + ["offset"] * bool(steps.offset) + ["sum"]
    cells = [cell for row in range(count) for cell in _digit(row, steps, axes, tones)]
    cells += _axis_row(count, steps.offset, axes, tones) if steps.offset else []
    cells += _axis_row(len(rows) - 1, {axis: steps.base.get(axis, 0) for axis in axes}, axes, tones)
    across = Ruler((*GIVEN, *axes), "", (len(GIVEN),))
    title = f"number {steps.flat} in digits of {_text(tuple(it.extent for it in steps.iters))}"
    return Panel(title, Ruler(tuple(rows), "", (count,) if count else ()), across, tuple(cells), subject="step")


def _digit(row: int, steps: ElementSteps, axes: Sequence[str], tones: Mapping[int, int]) -> Iterator[Cell]:
    it, (axis, digit, stride) = steps.iters[row], steps.terms[row]
    where = axes.index(axis)
    for column, value in enumerate((it.extent, digit, stride)):
        yield Cell(row, column, str(value), None, f"{GIVEN[column]} {value}", key=Key((row,)))
    note = f"{digit} * {stride} on {axis}"
    yield Cell(row, len(GIVEN) + where, str(digit * stride), tones[where], note, key=Key((row,), group=where))


def _axis_row(row: int, values: Mapping[str, int], axes: Sequence[str], tones: Mapping[int, int]) -> list[Cell]:
    return [
        Cell(row, len(GIVEN) + i, str(values[axis]), tones[i], f"{axis} {values[axis]}", key=Key((row,), group=i))
        for i, axis in enumerate(axes)
        if axis in values
    ]


def _copies(steps: ElementSteps, axes: Sequence[str], tones: Mapping[int, int]) -> Panel:
    """A row for each copy."""
    seen = steps.places[:MOST_COPIES]
    cells = tuple(
        Cell(
            row,
            i,
            str(place.get(axis, 0)),
            tones[i],
            f"copy {row}: {axis} {place.get(axis, 0)}",
            key=Key((row,), group=i),
        )
        for row, place in enumerate(seen)
        for i, axis in enumerate(axes)
    )
    more = f", the first {MOST_COPIES}" if len(steps.places) > MOST_COPIES else ""
    title = f"{len(steps.places)} copies{more}"
    return Panel(title, Ruler(tuple(map(str, range(len(seen)))), "copy"), Ruler(tuple(axes)), cells, subject="copy")


def _memory(steps: ElementSteps) -> Panel:
    """A row for each copy in memory: element, after the swizzle, in bytes, banks and lines."""
    seen = steps.memory[:MOST_COPIES]
    cells = tuple(
        Cell(
            row,
            column,
            str(getattr(place, name)),
            None,
            f"{name} {getattr(place, name)}",
            key=Key((row,), bank=place.bank),
        )
        for row, place in enumerate(seen)
        for column, name in enumerate(MEMORY)
    )
    title = f"in shared memory, {counted(len(steps.memory), 'place')}"
    return Panel(title, Ruler(tuple(map(str, range(len(seen)))), "copy"), Ruler(MEMORY), cells, subject="copy")


def _text(numbers: Sequence[object]) -> str:
    return f"({','.join(map(str, numbers))})"
