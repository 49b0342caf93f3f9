"""The picture of a thread-value layout: the tile, with the thread and the value that own each element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.errors import UsageError
from tilewright.figures.domain import Domain, checked, column_major, strip
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Cell, Panel, Scene
from tilewright.figures.tones import hues

Owners = dict[int, list[tuple[int, int]]]


def picture(
    layout: Any, *, tile: Sequence[int] | None = None, color: str = "thread", title: str | None = None
) -> Figure:
    """The tile that `layout` maps (thread, value) into: every element shows its owners, `T3` and `V1`.

    Args:
        layout: a layout of rank 2, (thread, value) -> the element's index in the tile, first mode fastest,
            or its coordinate (row, column).
        tile: (rows, columns); without it the image is drawn as one line, wrapped.
        color: `thread` or `value`.
        title: instead of the layout's text.

    Raises:
        UsageError: rank other than 2, an element outside the tile, more than 65536 elements.
    """
    if getattr(layout, "rank", None) != 2:
        raise UsageError(f"a thread-value layout has the two modes (thread, value), got {layout}")
    if color not in ("thread", "value"):
        raise UsageError(f"unknown color {color!r}; choose thread or value")
    owners = _owners(layout, tile)
    domain = _domain(owners, tile)
    which = 0 if color == "thread" else 1
    tones, legend = hues((owner[which] for found in owners.values() for owner in found), color)
    cells = tuple(
        Cell(p.row, p.column, _label(found), tones[found[0][which]], f"{p.name}: {_story(found)}")
        for p in domain.points()
        if (found := owners.get(p.flat))
    )
    panel = Panel("", domain.rows, domain.columns, cells)
    return Figure(Scene(title or str(layout), (panel,), legend, notes=_notes(domain, cells)))


def _owners(layout: Any, tile: Sequence[int] | None) -> Owners:
    checked(layout.size)
    threads, values = layout[0].size, layout[1].size
    found: Owners = {}
    for value in range(values):
        for thread in range(threads):
            index = _index(layout(thread, value), tile, thread, value)
            found.setdefault(index, []).append((thread, value))
    return found


def _index(place: Any, tile: Sequence[int] | None, thread: int, value: int) -> int:
    if isinstance(place, tuple) and tile is not None and len(place) == 2:
        index, inside = place[0] + tile[0] * place[1], 0 <= place[0] < tile[0] and 0 <= place[1] < tile[1]
    elif type(place) is int:
        index, inside = place, place >= 0 and (tile is None or place < tile[0] * tile[1])
    else:
        raise UsageError(
            f"thread {thread} value {value} lies at {place}; expected an index or a (row, column) in a tile"
        )
    if not inside:
        raise UsageError(f"thread {thread} value {value} lies at {place}, outside of the tile {tile or '(from 0)'}")
    return int(index)


def _domain(owners: Owners, tile: Sequence[int] | None) -> Domain:
    if tile is None:
        return strip(checked(max(owners) + 1))
    checked(tile[0] * tile[1])
    return column_major(tuple(tile), ("row", "column"))


def _label(found: list[tuple[int, int]]) -> str:
    thread, value = found[0]
    more = f"+{len(found) - 1}" if len(found) > 1 else ""
    return f"T{thread}{more}\nV{value}"


def _story(found: list[tuple[int, int]]) -> str:
    return ", ".join(f"thread {t} value {v}" for t, v in found[:32]) + (", ..." if len(found) > 32 else "")


def _notes(domain: Domain, cells: tuple[Cell, ...]) -> tuple[str, ...]:
    blank = len(domain.points()) - len(cells)
    return (f"{blank} elements of the tile have no owner",) if blank else ()
