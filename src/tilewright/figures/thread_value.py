"""The picture of a thread-value layout: the tile, with the thread and the value that own each element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.errors import UsageError, shown
from tilewright.figures.domain import Domain, checked, column_major, strip
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Cell, Panel, Scene
from tilewright.figures.tones import hues
from tilewright.layout.layout import Layout

Owners = dict[int, list[tuple[int, int]]]


def picture(
    layout: Any, *, tile: Sequence[int] | None = None, color: str = "thread", title: str | None = None
) -> Figure:
    """The tile that `layout` maps (thread, value) into: every element shows its owners, `T3` and `V1`.

    Where every thread sees the whole tile, as in an operand read through a descriptor, only the value is shown.

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
        raise UsageError(f"unknown color {shown(color)}; choose thread or value")
    everyone = layout[0].size if _is_shared(layout) else 0
    owners = _owners(layout, tile, 1 if everyone else layout[0].size)
    domain = _domain(owners, tile)
    which = 0 if color == "thread" else 1
    tones, legend = hues((owner[which] for found in owners.values() for owner in found), color)
    plain = everyone and color == "thread"
    cells = tuple(
        Cell(
            p.row,
            p.column,
            _label(found, everyone),
            None if plain else tones[found[0][which]],
            f"{p.name}: {_story(found, everyone)}",
        )
        for p in domain.points()
        if (found := owners.get(p.flat))
    )
    panel = Panel("", domain.rows, domain.columns, cells)
    return Figure(Scene(title or str(layout), (panel,), legend, notes=_notes(domain, cells, everyone)))


def _is_shared(layout: Any) -> bool:
    """Do all threads, of which there are several, have the same values?"""
    if not isinstance(layout, Layout) or layout[0].size == 1:
        return False
    return all(stride == 0 for extent, stride in layout[0].flat if extent != 1)


def _owners(layout: Any, tile: Sequence[int] | None, threads: int) -> Owners:
    checked(threads * layout[1].size)
    found: Owners = {}
    for value in range(layout[1].size):
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


def _label(found: list[tuple[int, int]], everyone: int) -> str:
    thread, value = found[0]
    more = f"+{len(found) - 1}" if len(found) > 1 else ""
    return f"V{value}{more}" if everyone else f"T{thread}{more}\nV{value}"


def _story(found: list[tuple[int, int]], everyone: int) -> str:
    names = (f"all {everyone} threads value {v}" if everyone else f"thread {t} value {v}" for t, v in found[:32])
    return ", ".join(names) + (", ..." if len(found) > 32 else "")


def _notes(domain: Domain, cells: tuple[Cell, ...], everyone: int) -> tuple[str, ...]:
    blank = len(domain.points()) - len(cells)
    shared = (f"all {everyone} threads have the whole tile",) if everyone else ()
    return (*shared, *((f"{blank} elements of the tile have no owner",) if blank else ()))
