"""The picture of a copy: which thread and value each element of the source and of the destination belongs to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.in_values import in_values
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.errors import UsageError, shown
from tilewright.figures import thread_value
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike


SIDES = {"S": "source", "D": "destination"}


def picture(
    copy: object,
    *,
    color: str = "thread",
    element: int | DTypeLike | None = None,
    side: str | None = None,
    title: str | None = None,
) -> Figure:
    """Source and destination of a copy side by side; `T3` and `V1` hold or address the element.

    An atom's data is drawn one row for each thread of the side that memory has; a tiled copy's as its tile. Sides with
    the same owners are drawn once.

    Args:
        copy: a `CopyAtom` or a `TiledCopy` of rank 1 or 2.
        color: `thread` or `value`.
        element: the type, or the bits, of the elements that an atom is drawn in; None: those that it has, else halves,
            or the widest that it does not cut.
        side: `S` or `D`, the source or the destination alone; a pair `(tiled_copy, "S")` is drawn so.
        title: instead of the copy's name.

    Raises:
        UsageError: not a copy, or one with more than 65536 elements; another side.
    """
    if side is not None and not (isinstance(side, str) and side in SIDES):
        raise UsageError(f"the sides of a copy are S and D, got {shown(side)}")
    if isinstance(copy, CopyAtom):
        copy = in_values(copy) if element is None else copy.with_element(element)
        sides = {"source": copy.tv_layout_src, "destination": copy.tv_layout_dst}
        tile = _atom_tile(copy)
        name = f"{copy.name}, values of {copy.val_bits} bits"
    elif isinstance(copy, TiledCopy):
        sides = {"source": copy.tiled_tv_layout_S, "destination": copy.tiled_tv_layout_D}
        tile = copy.tile_shape if len(copy.tile_shape) == 2 else (1, *copy.tile_shape)
        name = str(copy)
    else:
        raise UsageError(f"cannot draw {shown(copy)} of type {type(copy).__name__} as a copy")
    if side is not None:
        sides = {SIDES[side]: sides[SIDES[side]]}
    elif sides["source"] == sides["destination"]:
        sides = {"source and destination": sides["source"]}
    named = {side: thread_value.Tile(layout, tile) for side, layout in sides.items()}
    scene = thread_value.tiles(title or name, named, color)
    panels = (replace(_turned(copy, panel), title=f"{panel.title}  {sides[panel.title]}") for panel in scene.panels)
    return Figure(replace(scene, panels=tuple(panels)))


def _turned(copy: CopyAtom | TiledCopy, panel: Panel) -> Panel:
    """An atom's data lies row by row; the elements of a row are next to each other."""
    if isinstance(copy, TiledCopy):
        return panel
    rows, columns = replace(panel.rows, title="element"), replace(panel.columns, title="row")
    return replace(panel, rows=rows, columns=columns).transposed()


def _atom_tile(copy: CopyAtom) -> tuple[int, ...] | None:
    """Rows as long as what one thread addresses in memory, where the data fills such rows."""
    memory: Layout = copy.tv_layout_src if copy.spaces[0] == "shared" else copy.tv_layout_dst
    width, elements = memory[1].size, copy.tv_layout_ref.cosize
    return (width, elements // width) if elements % width == 0 and width > 1 else None
