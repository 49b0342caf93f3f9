"""The plane in which a layout's coordinates are drawn: rows, columns, and the coordinate of each cell.

A CuTe layout numbers its coordinates colexicographically (down the first column first), a TIRx layout row-major
(along the first row first): `Domain.flat` is the one place in the pictures that knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple, TypeAlias

from tilewright.errors import UsageError, shown
from tilewright.figures.scene import MAX_CELLS, Ruler
from tilewright.figures.series import Crossed, picked, words
from tilewright.layout.inttuple import IntTuple, to_text
from tilewright.layout.layout import idx2crd

Parts: TypeAlias = tuple[tuple[IntTuple, ...], ...]  # of coordinates

MAX_PLACES = 1 << 18
STRIP = 32  # columns into which a rank-1 layout is wrapped


class Point(NamedTuple):
    """A cell of the plane, its coordinate with the flat index of that, and its text."""

    row: int
    column: int
    flat: int
    coordinate: IntTuple
    name: str


@dataclass(frozen=True, slots=True)
class Domain:
    """Rows and columns, and of each cell, row by row, the coordinate, its flat index, and its text."""

    rows: Ruler
    columns: Ruler
    flat: Sequence[int]
    coordinate: Sequence[IntTuple]
    name: Sequence[str]

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return len(self.flat)

    @property
    def colexicographic(self) -> bool:
        """Is the index next to 0 the one below, rather than the one to the right?"""
        return isinstance(self.flat, Crossed) and self.rows.count > 1 and self.flat.rows[1] == 1

    def picked(self, numbers: Sequence[int]) -> Domain:
        """The same plane with these cells alone."""
        return Domain(
            self.rows,
            self.columns,
            picked(self.flat, numbers),
            picked(self.coordinate, numbers),
            picked(self.name, numbers),
        )

    def points(self) -> list[Point]:
        """Every cell."""
        width = self.columns.count
        rows, columns = (at // width for at in range(self.size)), (at % width for at in range(self.size))
        return list(map(Point, rows, columns, self.flat, self.coordinate, self.name))


def _crossed(rows: Ruler, columns: Ruler, parts: tuple[Parts, Parts], steps: tuple[int, int]) -> Domain:
    """The plane whose coordinates are a part of the row and one of the column; a step leads to an index."""
    upper, lower = ([to_text(part)[1:-1] for part in side] for side in parts)
    down, across = (range(0, side.count * step, step) for side, step in zip((rows, columns), steps, strict=True))
    names = Crossed([f"({text}," for text in upper], [f"{text})" for text in lower])
    return Domain(rows, columns, Crossed(down, across), Crossed(*parts), names)


def column_major(shape: Sequence[Any], titles: tuple[str, str] | None = None) -> Domain:
    """The plane of CuTe coordinates: mode 0 goes down, the modes after it go right, a single mode is wrapped.

    >>> plane = column_major((4, (2, 8)))
    >>> plane.rows.count, plane.columns.count, plane.columns.rules[:3], plane.points()[18]
    (4, 16, (2, 4, 6), Point(row=1, column=2, flat=9, coordinate=(1, (0, 1)), name='(1,(0,1))'))
    """
    if len(shape) < 2:
        return strip(extent(shape))
    rows, columns = checked(extent(shape[0])), checked(extent(shape) // extent(shape[0]))
    titles = titles or ("mode 0", "mode 1" if len(shape) == 2 else f"modes 1-{len(shape) - 1}, mode 1 fastest")
    across = tuple(shape[1:])
    return _crossed(
        ruler(rows, titles[0], _inner(shape[0])),
        ruler(columns, titles[1], _inner(shape[1]) if len(shape) == 2 else extent(shape[1])),
        (tuple((idx2crd(i, shape[0]),) for i in range(rows)), tuple(idx2crd(i, across) for i in range(columns))),
        (1, rows),
    )


def row_major(shape: Sequence[int]) -> Domain:
    """The plane of TIRx coordinates: the last extents go right, those before them down, a single one is wrapped.

    As few go right as make the plane no higher than it is wide.

    >>> plane = row_major((2, 4, 32))
    >>> plane.rows.count, plane.rows.rules, plane.points()[34]
    (8, (4,), Point(row=1, column=2, flat=34, coordinate=(0, 1, 2), name='(0,1,2)'))
    >>> plane = row_major((8, 2, 4, 2))
    >>> plane.rows.title, plane.columns.title, plane.columns.rules
    ('dimension 0', 'dimensions 1-3: 2 x 4 x 2, last fastest', (2, 4, 6, 8, 10, 12, 14))
    """
    if len(shape) < 2:
        return strip(extent(shape))
    checked(extent(shape))
    split = next((n for n in range(len(shape) - 1, 1, -1) if extent(shape[:n]) <= extent(shape[n:])), 1)
    if len(shape) == 2:
        titles = ["row", "column"]
    else:
        titles = [_dimensions(shape, 0, split), _dimensions(shape, split, len(shape))]
    rows, columns = shape[:split], shape[split:]
    return _crossed(
        ruler(extent(rows), titles[0], extent(rows[-1]) if len(rows) > 1 else 0),
        ruler(extent(columns), titles[1], extent(columns[-1]) if len(columns) > 1 else 0),
        (_last_fastest(rows), _last_fastest(columns)),
        (extent(columns), 1),
    )


def _dimensions(shape: Sequence[int], first: int, end: int) -> str:
    """What a side of the plane is called that so many dimensions share."""
    if end == first + 1:
        return f"dimension {first}"
    return f"dimensions {first}-{end - 1}: {' x '.join(map(str, shape[first:end]))}, last fastest"


def _last_fastest(shape: Sequence[int]) -> Parts:
    backwards = tuple(reversed(shape))
    return tuple(idx2crd(i, backwards)[::-1] for i in range(extent(shape)))


def strip(size: int) -> Domain:
    """The plane of a single mode."""
    width = min(checked(size), STRIP)
    starts = tuple(str(first) for first in range(0, size, width))
    every = range(size)
    return Domain(Ruler(starts), ruler(width, "index"), every, every, words(size, every))


def ruler(count: int, title: str = "", period: int = 0) -> Ruler:
    """Labels 0, 1, 2 ..., and a heavy rule every `period` of them."""
    rules = tuple(range(period, count, period)) if 1 < period < count else ()
    return Ruler(tuple(map(str, range(count))), title, rules)


def extent(shape: object) -> int:
    """The number of coordinates.

    Raises:
        UsageError: an extent is below 1, or known only at run time.
    """
    if isinstance(shape, tuple | list):
        return prod(map(extent, shape))
    if type(shape) is int and shape > 0:
        return shape
    raise UsageError(f"a picture needs extents that are known now, each 1 or more, not {shown(shape)}")


def checked(cells: int) -> int:
    """The number of cells, if they can be drawn.

    Raises:
        UsageError: more than 65536.
    """
    if cells > MAX_CELLS:
        raise UsageError(f"{cells} cells are too many for a picture, the limit is {MAX_CELLS}: draw a slice or a tile")
    return cells


def checked_places(elements: int, copies: int) -> int:
    """The number of places that the elements lie at, if they can be drawn.

    Raises:
        UsageError: more than 262144.
    """
    if elements * copies > MAX_PLACES:
        raise UsageError(
            f"{elements} elements at {copies} places each are too many for a picture, "
            f"the limit is {MAX_PLACES} places: draw a slice or a tile"
        )
    return elements * copies


def bare(name: str) -> str:
    """A coordinate's text without the parentheses around it.

    >>> bare("(1,(0,1))"), bare("7")
    ('1,(0,1)', '7')
    """
    return name[1:-1] if name.startswith("(") else name


def _inner(mode: object) -> int:
    return extent(mode[0]) if isinstance(mode, tuple) and mode else 0
