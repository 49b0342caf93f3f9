"""Atomic changes of elements that are not for all: whom a scope leaves out, and who comes not after, races with them.

Source: PTX ISA, "Memory Consistency Model": two changes are strong to each other only within the scopes of both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.order.peers import either, unordered
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.order.scopes import Scope


class Scoped:
    """Of each element that was changed within a scope: the last change of each lane in each scope since, by block."""

    def __init__(self) -> None:
        self.known: dict[int, dict[int, dict[tuple[int, Scope], int]]] = {}

    def join(self, at: Numbers, lanes: Present, scope: Scope) -> Numbers | None:
        """The lanes change the elements: for each a change that it races with, or 0; None where all are 0."""
        groups, found = lanes.clocks.beyond.groups, list[tuple[int, int]]()
        changes = zip(at.tolist(), lanes.actor.tolist(), lanes.epoch.tolist(), strict=True)
        for number, (element, actor, epoch) in enumerate(changes):
            if scope == Scope.ALL and element not in self.known:
                continue
            blocks, mine = self.known.setdefault(element, {}), actor // groups.actors
            for block, others in blocks.items():
                left_out = (at for (who, its), at in others.items() if not groups.reach(actor, scope, who, its))
                found += [(number, other) for other in left_out if block != mine]
            blocks.setdefault(mine, {})[actor, scope] = epoch
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
