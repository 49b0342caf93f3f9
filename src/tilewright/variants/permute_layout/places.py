"""Where the elements of a region lie in flat memory: any layout as a table of offsets."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from tilewright.analysis.permute.forms import MAX_REGISTERS
from tilewright.errors import LayoutError
from tilewright.ir.core.dependence import WARP
from tilewright.layout.axes import MEMORY
from tilewright.tirx.tile_layout import TileLayout
from tilewright.variants.call import Operand, Reject
from tilewright.variants.permute_layout.align import same_everywhere
from tilewright.variants.permute_layout.rules import plain

MAX_ELEMENTS = WARP * MAX_REGISTERS


@dataclass(frozen=True)
class Places:
    """The offsets of a region's elements in row-major order; run-time starts are taken as 0, and then not `fixed`."""

    offsets: tuple[int, ...]
    fixed: bool

    def apart(self, other: Places) -> bool:
        """Is it certain that the two regions of one memory share no element?"""
        return self.fixed and other.fixed and set(self.offsets).isdisjoint(other.offsets)


def places(side: str, operand: Operand) -> Places | Reject:
    """The offsets of an operand in memory, if different elements have different ones."""
    volume = prod(operand.static_extents)
    if volume > MAX_ELEMENTS:
        return Reject("too many elements", f"{volume} elements in one call; a warp moves at most {MAX_ELEMENTS}")
    if not static(operand):
        return Reject("run-time layout", f"{side} {operand.name} has run-time extents or strides: {operand.layout}")
    (table,) = tables(operand, MEMORY)
    if len(set(table)) < volume:
        message = f"{side} {operand.name} puts {volume} elements on {len(set(table))} offsets"
        return Reject("several elements in one place", message)
    fixed = None not in operand.starts
    if fixed or _always_apart(operand):
        return Places(table, fixed)
    message = f"{side} {operand.name} may put several elements on one offset at another run-time start"
    return Reject("several elements in one place", message)


def static(operand: Operand) -> bool:
    """Is the layout made of constants?"""
    tile = plain(operand)
    numbers = [number for it in tile.shard for number in (it.extent, it.stride)]
    return all(type(number) is int for number in (*numbers, *tile.offset.values()))


def tables(operand: Operand, *axes: str) -> list[tuple[int, ...]]:
    """What the layout gives on each of the axes, by the row-major number of the region's elements."""
    import numpy as np

    grid = np.indices(operand.static_extents, dtype=np.int64).reshape(len(operand.starts), -1)
    coordinate = [digit + (start or 0) for digit, start in zip(grid, operand.starts, strict=True)]
    found = operand.layout.base(*coordinate, shape=operand.shape)
    return [tuple(np.broadcast_to(np.asarray(found.get(axis, 0)), grid.shape[1]).tolist()) for axis in axes]


def _always_apart(operand: Operand) -> bool:
    """Do the elements have different offsets at every run-time start, as they have at 0?"""
    tile = plain(operand)
    if isinstance(operand.layout, TileLayout) and same_everywhere(operand.layout, operand):
        return True
    try:
        return TileLayout.from_iters(tile.shard).is_injective()
    except LayoutError:  # undecided
        return False
