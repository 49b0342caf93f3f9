"""Metadata of a sparse A in registers, of a warp or of a warpgroup: which lanes have it, and where."""

from __future__ import annotations

from functools import cache

import numpy as np

from tilewright.atoms.semantics import table
from tilewright.atoms.sparsity import NIBBLES, QUAD, shares
from tilewright.layout.layout import Layout
from tilewright.targets.simulator.collective.sparse import NIBBLE, Array, Numbers

ROWS = 16  # of a warp


@cache
def sources(chunks: int, selector: int, warps: int = 1) -> tuple[Numbers, Numbers]:
    """Where a row has so many chunks: the lanes that have metadata, and theirs, row + rows * number, by (lane, nibble).

    Of four lanes all have a run of chunks of one row, or less of them runs of both.

    Source: CuTe, mma_traits_sm90_gmma_sparse and mma_traits_sm120_sparse; PTX ISA, mma.sp and wgmma.mma_async.sp.

    >>> lanes, found = sources(8, 1, 4)
    >>> lanes[:4].tolist(), found[1].tolist()
    ([2, 3, 6, 7], [256, 320, 384, 448, 264, 328, 392, 456])
    """
    rows, share = ROWS * warps, shares(chunks)
    if share == QUAD:
        layout = Layout(((2, 2, 8, warps), NIBBLES), ((8, NIBBLES * rows, 1, ROWS), rows))
    else:
        layout = Layout(((share, QUAD // share, 8, warps), (4, 2)), ((4 * rows, 0, 1, ROWS), (rows, 8)))
    lanes = np.arange(32 * warps)
    lanes = lanes[lanes % QUAD // share == selector]
    return lanes, table(layout)[lanes]


def gathered(words: Array, chunks: int, selector: int) -> Array:
    """The metadata (entry, row, chunk) that the lanes of warps, or warpgroups, hold as words (entry, lane)."""
    warps = words.shape[1] // 32
    lanes, places = sources(chunks, selector, warps)
    nibbles = words[:, lanes, None] >> np.arange(0, NIBBLE * NIBBLES, NIBBLE, dtype=np.uint32) & 0xF
    found = np.zeros((len(words), chunks * ROWS * warps), words.dtype)
    found[:, places] = nibbles
    return found.reshape(len(words), chunks, ROWS * warps).swapaxes(1, 2)
