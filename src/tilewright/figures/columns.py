"""Cells as JSON: a list for each attribute of a cell or its key, all as long as there are cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import repeat
from types import MappingProxyType
from typing import Any

from tilewright.figures.cell import Cell, Key, OnAxes, Owner
from tilewright.figures.palette import TONES
from tilewright.figures.plain import Reader, below, lists, many, nested, optional, text, truth, whole

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Column:
    """One attribute: its value where nothing is said, what it is in JSON if not itself, and how that is read."""

    default: object
    write: Callable[[Any], object] | None
    read: Callable[[object], object]


def _on_axes(value: object) -> OnAxes:
    if not isinstance(value, dict):
        raise TypeError("an object with a position for each axis")
    return tuple((text(axis), whole(position)) for axis, position in value.items())


def _owner(value: object) -> Owner:
    pair = many(optional(whole))(value)
    if len(pair) != 2:
        raise TypeError("a thread and a value")
    return Owner(*pair)


NUMBER = Column(None, None, optional(whole))
TEXT = Column("", None, text)
COLUMNS = MappingProxyType(
    {
        "label": TEXT,
        "tone": Column(None, None, optional(below(TONES))),
        "note": TEXT,
        "marked": Column(False, None, truth),
        "formula": TEXT,
        "elements": Column((), list, many(whole)),
        "coordinate": Column(None, lists, optional(nested)),
        "offset": NUMBER,
        "place": Column((), lambda copies: [dict(place) for place in copies], many(_on_axes)),
        "owner": Column((), lambda owners: [list(owner) for owner in owners], many(_owner)),
        **dict.fromkeys(("byte", "bank", "line", "phase", "group"), NUMBER),
    }
)


def written(cells: Iterable[Cell]) -> Json:
    """The columns of the cells; one in which every cell has the default is left out.

    >>> written([Cell(0, 1, "7", key=Key((4,), offset=7))])
    {'row': [0], 'column': [1], 'label': ['7'], 'elements': [[4]], 'offset': [7]}
    """
    cells = tuple(cells)
    found: dict[str, tuple[Any, ...]] = dict(zip(Cell._fields, zip(*cells, strict=True), strict=bool(cells)))
    keys = [cell.key for cell in cells]
    found |= dict(zip(Key._fields, zip(*keys, strict=True), strict=bool(keys)))
    sides: Json = {side: list(found.get(side, ())) for side in ("row", "column")}
    return sides | {
        name: list(map(column.write, values)) if column.write else list(values)
        for name, column in COLUMNS.items()
        if (values := found.get(name, ())) and values.count(column.default) < len(values)
    }


def read(data: Reader, rows: int, columns: int) -> tuple[Cell, ...]:
    """The cells that such columns stand for, of a panel with so many rows and columns.

    Raises:
        UsageError: a column of another length, or a value that is none of its kind.
    """
    across = data.field("column").all(below(columns))
    down = data.field("row").all(below(rows))
    if len(down) != len(across):
        raise data.field("column").wrong(f"a list of {len(down)} items")
    found = {name: _read(data.field(name), column, len(down)) for name, column in COLUMNS.items()}
    keys = map(Key, *(found[name] for name in Key._fields))
    parts = {**found, "row": down, "column": across, "key": keys}
    return tuple(map(Cell, *(parts[name] for name in Cell._fields)))


def _read(data: Reader, column: Column, count: int) -> Iterable[Any]:
    if data.value is None:
        return repeat(column.default, count)
    if len(data.values()) != count:
        raise data.wrong(f"a list of {count} items")
    return data.all(column.read)
