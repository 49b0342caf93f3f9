"""Votes of blocks: what their threads have shown, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tilewright.targets.simulator.order.clocks import Flags, Numbers

REDUCED: Mapping[str, np.ufunc] = {"and": np.logical_and, "or": np.logical_or, "count": np.add}


@dataclass(frozen=True, eq=False)
class Votes:
    """Of one place: what each thread has shown, (block, thread), and what each block found when the last one came."""

    shown: Flags
    found: Numbers

    @staticmethod
    def of(blocks: int, threads: int) -> Votes:
        """Nobody has voted."""
        return Votes(np.zeros((blocks, threads), bool), np.zeros(blocks, np.int64))

    def count(self, kind: str, met: Flags) -> None:
        """All threads of these blocks have shown theirs."""
        self.found[met] = REDUCED[kind].reduce(self.shown[met], axis=1)
