"""Where the lanes of warpgroups come to an op that all execute together; nobody learns anything of the others."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.ir.tile.wgmma import WARPGROUP
from tilewright.targets.simulator.order.clocks import Flags, Numbers


@dataclass(eq=False)
class Gathering:
    """Who has come to one op, by (row, lane), and how often each warpgroup has been complete there."""

    come: Flags
    times: Numbers = field(init=False)

    def __post_init__(self) -> None:
        self.times = np.zeros((len(self.come), self.come.shape[1] // WARPGROUP), np.int64)

    @staticmethod
    def of(rows: int, threads: int) -> Gathering:
        """An empty one."""
        return Gathering(np.zeros((rows, -(-threads // WARPGROUP) * WARPGROUP), bool))

    def arrive(self, rows: Numbers, threads: Numbers) -> Numbers:
        """These threads of these rows come. What `times` will be when they may go on, for all rows and groups."""
        self.come[rows[:, None], threads] = True
        goal = self.times + 1
        met = self._grouped.all(axis=2)
        self._grouped[met] = False
        self.times += met
        return goal

    @property
    def _grouped(self) -> Flags:
        return self.come.reshape(len(self.come), -1, WARPGROUP)

    def over(self, goal: Numbers, rows: Numbers, threads: Numbers) -> Flags:
        """Which of these threads may go on."""
        return np.asarray((self.times >= goal)[rows[:, None], threads // WARPGROUP])
