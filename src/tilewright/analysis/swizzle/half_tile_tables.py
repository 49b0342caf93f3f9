"""The tables of a note on swizzling a half tile, computed: bits, XOR, numbers of vectors, threads, what lies where.

Each function gives rows of texts: a vector is its number, `T3` a thread, `T3(6)` a thread and its vector.

Source: "A generic swizzle function", the note of `half_tile.py`; `slips` tells where it is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tilewright.analysis.model.slip import Slip
from tilewright.analysis.swizzle.half_tile import SWIZZLE, Movement, movements, row_major, staged_half_tile, table
from tilewright.layout.inttuple import modes, product
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

Texts = tuple[tuple[str, ...], ...]
NUMBERS = "numbers of vectors, a line of shared memory a row"
CELLS = "cells, and the threads and vectors that lie there"


class Table(NamedTuple):
    """A table of the note: its title, the texts over its columns (perhaps none), and its rows."""

    title: str
    header: tuple[str, ...]
    rows: Texts


def tables(swizzle: Swizzle = SWIZZLE) -> tuple[Table, ...]:
    """All tables, in the note's order."""
    columns, rows, store, load = movements(swizzle)
    two = staged_half_tile(2, swizzle)
    return (
        Table(f"{swizzle}: the bits that change, and the bits that are read", (), masks(swizzle)),
        Table("XOR of the bits", ("xor", *_binary(swizzle.b)), xor(swizzle.b)),
        Table(NUMBERS, (), numbers(swizzle)),
        _contents(swizzle),
        *_pair(columns),
        *_pair(rows),
        Table(f"{store.bits} bits per thread, two tiles: {store.name}", (), threads(store)),
        Table(f"{load.bits} bits per thread, two tiles: {load.name}", (), threads(load)),
        Table("the vector at each position of two tiles", (), _texts(two.contents(two.vectors))),
        Table(CELLS, (), _cells_and_owners(store)),
    )


def masks(swizzle: Swizzle) -> Texts:
    """The bits that the swizzle changes (zzz) and those that it reads (yyy), high bits first.

    >>> for row in masks(Swizzle(2, 3, 3)):
    ...     print(*row)
    - - - x x - - -
    x x - - - - - -
    """
    width = swizzle.m + swizzle.b + abs(swizzle.s)
    fields = (swizzle.zzz_mask, swizzle.yyy_mask)
    return tuple(tuple("-x"[field >> bit & 1] for bit in reversed(range(width))) for field in fields)


def xor(bits: int) -> Texts:
    """a ^ b for all numbers of that many bits; the first column names a."""
    names = _binary(bits)
    return tuple((name, *(names[a ^ b] for b in range(1 << bits))) for a, name in enumerate(names))


def numbers(swizzle: Swizzle) -> Texts:
    """The numbers of the swizzle's index space, decimal and binary."""
    width = swizzle.b + abs(swizzle.s)
    return tuple(tuple(f"{n} {n:0{width}b}" for n in row) for row in table(_space(swizzle)))


def threads(movement: Movement) -> Texts:
    """The thread that moves each cell of the tile."""
    return tuple(tuple(f"T{thread}" for thread in row) for row in table(movement.owner))


def owned(movement: Movement, grid: Layout[int], lies: Callable[[int], int]) -> Texts:
    """The threads and the vector at each position of a grid, `lies` giving the vector at a position."""
    return tuple(tuple(_owner(movement, vector) for vector in row) for row in table(grid, lies))


def slips() -> tuple[Slip, ...]:
    """The note's errors, with the computed values.

    >>> slips()[0].right
    'T30,T31(31) T28,T29(30) T30,T31(63) T28,T29(62)'
    """
    store = movements()[2]
    tile, row = store.tile, 14
    position = tile.vectors(row, 0)
    vector = tile.moved(position)
    row_length = tile.vector_bits // tile.element_bits
    return (
        Slip(
            "last table, cells 56 to 59",
            "T28,T29(30) T30,T31(31) T28,T29(63) T30,T31(62)",
            " ".join(owned(store, tile.vectors, tile.moved)[row]),
            f"cell 56 is position {position} of its tile, where vector {position} ^ ({position} >> {tile.moved.s}) = "
            f"{vector} lies; {_names(store, vector)} move vectors {vector} and {vector + tile.vectors.size // 2}. "
            "Its table of vectors has this row right.",
            CELLS,
        ),
        Slip(
            "numbers of the elements",
            "0 to 255 (16 x 16 = 255)",
            f"0 to {16 * 16 - 1} (16 x 16 = {16 * 16})",
            "256 elements are numbered from 0 to 255.",
        ),
        Slip(
            "bank ids",
            "0 to 8",
            f"0 to {tile.places - 1}",
            f"a line of {tile.places * tile.vector_bits} bits has {tile.places} places of {tile.vector_bits} bits.",
        ),
        Slip(
            "first cell of the numbers",
            "0 000000",
            numbers(SWIZZLE)[0][0],
            f"{2**SWIZZLE.b * 2**SWIZZLE.s} numbers have five binary digits.",
            NUMBERS,
        ),
        Slip(
            "what S counts",
            "2^S elements are a column",
            f"2^S = {2**SWIZZLE.s} vectors of 2^M = {2**SWIZZLE.m} elements are a row",
            "its own table of the numbers has eight vectors in each of 2^B = 4 rows.",
        ),
        Slip(
            "step 4 of the addresses",
            "the swizzled number becomes a number from 0 to 255 again",
            "it becomes a line and a place in it",
            f"step 3 has made it such a number; element s lies in line s // {tile.places * row_length}, place s // "
            f"{row_length} % {tile.places}.",
        ),
    )


def _contents(swizzle: Swizzle) -> Table:
    tile = staged_half_tile(1, swizzle)
    stored = table(_space(swizzle), tile.moved)
    rows = tuple((f"Access-{line}", *map(str, row)) for line, row in enumerate(stored))
    return Table("the vector that lies in each place", ("bank-id", *map(str, range(len(stored[0])))), rows)


def _pair(movement: Movement) -> tuple[Table, Table]:
    tile = movement.tile
    return (
        Table(f"{movement.name}: the tile in global memory", (), owned(movement, tile.vectors, int)),
        Table(f"{movement.name}: shared memory, a line a row", (), owned(movement, tile.lines, tile.moved)),
    )


def _cells_and_owners(movement: Movement) -> Texts:
    grid = movement.tile.vectors
    rows, columns = (product(extent) for extent in modes(grid.shape))
    cells = _texts(table(row_major(rows, columns)))
    owners = owned(movement, grid, movement.tile.moved)
    return tuple((*left, *right) for left, right in zip(cells, owners, strict=True))


def _owner(movement: Movement, vector: int) -> str:
    return f"{_names(movement, vector)}({vector})"


def _names(movement: Movement, vector: int) -> str:
    return ",".join(f"T{thread}" for thread in movement.threads_of(vector))


def _space(swizzle: Swizzle) -> Layout[int]:
    """The plane of a swizzle: 2^b rows of 2^|s| vectors."""
    return row_major(1 << swizzle.b, 1 << abs(swizzle.s))


def _binary(bits: int) -> tuple[str, ...]:
    return tuple(f"{n:0{bits}b}" for n in range(1 << bits))


def _texts(rows: tuple[tuple[int, ...], ...]) -> Texts:
    return tuple(tuple(map(str, row)) for row in rows)
