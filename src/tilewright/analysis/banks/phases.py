"""`Phase`: one group of lanes being served, with the words it wants. Built only when looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import cycle
from typing import overload

from tilewright.analysis.banks.rule import Counted
from tilewright.analysis.model.access import Requests
from tilewright.analysis.model.vector import Vector
from tilewright.arch.spec import BANK_BYTES, Groups


@dataclass(frozen=True, slots=True)
class Phase:
    """One group of lanes that are served together.

    `words[i]` are the 4-byte words (byte address / 4) that `lanes[i]` touches; only active lanes are listed.
    `instruction` counts the instructions of a thread, `warp` the warps.
    """

    instruction: int
    warp: int
    lanes: tuple[int, ...]
    words: tuple[tuple[int, ...], ...]
    banks: int
    wavefronts: int

    @property
    def by_bank(self) -> dict[int, tuple[int, ...]]:
        """The distinct words wanted from each bank, ascending."""
        wanted: dict[int, set[int]] = defaultdict(set)
        for word in (word for words in self.words for word in words):
            wanted[word % self.banks].add(word)
        return {bank: tuple(sorted(wanted[bank])) for bank in sorted(wanted)}

    @property
    def worst_bank(self) -> int:
        """The bank that most distinct words are wanted from; the first of equals."""
        return max(self.by_bank.items(), key=lambda item: len(item[1]))[0]

    def to_json(self) -> dict[str, object]:
        """The phase as plain values."""
        return {
            "instruction": self.instruction,
            "warp": self.warp,
            "lanes": list(self.lanes),
            "words": [list(words) for words in self.words],
            "wavefronts": self.wavefronts,
        }


@dataclass(frozen=True, eq=False)
class Phases(Sequence[Phase]):
    """The phases of a report in the order instruction, warp, group; those without an active lane are left out."""

    requests: Requests = field(repr=False)
    counted: Counted = field(repr=False)
    banks: int

    @overload
    def __getitem__(self, i: int) -> Phase: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Phase, ...]: ...
    def __getitem__(self, i: int | slice) -> Phase | tuple[Phase, ...]:
        if isinstance(i, slice):
            return tuple(map(self._phase, self._served[i]))
        return self._phase(self._served[i])

    def __len__(self) -> int:
        return len(self._served)

    def __iter__(self) -> Iterator[Phase]:
        return map(self._phase, self._served)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def costs(self) -> list[int]:
        """The wavefronts of every phase."""
        return [cost for _, _, cost in self._served]

    @cached_property
    def _served(self) -> list[tuple[int, tuple[int, ...], int]]:
        """(row, lanes, cost) of every group with an active lane."""
        (plain, costs), *more = self.counted.tables()
        if self.counted.merges is None or not more:
            cells = zip(cycle(plain), costs.tolist(), strict=False)
            return [(i // len(plain), group, cost) for i, (group, cost) in enumerate(cells) if cost]
        return [
            (row, group, cost)
            for row, (groups, costs) in enumerate(self._rows(self.counted.merges))
            for group, cost in zip(groups, costs, strict=True)
            if cost
        ]

    def _rows(self, merges: Vector) -> Iterator[tuple[Groups, list[int]]]:
        tables = [(groups, costs.tolist()) for groups, costs in self.counted.tables()]
        for row, merged in enumerate(merges.tolist()):
            groups, costs = tables[1 if merged else 0]
            yield groups, costs[row * len(groups) : (row + 1) * len(groups)]

    def _phase(self, served: tuple[int, tuple[int, ...], int]) -> Phase:
        row, group, cost = served
        start = row * self.requests.lanes
        cells = self.requests.addresses[start : start + self.requests.lanes].tolist()
        asked = [(lane, cells[lane]) for lane in group if cells[lane] >= 0]
        words = tuple(tuple(range(a // BANK_BYTES, (a + self.requests.width - 1) // BANK_BYTES + 1)) for _, a in asked)
        instruction, warp = divmod(row, self.requests.warps)
        return Phase(instruction, warp, tuple(lane for lane, _ in asked), words, self.banks, cost)
