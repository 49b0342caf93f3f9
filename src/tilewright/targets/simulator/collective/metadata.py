"""Metadata of a sparse A in the registers of a warpgroup: which lanes have it, and where."""

from __future__ import annotations

from functools import cache

import numpy as np

from tilewright.atoms.semantics import table
from tilewright.layout.layout import Layout
from tilewright.targets.simulator.collective.sparse import NIBBLE, Array, Numbers

ROWS = 64
NIBBLES = 8  # of a lane's word
# The chunk, row + 64 * number, of each (lane, nibble). Of types of 16 and 32 bits two lanes of four have it, which the
# selector names; of 8 bits all have their own.
_SOME = Layout(((2, 2, 8, 4), (4, 2)), ((4 * ROWS, 0, 1, 16), (ROWS, 8)))
_ALL = Layout(((2, 2, 8, 4), NIBBLES), ((8, NIBBLES * ROWS, 1, 16), ROWS))


@cache
def sources(bits: int, selector: int) -> tuple[Numbers, Numbers, int]:
    """Of elements of so many bits: the lanes that have metadata, their chunks by (lane, nibble), the chunks of a row.

    Source: CuTe, mma_traits_sm90_gmma_sparse; PTX ISA, wgmma.mma_async.sp.

    >>> lanes, chunks, count = sources(16, 1)
    >>> lanes[:4].tolist(), chunks[1].tolist(), count
    ([2, 3, 6, 7], [256, 320, 384, 448, 264, 328, 392, 456], 8)
    """
    chunks = table(_SOME if bits > 8 else _ALL)
    lanes = np.arange(len(chunks))
    lanes = lanes[lanes // 2 % 2 == selector] if bits > 8 else lanes
    return lanes, chunks[lanes], (NIBBLES if bits > 8 else 2 * NIBBLES)


def gathered(words: Array, bits: int, selector: int) -> Array:
    """The metadata (warpgroup, row, chunk) that lanes hold as words (warpgroup, lane)."""
    lanes, chunks, count = sources(bits, selector)
    nibbles = words[:, lanes, None] >> np.arange(0, NIBBLE * NIBBLES, NIBBLE, dtype=np.uint32) & 0xF
    found = np.zeros((len(words), count * ROWS), words.dtype)
    found[:, chunks] = nibbles
    return found.reshape(len(words), count, ROWS).swapaxes(1, 2)
