"""The swizzles worth trying for a tile, their units, and the hardware modes among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.atoms.shared_modes import CHUNK_BITS, NUMBERED
from tilewright.layout.swizzle import Swizzle


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
    return NUMBERED[bits].swizzle(element_bits)


def in_unit(swizzle: Swizzle, element_bits: int, unit_bits: int) -> Swizzle | None:
    """The same permutation of addresses counted in units of `unit_bits`; None when it moves parts of a unit.

    >>> print(in_unit(Swizzle(3, 3, 3), 16, 8), in_unit(Swizzle(3, 3, 3), 16, 1), in_unit(Swizzle(1, 0, 1), 4, 8))
    Sw<3,4,3> Sw<3,7,3> None
    """
    base = swizzle.m + element_bits.bit_length() - unit_bits.bit_length()
    return Swizzle(swizzle.b, base, swizzle.s) if base >= 0 else None


@dataclass(frozen=True, slots=True)
class Space:
    """Which swizzles can change a bank conflict of accesses to a tile, by exponents of 2 in elements.

    `least` is the longest vector, `word` a word, `lines` a line over all banks (accesses may differ), `top` the tile.

    Law: a swizzle of b bits is b steps that commute, each XORing bit `source` of the offset into bit `target`. A step
    that is not of use maps words to words and banks to banks one to one, so that leaving it out changes no count: every
    swizzle costs as much as one all of whose steps are of use, which has no more bits and the same shift.
    """

    least: int
    word: int
    lines: tuple[int, ...]
    top: int

    def of_use(self, source: int, target: int) -> bool:
        """Can that step change a conflict, keeping every vector whole and the 2^top elements closed?

        It can when it moves lines to other banks, or elements of one word to different words.
        """
        if min(source, target) < self.least or max(source, target) >= self.top:
            return False
        lines_to_banks = any(self.word <= target < line <= source for line in self.lines)
        return lines_to_banks or source < self.word <= target

    def swizzles(self) -> Iterator[Swizzle]:
        """Every swizzle, of both signs of the shift, all of whose steps are of use."""
        for distance in range(1, self.top):
            for shift in (distance, -distance):
                for base in range(self.top - distance):
                    for bits in range(1, distance + 1):
                        if not self.of_use(*_step(base + bits - 1, shift)):
                            break
                        yield Swizzle(bits, base, shift)

    @property
    def most_bits(self) -> int:
        """No swizzle of use has more bits: those of a bank, or those of an element's place in its word."""
        return max(0, max(self.lines) - max(self.least, self.word), self.word - self.least)


def _step(low: int, shift: int) -> tuple[int, int]:
    """(source, target) of the step whose lower bit is `low`."""
    return (low + shift, low) if shift > 0 else (low, low - shift)


def modes(least: int, element_bits: int) -> list[Swizzle]:
    """The swizzles of the hardware's modes that keep vectors of 2^least elements whole."""
    return [
        mode_swizzle(b, element_bits) for b in range(len(NUMBERED)) if b == 0 or chunk_exponent(element_bits) >= least
    ]
