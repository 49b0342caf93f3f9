"""Cells from JSON that others may have written: every column in any of its forms, every value checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from tilewright.figures.cells import DEFAULTS, Cells
from tilewright.figures.columns import COLUMNS, Column
from tilewright.figures.plain import Reader, below, text, whole
from tilewright.figures.series import Alone, Crossed, OnCopies, Same, Words

MAX_COLUMN = 2**16  # cells of a panel
MAX_TEXT = 2**24  # characters of a column
SUMS = ({int}, {str}, {tuple})  # what rows and columns may have, to be added


@dataclass(frozen=True, slots=True)
class Here:
    """How many cells and columns a panel has, and what is known of the cells by now, by its name."""

    size: int
    columns: int
    known: Mapping[str, Sequence[Any]]


def read(data: Reader, rows: int, columns: int) -> Cells:
    """The cells that such columns stand for, of a panel with so many rows and columns.

    Raises:
        UsageError: a column of another length, or a value that is none of its kind.
    """
    at = _places(data, rows, columns)
    known: dict[str, Sequence[Any]] = {}
    for name, column in COLUMNS.items():
        given, here = data.field(name), Here(len(at), columns, known)
        found = Same(DEFAULTS[name], len(at)) if given.value is None else _column(given, column, here)
        known[name] = found
        known |= named(name, found)
    return _in_order(Cells(at, columns, **{name: known[name] for name in COLUMNS}))


def named(name: str, column: Sequence[Any]) -> Mapping[str, Sequence[int]]:
    """The columns of positions that a column of places has, by their names."""
    copies = column.copies if isinstance(column, OnCopies) else ()
    return {f"{name}.{number}.{axis}": on for number, copy in enumerate(copies) for axis, on in copy.items()}


def _places(data: Reader, rows: int, columns: int) -> Sequence[int]:
    count = data.field("count").read(below(min(rows * columns, MAX_COLUMN) + 1))
    if data.field("row").value is None and data.field("column").value is None:
        return range(count)
    down, across = data.field("row").all(below(rows)), data.field("column").all(below(columns))
    for name, side in (("row", down), ("column", across)):
        if len(side) != count:
            raise data.field(name).wrong(f"a list of {count} items")
    return [row * columns + column for row, column in zip(down, across, strict=True)]


def _in_order(cells: Cells) -> Cells:
    order = sorted(range(len(cells)), key=cells.at.__getitem__)
    return cells if order == list(range(len(cells))) else cells.picked(order)


def _column(data: Reader, column: Column, here: Here) -> Sequence[Any]:
    if not isinstance(data.value, dict):
        return _listed(data, column.read, here)
    form = next((form for form in column.forms if form in data.value), None)
    if form is None:
        raise data.wrong(f"a list, or an object with {' or '.join(column.forms)}")
    return FORMS[form](data, column.read, here)


def _listed(data: Reader, kind: Callable[[object], Any], here: Here) -> Sequence[Any]:
    if len(data.values()) != here.size:
        raise data.wrong(f"a list of {here.size} items")
    return data.all(kind)


def _all(data: Reader, kind: Callable[[object], Any], here: Here) -> Sequence[Any]:
    return Same(data.field("all").read(kind), here.size)


def _rows(data: Reader, kind: Callable[[object], Any], here: Here) -> Sequence[Any]:
    """Elements are read as the numbers that they are, one in each cell."""
    alone = kind is COLUMNS["elements"].read
    rows, columns = (data.field(side).all(whole if alone else kind) for side in ("rows", "columns"))
    if len(columns) != here.columns or len(rows) * len(columns) != here.size:
        raise data.wrong(f"what each of {here.columns} columns has, and each of {here.size // here.columns} rows")
    if {type(value) for value in (*rows, *columns)} not in SUMS:
        raise data.wrong("numbers alone, texts alone or lists alone")
    found = Crossed(rows, columns)
    _bounded(data, found)
    return Alone(found) if alone else found


def _of(data: Reader, kind: Callable[[object], Any], here: Here) -> Sequence[Any]:
    name = data.field("of").read(text)
    if name not in here.known:
        raise data.field("of").wrong(f"one of the columns before it, {', '.join(here.known)}")
    found = here.known[name]
    try:
        for value in found:
            kind(value)
    except TypeError as error:
        raise data.wrong(f"{error} in every cell") from None
    return found


def _text(data: Reader, kind: Callable[[object], Any], here: Here) -> Sequence[Any]:
    parts = tuple(
        part.read(text) if isinstance(part.value, str) else _column(part, PART, here)
        for part in data.field("text").items()
    )
    if all(isinstance(part, str) for part in parts):
        raise data.field("text").wrong("texts and one or more columns")
    found = Words(parts)
    _bounded(data, found)
    return found


def _told(value: object) -> int | str:
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise TypeError("a text or an integer")
    return value if isinstance(value, str) else whole(value)


def _copies(data: Reader, kind: Callable[[object], Any], here: Here) -> Sequence[Any]:
    found = OnCopies(here.size, ())
    for copy in data.field("copies").items():
        known = replace(here, known={**here.known, **named("place", found)})  # a copy may name columns of those before
        found = OnCopies(here.size, (*found.copies, _axes(copy, known)))
    return found


def _axes(data: Reader, here: Here) -> Mapping[str, Sequence[int]]:
    if not isinstance(data.value, dict):
        raise data.wrong("an object with a column for each axis")
    return {axis: _column(data.field(axis), POSITIONS, here) for axis in data.value}


def _bounded(data: Reader, found: Sequence[Any]) -> None:
    if _weight(found) > MAX_TEXT:
        raise data.wrong(f"at most {MAX_TEXT} characters in all")


def _weight(found: Sequence[Any]) -> int:
    """The characters that a column of texts has if it is written out."""
    match found:
        case Words():
            size = len(found)
            return sum(len(part) * size if isinstance(part, str) else _weight(part) for part in found.parts)
        case Crossed():
            return _weight(found.rows) * len(found.columns) + _weight(found.columns) * len(found.rows)
    return sum(len(value) if isinstance(value, str | tuple) else 1 for value in found)


FORMS: Mapping[str, Callable[[Reader, Callable[[object], Any], Here], Sequence[Any]]] = MappingProxyType(
    {"all": _all, "rows": _rows, "of": _of, "text": _text, "copies": _copies}
)
POSITIONS = Column(None, whole, ("all", "rows", "of"))
PART = Column(None, _told, ("all", "rows", "of"))
