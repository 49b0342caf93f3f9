"""Products in tensor memory on their way: what they access until a commit of theirs has arrived at its mbarrier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tilewright.targets.simulator.agents.transfers import Side
from tilewright.targets.simulator.distinct import distinct_values, is_among
from tilewright.targets.simulator.order.beyond import Handing
from tilewright.targets.simulator.order.clocks import GENERIC, SHARED_PROXY, TENSOR_SENT, Flags, Numbers
from tilewright.targets.simulator.order.mbarriers import GENERIC_COPIES, Mbarriers

# For whom a commit tells that products are done; who accesses tensor memory then needs the fence after it.
TOLD = (GENERIC, SHARED_PROXY, TENSOR_SENT)


@dataclass(eq=False)
class Begun:
    """Products that threads have begun in one step, an entry each: thread, the row of a CTA, what they access there.

    `at_home`: is it the thread's own?
    """

    rows: Numbers
    actor: Numbers
    parts: Sequence[Side]
    at_home: bool = True
    open: Flags = field(init=False)

    def __post_init__(self) -> None:
        self.open = np.ones(len(self.rows), bool)
        for part in self.parts:
            if part.memory.pending is not None:
                part.memory.pending.begin(part.at.reshape(-1), part.site.kind)

    def reads(self) -> list[Side]:
        """What those on their way access."""
        return [Side(part.memory, part.at[self.open], part.site) for part in self.parts]

    def land(self, actors: Numbers, epochs: Numbers) -> None:
        """Those of these threads are done, at the epochs by row."""
        due = self.open & is_among(self.actor, actors)
        for part in self.parts if due.any() else ():
            pending, shadow, at = part.memory.pending, part.memory.shadow, part.at[due]
            if pending is not None and shadow is not None:
                pending.end(at.reshape(-1), part.site.kind)
                shadow.landed(at.reshape(-1), epochs[self.rows[due]].repeat(at.shape[1]), part.site.kind)
        self.open &= ~due


@dataclass(eq=False)
class Commit:
    """Arrivals of threads at words are to come when the products that they have begun are done, an entry each.

    `rows` are those of the words, `home` those of the threads; `known` is what the threads of each of the `told` rows
    knew then, of which an arrival at home tells as well, and `pasts` what any tells; and of what earlier commits of the
    same thread told there: `stamped` has, by thread and row, when each engine did.
    """

    rows: Numbers
    actor: Numbers
    home: Numbers
    barrier: Mbarriers
    words: Numbers
    before: Sequence[Begun]
    told: Numbers
    known: Numbers
    pasts: Sequence[Handing]
    stamped: dict[tuple[int, int], dict[int, int]]

    def arrive(self) -> None:
        """They are."""
        for word in distinct_values(self.words).tolist():
            chosen = self.words == word
            rows, first = np.unique(self.rows[chosen], return_inverse=True)
            own = distinct_values(self.rows[chosen & (self.rows == self.home)])
            self.barrier.learn(own, word, self.known[:, np.searchsorted(self.told, own)])
            self._tell_earlier(word, chosen)
            for row, home in zip(self.rows[chosen].tolist(), self.home[chosen].tolist(), strict=True):
                self.barrier.hear_of(row, word, self.pasts[int(np.searchsorted(self.told, home))])
            by_row = np.zeros(len(self.barrier.clocks.blocks), np.int64)
            by_row[rows] = self.barrier.copied(rows, word, np.bincount(first), TOLD)
            self._land(chosen, by_row)
            engine = self.barrier.engine(word, GENERIC_COPIES)
            for row, actor in zip(self.rows[chosen].tolist(), self.actor[chosen].tolist(), strict=True):
                self.stamped.setdefault((actor, row), {})[engine] = int(self.barrier.clocks.stamped[row, engine])

    def _land(self, chosen: Flags, by_row: Numbers) -> None:
        """The products are done, at the epochs by row; in a block without such an arrival, at the thread's first."""
        if (self.rows[chosen] == self.home[chosen]).all() and all(begun.at_home for begun in self.before):
            for begun in self.before:
                begun.land(self.actor[chosen], by_row)
            return
        for actor in distinct_values(self.actor[chosen]).tolist():
            mine = self.rows[chosen & (self.actor == actor)]
            epochs = np.full(len(by_row), by_row[mine[0]])
            epochs[mine] = by_row[mine]
            for begun in self.before:
                begun.land(np.array([actor]), epochs)

    def _tell_earlier(self, word: int, chosen: Flags) -> None:
        gathered, first = self.barrier.gathered, self.barrier.clocks.warps
        for row, actor in zip(self.rows[chosen].tolist(), self.actor[chosen].tolist(), strict=True):
            for engine, time in self.stamped.get((actor, row), {}).items():
                for plane in TOLD:
                    gathered[plane, row, word, first + engine] = max(gathered[plane, row, word, first + engine], time)
