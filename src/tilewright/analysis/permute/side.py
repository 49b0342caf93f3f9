"""One side of a permute: where its elements lie, what a phase costs there, and what it costs at least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count
from typing import Any

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

    def to_json(self) -> dict[str, Any]:
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
    def lower_bound(self) -> int:
        """The wavefronts that no schedule goes below.

        A group of g lanes that costs m wavefronts takes at most m cells of a slot, that is min(g, m e t) elements of t
        slots, with e elements in a cell. So the t fullest slots must fit into that, summed over the groups, for all t;
        equal m serve that best, and an idle group costs nothing. For e = 1 the bound is met by some order (max-flow,
        min-cut), which need not suit the other side.
        """
        filled = list(accumulate(sorted(Counter(c % self.slots for c in self.cells).values(), reverse=True)))
        shared = max(Counter(self.cells).values())
        size, groups = len(self.groups[0]), self.registers * len(self.groups)

        def fits(wavefronts: int) -> bool:
            low, more = divmod(wavefronts, groups)
            return all(
                held <= (groups - more) * min(size, low * shared * t) + more * min(size, (low + 1) * shared * t)
                for t, held in enumerate(filled, 1)
            )

        return next(wavefronts for wavefronts in count(self.turns) if fits(wavefronts))

    def cost(self, rows: Rows) -> PhaseCost:
        """The cost of moving the elements row by row, counted by the bank model without merging of lanes."""
        return PhaseCost(self._count(rows), self.turns, self.lower_bound)

    def _count(self, rows: Sequence[Sequence[int]]) -> int:
        xp = vectors(len(self.offsets))
        places = [*(offset * self.width for offset in self.offsets), *[-1] * (self.registers * self.lanes)]
        addresses = xp.vector([places[element] for row in rows for element in row])
        return int(banks.count(xp, addresses, self.lanes, self.width, self.rule, merge=False).wavefronts().sum())
