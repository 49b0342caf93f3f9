"""`Cells`: all cells of a panel, as a column for each attribute; one of them is a `Cell` where it is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from tilewright.figures.cell import Cell, Key, OnAxes, Owner
from tilewright.figures.series import Same, Series, picked
from tilewright.layout.inttuple import IntTuple

# What a cell has where nothing is said.
DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {**Cell._field_defaults, **Key._field_defaults},
)
KEYS = Key._fields
COLUMNS = tuple(name for name in (*Cell._fields, *KEYS) if name not in ("row", "column", "key"))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cells(Series[Cell]):
    """The cells of a panel with `width` columns, row by row; `at` says where each is: row * width + column.

    A column that is left out holds the default in every cell.

    >>> cells = Cells(range(4), 2, label=("a", "b", "c", "d"), tone=Same(3, 4))
    >>> cells[2] == Cell(row=1, column=0, label="c", tone=3)
    True
    """

    at: Sequence[int]
    width: int
    label: Sequence[str] = ()
    tone: Sequence[int | None] = ()
    note: Sequence[str] = ()
    marked: Sequence[bool] = ()
    formula: Sequence[str] = ()
    elements: Sequence[tuple[int, ...]] = ()
    coordinate: Sequence[IntTuple | None] = ()
    offset: Sequence[int | None] = ()
    place: Sequence[tuple[OnAxes, ...]] = ()
    owner: Sequence[tuple[Owner, ...]] = ()
    byte: Sequence[int | None] = ()
    bank: Sequence[int | None] = ()
    line: Sequence[int | None] = ()
    phase: Sequence[int | None] = ()
    group: Sequence[int | None] = ()

    def __post_init__(self) -> None:
        size = len(self.at)
        if not isinstance(self.at, range) and list(self.at) == list(range(size)):
            object.__setattr__(self, "at", range(size))
        for name in COLUMNS:
            if not len(getattr(self, name)):
                object.__setattr__(self, name, Same(DEFAULTS[name], size))
            assert len(getattr(self, name)) == size, name

    @classmethod
    def of(cls, cells: Iterable[Cell], width: int) -> Cells:
        """The cells of a panel with so many columns, in any order."""
        if isinstance(cells, Cells) and cells.width == width:
            return cells
        ordered = sorted(cells, key=lambda cell: cell[0] * width + cell[1])
        if not ordered:
            return cls((), width)
        row, column, label, tone, note, marked, key, formula = zip(*ordered, strict=True)
        at = tuple(r * width + c for r, c in zip(row, column, strict=True))
        keys = (_column(name, values) for name, values in zip(KEYS, zip(*key, strict=True), strict=True))
        own = dict(
            zip(("label", "tone", "note", "marked", "formula"), (label, tone, note, marked, formula), strict=True)
        )
        return cls(at, width, **own, **dict(zip(KEYS, keys, strict=True)))

    @property
    def row(self) -> Sequence[int]:
        """The row of each."""
        return [at // self.width for at in self.at]

    @property
    def column(self) -> Sequence[int]:
        """The column of each."""
        return [at % self.width for at in self.at]

    @property
    def columns(self) -> Mapping[str, Sequence[Any]]:
        """All columns but the place, by their names."""
        return {name: getattr(self, name) for name in COLUMNS}

    def item(self, at: int) -> Cell:
        """The cell of that number."""
        key = Key(*(getattr(self, name)[at] for name in KEYS))
        row, column = divmod(self.at[at], self.width)
        return Cell(row, column, self.label[at], self.tone[at], self.note[at], self.marked[at], key, self.formula[at])

    def __len__(self) -> int:
        return len(self.at)

    def __iter__(self) -> Iterator[Cell]:
        keys = map(Key, *(getattr(self, name) for name in KEYS))
        own = (self.label, self.tone, self.note, self.marked)
        return map(Cell, self.row, self.column, *own, keys, self.formula)

    def picked(self, numbers: Sequence[int]) -> Cells:
        """The cells of these numbers, in the order in which they are named."""
        kept: dict[int, Sequence[Any]] = {}  # a column of two names is picked once
        for values in self.columns.values():
            if id(values) not in kept:
                kept[id(values)] = picked(values, numbers)
        own = {name: kept[id(values)] for name, values in self.columns.items()}
        return Cells(picked(self.at, numbers), self.width, **own)

    def corner(self, rows: int, columns: int) -> Cells:
        """The cells of the first rows and columns, of a panel that has no more."""
        held = [n for n, at in enumerate(self.at) if at // self.width < rows and at % self.width < columns]
        found = self.picked(held)
        at = [at // self.width * columns + at % self.width for at in found.at]
        return replace(found, at=at, width=columns)

    def transposed(self, rows: int) -> Cells:
        """Rows and columns exchanged, of a panel with so many rows."""
        turned = [at % self.width * rows + at // self.width for at in self.at]
        order = sorted(range(len(turned)), key=turned.__getitem__)
        return replace(self.picked(order), at=picked(turned, order), width=rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cells):
            return NotImplemented
        same = (self.width, list(self.at)) == (other.width, list(other.at))
        return same and all(_equal(getattr(self, name), getattr(other, name)) for name in COLUMNS)

    def __hash__(self) -> int:
        return hash((self.width, tuple(self.at), tuple(self.label)))

    def __repr__(self) -> str:
        return f"<{len(self)} cells>"


def _column(name: str, values: tuple[Any, ...]) -> Sequence[Any]:
    return Same(DEFAULTS[name], len(values)) if values.count(DEFAULTS[name]) == len(values) else values


def _equal(left: Sequence[object], right: Sequence[object]) -> bool:
    return left is right or list(left) == list(right)
