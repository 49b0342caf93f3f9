"""An operand that all threads read from shared memory through a descriptor: a cell for each core matrix."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.figures.cell import Owner
from tilewright.figures.cells import Cells
from tilewright.figures.owners import shared_by
from tilewright.figures.scene import Panel, Ruler
from tilewright.layout.layout import Layout

HIGH, BITS = 8, 128  # rows of a core matrix, and how wide one of them is


def panels(atom: MmaAtom | TiledMma) -> dict[str, Panel]:
    """The panels of all such operands, by their names."""
    return {operand: panel(one, operand) for one, operand in _read(atom)}


def notes(atom: MmaAtom | TiledMma) -> tuple[str, ...]:
    """What the cells of each show, and who reads them."""
    return tuple(
        f"{operand}: in each cell: a core matrix of {HIGH} x {_wide(one, operand)} elements; all {one.threads} threads "
        "have the whole tile, which is read from shared memory through a descriptor"
        for one, operand in _read(atom)
    )


def _read(atom: MmaAtom | TiledMma) -> list[tuple[MmaAtom, str]]:
    """The atom with each of its operands that lie in shared memory, and that every thread has all of."""
    if not isinstance(atom, MmaAtom):
        return []
    spaces = zip("ABC", atom.spaces, strict=True)
    return [(atom, operand) for operand, space in spaces if space == "shared" and shared_by(atom.tv_layout(operand))]


def panel(atom: MmaAtom, operand: str) -> Panel:
    """The operand's tile, (M or N, K); a cell has the elements of 8 rows and 16 bytes along K.

    >>> from tilewright.atoms.catalog import mma
    >>> found = panel(mma("SM90_64x8x16_F32F16F16_SS"), "A")
    >>> found.rows.count, found.columns.labels, found.cells[1].label, len(found.cells[1].key.elements)
    (8, ('0-7', '8-15'), '8x8', 64)
    """
    rows, columns = atom.tile(operand)
    wide = _wide(atom, operand)
    down, across = range(0, rows, HIGH), range(0, columns, wide)
    corners = [(row, column) for row in down for column in across]
    elements = [_elements(row, column, wide, rows) for row, column in corners]
    value = _values(atom.tv_layout(operand))
    cells = Cells(
        range(len(corners)),
        len(across),
        label=[f"{HIGH}x{wide}"] * len(corners),
        note=[
            f"rows {_span(row, HIGH)}, k {_span(column, wide)}: elements of {HIGH} x {wide}" for row, column in corners
        ],
        elements=elements,
        coordinate=corners,
        owner=[tuple(Owner(None, value[element]) for element in own) for own in elements],
    )
    return Panel(operand, _ruler(down, HIGH), _ruler(across, wide), cells)


def _wide(atom: MmaAtom, operand: str) -> int:
    """Elements of a row of a core matrix; of a sparse A those that it stands for."""
    bits = atom.dtypes["DABC".index(operand)].bits
    return BITS // bits * (atom.sparsity if operand == "A" else 1)


def _elements(row: int, column: int, wide: int, rows: int) -> tuple[int, ...]:
    return tuple(x + rows * y for y in range(column, column + wide) for x in range(row, row + HIGH))


def _values(layout: Layout[int]) -> dict[int, int]:
    """element -> the value that it is of every thread."""
    return {layout(0, value): value for value in range(layout[1].size)}


def _ruler(starts: Sequence[int], size: int) -> Ruler:
    return Ruler(tuple(_span(start, size) for start in starts))


def _span(start: int, size: int) -> str:
    return f"{start}-{start + size - 1}"
