"""The picture of a matrix instruction, or of a tiled one: which thread holds which element of A, B and C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import UsageError, counted, shown
from tilewright.figures import core_matrices, thread_value
from tilewright.figures.cells import Cells
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel, Ruler
from tilewright.layout.layout import Layout

# Rows of A are rows of C, columns of B are columns of C.
PLACES: Mapping[str, tuple[int, int]] = {"A": (1, 0), "B": (0, 1), "C": (1, 1)}
AXES = {"A": ("m", "k"), "B": ("n", "k"), "C": ("m", "n")}


def picture(atom: object, *, color: str = "thread", operands: str = "ABC", title: str | None = None) -> Figure:
    """The tiles of an MMA as the product has them: B above C, A to its left; `T3` and `V1` own the element.

    Each operand is a subject of its own, and threads link them. Of one that all threads read through a descriptor, a
    cell is a core matrix. The blocks of an instruction that multiplies several lie side by side, A, B and C below each
    other.

    Args:
        atom: an `MmaAtom`, such as `tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN")`, or a `TiledMma`.
        color: `thread` or `value`.
        operands: which are drawn, such as `A`; a pair `(tiled_mma, "A")` is drawn so.
        title: instead of the atom's name and shape.

    Raises:
        UsageError: not an MMA atom, or one with more than 65536 elements in an operand; no operands.
    """
    if not isinstance(atom, MmaAtom | TiledMma):
        raise UsageError(f"cannot draw {shown(atom)} of type {type(atom).__name__} as an MMA atom")
    wanted = _wanted(operands)
    cores = {x: panel for x, panel in core_matrices.panels(atom).items() if x in wanted}
    named = {x: thread_value.Tile(_layout(atom, x), _tile(atom, x)) for x in wanted if x not in cores}
    scene = thread_value.tiles(title or _title(atom), named, color)
    drawn = {panel.title: panel for panel in scene.panels} | cores
    panels = tuple(_panel(atom, drawn[operand]) for operand in wanted)
    panels = panels if len(panels) > 1 else (replace(panels[0], place=None),)
    blocks = _blocks(atom)
    apart = (f"heavy lines stand between the {blocks} blocks, each a product of its own",) if blocks > 1 else ()
    read = (note for note in core_matrices.notes(atom) if note[0] in wanted)
    return Figure(replace(scene, panels=panels, notes=(*scene.notes, *read, *apart)))


def _wanted(operands: object) -> tuple[str, ...]:
    """The operands in the order of the picture."""
    if not isinstance(operands, str) or not operands or {*operands} - {*PLACES}:
        raise UsageError(f"the operands of an MMA are A, B and C, got {shown(operands)}")
    return tuple(operand for operand in PLACES if operand in operands)


def _blocks(atom: MmaAtom | TiledMma) -> int:
    return atom.blocks if isinstance(atom, MmaAtom) else 1


def _layout(atom: MmaAtom | TiledMma, operand: str) -> Layout[int]:
    return atom.tv_layout(operand) if isinstance(atom, MmaAtom) else atom.tiled_tv_layout(operand)


def _tile(atom: MmaAtom | TiledMma, operand: str) -> tuple[int, int]:
    """The operand's tile; of several blocks all, one beside the other."""
    rows, columns = atom.tile(operand)
    return rows, columns * _blocks(atom)


def _title(atom: MmaAtom | TiledMma) -> str:
    if not isinstance(atom, MmaAtom):
        return str(atom)
    blocks = f", {atom.blocks} blocks" if atom.blocks > 1 else ""
    return (
        f"{atom.name}: {' x '.join(map(str, atom.shape_mnk))}{blocks}, {counted(_layout(atom, 'C')[0].size, 'thread')}"
    )


def _panel(atom: MmaAtom | TiledMma, panel: Panel) -> Panel:
    operand, blocks = panel.title, _blocks(atom)
    rows, columns = AXES[operand]
    named = replace(
        panel,
        title=f"{operand}  {_layout(atom, operand)}",
        rows=replace(panel.rows, title=rows),
        columns=replace(panel.columns, title=columns),
        place=PLACES[operand] if blocks == 1 else (list(PLACES).index(operand), 0),
        subject=operand,
    )
    upright = named.transposed() if operand == "B" else named
    return upright if blocks == 1 else _in_blocks(upright, atom.tile(operand), operand == "B")


def _in_blocks(panel: Panel, tile: tuple[int, int], turned: bool) -> Panel:
    """The blocks side by side, also those of a turned panel; each counts its columns from 0."""
    high, wide = reversed(tile) if turned else tile
    blocks = panel.rows.count // high if turned else panel.columns.count // wide
    cells = (cell._replace(row=cell.row % high, column=cell.column + cell.row // high * wide) for cell in panel.cells)
    across = Ruler(
        tuple(str(i % wide) for i in range(blocks * wide)), panel.columns.title, tuple(range(wide, blocks * wide, wide))
    )
    return replace(panel, rows=panel.rows.first(high), columns=across, cells=Cells.of(cells, across.count))
