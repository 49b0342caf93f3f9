"""Thread-value layouts of the usual ways to walk over a tile: along its rows or down its columns, in vectors."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.analysis.banks.instructions import parse_instruction
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile, described, memory_layout, without_swizzle
from tilewright.arch import ArchSpec
from tilewright.errors import LayoutError, UsageError, counted, shown
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import product
from tilewright.layout.layout import Layout
from tilewright.layout.operations import composition
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.tile_layout import TileLayout

MATRIX_ROWS = 8
ROWS, COLUMNS = "rows", "columns"


@dataclass(frozen=True)
class Plane:
    """A tile as rows and columns: extents, the steps of its coordinate's index, and which way memory runs.

    `by_row` holds when neighbours in a row are neighbours in memory; vectors lie that way.
    """

    rows: int
    columns: int
    row_step: int
    column_step: int
    by_row: bool

    @property
    def along(self) -> str:
        """The walk that follows memory, `rows` or `columns`; the other one goes across it."""
        return ROWS if self.by_row else COLUMNS

    @property
    def across(self) -> str:
        """The walk that goes from one line of memory to the next."""
        return COLUMNS if self.by_row else ROWS

    @property
    def run(self) -> int:
        """Elements that follow each other in memory."""
        return self.columns if self.by_row else self.rows

    def walk(self, order: str, length: int) -> Layout:
        """Number of a vector of `length` elements in the walk -> index of its first element's coordinate.

        Raises:
            UsageError: vectors that do not fit the tile.
        """
        if self.run % length:
            raise UsageError(f"vectors of {counted(length, 'element')} do not fill {self.along} of {self.run} elements")
        down, across = (1, length) if self.by_row else (length, 1)
        row = (self.rows // down, down * self.row_step)
        column = (self.columns // across, across * self.column_step)
        first, second = (column, row) if order == ROWS else (row, column)
        return Layout((first[0], second[0]), (first[1], second[1]))


def plane(layout: Tile) -> Plane:
    """Rows and columns of a tile: mode 0 and the others in CuTe's order; the last dimension has the columns in TIRx's.

    Raises:
        LayoutError: not a static map to offsets in memory.

    >>> plane(Layout((8, 64), (64, 1)))
    Plane(rows=8, columns=64, row_step=1, column_step=8, by_row=True)
    """
    known = memory_layout(layout)
    plain = without_swizzle(known).inner if isinstance(known, Layout | ComposedLayout) else known
    if not isinstance(plain, Layout) or type(plain.size) is not int or type(plain(0)) is not int:
        raise LayoutError(f"no static layout of a tile in memory: {described(layout)}")
    shape = plain.shape if isinstance(plain.shape, tuple) else (plain.shape,)
    first = product(shape[:1])
    rest = plain.size // first
    row_step, column_step = (1, first)
    rows, columns = first, rest
    if isinstance(layout, TileLayout | ComposeLayout):
        rows, columns, row_step, column_step = rest, first, first, 1
    by_row = _is_next(plain, column_step, columns) or not _is_next(plain, row_step, rows)
    return Plane(rows, columns, row_step, column_step, by_row)


def walking(
    layout: Tile,
    order: str,
    width: int,
    *,
    element_bits: int,
    threads: int,
    kind: str = "load",
    instruction: str = "auto",
) -> Access:
    """The access of a whole tile in which neighbouring threads take neighbouring vectors of `width` bytes.

    Args:
        layout: the tile.
        order: `rows` (along a row first) or `columns` (down a column first).
        width: bytes of a vector, which lies the way memory runs.
        element_bits: bits of an element.
        threads: how many walk together, at most; a smaller tile takes fewer.
        kind, instruction: of the access.

    Raises:
        UsageError: an unknown order, or vectors and threads that do not fill the tile.

    >>> rows = walking(Layout((8, 64), (64, 1)), "rows", 16, element_bits=16, threads=32)
    >>> print(rows.thread_value, rows.vector_bits)
    ((8,4),(8,2)):((64,1),(8,4)) 128
    """
    if order not in (ROWS, COLUMNS):
        raise UsageError(f"walk along rows or columns, not {shown(order)}")
    if 8 * width % element_bits:
        raise UsageError(f"a vector of {counted(width, 'byte')} holds no whole number of {element_bits}-bit elements")
    tile, length = plane(layout), 8 * width // element_bits
    vectors = tile.walk(order, length)
    together = min(threads, vectors.size)
    if vectors.size % together:
        raise UsageError(
            f"{vectors.size} vectors of {counted(width, 'byte')} are no whole number of instructions of "
            f"{together} threads; "
            "give a layout instead"
        )
    step = tile.column_step if tile.by_row else tile.row_step
    thread_value = _shared(vectors, together, Layout(length, step))
    return Access(thread_value, 8 * width, kind, instruction)


def by_matrices(layout: Tile, instruction: str, spec: ArchSpec, *, element_bits: int) -> Access:
    """The access of a whole tile by `ldmatrix` or `stmatrix`: each lane names 16 bytes of the next line of memory.

    Which matrices go together changes no phase: 8 lanes are served at a time, and have one matrix.

    Raises:
        UsageError: an instruction that the architecture does not have, a tile that is not made of matrices.

    >>> from tilewright.arch import get
    >>> tile = Layout((16, 64), (64, 1))
    >>> print(by_matrices(tile, "ldmatrix.x4", get("sm_90"), element_bits=16).thread_value)
    ((16,2),(8,4)):((1,128),(16,256))
    """
    known = parse_instruction(instruction, "load" if instruction.startswith("ld") else "store", spec)
    tile = plane(layout)
    lines = tile.rows if tile.by_row else tile.columns
    if lines % MATRIX_ROWS:
        raise UsageError(f"{instruction} takes 8 lines of 16 bytes a matrix; the tile has {lines} lines")
    width = known.width or 16
    threads = known.lanes or spec.lanes
    return walking(
        layout, tile.across, width, element_bits=element_bits, threads=threads, kind=known.kind, instruction=instruction
    )


def _shared(vectors: Layout[int], together: int, vector: Layout[int]) -> Layout[int] | ComposedLayout[int]:
    """(thread, (element of a vector, instruction)) -> index; a composition where no layout goes across ends of lines.

    >>> print(_shared(Layout((3, 4), (4, 1)), 2, Layout(1, 0)), _shared(Layout((4, 3), (3, 1)), 2, Layout(1, 0)))
    ((3,4),1):((4,1),0) o 0 o (2,(1,6)):(1,(12,2)) (2,(1,(2,3))):(3,(0,(6,1)))
    """
    rounds = vectors.size // together
    try:
        thread, instruction = composition(vectors, Layout((together, rounds)))
    except LayoutError:
        cells = Layout((vectors.shape, vector.shape), (vectors.stride, vector.stride))
        count = (together, (vector.shape, rounds))
        return ComposedLayout(cells, 0, Layout(count, (1, (vectors.size, together))))
    values = Layout((vector.shape, instruction.shape), (vector.stride, instruction.stride))
    return Layout((thread.shape, values.shape), (thread.stride, values.stride))


def _is_next(plain: Layout, step: int, extent: int) -> bool:
    return extent > 1 and bool(plain(step) - plain(0) == 1)
