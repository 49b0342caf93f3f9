"""Offsets of a tile of shared memory bit by bit: a vector, the banks, what tells turns apart, and rounds.

Source: as `scratch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from tilewright.layout.linear import f2

WORD_BITS = 32  # of a bank


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


def tile_of(
    vector: tuple[int, ...], one: Sequence[int], other: Sequence[int], bits: int, element_bits: int, banks: int
) -> Tile:
    """The tile of a vector, in which the indices of one turn, and those of the other, meet as rarely as may be."""
    free = bits - len(vector)
    within = min(exponent(banks * WORD_BITS, element_bits << len(vector)), free)
    segment = _segment((*vector, *one), (*vector, *other), bits, free - within)
    return Tile(vector, _lowest_free((*vector, *segment), bits), segment)


def _segment(one: Sequence[int], other: Sequence[int], bits: int, count: int) -> tuple[int, ...]:
    """Indices outside of both spans, the first ones where there are enough; else those that meet only few of them."""
    free = _lowest_free((*one, *other), bits)[:count]
    fewer, more = sorted((_beside(side, f2.intersection(one, other), bits) for side in (one, other)), key=len)
    met = min(max(0, count - len(fewer) - len(free)), len(fewer))
    apart = [x ^ y for x, y in zip(fewer[met:], more[met:], strict=False)]
    return tuple([*free, *apart, *fewer[:met], *more[:met]][:count])


def _beside(vectors: Sequence[int], known: Sequence[int], bits: int) -> tuple[int, ...]:
    """The reduced basis of what the vectors span beside what is known, each of which stands for its lowest bit."""
    rows = [_turned(row, bits) for row in f2.span_basis(_turned(vector, bits) for vector in known)]
    return f2.span_basis(reduce(lambda left, row: left ^ row if left & row & -row else left, rows, x) for x in vectors)


def _lowest_free(vectors: Sequence[int], bits: int) -> tuple[int, ...]:
    """Unit vectors that extend the span, the lowest bit of a reduced vector being the one that it stands for."""
    complement = f2.complement_basis([_turned(vector, bits) for vector in vectors], bits)
    return tuple(sorted(_turned(unit, bits) for unit in complement))


def _turned(vector: int, bits: int) -> int:
    """The vector with its bits in reverse."""
    return sum((vector >> i & 1) << bits - 1 - i for i in range(bits))


def common(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """A basis of what two spans share: of unit vectors those of both, in the order of the first."""
    if any(image & (image - 1) for image in (*one, *other)):
        return f2.intersection(one, other)
    return tuple(image for image in one if image and image in other)


def exponent(whole: int, part: int) -> int:
    """How many bits number the parts of a whole; 0 where it has one, or less."""
    return max(0, (whole // part).bit_length() - 1)
