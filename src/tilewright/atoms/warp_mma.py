"""The rule behind NVIDIA's warp-wide `mma.sync` fragments.

A fragment is made of 32-bit registers: each holds v = 32 / bits neighbours along K (one element when it is wider).
Four lanes run along K, eight lanes along the rows; then the rows 8 further down, then the next 4v elements of K.
"""

from __future__ import annotations

from tilewright.layout.layout import Layout

WARP = Layout(32)
QUAD = (4, 8)

C_16x8 = Layout((QUAD, (2, 2)), ((32, 1), (16, 8)))
C_8x8 = Layout((QUAD, 2), ((16, 1), 8))


def operand(rows: int, k: int, bits: int) -> Layout[int]:
    """The (lane, value) layout of a rows x k operand whose elements have `bits` bits.

    >>> print(operand(16, 16, 16), operand(8, 32, 8), operand(8, 4, 64))
    ((4,8),(2,2,2)):((32,1),(16,8,128)) ((4,8),(4,2)):((32,1),(8,128)) ((4,8),1):((8,1),0)
    """
    v = max(1, 32 // bits)
    values = ((v, rows), (rows // 8, 8), (k // (4 * v), 4 * v * rows))
    modes = [(extent, stride) for extent, stride in values if extent > 1]
    # CuTe writes the only value mode of a 4-bit operand as a tuple of one.
    return Layout((QUAD, _mode(modes, 0, bits == 4)), ((v * rows, 1), _mode(modes, 1, bits == 4)))


def accumulator(rows: int) -> Layout[int]:
    """The (lane, value) layout of a rows x 8 accumulator: two neighbours along N a lane, then 8 rows down."""
    return C_16x8 if rows == 16 else C_8x8


def _mode(modes: list[tuple[int, int]], part: int, keep_tuple: bool) -> int | tuple[int, ...]:
    if not modes:
        return (1, 0)[part]
    return modes[0][part] if len(modes) == 1 and not keep_tuple else tuple(mode[part] for mode in modes)
