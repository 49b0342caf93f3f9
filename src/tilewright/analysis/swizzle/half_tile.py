"""A tile staged through swizzled shared memory: who touches which vector, where it lies, and what that costs.

The unit is the vector of 128 bits: a line of shared memory holds eight of them, and the eight lanes
that are served together must meet in none of the eight places. Everything here follows from the tile's layout, the
swizzle, and the arrangement of the threads.

Source: "A generic swizzle function", a note on staging a 16x16 tile of halves under Sw<2,3,3>.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from tilewright.analysis.banks.conflicts import bank_conflicts_at
from tilewright.analysis.banks.raw import integer
from tilewright.analysis.banks.report import BankReport
from tilewright.arch import get as get_arch
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import LayoutError, shown
from tilewright.layout.inttuple import flatten, modes, product
from tilewright.layout.layout import Layout, idx2crd
from tilewright.layout.operations import composition, right_inverse, upcast
from tilewright.layout.swizzle import Swizzle

Rows = tuple[tuple[int, ...], ...]

SWIZZLE = Swizzle(2, 3, 3)


@dataclass(frozen=True)
class StagedTile:
    """A tile (row, column) -> element offset, kept in shared memory under a swizzle of these offsets.

    >>> tile = StagedTile(Layout((16, 16), (16, 1)), Swizzle(2, 3, 3))
    >>> print(tile.vectors, tile.moved, tile.places)
    (16,2):(2,1) Sw<2,0,3> 8
    >>> tile.contents(tile.lines)[1]
    (9, 8, 11, 10, 13, 12, 15, 14)
    """

    layout: Layout[int]
    swizzle: Swizzle
    element_bits: int = 16
    vector_bits: int = 128
    arch: str = "sm_90"

    def __post_init__(self) -> None:
        if not isinstance(self.layout, Layout) or not isinstance(self.swizzle, Swizzle):
            raise LayoutError(f"a tile and its swizzle, got {shown(self.layout)} and {shown(self.swizzle)}")

    @property
    def vectors(self) -> Layout[int]:
        """(row, vector column) -> the number of the vector."""
        return self.cells(self.vector_bits)

    @property
    def moved(self) -> Swizzle:
        """The swizzle on numbers of vectors, an involution: vector v lies at moved(v), and moved(v) at v.

        Raises:
            LayoutError: the swizzle takes vectors apart.
        """
        length = self.vector_bits // self.element_bits
        if self.swizzle.b and 1 << self.swizzle.m < length:
            raise LayoutError(
                f"{self.swizzle} takes vectors of {length} elements apart: it moves {1 << self.swizzle.m}"
            )
        return Swizzle(self.swizzle.b, max(0, self.swizzle.m - length.bit_length() + 1), self.swizzle.s)

    @property
    def places(self) -> int:
        """Vectors in a line of shared memory, which the note calls its banks."""
        return get_arch(self.arch).rule("load", BANK_BYTES).banks * BANK_BYTES * 8 // self.vector_bits

    @property
    def lines(self) -> Layout[int]:
        """(line, place) -> the number of the vector that lies there in a tile without a swizzle."""
        return Layout((self.vectors.size // self.places, self.places), (self.places, 1))

    def cells(self, bits: int) -> Layout[int]:
        """(row, column of cells) -> the number of the cell of that many bits."""
        wide: Layout[int] = upcast(self.layout, bits // self.element_bits)
        return wide

    def contents(self, grid: Layout[int]) -> Rows:
        """The vector that lies at each position of a grid of positions."""
        return table(grid, self.moved)

    def plain(self) -> StagedTile:
        """The same tile without a swizzle."""
        return replace(self, swizzle=Swizzle(0, self.swizzle.m, self.swizzle.s))


@dataclass(frozen=True)
class Step:
    """The computation of one address, step by step.

    lane -> (lane_row, lane_col) in the arrangement of threads -> (i, j) in the tile -> its number -> its swizzled
    number -> the byte, and with it the line and the place in the line.
    """

    lane: int
    lane_row: int
    lane_col: int
    i: int
    j: int
    number: int
    swizzled: int
    byte: int
    line: int
    place: int


@dataclass(frozen=True)
class Movement:
    """A warp stores a tile to shared memory, or loads it, `bits` per thread and instruction.

    `threads` arranges the threads, (row, column) -> thread; where it is smaller than the tile it is repeated, down
    first, each repetition being an instruction.

    >>> tile = StagedTile(Layout((16, 16), (16, 1)), Swizzle(2, 3, 3))
    >>> down = Movement("columns first", tile, Layout((16, 2), (1, 16)), 128, "store")
    >>> down.step(4), down.report().conflict_free, down.without_swizzle().report().ways
    (Step(lane=4, lane_row=4, lane_col=0, i=4, j=0, number=64, swizzled=72, byte=144, line=1, place=1), True, 2)
    """

    name: str
    tile: StagedTile
    threads: Layout[int]
    bits: int
    kind: str

    @cached_property
    def cells(self) -> Layout[int]:
        """(row, column of cells) -> the number of the cell, a cell being what one thread moves at once."""
        return self.tile.cells(self.bits)

    @property
    def repeats(self) -> tuple[int, int]:
        """How often the arrangement of threads is repeated, down and across."""
        down, across = (product(extent) for extent in modes(self.cells.shape))
        rows, columns = (product(extent) for extent in modes(self.threads.shape))
        if down % rows or across % columns:
            raise LayoutError(f"threads {rows} x {columns} do not cover {down} x {across} vectors of {self.bits} bits")
        return down // rows, across // columns

    @property
    def owner(self) -> Layout[int]:
        """(row, column of cells) -> the thread that moves the cell; repetitions have stride 0."""
        modes = zip(self.threads, self.repeats, strict=True)
        shapes, strides = zip(*(((mode.shape, times), (mode.stride, 0)) for mode, times in modes), strict=True)
        return Layout(shapes, strides)

    @property
    def instructions(self) -> int:
        """Instructions of each thread."""
        down, across = self.repeats
        return down * across

    @property
    def thread_value(self) -> Layout[int]:
        """(thread, value) -> colexicographic index of the tile's coordinate, for `bank_conflicts`.

        >>> print(movements()[2].thread_value)
        ((4,8),(4,(2,2))):((64,1),(16,(8,256)))
        """
        down = product(modes(self.cells.shape)[0])
        length = self.bits // self.tile.element_bits
        rows, columns = (product(extent) for extent in modes(self.threads.shape))
        threads = composition(Layout((rows, columns), (1, down * length)), right_inverse(self.threads))
        repeats = Layout(self.repeats, (rows, down * length * columns))
        return Layout((threads.shape, (length, repeats.shape)), (threads.stride, (down, repeats.stride)))

    def threads_of(self, vector: int) -> tuple[int, ...]:
        """The threads that move a vector of the tile's width, in the order of its bits."""
        return self._owners[vector]

    @cached_property
    def _owners(self) -> dict[int, tuple[int, ...]]:
        share = self.tile.vector_bits // self.bits
        owner, cells = self.owner, self.cells
        found: dict[int, tuple[int, ...]] = {}
        for _, cell, thread in sorted((cells(x) // share, cells(x), owner(x)) for x in range(cells.size)):
            found[cell // share] = (*found.get(cell // share, ()), thread)
        return found

    def step(self, lane: int, instruction: int = 0) -> Step:
        """The address that a lane computes."""
        tile = self.tile
        lane_row, lane_col = idx2crd(right_inverse(self.threads)(lane), flatten(self.threads.shape))
        down, across = idx2crd(instruction, self.repeats)
        rows, columns = (product(extent) for extent in modes(self.threads.shape))
        i, j = lane_row + rows * down, (lane_col + columns * across) * (self.bits // tile.element_bits)
        number = tile.layout(i, j)
        swizzled = tile.swizzle(number)
        byte = swizzled * tile.element_bits // 8
        line, inside = divmod(byte, tile.places * tile.vector_bits // 8)
        return Step(lane, lane_row, lane_col, i, j, number, swizzled, byte, line, inside * 8 // tile.vector_bits)

    def steps(self, instruction: int = 0) -> Iterator[Step]:
        """The addresses of all lanes."""
        return (self.step(lane, instruction) for lane in range(self.threads.size))

    def report(self) -> BankReport:
        """The wavefronts of all instructions, without merging of lanes."""
        rows = [[step.byte for step in self.steps(instruction)] for instruction in range(self.instructions)]
        return bank_conflicts_at(rows, self.bits // 8, kind=self.kind, arch=self.tile.arch, merge=False)

    def without_swizzle(self) -> Movement:
        """The same movement of the tile without a swizzle."""
        return replace(self, tile=self.tile.plain())


def table(layout: Layout[int], function: Callable[[int], int] = int) -> Rows:
    """The values of a layout of rank 2 as rows, through a function.

    >>> table(Layout((2, 3), (3, 1)))
    ((0, 1, 2), (3, 4, 5))
    """
    rows, columns = (product(extent) for extent in modes(layout.shape))
    return tuple(tuple(function(layout(r, c)) for c in range(columns)) for r in range(rows))


def column_major(rows: int, columns: int) -> Layout[int]:
    """ColMajor<rows, columns>."""
    return Layout((rows, columns), (1, rows))


def row_major(rows: int, columns: int) -> Layout[int]:
    """RowMajor<rows, columns>."""
    return Layout((rows, columns), (columns, 1))


def staged_half_tile(tiles: int = 1, swizzle: Swizzle = SWIZZLE) -> StagedTile:
    """The 16x16 tile of halves, or several side by side, each contiguous in memory.

    >>> print(staged_half_tile(2).layout, staged_half_tile(2).vectors)
    (16,(16,2)):(16,(1,256)) (16,(2,2)):(2,(1,32))
    """
    one, tiles = Layout((16, 16), (16, 1)), integer(tiles, "tiles", 1, 1 << 16)
    return StagedTile(one if tiles == 1 else Layout((16, (16, tiles)), (16, (1, one.size))), swizzle)


def movements(swizzle: Swizzle = SWIZZLE) -> tuple[Movement, ...]:
    """The four movements: global to shared in two arrangements, registers to shared, shared to global."""
    one, two = staged_half_tile(1, swizzle), staged_half_tile(2, swizzle)
    return (
        Movement("global -> shared, ColMajor<16,2>", one, column_major(16, 2), 128, "store"),
        Movement("global -> shared, RowMajor<16,2>", one, row_major(16, 2), 128, "store"),
        Movement("registers -> shared, RowMajor<8,4>", two, row_major(8, 4), 64, "store"),
        Movement("shared -> global, RowMajor<16,2>", two, row_major(16, 2), 128, "load"),
    )
