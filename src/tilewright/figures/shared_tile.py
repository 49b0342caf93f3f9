"""The picture of a tile beside the shared memory that it lies in: lines of banks, neighbouring ones in one colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tilewright.analysis.held.table import told_width
from tilewright.figures import layout_grid, memory_grid
from tilewright.figures.figure import Figure
from tilewright.figures.memory import memory
from tilewright.figures.phases import colours
from tilewright.figures.scene import Scene

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike


def picture(
    layout: object,
    *,
    element_bits: int | DTypeLike | None = None,
    arch: str = "sm_90",
    shape: Sequence[int] | None = None,
    title: str | None = None,
) -> Figure:
    """The tile on the left, its words in their banks on the right: a column of the tile in one colour conflicts.

    Args:
        layout: tile coordinates -> element offsets in shared memory.
        element_bits: the width of an element, where the tile does not tell it.
        arch: the architecture's name.
        shape: (rows, columns) of the tile, instead of the layout's own modes.
        title: instead of the layout's text.

    Raises:
        UsageError: more than 65536 words, or values that are no memory offsets.

    >>> from tilewright.notation import parse
    >>> tile = picture(parse("Swizzle<3,3,3> o 0 o (8,64):(64,1)"), element_bits=16).scene
    >>> [cell.key.bank for cell in tile.panels[0].cells if cell.column == 0]
    [0, 4, 8, 12, 16, 20, 24, 28]
    """
    element_bits = told_width(layout, element_bits)
    store = memory(element_bits, arch)
    grid = layout_grid.picture(layout, shape=shape, color="bank", element_bits=element_bits, arch=arch, title=title)
    words = memory_grid.picture(layout, element_bits=element_bits, arch=arch, shape=shape).scene
    (banks,) = words.panels
    tones, legend = colours(store)
    left = replace(grid.scene.panels[0], title="elements")
    groups = store.groups(bank or 0 for bank in banks.cells.bank)
    banked = replace(banks.cells, group=groups, tone=list(map(tones.__getitem__, groups)))
    right = replace(banks, title="lines x banks", cells=banked)
    notes = tuple(
        f"{panel.title}: {note}" for panel, scene in ((left, grid.scene), (right, words)) for note in scene.notes
    )
    return Figure(Scene(grid.scene.title, (left, right), legend, notes=notes))
