"""Shared memory of other blocks of the cluster: each lane reaches the copy of the block that it names."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import OutOfBoundsError
from tilewright.targets.simulator.memory.access import Array, Function, Lanes, Mask, Number, Operand, T
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.order.beyond import RELAXED, Sync
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.order.visits import Visits
from tilewright.targets.simulator.sites import Site


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """Lanes that reach the copies in these rows, of (blocks, threads), instead of their own."""

    lanes: Lanes
    rows: Array

    @property
    def shape(self) -> tuple[int, int]:
        """Blocks and threads."""
        return self.lanes.shape

    def present(self, mask: Mask) -> Present:
        """The active lanes, flat."""
        return self.lanes.present(mask)

    def name(self, thread: int) -> str:
        """The thread as a person names it."""
        return self.lanes.name(thread)

    def apply(self, function: Function, *values: Operand) -> Operand:
        """The function of the values."""
        return self.lanes.apply(function, *values)

    def following(self, what: Hashable, index: Operand, size: int, make: Callable[[], T]) -> T:
        """It is made each time: where it lies depends on more than the index."""
        return make()

    def one_by_one(self, count: int, op: Operation) -> None:
        """That is the lanes' own."""
        self.lanes.one_by_one(count, op)

    def count(self, site: Site, index: Array, mask: Mask) -> None:
        """As one of their own memory."""
        self.lanes.count(site, index, mask)


@dataclass(frozen=True, eq=False)
class Remote:
    """A memory in the block of that rank, in clusters of so many blocks; all blocks of the launch are rows."""

    memory: Memory
    rank: Number
    cluster: int
    visits: Visits

    def each(self, change: Callable[[Number], Number]) -> Remote:
        """For other lanes; `change` gives what they hold."""
        return replace(self, rank=change(self.rank))

    def load(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> Operand:
        """The element at each active lane's index."""
        return self.memory.load(self._there(lanes, mask, site), index, mask, site)

    def store(self, lanes: Lanes, index: Operand, value: Operand, mask: Mask, site: Site) -> None:
        """Puts each active lane's value at its index."""
        self.memory.store(self._there(lanes, mask, site), index, value, mask, site)

    def update(
        self,
        lanes: Lanes,
        index: Operand,
        value: Operand,
        mask: Mask,
        site: Site,
        function: np.ufunc | None,
        sync: Sync = RELAXED,
    ) -> Operand:
        """As of a memory."""
        return self.memory.update(self._there(lanes, mask, site), index, value, mask, site, function, sync)

    def swap(
        self, lanes: Lanes, index: Operand, pair: tuple[Operand, Operand], mask: Mask, site: Site, sync: Sync
    ) -> Operand:
        """As of a memory."""
        return self.memory.swap(self._there(lanes, mask, site), index, pair, mask, site, sync)

    def observe(self, lanes: Lanes, index: Operand, mask: Mask, site: Site, sync: Sync) -> Operand:
        """As of a memory."""
        return self.memory.observe(self._there(lanes, mask, site), index, mask, site, sync)

    def _there(self, lanes: Lanes, mask: Mask, site: Site) -> Elsewhere:
        rank = np.broadcast_to(np.asarray(self.rank), lanes.shape)
        rows, present = np.broadcast_to(lanes.rows[:, None], lanes.shape), lanes.present(mask)
        chosen = np.ones(lanes.shape, bool) if mask is None else mask
        found = np.array(rows)
        found[chosen] = self.rows(rows[chosen], rank[chosen], present.actor, lanes.name, site)
        self.visits.note(found[chosen], present.epoch, site)
        return Elsewhere(lanes, found)

    def rows(self, own: Array, rank: Array, actor: Array, name: Callable[[int], str], site: Site) -> Array:
        """The rows of the blocks with these ranks in the clusters of their own rows, an entry each.

        Raises:
            OutOfBoundsError: a cluster has no such block.
        """
        wrong = (rank < 0) | (rank >= self.cluster)
        if wrong.any():
            bad = int(np.argmax(wrong))
            text = f"{name(int(actor[bad]))} reaches block {rank[bad]} of a cluster that has {self.cluster}"
            raise OutOfBoundsError(f"{text}\n{site.where}")
        found: Array = own // self.cluster * self.cluster + rank
        return found
