"""Where the lanes of warps, or warpgroups, come to what all execute together; nobody learns anything of the others."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.targets.simulator.order.clocks import Flags, Numbers


@dataclass(eq=False)
class Gathering:
    """Who has come to one op, by (row, lane), and how often each group of `size` lanes has been complete there.

    The last group has the lanes that are left.
    """

    come: Flags
    size: int
    times: Numbers = field(init=False)

    def __post_init__(self) -> None:
        self.times = np.zeros((len(self.come), len(self._starts)), np.int64)

    @staticmethod
    def of(rows: int, threads: int, size: int) -> Gathering:
        """An empty one."""
        return Gathering(np.zeros((rows, threads), bool), size)

    @property
    def _starts(self) -> Numbers:
        return np.arange(0, self.come.shape[1], self.size)

    def arrive(self, rows: Numbers, threads: Numbers) -> Numbers:
        """These threads of these rows come. What `times` will be when they may go on, for all rows and groups."""
        self.come[rows[:, None], threads] = True
        goal = self.times + 1
        met = np.logical_and.reduceat(self.come, self._starts, axis=1)
        self.come[np.repeat(met, self.size, axis=1)[:, : self.come.shape[1]]] = False
        self.times += met
        return goal

    def leave(self, rows: Numbers, threads: Numbers) -> None:
        """These go on without the others."""
        self.come[rows[:, None], threads] = False

    def over(self, goal: Numbers, rows: Numbers, threads: Numbers) -> Flags:
        """Which of these threads may go on."""
        return np.asarray((self.times >= goal)[rows[:, None], threads // self.size])
