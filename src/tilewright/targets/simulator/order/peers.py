"""Accesses to elements that do not race with each other, but with others: reads, or atomic changes."""

from __future__ import annotations

import numpy as np

from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.order.crowd import Crowd
from tilewright.targets.simulator.order.present import Present


class Peers:
    """For each element the last such access, and in the crowd those that are not ordered before it."""

    def __init__(self, elements: int, width: int, *, edges: bool = False) -> None:
        self.last: Numbers = np.zeros(elements, np.int64)
        self.crowd = Crowd(width, thins=not edges)

    def join(self, at: Numbers, lanes: Present, settled: int) -> None:
        """The lanes access the elements; epochs below `settled` lie before everybody's present."""
        if self.crowd.latest < settled:
            self.crowd.clear()
        followed = unordered(self.last.take(at), lanes, settled)
        if followed is not None:
            kept = followed != 0
            self.crowd.add(at[kept], followed[kept])
        self.last[at] = lanes.epoch
        lost = self.last.take(at) != lanes.epoch
        if lost.any():
            self.crowd.add(at[lost], lanes.epoch[lost])

    def land(self, at: Numbers, epochs: Numbers) -> None:
        """Such an access is done, at these epochs; whether others lie before it is not asked."""
        followed = self.last.take(at)
        self.last[at] = epochs
        lost = self.last.take(at) != epochs
        for kept, those in ((followed != 0, followed), (lost, epochs)):
            if kept.any():
                self.crowd.add(at[kept], those[kept])

    def unordered(self, at: Numbers, lanes: Present, settled: int) -> Numbers | None:
        """For each lane an access to its element that is not ordered before it, or 0; None where all are 0."""
        last = unordered(self.last.take(at), lanes, settled)
        return either(last, self.crowd.unordered(at, lanes) if self.crowd.latest >= settled else None)


def unordered(epochs: Numbers, lanes: Present, settled: int) -> Numbers | None:
    """Those of the epochs, one for each lane, that do not lie before its present, else 0; None where all are 0."""
    if epochs.max(initial=0) < settled:
        return None
    found = np.where(lanes.after(epochs), 0, epochs)
    return found if found.any() else None


def either(one: Numbers | None, other: Numbers | None) -> Numbers | None:
    """For each lane the first that is not 0."""
    return other if one is None else one if other is None else np.where(one, one, other)
