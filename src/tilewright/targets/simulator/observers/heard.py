"""What an op's accesses were, for who looks on: ops of which nothing but their execution tells where they lead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from xdsl.ir import Operation

from tilewright.targets.simulator.observers.acts import Told
from tilewright.targets.simulator.observers.touched import Touched
from tilewright.targets.simulator.sites import Site

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


class Heard(NamedTuple):
    """One access of the active lanes, each to the element with its number."""

    site: Site
    elements: Array
    mask: Array | None


class Hearing:
    """The accesses of the op that was executed last; whoever looks on asks before the next one.

    Acts, some of which come of no op's execution, are `told` when they happen.
    """

    def __init__(self, touched: Touched, told: Told | None = None) -> None:
        self.touched = touched
        self.told = told
        self._entries: list[Heard] = []
        self._asked = False

    def note(self, site: Site, elements: Array, mask: Array | None) -> None:
        """One more access."""
        if self._asked:
            self._entries, self._asked = [], False
        self._entries.append(Heard(site, elements, mask))
        self.touched.mark(site, elements, mask)

    def of(self, op: Operation) -> Iterator[Heard]:
        """Those of the op, which has just been executed."""
        self._asked = True
        return (entry for entry in self._entries if entry.site.op is op)
