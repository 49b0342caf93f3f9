"""Tiled copies and tiled MMAs: an atom, the layout that repeats it, and a tile."""

from __future__ import annotations

from tilewright.errors import LayoutError
from tilewright.ir.fly.normal_form import canonical
from tilewright.ir.fly.rules.partition import tiled_mma
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import KEPT, Atom, Tile, TiledCopy, TiledMma
from tilewright.layout.layout import Layout


def make_tiled_copy(atom: Atom, layout: Layout, tile: Tile) -> TiledCopy:
    """The copy by an atom whose threads and values lie as the layout says, in tiles.

    >>> from tilewright.ir.fly import infer
    >>> atom, layout = "!fly.copy_atom<!fly.universal_copy<32>, 32>", "!fly.layout<(4,2):(1,4)>"
    >>> infer("make_tiled_copy", [atom, layout, "!fly.tile<[4|2]>"])
    '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(4,2):(1,4)>, !fly.tile<[4|2]>>'
    """
    return TiledCopy(*_parts("copy", atom, layout), tile)


def make_tiled_mma(atom: Atom, layout: Layout, permutation: Tile | None = None) -> TiledMma:
    """The MMA whose atoms are spread over threads by the layout."""
    return TiledMma(*_parts("mma", atom, layout), None if permutation == KEPT else permutation)


def matching(operand: str, atom: Atom, mma: TiledMma) -> TiledCopy:
    """The copy by an atom whose threads hold what they need as an operand of a tiled MMA.

    In the tile each mode is written `extent:1`, as the release does.
    """
    whole = tiled_mma(mma)
    modes = tuple(Layout(extent, 1) for extent in whole.tile(operand))
    return make_tiled_copy(atom, canonical(whole.tiled_tv_layout(operand)), Tile(modes))


def _parts(kind: str, atom: Atom, layout: Layout) -> tuple[Atom, Layout]:
    if not atom.text.startswith(f"!fly.{kind}_atom<"):
        raise LayoutError(f"expected a {kind} atom, got {atom.text}")
    if not layout.is_static:
        raise LayoutError(f"MakeTiled{kind.title()}Op: LayoutType is not static, got '{write(layout)}'")
    return atom, layout
