"""Which element of an operand a thread of a tiled MMA holds: from the atom alone, without a divide or a composition."""

from __future__ import annotations

from typing import Any

import numpy

from tilewright.atoms.mma import MODES
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.layout.layout import Layout


def vmnk(tiled: TiledMma) -> list[Any]:
    """V, M, N and K of every thread, in the colexicographic order of (V, M, N, K)."""
    sizes = [tiled.atom.thr_layout.size, *(mode.size for mode in tiled.atom_layout)]
    left, out = numpy.arange(numpy.prod(sizes)), []
    for size in sizes:
        out.append(left % size)
        left = left // size
    return out


def values_of(tiled: TiledMma, operand: str) -> int:
    """How many values of the operand a thread holds."""
    return tiled.atom.tv_layout(operand)[1].size * numpy.prod([_rests(tiled, mode) for mode in MODES[operand]])


def element(tiled: TiledMma, operand: str, at: list[Any], value: Any) -> Any:
    """The colexicographic coordinate in the operand's tile of a value of the threads at (V, M, N, K)."""
    tv, (first, second) = tiled.atom.tv_layout(operand), MODES[operand]
    threads, held = tv[0].size, tv[1].size
    rows = tiled.atom.shape_mnk[first]
    inside, rest = tv(at[0] + threads * (value % held)), value // held
    row = _placed(tiled, first, inside % rows, at[first + 1], rest % _rests(tiled, first))
    column = _placed(tiled, second, inside // rows, at[second + 1], rest // _rests(tiled, first))
    return row + tiled.tile_size_mnk[first] * column


def _placed(tiled: TiledMma, mode: int, inside: Any, atom: Any, rest: Any) -> Any:
    own, atoms = tiled.permutation_mnk[mode], tiled.atom_layout[mode].size
    place = inside + tiled.atom.shape_mnk[mode] * (atom + atoms * rest)
    return own(place) if isinstance(own, Layout) else place


def _rests(tiled: TiledMma, mode: int) -> int:
    return tiled.tile_size_mnk[mode] // (tiled.atom.shape_mnk[mode] * tiled.atom_layout[mode].size)
