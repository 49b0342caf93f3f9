"""What FlyDSL's Python objects tell of atoms and tiled types: their layouts and shapes, by name, in fly's text."""

from __future__ import annotations

from functools import lru_cache

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import LayoutError
from tilewright.ir.fly.normal_form import canonical
from tilewright.ir.fly.rules.atoms import atom_of
from tilewright.ir.fly.rules.partition import tiled_copy, tiled_mma
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import tile_text, write
from tilewright.ir.fly.types import TiledCopy, TiledMma
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout, trusted
from tilewright.notation.printers import to_fly


@lru_cache(1024)
def properties(type_text: str) -> dict[str, str]:
    """The layouts and shapes of an atom, tiled copy or tiled MMA, by the names of FlyDSL's page on layouts.

    Raises:
        LayoutError: the type is none of these, or there is no such atom.
        NotationError: the text is no type.

    >>> properties("!fly.copy_atom<!fly.universal_copy<64>, 16>")["tv_layout_src"]
    '(1,4):(1,1)'
    """
    value = read(type_text)
    if isinstance(value, TiledCopy):
        return _of_tiled_copy(value)
    if isinstance(value, TiledMma):
        return _of_tiled_mma(value)
    return _of_atom(atom_of(value), write(value))


def _of_atom(atom: CopyAtom | MmaAtom | None, text: str) -> dict[str, str]:
    if isinstance(atom, CopyAtom):
        sides = {"src": atom.tv_layout_src, "dst": atom.tv_layout_dst, "ref": atom.tv_layout_ref}
        return {
            "thr_layout": _ones(atom.thr_layout),
            **{f"tv_layout_{side}": _ones(layout) for side, layout in sides.items()},
        }
    if atom is None:
        raise LayoutError(f"no table here holds the layouts of {text}")
    operands = {f"tv_layout_{x}": atom.tv_layout(x) for x in "ABC"}
    return {
        "thr_layout": _ones(atom.thr_layout),
        "shape_mnk": to_fly(atom.shape_mnk),
        **{name: _ones(layout) if layout.size == 1 else to_fly(layout) for name, layout in operands.items()},
    }


def _of_tiled_copy(value: TiledCopy) -> dict[str, str]:
    tiled = tiled_copy(value)
    layouts = {"S": tiled.tiled_tv_layout_S, "D": tiled.tiled_tv_layout_D}
    return {
        "tile_mn": tile_text(value.tile.tiler),
        "tiled_tv_layout": to_fly(canonical(tiled.layout_tv)),
        **{f"tiled_tv_layout_{side}": to_fly(canonical(layout)) for side, layout in layouts.items()},
    }


def _of_tiled_mma(value: TiledMma) -> dict[str, str]:
    tiled = tiled_mma(value)
    return {
        "tile_size_mnk": to_fly(tiled.tile_size_mnk),
        "thr_layout_vmnk": to_fly(canonical(tiled.thr_layout_vmnk)),
        **{f"tiled_tv_layout_{x}": to_fly(canonical(tiled.tiled_tv_layout(x))) for x in "ABC"},
    }


def _ones(layout: Layout[int]) -> str:
    """fly writes the stride 1 under extents of 1 in the layouts that its atoms are given by."""

    def stride(s: IntTuple, d: IntTuple) -> IntTuple:
        if isinstance(s, tuple) and isinstance(d, tuple):
            return tuple(map(stride, s, d))
        return 1 if s == 1 else d

    return to_fly(trusted(layout.shape, stride(layout.shape, layout.stride)))
