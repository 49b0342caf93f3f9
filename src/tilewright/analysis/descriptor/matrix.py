"""A tile as the matrix (MN, K) that descriptors speak of, however its layout is spelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tilewright.analysis.model.access import elements
from tilewright.analysis.model.memory import Tile, memory_layout, without_swizzle
from tilewright.analysis.model.patterns import plane
from tilewright.analysis.model.vector import Vector
from tilewright.errors import LayoutError, shown
from tilewright.layout.base import LayoutBase
from tilewright.layout.inttuple import product
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce, composition
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.tile_layout import TileLayout

MAX_BYTES = 1 << 18  # what the 14-bit fields of matrix descriptors reach, in units of 16 bytes


@dataclass(frozen=True)
class Matrix:
    """Rows run along MN, columns along K. `place` maps the index row * row_step + column * column_step to an offset.

    `by_row` holds when neighbours in a row are neighbours in memory: the tile is K-major.
    """

    place: LayoutBase
    rows: int
    columns: int
    row_step: int
    column_step: int
    by_row: bool

    def offsets(self, row: Layout[int], column: Layout[int]) -> Vector:
        """The element offset at every (row, column) that two layouts of coordinates name, rows fastest."""
        shape, steps = (row.shape, column.shape), (_times(row, self.row_step), _times(column, self.column_step))
        return elements(self.place, Layout(shape, steps)).offsets

    @cached_property
    def half(self) -> Matrix | None:
        """Every other column, where each lies where its neighbour does: what is stored of a sparse operand; else None.

        >>> found = matrix(Layout((8, (2, 64)), (64, (0, 1))))
        >>> found.half.columns, matrix(Layout((8, 64), (64, 1))).half
        (64, None)
        """
        columns, odd = divmod(self.columns, 2)
        if odd or not self._in_pairs(1, 1) or not self._in_pairs(self.rows, columns):
            return None
        stored = replace(self, columns=columns, column_step=2 * self.column_step)
        return replace(stored, by_row=columns > 1 and stored._runs_along_rows)

    def _in_pairs(self, rows: int, columns: int) -> bool:
        """Does each of so many first elements of a row lie where its neighbour does, of so many first rows?"""
        found = self.offsets(Layout(rows), Layout((columns, 2), (2, 1))).tolist()
        return bool(found[: rows * columns] == found[rows * columns :])

    @property
    def _runs_along_rows(self) -> bool:
        below = without_swizzle(self.place).inner
        return bool(below(self.column_step) - below(0) == 1)

    @property
    def start(self) -> int:
        """The lowest element offset below the swizzle; 0 where the tile is no layout under one swizzle."""
        below = without_swizzle(self.place)
        if not isinstance(below.inner, Layout) or type(below.offset) is not int:
            return 0
        return below.offset + sum(min(0, (extent - 1) * stride) for extent, stride in below.inner.flat)

    def plain(self, row: Layout[int], column: Layout[int]) -> Layout[int]:
        """The layout (row, column) -> offset below the swizzle, at the coordinates named, each mode coalesced.

        Raises:
            LayoutError: the tile is no layout under one swizzle, or not one at these coordinates.
        """
        inner = without_swizzle(self.place).inner
        if not isinstance(inner, Layout):
            raise LayoutError(f"{self.place} is no layout under one swizzle")
        steps = (_times(row, self.row_step), _times(column, self.column_step))
        found = composition(inner, Layout((row.shape, column.shape), steps))
        return Layout(*zip(*((mode.shape, mode.stride) for mode in map(coalesce, found)), strict=True))

    def arranged(self, row: Layout[int], column: Layout[int]) -> Layout[int]:
        """A layout of the tile with these modes, in the order in which the tile's index counts them."""
        first, second = (row, column) if self.row_step == 1 else (column, row)
        return Layout((first.shape, second.shape), (first.stride, second.stride))


def matrix(layout: Tile, shape: Sequence[int] | None = None) -> Matrix:
    """The tile as a matrix: mode 0 and the others in CuTe's order; the last dimension has the columns in TIRx's.

    Args:
        layout: a layout of a tile in shared memory, perhaps swizzled.
        shape: (rows, columns) of a tile whose layout does not say them, as TIRx's flat ones.

    Raises:
        LayoutError: no static map to offsets in memory, or a shape of another size.

    >>> found = matrix(Layout((8, (8, 8)), (64, (1, 8))))
    >>> found.rows, found.columns, found.by_row
    (8, 64, True)
    """
    way, place = plane(layout), memory_layout(layout)
    if shape is None:
        return Matrix(place, way.rows, way.columns, way.row_step, way.column_step, way.by_row)
    rows, columns = _checked_shape(shape, way.rows * way.columns, layout)
    steps = (columns, 1) if isinstance(layout, TileLayout | ComposeLayout) else (1, rows)
    found = Matrix(place, rows, columns, *steps, False)
    return replace(found, by_row=columns > 1 and found._runs_along_rows)


def _checked_shape(shape: object, size: int, layout: object) -> tuple[int, int]:
    if not isinstance(shape, Sequence) or len(shape) != 2 or any(type(n) is not int or n < 1 for n in shape):
        raise LayoutError(f"shape is (rows, columns), two positive integers; got {shown(shape)}")
    if product(tuple(shape)) != size:
        raise LayoutError(f"shape {tuple(shape)} has {product(tuple(shape))} elements, {layout} has {size}")
    return shape[0], shape[1]


def _times(coordinates: Layout[int], step: int) -> int | tuple[int, ...]:
    flat = [stride * step for _, stride in coordinates.flat]
    return tuple(flat) if isinstance(coordinates.shape, tuple) else flat[0]
