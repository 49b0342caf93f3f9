"""The swizzles of a tile in the order of the advice: fewest wavefronts over all accesses, then the smallest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from tilewright.analysis.swizzle.costs import TileAccess
from tilewright.analysis.swizzle.space import Space, chunk_exponent, modes
from tilewright.arch.spec import BANK_BYTES
from tilewright.atoms.shared_modes import mode_of
from tilewright.layout.swizzle import Swizzle

# The fields of a `Rank` after the first.
Order: TypeAlias = tuple[int, bool, bool, int, int, int]


def ranked(tiles: Sequence[TileAccess], element_bits: int, times: Sequence[int] | None = None) -> list[Rank]:
    """Every swizzle of use, the best first; access i counts `times[i]` times, or each once."""
    weights = times or [1] * len(tiles)
    tried = _tried(space_of(tiles, element_bits), element_bits)
    return sorted(Rank(_excess(swizzle, tiles, weights), *order) for swizzle, order in tried)


def best(
    tiles: Sequence[TileAccess], element_bits: int, times: Sequence[int], modes_only: bool = False
) -> Swizzle | None:
    """The first of `ranked`, or the first mode of the hardware: sought in their order up to one of no excess."""
    least, found = None, None
    for swizzle, order in _tried(space_of(tiles, element_bits), element_bits):
        if modes_only and Rank(0, *order).is_no_mode:
            continue
        excess = _excess(swizzle, tiles, times)
        if least is None or excess < least:
            least, found = excess, swizzle
        if not least:
            break
    return found


def _excess(swizzle: Swizzle, tiles: Sequence[TileAccess], times: Sequence[int]) -> int:
    return sum(n * tile.excess(swizzle) for tile, n in zip(tiles, times, strict=True))


@lru_cache(256)
def _tried(space: Space, element_bits: int) -> tuple[tuple[Swizzle, Order], ...]:
    """The swizzles, as they are ranked among equals."""
    every = dict.fromkeys((*modes(space.least, element_bits), *space.swizzles()))
    return tuple(sorted(((swizzle, _order(swizzle, element_bits)) for swizzle in every), key=lambda one: one[1]))


def space_of(tiles: Sequence[TileAccess], element_bits: int) -> Space:
    """The swizzles that can change a conflict of the accesses of a tile, together."""
    return Space(
        max(_exponent(tile.length) for tile in tiles),
        max(0, _exponent(8 * BANK_BYTES // element_bits)),
        tuple(sorted({_exponent(8 * BANK_BYTES * tile.rule.banks // element_bits) for tile in tiles})),
        max(int(tile.starts.addresses.max()).bit_length() for tile in tiles),
    )


@dataclass(frozen=True, order=True, slots=True)
class Rank:
    """The order of the ranking, field by field."""

    excess: int
    bits: int
    is_no_mode: bool
    is_upward: bool
    from_chunk: int
    distance: int
    base: int

    @property
    def swizzle(self) -> Swizzle:
        """The swizzle that is ranked."""
        return Swizzle(self.bits, self.base, -self.distance if self.is_upward else self.distance)


def _order(swizzle: Swizzle, element_bits: int) -> Order:
    from_chunk = abs(swizzle.m - chunk_exponent(element_bits))
    return swizzle.b, mode_of(swizzle, element_bits) is None, swizzle.s < 0, from_chunk, abs(swizzle.s), swizzle.m


def _exponent(value: int) -> int:
    """log2, rounded down; -1 for 0."""
    return value.bit_length() - 1
