"""What a copy atom does to the bytes that the lanes of a warp hold or address: one table for the warp."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.semantics import table
from tilewright.targets.simulator.collective.operands import lanes_of

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_WORDS: Mapping[int, str] = {1: "u1", 2: "u2", 4: "u4", 8: "u8"}  # faster than so many bytes


@dataclass(frozen=True, eq=False)
class Moves:
    """Bits move in pieces: `taken[lane, piece]` is where the destination's piece comes from, lane * pieces + piece,
    of so many `pieces` that a lane has at the source.

    None: every lane's bits are its own. `reads` and `writes` are the lanes whose source and destination count; those
    of the others are repetitions.
    """

    piece: int
    pieces: int
    taken: Numbers | None
    reads: Flags
    writes: Flags

    def __call__(self, held: Bytes) -> Bytes:
        """The bytes (warps, lanes, bytes) that destinations get from those of sources."""
        if self.taken is None:
            return held
        warps, lanes, size = held.shape  # of warps there may be none: no extent is left to numpy
        flat, (takers, count) = np.ascontiguousarray(held).reshape(warps, lanes * size), self.taken.shape
        if self.piece % 8 == 0:
            word = size // self.pieces
            words = flat.view(_WORDS.get(word, f"V{word}")).take(self.taken.reshape(-1), axis=1)
            return np.ascontiguousarray(words).view(np.uint8).reshape(warps, takers, count * word)
        bits = np.unpackbits(flat, axis=1, bitorder="little").reshape(warps, lanes * size * 8 // self.piece, self.piece)
        moved = bits.take(self.taken.reshape(-1), axis=1).reshape(warps, takers, count * self.piece)
        return np.packbits(moved, axis=-1, bitorder="little")


@cache
def moves_of(atom: CopyAtom, warp: int) -> Moves:
    """The moves of an atom in a warp of so many lanes, which its threads divide.

    >>> from tilewright.atoms.catalog import copy
    >>> found = moves_of(copy("SM75_U32x1_LDSM_N"), 32)
    >>> found.piece, found.taken[:5, 0].tolist(), int(found.reads.sum())
    (32, [0, 1, 2, 3, 4], 8)
    """
    if atom.src_bits == atom.dst_bits:
        return Moves(0, 0, None, np.ones(warp, bool), np.ones(warp, bool))
    source, target = table(atom.src_bits), table(atom.dst_bits)
    piece = _piece(source, target)
    source, target = source[:, ::piece] // piece, target[:, ::piece] // piece
    lanes = lanes_of(atom.thr_layout, warp)
    held, wanted = (np.zeros((warp, part.shape[1]), np.int64) for part in (source, target))
    size = int(max(source.max(), target.max())) + 1
    group = np.arange(len(lanes))[:, None, None] * size
    held[lanes], wanted[lanes] = source + group, target + group
    taken = _firsts(held)[wanted]
    reads, writes = np.zeros(warp, bool), np.zeros(warp, bool)
    reads[taken // held.shape[1]] = True
    writes[_firsts(wanted)[wanted] // wanted.shape[1]] = True
    return Moves(piece, held.shape[1], taken, reads, writes)


def _firsts(held: Numbers) -> Numbers:
    """Where each piece of data is first held, counted through the rows; -1 where nowhere."""
    pieces, first = np.unique(held.reshape(-1), return_index=True)
    found = np.full(int(pieces.max()) + 1, -1, np.int64)
    found[pieces] = first
    return found


def _piece(*sides: Numbers) -> int:
    """The most bits that stay together on all sides."""
    widest = int(np.gcd.reduce([side.shape[1] for side in sides]))
    return next(size for size in range(widest, 0, -1) if widest % size == 0 and all(_whole(x, size) for x in sides))


def _whole(side: Numbers, size: int) -> bool:
    runs = side.reshape(len(side), -1, size)
    return bool((runs[..., :1] % size == 0).all() and (runs == runs[..., :1] + np.arange(size)).all())
