"""Lanes that act as one: what lies before their present lies before that of each of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tilewright.targets.simulator.order.clocks import Clocks, Flags, Numbers
from tilewright.targets.simulator.order.present import Present


@dataclass(frozen=True, eq=False)
class Together(Present):
    """The first lanes of groups, one entry an access; `others` are the rest of a group, as far behind the first.

    Of lanes that know the same one is enough. With `stamps` these are the epochs of the accesses, which an engine makes
    for the group.
    """

    others: tuple[int, ...] = ()
    stamps: Numbers | None = None

    @staticmethod
    def of(clocks: Clocks, first: Numbers, size: int, plane: int, stamps: Numbers | None = None) -> Together:
        """Groups of so many lanes, whole warps, by their first ones."""
        single = {thread % size for thread in clocks.alone}  # who may know other things than the rest of their warps
        warps = (range(start, start + clocks.lanes) for start in range(0, size, clocks.lanes))
        asked = ([lane for lane in warp if lane not in single][:1] or warp for warp in warps)
        others = {lane for lanes in asked for lane in lanes} - {0}
        return Together(clocks, first, plane, tuple(sorted(others)), stamps)

    def __getitem__(self, chosen: Numbers | Flags) -> Together:
        stamps = None if self.stamps is None else self.stamps[chosen]
        return replace(self, actor=self.actor[chosen], stamps=stamps)

    @cached_property
    def epoch(self) -> Numbers:
        """The epochs of the access."""
        return super().epoch if self.stamps is None else self.stamps

    def _after(self, epoch: Numbers) -> Flags:
        found = np.ones(len(epoch), bool)
        for distance in (0, *self.others):
            found &= Present(self.clocks, self.actor + distance, self.plane)._after(epoch)
        return found
