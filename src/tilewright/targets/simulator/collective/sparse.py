"""Structured sparsity: where the stored half of a row's elements stand, by its metadata."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = np.ndarray[Any, np.dtype[Any]]
Numbers = NDArray[np.int64]

NIBBLE = 4  # bits of metadata for a chunk
# What they may be: the places of two of four, the first in the lower bits, and of one of two.
_TWO_OF_FOUR = (0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b0110, 0b1110)
_ONE_OF_TWO = {0b0100: 0, 0b1110: 1}
NOWHERE = -1


@dataclass(frozen=True)
class Pattern:
    """Chunks of so many parts, each of so many elements, of which some are stored; `places` are theirs, by metadata.

    Source: PTX ISA, sparse matrices of tcgen05.mma.sp and mma.sp.
    """

    parts: int
    elements: int
    places: tuple[tuple[int, ...], ...]

    @property
    def stored(self) -> int:
        """How many parts of a chunk are stored."""
        return len(self.places[0])

    @property
    def width(self) -> int:
        """The elements of a chunk."""
        return self.parts * self.elements

    def where(self, metadata: Array) -> Numbers:
        """The places (.., chunk, stored part) by metadata (.., chunk); `NOWHERE` where that says none."""
        return np.array(self.places, np.int64)[metadata]

    def unsaid(self, metadata: Array) -> tuple[int, str] | None:
        """The first entry whose metadata (entry, row, chunk) says no places, and what it says; None where all do."""
        entries, rows, chunks = np.nonzero(self.where(metadata)[..., 0] == NOWHERE)
        if not len(entries):
            return None
        at, first = (int(entries[0]), int(rows[0]), int(chunks[0])), int(chunks[0]) * self.width
        places = f"elements {first} to {first + self.width - 1} of row {at[1]} of A"
        return at[0], f"the metadata {int(metadata[at]):#06b} for {places}, which says no places"

    def spread(self, stored: Array, where: Numbers) -> Array:
        """Rows (entry, row, K) of those (entry, row, K / 2) that are stored; what is not is zero.

        >>> TWO_OF_FOUR.spread(np.array([[[5, 7]]]), TWO_OF_FOUR.where(np.array([[[0b1001]]]))).tolist()
        [[[0, 5, 7, 0]]]
        """
        parts = stored.reshape(*where.shape, self.elements)
        found = np.zeros((*where.shape[:-1], self.parts, self.elements), stored.dtype)
        np.put_along_axis(found, where[..., None], parts, axis=-2)
        return found.reshape(*stored.shape[:-1], -1)


def _two() -> tuple[tuple[int, ...], ...]:
    return tuple((n & 3, n >> 2) if n in _TWO_OF_FOUR else (NOWHERE, NOWHERE) for n in range(1 << NIBBLE))


TWO_OF_FOUR = Pattern(4, 1, _two())
PAIRS = Pattern(4, 2, _two())  # four of eight
ONE_OF_TWO = Pattern(2, 1, tuple((_ONE_OF_TWO.get(n, NOWHERE),) for n in range(1 << NIBBLE)))


def pattern_of(bits: int) -> Pattern:
    """That of elements of so many bits, which take as much room in a product: pairs of 4, single ones of 32 bits."""
    return {32: ONE_OF_TWO, 4: PAIRS}.get(bits, TWO_OF_FOUR)
