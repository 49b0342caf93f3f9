"""What one access of a tile costs under any swizzle: by rank over F2 where it applies, else by counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from tilewright.analysis.banks.instructions import parse_instruction
from tilewright.analysis.banks.rank import missing_rank, rank_above, xor_columns
from tilewright.analysis.banks.rule import count
from tilewright.analysis.model.access import (
    Access,
    Requests,
    check_alignment,
    elements,
    into_warps,
    lane_move,
    vector_starts,
)
from tilewright.analysis.model.memory import Tile
from tilewright.analysis.model.participants import Participants
from tilewright.analysis.model.vector import Vector
from tilewright.arch import ArchSpec, PhaseRule
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError

Columns = tuple[int, ...]


@dataclass(frozen=True)
class TileAccess:
    """One access of a tile before any swizzle: `starts` holds element offsets in the place of byte addresses.

    `length` is the number of elements in one vector.
    """

    access: Access
    rule: PhaseRule
    starts: Requests
    element_bits: int
    length: int

    @cached_property
    def ideal(self) -> int:
        """Wavefronts without conflicts: the groups that have an active lane."""
        return sum(self._patterns.values())

    def excess(self, moved: Callable[[int], int]) -> int:
        """Wavefronts above the ideal when offsets go through `moved`, an XOR-linear map that keeps vectors whole."""
        if self.columns is None:
            return self.counted_excess(moved)
        mask = self.rule.banks - 1
        return sum(n * ((1 << rank_above(self._words(c, moved), mask)) - 1) for c, n in self.columns.items())

    def counted_excess(self, moved: Callable[[int], int]) -> int:
        """The same for any map, counted group by group."""
        starts, xp = self.starts, self.starts.xp
        placed = moved(starts.addresses) * self.element_bits // 8
        addresses = xp.where(starts.addresses >= 0, placed, -1)
        counted = count(xp, addresses, starts.lanes, starts.width, self.rule, merge=False)
        return int(counted.wavefronts().sum()) - self.ideal

    @cached_property
    def needed_bits(self) -> int:
        """A lower bound on the bits of a swizzle that frees the access of conflicts, by rank; 0 where F2 is mute.

        XORing one bit of the offsets into another changes one row of the map from lanes to words. Into a bank bit it
        either adds a bank row, or takes a row from the words, never both; into a higher bit it changes the words only.
        """
        known = self.columns or Counter[Columns]()
        return max((missing_rank(self._words(c, lambda x: x), self.rule.banks) for c in known), default=0)

    @cached_property
    def columns(self) -> Counter[Columns] | None:
        """How many groups have which XOR-linear map from lane bits to element offsets; None when one has none."""
        found: Counter[Columns] = Counter()
        for pattern, times in self._patterns.items():
            columns = xor_columns(pattern)
            if columns is None:
                return None
            found[columns] += times
        return found

    @cached_property
    def _patterns(self) -> Counter[tuple[int, ...]]:
        """How many groups have which offsets, each group's XORed with its first."""
        starts, lanes = self.starts, self.starts.lanes
        rows, which = starts.xp.distinct_rows(self._low(), lanes)
        cells, times = rows.tolist(), starts.xp.count(which, len(rows) // lanes).tolist()
        found: Counter[tuple[int, ...]] = Counter()
        for row, repeats in enumerate(times):
            for group in self.rule.groups:
                offsets = [cells[row * lanes + lane] for lane in group if cells[row * lanes + lane] >= 0]
                if offsets:
                    found[tuple(offset ^ offsets[0] for offset in offsets)] += repeats
        return found

    def _low(self) -> Vector:
        """The offsets without the high bits in which no two offsets of a row differ."""
        starts, xp, live = self.starts, self.starts.xp, self.starts.addresses >= 0
        highest = xp.where(live, starts.addresses, int(starts.addresses.min()))
        first = xp.repeat(xp.row_max(highest, starts.lanes), starts.lanes)
        apart = xp.where(live, starts.addresses ^ first, 0)
        return xp.where(live, starts.addresses & (1 << int(apart.max()).bit_length()) - 1, -1)

    def _words(self, columns: Columns, moved: Callable[[int], int]) -> Columns:
        """Word addresses by lane bit, and by the bits that count the words of one lane."""
        lane_bits = tuple(moved(column) * self.element_bits // (8 * BANK_BYTES) for column in columns)
        return lane_bits + tuple(1 << k for k in range((self.starts.width // BANK_BYTES).bit_length() - 1))


def least_alignment(tiles: Iterable[TileAccess], spec: ArchSpec) -> int:
    """The bytes that a tile's address is a multiple of, for no access to fault and for words to be those counted."""
    return max((max(BANK_BYTES, spec.alignment(tile.starts.width)) for tile in tiles), default=1)


def tile_access(layout: Tile, access: Access, element_bits: int, spec: ArchSpec) -> TileAccess:
    """The access of a tile whose layout is not swizzled.

    Raises:
        LayoutError: as `bank_conflicts` does.
        UsageError: vectors whose length is no power of two.
    """
    known = parse_instruction(access.instruction, access.kind, spec)
    move = lane_move(element_bits, access.vector_bits, known.width)
    who = Participants(spec.lanes, known.lanes)
    found = elements(layout, access.thread_value, who)
    starts = vector_starts(found, element_bits, move)
    requests = into_warps(found.xp, starts, found.threads, who, move.width)
    length = move.length
    if length & (length - 1):
        raise UsageError(f"{access}: a swizzle moves powers of two, a vector of {length} elements would be cut")
    check_alignment(requests, length, f"{access} of {length} elements", "element")
    return TileAccess(access, spec.rule(known.row, move.width), requests, element_bits, length)
