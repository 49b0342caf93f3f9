"""The picture of a thread-value layout: the tile, with the thread and the value that own each element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tilewright.errors import UsageError, shown
from tilewright.figures.cell import Owner
from tilewright.figures.cells import Cells
from tilewright.figures.domain import Domain, checked, column_major, strip
from tilewright.figures.figure import Figure
from tilewright.figures.owners import Locate, Owners, distinct, firsts, owners, plus, shared_by, texts
from tilewright.figures.scene import MAX_CELLS, Legend, Panel, Scene
from tilewright.figures.series import Alone, Owned, picked, words
from tilewright.figures.tones import hues
from tilewright.layout.base import no_layout

CAPTION = "in each cell: the thread (T) and its value (V) that have the element"
VALUES = "in each cell: the value (V) that is the element"
Tones = Mapping[int, int]


class Tile(NamedTuple):
    """A thread-value layout, and the (rows, columns) that it maps into; without them a line, wrapped."""

    layout: object
    shape: Sequence[int] | None = None


class _Seen(NamedTuple):
    """Who has what in a tile; how many threads have all of it, if they do; how it is coloured, if it is."""

    found: Owners
    domain: Domain
    threads: int
    color: str | None

    @property
    def field(self) -> int:
        """Which field of an owner the colour stands for."""
        return Owner._fields.index(self.color) if self.color else 0


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
    return Figure(tiles(title or str(layout), {"": Tile(layout, _plane(tile))}, color))


def _plane(tile: object) -> tuple[int, int] | None:
    if tile is None:
        return None
    if not isinstance(tile, tuple | list) or len(tile) != 2 or any(type(side) is not int or side < 1 for side in tile):
        raise UsageError(f"a tile has (rows, columns), each 1 or more, got {shown(tile)}")
    return tile[0], tile[1]


def tiles(title: str, named: Mapping[str, Tile], color: str) -> Scene:
    """A panel for each tile, under its name; a thread, or a value, has one colour in all of them.

    Raises:
        UsageError: as `picture`.
    """
    if color not in ("thread", "value"):
        raise UsageError(f"unknown color {shown(color)}; choose thread or value")
    every = {name: _seen(tile, color) for name, tile in named.items()}
    coloured = [seen for seen in every.values() if seen.color]
    groups = {group for seen in coloured for group in distinct(seen.found.who, seen.field)}
    tones, legend = hues(groups, color) if groups else ({}, Legend())
    panels = tuple(
        Panel(name, seen.domain.rows, seen.domain.columns, _cells(seen, tones)) for name, seen in every.items()
    )
    told = {panel.title: tuple(_notes(every[panel.title], panel.cells)) for panel in panels}
    return Scene(title, panels, legend, notes=_once(told))


def _seen(tile: Tile, color: str) -> _Seen:
    layout, shape = tile
    if getattr(layout, "rank", None) != 2:
        raise UsageError(f"a thread-value layout has the two modes (thread, value), got {no_layout(layout)}")
    threads, found = shared_by(layout), owners(layout, _locate(shape), _size(shape))
    return _Seen(found, _domain(found, shape), threads, None if threads and color == "thread" else color)


def _cells(seen: _Seen, tones: Tones) -> Cells:
    flat = list(seen.domain.flat)
    at = [number for number, element in enumerate(flat) if element in seen.found.number]
    who = seen.found.of(picked(flat, at))
    domain = seen.domain.picked(at) if len(at) < len(flat) else seen.domain
    return cells(domain, at, who, tones, firsts(who, seen.field) if seen.color else (), seen.threads)


def cells(
    domain: Domain,
    at: Sequence[int],
    who: Sequence[tuple[Owner, ...]],
    tones: Tones,
    groups: Sequence[int],
    threads: int = 0,
) -> Cells:
    """The cells of elements, with their owners; `groups` are what their colours stand for, `threads` all there are."""
    label, told = texts(who, threads)
    return Cells(
        at,
        domain.columns.count,
        label=label,
        tone=[tones[group] for group in groups],
        note=words(len(at), domain.name, ": ", told),
        elements=Alone(domain.flat),
        coordinate=domain.coordinate,
        owner=who,
        group=groups,
    )


def _locate(tile: Sequence[int] | None) -> Locate:
    def locate(place: object, owner: Owner) -> int:
        if isinstance(place, tuple) and tile is not None and list(map(type, place)) == [int, int]:
            index, inside = place[0] + tile[0] * place[1], 0 <= place[0] < tile[0] and 0 <= place[1] < tile[1]
        elif type(place) is int:
            index, inside = place, place >= 0 and (tile is None or place < tile[0] * tile[1])
        else:
            raise UsageError(f"{_who(owner)} lies at {place}; expected an index or a (row, column) in a tile")
        if not inside:
            raise UsageError(f"{_who(owner)} lies at {place}, outside of the tile {tile or '(from 0)'}")
        return int(index)

    return locate


def _size(tile: Sequence[int] | None) -> int:
    return MAX_CELLS if tile is None else tile[0] * tile[1]


def _who(owner: Owner) -> str:
    return f"thread {owner.thread or 0} value {owner.value}"


def _domain(found: Owners, shape: Sequence[int] | None) -> Domain:
    if shape is None:
        return strip(checked(max(found) + 1))
    checked(shape[0] * shape[1])
    return column_major(tuple(shape), ("row", "column"))


def _notes(seen: _Seen, cells: Cells) -> Iterator[str]:
    yield f"{VALUES}; all {seen.threads} threads have the whole tile" if seen.threads else CAPTION
    several = cells.owner
    if not isinstance(several, Owned):
        several = [who for who in several if len(who) > 1]
    if several and len(several[0]) > 1:
        yield plus(several)
    blank = seen.domain.size - len(cells)
    if blank:
        yield f"{blank} elements of the tile have no owner"


def _once(told: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What is told of every panel as it stands, the rest of it after the panel's name."""
    common = [note for note in next(iter(told.values()), ()) if all(note in notes for notes in told.values())]
    rest = [f"{name}: {note}" for name, notes in told.items() for note in notes if note not in common]
    return (*common, *rest)
