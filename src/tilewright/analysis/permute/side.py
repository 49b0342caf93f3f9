"""One side of a permute: where its elements lie, what a phase costs there, and what it costs at least."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count

from tilewright.analysis.banks import rule as banks
from tilewright.analysis.model.vector import vectors
from tilewright.analysis.permute.forms import Rows
from tilewright.arch import PhaseRule
from tilewright.arch.spec import BANK_BYTES, Groups


@dataclass(frozen=True, slots=True)
class PhaseCost:
    """The wavefronts of a phase: as counted, without any conflict, and at least in whatever order.

    `lower_bound` holds for every schedule in which a lane moves one element an instruction.
    """

    wavefronts: int
    ideal: int
    lower_bound: int

    @property
    def conflict_free(self) -> bool:
        """Are there no bank conflicts?"""
        return self.wavefronts == self.ideal

    @property
    def optimal(self) -> bool:
        """Does no schedule take fewer?"""
        return self.wavefronts == self.lower_bound

    def to_json(self) -> dict[str, object]:
        """The cost as plain values."""
        return {"wavefronts": self.wavefronts, "ideal": self.ideal, "lower_bound": self.lower_bound}


@dataclass(frozen=True)
class Side:
    """Element i lies at `offsets[i]`, in elements of `width` bytes; `rule` says how lanes are served there.

    A cell is what a lane touches at once: the 4-byte word of a narrow element, the whole of a wide one. `slots` is the
    number of cells that lie side by side in the banks; lanes of a group meet in a slot when they want different cells.
    Where the elements do not fill the last register of all lanes, numbers beyond the last element are idle lanes.
    """

    offsets: tuple[int, ...]
    width: int
    rule: PhaseRule
    lanes: int

    @property
    def groups(self) -> Groups:
        """The lanes that are served together."""
        return self.rule.groups

    @property
    def slots(self) -> int:
        """Cells in one line of all banks."""
        return self.rule.banks * BANK_BYTES // max(BANK_BYTES, self.width)

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The cell of every element."""
        return tuple(offset * self.width // max(BANK_BYTES, self.width) for offset in self.offsets)

    @property
    def registers(self) -> int:
        """How many elements a lane moves; the last of some lanes may be idle."""
        return -(-len(self.offsets) // self.lanes)

    @property
    def turns(self) -> int:
        """How many groups of lanes it takes to move all elements."""
        return -(-len(self.offsets) // len(self.groups[0]))

    @cached_property
    def regular(self) -> bool:
        """Do all slots hold equally many elements?"""
        held = Counter(cell % self.slots for cell in self.cells)
        return len(held) == self.slots and len(set(held.values())) == 1

    @cached_property
    def held(self) -> tuple[tuple[int, ...], ...]:
        """How many elements the cells of each slot hold, for slots that hold any, the largest cells first."""
        slots: dict[int, list[int]] = defaultdict(list)
        for cell, elements in Counter(self.cells).items():
            slots[cell % self.slots].append(elements)
        return tuple(tuple(sorted(sizes, reverse=True)) for sizes in slots.values())

    @property
    def shared(self) -> bool:
        """Do elements share cells?"""
        return any(sizes[0] > 1 for sizes in self.held)

    @property
    def group_counts(self) -> range:
        """In how many groups of lanes a schedule may put elements, over all registers."""
        return range(self.turns, self.registers * len(self.groups) + 1)

    @cached_property
    def lower_bound(self) -> int:
        """The wavefronts that no schedule goes below."""
        return min(least(self.held, len(self.groups[0]), groups) for groups in self.group_counts)

    def cost(self, rows: Rows) -> PhaseCost:
        """The cost of moving the elements row by row, counted by the bank model without merging of lanes."""
        return PhaseCost(self._count(rows), self.turns, self.lower_bound)

    def _count(self, rows: Sequence[Sequence[int]]) -> int:
        xp = vectors(len(self.offsets))
        places = [*(offset * self.width for offset in self.offsets), *[-1] * (self.registers * self.lanes)]
        addresses = xp.vector([places[element] for row in rows for element in row])
        return int(banks.count(xp, addresses, self.lanes, self.width, self.rule, merge=False).wavefronts().sum())


def least(held: Sequence[Sequence[int]], size: int, groups: int) -> int:
    """Wavefronts that `groups` groups of at most `size` elements, none of them empty, take at least.

    A group that costs m wavefronts takes elements of at most m cells of a slot. So a slot has no more cells than there
    are wavefronts; and what any slots hold must fit into the m fullest cells of each, or `size`, summed over the
    groups. Equal m serve that best. If no cell holds two elements, some order meets the bound (max-flow, min-cut),
    which need not suit the other side.

    Args:
        held: the elements of each cell of each slot, largest first.

    >>> least([(1,) * 4, (1,) * 4], 4, 2), least([(1,) * 6, (1,) * 2], 4, 2), least([(2, 2), (1,)], 4, 2)
    (4, 6, 2)
    """

    def fits(wavefronts: int) -> bool:
        low, more = divmod(wavefronts, groups)
        slots = [(sum(sizes[:low]), sum(sizes[: low + 1]), sum(sizes)) for sizes in held]
        slots.sort(key=lambda slot: (groups - more) * slot[0] + more * slot[1] - slot[2])
        most = [list(accumulate(column)) for column in zip(*slots, strict=True)]
        return all(
            elements <= (groups - more) * min(size, few) + more * min(size, many)
            for few, many, elements in zip(*most, strict=True)
        )

    return next(wavefronts for wavefronts in count(max(groups, *map(len, held))) if fits(wavefronts))
