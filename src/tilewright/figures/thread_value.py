"""The picture of a thread-value layout: the tile, with the thread and the value that own each element."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.errors import UsageError, shown
from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.domain import Domain, checked, column_major, strip
from tilewright.figures.figure import Figure
from tilewright.figures.owners import Locate, Owners, label, owners, plus, shared_by, story
from tilewright.figures.scene import Panel, Scene
from tilewright.figures.tones import hues
from tilewright.layout.base import no_layout


def picture(
    layout: object, *, tile: Sequence[int] | None = None, color: str = "thread", title: str | None = None
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
        raise UsageError(f"a thread-value layout has the two modes (thread, value), got {no_layout(layout)}")
    if color not in ("thread", "value"):
        raise UsageError(f"unknown color {shown(color)}; choose thread or value")
    threads, found = shared_by(layout), owners(layout, _locate(tile))
    domain = _domain(found, tile)
    tones, legend = hues((_group(owner, color) for who in found.values() for owner in who), color)
    plain = bool(threads) and color == "thread"
    points = domain.points()
    cells = tuple(
        Cell(
            point.row,
            point.column,
            label(who),
            None if plain else tones[_group(who[0], color)],
            f"{point.name}: {story(who, threads)}",
            key=Key((point.flat,), point.coordinate, owner=who, group=None if plain else _group(who[0], color)),
        )
        for point in points
        if (who := found.get(point.flat))
    )
    panel = Panel("", domain.rows, domain.columns, cells)
    return Figure(Scene(title or str(layout), (panel,), legend, notes=_notes(len(points) - len(cells), cells, threads)))


def _group(owner: Owner, color: str) -> int:
    return (owner.thread if color == "thread" else owner.value) or 0


def _locate(tile: Sequence[int] | None) -> Locate:
    def locate(place: object, owner: Owner) -> int:
        who = f"thread {owner.thread or 0} value {owner.value}"
        if isinstance(place, tuple) and tile is not None and len(place) == 2:
            index, inside = place[0] + tile[0] * place[1], 0 <= place[0] < tile[0] and 0 <= place[1] < tile[1]
        elif type(place) is int:
            index, inside = place, place >= 0 and (tile is None or place < tile[0] * tile[1])
        else:
            raise UsageError(f"{who} lies at {place}; expected an index or a (row, column) in a tile")
        if not inside:
            raise UsageError(f"{who} lies at {place}, outside of the tile {tile or '(from 0)'}")
        return int(index)

    return locate


def _domain(owners: Owners, tile: Sequence[int] | None) -> Domain:
    if tile is None:
        return strip(checked(max(owners) + 1))
    checked(tile[0] * tile[1])
    return column_major(tuple(tile), ("row", "column"))


def _notes(blank: int, cells: tuple[Cell, ...], threads: int) -> tuple[str, ...]:
    shared = (f"all {threads} threads have the whole tile",) if threads else ()
    several = [cell.key.owner for cell in cells if len(cell.key.owner) > 1]
    return (
        *shared,
        *([plus(several)] if several else []),
        *((f"{blank} elements of the tile have no owner",) if blank else ()),
    )
