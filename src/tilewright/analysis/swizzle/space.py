"""The swizzles worth trying for a tile, their units, and the hardware modes among them."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.layout.swizzle import Swizzle

# Swizzle bits of the shared-memory modes of TMA and matrix descriptors: chunks of 16 bytes, three bits apart.
MODES = {0: "none", 1: "32B", 2: "64B", 3: "128B"}
MODE_SHIFT = 3
CHUNK_BITS = 128


def chunk_exponent(element_bits: int) -> int:
    """log2 of the elements in 16 bytes.

    >>> chunk_exponent(16), chunk_exponent(8), chunk_exponent(32)
    (3, 4, 2)
    """
    return (CHUNK_BITS // element_bits).bit_length() - 1


def mode_swizzle(bits: int, element_bits: int) -> Swizzle:
    """The swizzle, in elements, of the mode with that many bits.

    >>> print(mode_swizzle(3, 16), mode_swizzle(2, 8))
    Sw<3,3,3> Sw<2,4,3>
    """
    return Swizzle(bits, chunk_exponent(element_bits), MODE_SHIFT)


def mode_of(swizzle: Swizzle, element_bits: int) -> str | None:
    """The TMA and descriptor mode that the swizzle equals: `none`, `32B`, `64B`, `128B`, or None.

    >>> mode_of(Swizzle(3, 3, 3), 16), mode_of(Swizzle(3, 3, 3), 8), mode_of(Swizzle(0, 0, 0), 8)
    ('128B', None, 'none')
    """
    if swizzle.b == 0:
        return MODES[0]
    is_mode = swizzle.b in MODES and swizzle == mode_swizzle(swizzle.b, element_bits)
    return MODES[swizzle.b] if is_mode else None


def in_unit(swizzle: Swizzle, element_bits: int, unit_bits: int) -> Swizzle | None:
    """The same permutation of addresses counted in units of `unit_bits`; None when it moves parts of a unit.

    >>> print(in_unit(Swizzle(3, 3, 3), 16, 8), in_unit(Swizzle(3, 3, 3), 16, 1), in_unit(Swizzle(1, 0, 1), 4, 8))
    Sw<3,4,3> Sw<3,7,3> None
    """
    base = swizzle.m + element_bits.bit_length() - unit_bits.bit_length()
    return Swizzle(swizzle.b, base, swizzle.s) if base >= 0 else None


def swizzles(least_base: int, line: int, top: int, element_bits: int) -> Iterator[Swizzle]:
    """Every swizzle that may change the banks of a tile and keeps its vectors whole, and the four modes.

    Vectors have 2^least_base elements, a line over all banks 2^line, the tile 2^top. This is no restriction: fields
    beyond the line change no bank, fields beyond the tile read zeros, both within the line (or s < 0) only rename
    the banks; what is left of such a swizzle is one of these with fewer bits.
    """
    own = [
        Swizzle(b, m, s)
        for b in range(1, line - least_base + 1)
        for m in range(least_base, line - b + 1)
        for s in range(b, max(b, top - m - b) + 1)
    ]
    modes = [mode_swizzle(b, element_bits) for b in MODES if b == 0 or chunk_exponent(element_bits) >= least_base]
    yield from dict.fromkeys((*modes, *own))
