"""Offsets of a tile of shared memory bit by bit: a vector, the banks, what tells turns apart, and rounds.

Source: as `scratch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.layout.linear import f2

BANK_BITS = 1024  # bits of all banks


@dataclass(frozen=True)
class Tile:
    """The tensor index at every power of two of the offset."""

    vector: tuple[int, ...]
    banks: tuple[int, ...]
    segment: tuple[int, ...]
    rounds: tuple[int, ...] = ()

    @property
    def basis(self) -> tuple[int, ...]:
        """All of them, from the lowest bit of the offset on."""
        return (*self.vector, *self.banks, *self.segment, *self.rounds)

    def in_rounds(self, registers: Sequence[int], keep: int) -> Tile:
        """What registers of both sides repeat of the segment, but the first `keep` of it, goes round by round."""
        repeated = [image for image in self.segment if image in registers][keep:]
        left = tuple(image for image in self.segment if image not in repeated)
        return Tile(self.vector, self.banks, left, tuple(repeated))

    def conflicts(self, *turns: Sequence[int]) -> int:
        """Passes more than one that the sides' turns take."""
        return sum((1 << len(common(self.segment, turn))) - 1 for turn in turns)


def tile_of(vector: tuple[int, ...], one: Sequence[int], other: Sequence[int], bits: int, element_bits: int) -> Tile:
    """The tile of a vector, in which the indices of one turn, and those of the other, meet as rarely as may be."""
    free = bits - len(vector)
    banks = min(exponent(BANK_BITS, element_bits << len(vector)), free)
    segment = _segment({*vector, *one}, {*vector, *other}, bits, free - banks)
    return Tile(vector, _lowest_free((*vector, *segment), bits), segment)


def _segment(one: set[int], other: set[int], bits: int, count: int) -> tuple[int, ...]:
    """Indices outside of either span, the first ones where there are enough; else those that meet only few of them."""
    free = [1 << i for i in range(bits) if 1 << i not in one | other][:count]
    fewer, more = sorted((sorted(one - other - {0}), sorted(other - one - {0})), key=len)
    met = min(max(0, count - len(fewer) - len(free)), len(fewer))
    apart = [x ^ y for x, y in zip(fewer[met:], more[met:], strict=False)]
    return tuple([*free, *apart, *fewer[:met], *more[:met]][:count])


def _lowest_free(vectors: Sequence[int], bits: int) -> tuple[int, ...]:
    """Unit vectors that extend the span, the lowest bit of a reduced vector being the one that it stands for."""
    turned = [sum((vector >> i & 1) << bits - 1 - i for i in range(bits)) for vector in vectors]
    return tuple(sorted(1 << bits - unit.bit_length() for unit in f2.complement_basis(turned, bits)))


def common(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """A basis of what two spans share: of unit vectors those of both, in the order of the first."""
    if any(image & (image - 1) for image in (*one, *other)):
        return f2.intersection(one, other)
    return tuple(image for image in one if image and image in other)


def exponent(whole: int, part: int) -> int:
    """How many bits number the parts of a whole; 0 where it has one, or less."""
    return max(0, (whole // part).bit_length() - 1)
