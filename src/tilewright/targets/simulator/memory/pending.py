"""Elements that asynchronous work is to read or write: until it has been waited for, others may not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from tilewright.targets.simulator.order.clocks import Numbers

Kinds: TypeAlias = Mapping[str, tuple[str, ...]]

# What work on its way an access may not meet: reads do not mind reads, atomic changes do not mind each other.
AGAINST: Kinds = {"load": ("store", "atomic"), "store": ("load", "store", "atomic"), "atomic": ("load", "store")}

# What work on its way does to a position in that way, and where it began.
Describe: TypeAlias = Callable[[int, str], tuple[str, str]]


class Pending:
    """For each element of one memory, how many accesses of each kind are on their way; `whose` tells of one."""

    def __init__(self, elements: int, whose: Describe) -> None:
        self.elements, self._whose = elements, whose
        self._counts: dict[str, Numbers] = {}
        self.total = 0

    def describe(self, at: int, kind: str) -> tuple[str, str]:
        """What the work of this kind on its way does to a position, and where it began."""
        return self._whose(at, kind)

    def counts(self, kind: str) -> Numbers | None:
        """How many accesses of the kind are on their way to each element; None: there never were."""
        return self._counts.get(kind)

    def begin(self, at: Numbers, kind: str) -> None:
        """These accesses are on their way."""
        if kind not in self._counts:
            self._counts[kind] = np.zeros(self.elements, np.int64)
        np.add.at(self._counts[kind], at, 1)
        self.total += len(at)

    def end(self, at: Numbers, kind: str) -> None:
        """They are done."""
        np.subtract.at(self._counts[kind], at, 1)
        self.total -= len(at)

    def forget(self) -> None:
        """All is over: who could tell of it, and knows the memory, is free to go with it."""
        self._whose = _over

    def met(self, at: Numbers, kind: str) -> tuple[int, str] | None:
        """The first of the accesses that meets one on its way, and what the other is."""
        if not self.total:
            return None
        for other in AGAINST[kind]:
            if other in self._counts:
                found = self._counts[other].take(at)
                if found.any():
                    return int(np.argmax(found != 0)), other
        return None


def _over(at: int, kind: str) -> tuple[str, str]:
    raise AssertionError(f"a {kind} at {at} after the end")
