"""`Question`: a tile in memory, asked how something accesses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import prod
from operator import mod
from typing import Literal, TypeAlias

from tilewright.analysis.held.said import UNKNOWN, Said, agreed
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile
from tilewright.arch import ArchSpec
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.base import LayoutBase, no_layout
from tilewright.layout.construct import make_layout_right
from tilewright.layout.inttuple import to_text
from tilewright.layout.layout import Layout
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.tile_layout import TileLayout

# What accesses a tile, as users hold it; atoms also by their names.
Accessor: TypeAlias = (
    LayoutBase
    | Access
    | TiledCopy
    | CopyAtom
    | TileLayout
    | str
    | tuple[TiledMma | MmaAtom | TiledCopy | CopyAtom | str, str]
)
Memory: TypeAlias = Literal["shared", "global"]

SIDES = ("S", "D")


@dataclass(frozen=True)
class Question:
    """How is `tile` in `memory` accessed? What callers say beside that, None where the object is to say it.

    `said` is who says the bits of an element; `side` is S where a copy reads the tile, D where it writes it; `copy` is
    the atom that loads or stores an operand.
    """

    tile: Tile
    memory: Memory
    spec: ArchSpec
    said: tuple[Said, ...]
    side: str | None = None
    copy: CopyAtom | None = None
    base_bytes: int = 0

    def __post_init__(self) -> None:
        if self.side is not None and not (isinstance(self.side, str) and self.side in SIDES):
            raise UsageError(f"side is 'S' (the tile is read) or 'D' (it is written), got {shown(self.side)}")

    @property
    def element_bits(self) -> int:
        """The bits of an element.

        Raises:
            UsageError: nobody says them, or two say different ones.
        """
        bits = agreed(self.said)
        if bits is None:
            raise UsageError(UNKNOWN)
        return bits

    @property
    def is_row_major(self) -> bool:
        """Is the tile's index the row-major number of its coordinate, as TIRx counts?"""
        return isinstance(self.tile, TileLayout | ComposeLayout)

    @property
    def extents(self) -> tuple[int, ...]:
        """The extents of the tile's modes."""
        return tuple(int(mode.size) for mode in self.numbered)

    @property
    def numbered(self) -> Layout[int]:
        """The tile's coordinate -> its index, by which layouts are evaluated: TIRx counts the last mode first.

        Raises:
            LayoutError: the tile is no layout with extents of its own.
        """
        if isinstance(self.tile, TileLayout | ComposeLayout):
            placed = self.tile.tile_layout if isinstance(self.tile, ComposeLayout) else self.tile
            return make_layout_right(placed.shape)
        if not isinstance(self.tile, LayoutBase) or type(getattr(self.tile, "size", None)) is not int:
            raise LayoutError(
                f"a tile is a static layout with a mode for each of its dimensions, got {no_layout(self.tile)}"
            )
        return Layout(self.tile.shape)

    def over(self, tile: Sequence[int]) -> Layout[int]:
        """`numbered`, with as many modes as a tile by which it is divided: neighbouring iters of TIRx's are one mode.

        Raises:
            LayoutError: it is no whole tiles; no way to join iters gives such, or several do.
        """
        numbered = self.numbered
        if not self.is_row_major or numbered.rank <= len(tile):
            if any(map(mod, self.extents, tile)):
                own, wanted = ("x".join(map(str, extents)) for extents in (self.extents, tile))
                raise LayoutError(f"a tile of {own} elements is no whole tiles of {wanted}: {self.tile}")
            return numbered
        found = [one for one in joined(self.extents, len(tile)) if not any(map(mod, one, tile))]
        if len(found) != 1:
            ways = " or ".join(map(to_text, found)) or "in no way"
            raise LayoutError(
                f"{self.tile} has {numbered.rank} iters, to be cut into tiles {to_text(tuple(tile))}: as {ways}; "
                "give a TileLayout with an iter for each mode, or a tw.Layout with nested modes"
            )
        return make_layout_right(found[0])

    @property
    def widest(self) -> int:
        """The bytes of the widest access of a lane to this memory."""
        rules = [width for name, width in self.spec.rules if name == "load"]
        return max(rules) if self.memory == "shared" else self.spec.vector_bytes


def joined(extents: tuple[int, ...], count: int) -> list[tuple[int, ...]]:
    """All ways to have so many extents by multiplying neighbours.

    >>> joined((2, 3, 5), 2)
    [(2, 15), (6, 5)]
    """
    cuts = combinations(range(1, len(extents)), count - 1)
    ends = ((0, *cut, len(extents)) for cut in cuts)
    return [tuple(prod(extents[a:b]) for a, b in pairwise(end)) for end in ends]
