"""The modes of a tile as advice may place them anew: which one is contiguous, and which ones its lines may follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.analysis.descriptor.matrix import Matrix
from tilewright.analysis.model.memory import Tile, without_swizzle
from tilewright.errors import LayoutError
from tilewright.layout.inttuple import modes, product
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce, composition
from tilewright.tirx.views import Tirx


@dataclass(frozen=True, slots=True)
class Outline:
    """The modes of a tile in the order in which its index counts them, each coalesced.

    `along` is the mode in which neighbours are neighbours in memory; a mode that counts something else first is taken
    apart, so that it does. `across` are the modes that lines of a box or of an atom may follow: the other side of the
    matrix, and what is nearest in memory. `outward` are all but `along`, the nearest in memory first; `sides` tells the
    modes of columns from those of rows.
    """

    modes: tuple[Layout[int], ...]
    along: int
    across: tuple[int, ...]
    outward: tuple[int, ...]
    sides: tuple[bool, ...]

    @property
    def before(self) -> tuple[int, ...]:
        """The extents that rows, or columns, count before their contiguous elements."""
        beside = (self.modes[i].size for i in range(self.along) if self.sides[i] == self.sides[self.along])
        return tuple(size for size in beside if size > 1)

    @property
    def has_runs(self) -> bool:
        """Do elements follow each other in memory?"""
        return _first_step(self.modes[self.along]) == 1


def outline(layout: Tile, tile: Matrix) -> Outline:
    """The outline of a tile, which `tile` is as a matrix; CuTe's modes are its own, TIRx's are columns and rows.

    >>> from tilewright.analysis.descriptor.matrix import matrix
    >>> tile = Layout((64, (2, 64)), (128, (64, 1)))
    >>> found = outline(tile, matrix(tile))
    >>> [str(mode) for mode in found.modes], found.along, found.across
    (['64:128', '2:64', '64:1'], 2, (0, 1))
    """
    parts = [(side > 0, part) for side, mode in enumerate(_modes(layout, tile)) for part in _apart(mode)]
    sides, modes = zip(*parts, strict=True)
    numbers = range(len(modes))
    along = next((i for i in numbers if _first_step(modes[i]) == 1), _by_index(tile, len(modes)))
    outward = tuple(sorted((i for i in numbers if i != along), key=lambda i: _least_step(modes[i])))
    long = [i for i in outward if modes[i].size > 1]
    beside = [i for i in sorted(long) if sides[i] != sides[along]]
    return Outline(modes, along, tuple(dict.fromkeys((*beside[:1], *long[:1]))), outward, sides)


def restored(layout: Tile, plain: Layout[int]) -> Layout[int]:
    """A layout of a tile's index with the tile's modes: those of its shape, else one for each of its outermost.

    Raises:
        LayoutError: it runs across them.

    >>> print(restored(Layout((8, (8, 8))), Layout((8, (16, 4)), (16, (1, 128)))))
    (8,(8,(2,4))):(16,(1,(8,128)))
    """
    inner = without_swizzle(layout).inner
    if isinstance(layout, Tirx) or not isinstance(inner, Layout):
        return plain
    try:
        return composition(plain, Layout(inner.shape))
    except LayoutError:
        return composition(plain, Layout(tuple(product(mode.shape) for mode in inner)))


def _modes(layout: Tile, tile: Matrix) -> Iterator[Layout[int]]:
    """The tile's outermost modes, or the two of a matrix that they do not make."""
    inner = without_swizzle(tile.place).inner
    if not isinstance(inner, Layout):
        raise LayoutError(f"{tile.place} is no layout under one swizzle")
    if isinstance(layout, Tirx) or product(modes(inner.shape)[0]) != tile.rows:
        inner = tile.arranged(*tile.plain(Layout(tile.rows), Layout(tile.columns)))
    return map(coalesce, inner if isinstance(inner.shape, tuple) else (inner,))


def _apart(mode: Layout[int]) -> Iterator[Layout[int]]:
    """The mode, or its parts where one of them is contiguous and not the first."""
    if any(extent > 1 and stride == 1 for extent, stride in mode.flat[1:]):
        return (Layout(extent, stride) for extent, stride in mode.flat)
    return iter((mode,))


def _by_index(tile: Matrix, count: int) -> int:
    """Where nothing is contiguous: the first mode of columns, or the mode of rows, as the matrix takes it."""
    return min(1, count - 1) if tile.by_row == (tile.row_step == 1) else 0


def _first_step(mode: Layout[int]) -> int:
    extent, stride = mode.flat[0]
    return stride if extent > 1 else 0


def _least_step(mode: Layout[int]) -> int:
    return min((abs(stride) for extent, stride in mode.flat if extent > 1), default=0)
