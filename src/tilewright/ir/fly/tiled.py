"""Tiled copies and tiled MMAs: an atom, the layout that repeats it, and a tile."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.ir.fly.canonical import write
from tilewright.ir.fly.forms import canonical
from tilewright.ir.fly.partition import tiled_mma
from tilewright.ir.fly.types import KEPT, Atom, Tile, TiledCopy, TiledMma
from tilewright.layout.layout import Layout


def make_tiled_copy(atom: Any, layout: Any, tile: Any) -> TiledCopy:
    """The copy by an atom whose threads and values lie as the layout says, in tiles.

    >>> from tilewright.ir.fly import infer
    >>> atom, layout = "!fly.copy_atom<!fly.universal_copy<32>, 32>", "!fly.layout<(4,2):(1,4)>"
    >>> infer("make_tiled_copy", [atom, layout, "!fly.tile<[4|2]>"])
    '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(4,2):(1,4)>, !fly.tile<[4|2]>>'
    """
    if not isinstance(tile, Tile):
        raise LayoutError("make_tiled_copy takes a copy atom, a layout and a tile")
    return TiledCopy(*_parts("copy", atom, layout), tile)


def make_tiled_mma(atom: Any, layout: Any, permutation: Any = None) -> TiledMma:
    """The MMA whose atoms are spread over threads by the layout."""
    if not isinstance(permutation, Tile | None):
        raise LayoutError("make_tiled_mma takes an MMA atom, a layout and perhaps a tile")
    return TiledMma(*_parts("mma", atom, layout), None if permutation == KEPT else permutation)


def matching(operand: str, atom: Any, mma: Any) -> TiledCopy:
    """The copy by an atom whose threads hold what they need as an operand of a tiled MMA.

    In the tile each mode is written `extent:1`, as the release does.
    """
    whole = tiled_mma(mma)
    modes = tuple(Layout(extent, 1) for extent in whole.tile(operand))
    return make_tiled_copy(atom, canonical(whole.tiled_tv_layout(operand)), Tile(modes))


def _parts(kind: str, atom: Any, layout: Any) -> tuple[Atom, Layout[Any]]:
    if not isinstance(atom, Atom) or not atom.text.startswith(f"!fly.{kind}_atom<") or not isinstance(layout, Layout):
        raise LayoutError(f"expected a {kind} atom and a layout")
    if not layout.is_static:
        raise LayoutError(f"MakeTiled{kind.title()}Op: LayoutType is not static, got '{write(layout)}'")
    return atom, layout
