"""The picture of a matrix instruction, or of a tiled one: which thread holds which element of A, B and C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import UsageError, shown
from tilewright.figures import thread_value
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel
from tilewright.layout.layout import Layout

# Rows of A are rows of C, columns of B are columns of C.
PLACES: Mapping[str, tuple[int, int]] = {"A": (1, 0), "B": (0, 1), "C": (1, 1)}
AXES = {"A": ("m", "k"), "B": ("n", "k"), "C": ("m", "n")}


def picture(atom: object, *, color: str = "thread", title: str | None = None) -> Figure:
    """The tiles of an MMA as the product has them: B above C, A to its left; `T3` and `V1` own the element.

    Each operand is a subject of its own, and threads link them.

    Args:
        atom: an `MmaAtom`, such as `tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN")`, or a `TiledMma`.
        color: `thread` or `value`.
        title: instead of the atom's name and shape.

    Raises:
        UsageError: not an MMA atom, or one with more than 65536 elements in an operand.
    """
    if not isinstance(atom, MmaAtom | TiledMma):
        raise UsageError(f"cannot draw {shown(atom)} of type {type(atom).__name__} as an MMA atom")
    scenes = {
        operand: thread_value.picture(_layout(atom, operand), tile=_tile(atom, operand), color=color).scene
        for operand in PLACES
    }
    panels = tuple(_panel(atom, operand, scene.panels[0]) for operand, scene in scenes.items())
    notes = tuple(f"{operand}: {note}" for operand, scene in scenes.items() for note in scene.notes)
    return Figure(replace(scenes["C"], title=title or _title(atom), panels=panels, notes=notes))


def _layout(atom: MmaAtom | TiledMma, operand: str) -> Layout[int]:
    return atom.tv_layout(operand) if isinstance(atom, MmaAtom) else atom.tiled_tv_layout(operand)


def _tile(atom: MmaAtom | TiledMma, operand: str) -> tuple[int, int]:
    """The operand's tile; of several blocks all, one beside the other."""
    rows, columns = atom.tile(operand)
    return rows, columns * (atom.blocks if isinstance(atom, MmaAtom) else 1)


def _title(atom: MmaAtom | TiledMma) -> str:
    if not isinstance(atom, MmaAtom):
        return str(atom)
    blocks = f", {atom.blocks} blocks side by side" if atom.blocks > 1 else ""
    return f"{atom.name}  {'x'.join(map(str, atom.shape_mnk))}{blocks}"


def _panel(atom: MmaAtom | TiledMma, operand: str, panel: Panel) -> Panel:
    rows, columns = AXES[operand]
    named = replace(
        panel,
        title=f"{operand}  {_layout(atom, operand)}",
        rows=replace(panel.rows, title=rows),
        columns=replace(panel.columns, title=columns),
        place=PLACES[operand],
        subject=operand,
    )
    return named.transposed() if operand == "B" else named
