"""Reads of elements which other reads have followed without an order between them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.targets.simulator.order.clocks import Flags, Numbers
from tilewright.targets.simulator.order.present import Present, actor_of

MANY = 1 << 20

_NONE = np.zeros(0, np.int64)


@dataclass(eq=False)
class Crowd:
    """A list of reads, of which a place may have several; `width` is the number of actors of a block.

    Where nothing orders lanes of different blocks it is `thinned` when it gets long.
    """

    width: int
    thins: bool = True
    latest: int = field(default=0, init=False)  # the highest epoch
    limit: int = field(default=MANY, init=False)
    count: int = field(default=0, init=False)
    sorted: tuple[Numbers, Numbers] = field(default=(_NONE, _NONE), init=False)  # places and epochs
    added: list[tuple[Numbers, Numbers]] = field(default_factory=list, init=False)

    def clear(self) -> None:
        """Forgets all."""
        self.latest, self.limit, self.count = 0, MANY, 0
        self.sorted, self.added = (_NONE, _NONE), []

    def add(self, at: Numbers, epochs: Numbers) -> None:
        """More reads."""
        self.added.append((at, epochs))
        self.latest = max(self.latest, int(epochs.max()))
        self.count += len(at)
        if self.count > self.limit:
            self.sorted = thinned(*self._settled(), self.width) if self.thins else self._settled()
            self.count = len(self.sorted[0])
            self.limit = max(MANY, 2 * self.count)

    def unordered(self, at: Numbers, lanes: Present) -> Numbers | None:
        """For each lane, which is to write its element, a read that races with it, or 0; None where all are 0."""
        if not self.count:
            return None
        places, epochs = self._settled()
        first = np.searchsorted(places, at)
        count = np.searchsorted(places, at, "right") - first
        lane = np.repeat(np.arange(len(at)), count)
        found = epochs[np.arange(len(lane)) + np.repeat(first - np.cumsum(count) + count, count)]
        races = ~lanes[lane].after(found)
        result = np.zeros(len(at), np.int64)
        result[lane[races]] = found[races]
        return result if races.any() else None

    def _settled(self) -> tuple[Numbers, Numbers]:
        """All reads by place and actor, of each actor the last."""
        if self.added:
            places, epochs = (np.concatenate(part) for part in zip(self.sorted, *self.added, strict=True))
            order = np.lexsort((epochs, actor_of(epochs), places))
            places, epochs = places[order], epochs[order]
            last = _changes(places) | _changes(actor_of(epochs))
            self.sorted, self.added = (places[last], epochs[last]), []
            self.count = len(self.sorted[0])
        return self.sorted


def thinned(places: Numbers, epochs: Numbers, width: int) -> tuple[Numbers, Numbers]:
    """Of a place that several blocks read, the reads of two: whoever writes it races with one of them.

    That is so where no lane learns anything of another block.
    """
    last = _changes(places)
    first = np.roll(last, 1)
    block = actor_of(epochs) // width
    several = np.repeat(block[first] != block[last], np.diff(np.flatnonzero(np.append(first, True))))
    kept = first | last | ~several
    return places[kept], epochs[kept]


def _changes(values: Numbers) -> Flags:
    """Is each value the last of its run?"""
    return np.append(values[1:] != values[:-1], True)
