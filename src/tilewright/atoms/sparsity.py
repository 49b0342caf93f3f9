"""Metadata of a sparse A that lanes hold: chunks of a row, and which lanes of each four have them."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import container_of

QUAD = 4  # lanes that share the metadata of two rows, 8 apart
NIBBLES = 8  # of a lane's word, each for a chunk
_WIDTHS: Mapping[int, int] = {32: 2, 4: 8}  # of 4 bits pairs stand together


def chunks_of(atom: MmaAtom) -> int:
    """How many chunks, of two, four or eight elements, a row of A has.

    >>> from tilewright.atoms.catalog import mma
    >>> [chunks_of(mma(f"SM80_SPARSE_16x8x{k}_F32F16F16F32_TN")) for k in (16, 32)]
    [4, 8]
    """
    return atom.shape_mnk[2] // _WIDTHS.get(container_of(atom, "A").bits, 4)


def shares(chunks: int) -> int:
    """How many lanes of four have metadata, where a row has so many chunks.

    >>> shares(4), shares(8), shares(16)
    (1, 2, 4)
    """
    return 2 * chunks // NIBBLES


def selectors(atom: MmaAtom) -> int:
    """How many sparsity selectors there are: each names lanes of each four.

    >>> from tilewright.atoms.catalog import mma
    >>> [selectors(mma(f"SM80_SPARSE_16x8x{k}_F32F16F16F32_TN")) for k in (16, 32)]
    [4, 2]
    """
    return QUAD // shares(chunks_of(atom))
