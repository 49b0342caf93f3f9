"""Atomic accesses that are not for all: whom a scope leaves out, and who comes not after, races with them.

Source: PTX ISA, "Memory Consistency Model": two accesses are strong to each other only within the scopes of both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.order.peers import either, unordered
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.order.scopes import Scope


class Scoped:
    """Of each element the last such access of each lane in each scope, by block; `narrow`: some are not for all."""

    def __init__(self) -> None:
        self.known: dict[int, dict[int, dict[tuple[int, Scope], int]]] = {}
        self.narrow: set[int] = set()

    def join(self, at: Numbers, lanes: Present, scope: Scope) -> None:
        """The lanes access the elements."""
        actors = lanes.clocks.beyond.groups.actors
        for element, actor, epoch in zip(at.tolist(), lanes.actor.tolist(), lanes.epoch.tolist(), strict=True):
            self.known.setdefault(element, {}).setdefault(actor // actors, {})[actor, scope] = epoch
        if scope != Scope.ALL:
            self.narrow.update(at.tolist())

    def left_out(self, at: Numbers, lanes: Present, scope: Scope) -> Numbers | None:
        """For each lane at its element an access that it races with, or 0; None where all are 0."""
        groups, found = lanes.clocks.beyond.groups, list[tuple[int, int]]()
        for number, (element, actor) in enumerate(zip(at.tolist(), lanes.actor.tolist(), strict=True)):
            if scope == Scope.ALL and element not in self.narrow:
                continue
            for block, others in self.known.get(element, {}).items():
                left_out = (at for (who, its), at in others.items() if not groups.reach(actor, scope, who, its))
                found += [(number, other) for other in left_out if block != actor // groups.actors]
        return _not_before(found, lanes)


def _not_before(found: Sequence[tuple[int, int]], lanes: Present) -> Numbers | None:
    """Of these epochs, each with the number of a lane, one for each lane that does not lie before it."""
    rivals: Numbers | None = None
    while found:
        asked = dict(reversed(found))
        rest = [pair for pair in found if asked[pair[0]] != pair[1]]
        epochs = np.zeros(len(lanes.actor), np.int64)
        epochs[list(asked)] = list(asked.values())
        rivals, found = either(rivals, unordered(epochs, lanes, 1)), rest
    return rivals
