"""What accesses of lanes cost on each placement of a tile, and the placement that costs less than any swizzle alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.analysis.descriptor.box import box_of
from tilewright.analysis.descriptor.demands import Placed
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile, bare
from tilewright.analysis.swizzle.costs import TileAccess, tile_access
from tilewright.arch import ArchSpec
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.swizzle import Swizzle


@dataclass(frozen=True, slots=True)
class Priced:
    """A candidate with what the lanes' accesses cost on it."""

    placed: Placed
    tiles: tuple[TileAccess, ...]
    excess: int
    boxes: int

    @property
    def key(self) -> tuple[int, int, int, bool, int]:
        """The order of the ranking: conflicts, then long spans (whole lines), then the usual chunks, then few boxes."""
        mode = self.placed.mode
        return self.excess, -mode.span, mode.chunk, mode.flip, self.boxes


def priced(
    layout: Tile,
    usable: Sequence[Placed],
    lanes: Sequence[Access],
    bits: int,
    spec: ArchSpec,
    *,
    in_boxes: bool = False,
) -> list[Priced]:
    """The placements of a tile on which all accesses are possible, with what these cost.

    Raises:
        LayoutError, UsageError: there is none; why the tile's own layout allows none, or else the first placement.
    """
    found, first = [], None
    for placed in usable:
        try:
            tiles = tuple(_tile(placed, access, bits, spec) for access in lanes)
            excess = sum(tile.excess(_mover(placed)) for tile in tiles)
            boxes = box_of(placed.plain, placed.mode.name, bits).copies if in_boxes else 0
            found.append(Priced(placed, tiles, excess, boxes))
        except (LayoutError, UsageError) as error:
            first = first or error
    if first and not found:
        for access in lanes:  # perhaps it is not the placement: then the error names the tile as it was given
            tile_access(bare(layout), access, bits, spec)
        raise first
    return found


def _tile(placed: Placed, access: Access, bits: int, spec: ArchSpec) -> TileAccess:
    plain = ComposedLayout(Swizzle(0, 0, 0), 0, placed.plain)
    tile = tile_access(plain, access, bits, spec)
    whole = min((1 << swizzle.m for swizzle in _swizzles(placed) if swizzle.b), default=tile.length)
    if tile.length > whole:
        raise LayoutError(f"{access}: mode {placed.mode.name} cuts its vectors of {tile.length} elements")
    return tile


def _swizzles(placed: Placed) -> tuple[Swizzle, ...]:
    flip = placed.mode.flipping(placed.element_bits)
    return (placed.mode.swizzle(placed.element_bits), *([flip] if flip else []))


def _mover(placed: Placed) -> Callable[[int], int]:
    first, *others = _swizzles(placed)
    return (lambda offset: others[0](first(offset))) if others else first
