"""What several views of the same bytes remember together: one shadow by units, seen from elements of so many units."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np

from tilewright.targets.simulator.memory.pending import Pending
from tilewright.targets.simulator.order.clocks import Flags, Numbers
from tilewright.targets.simulator.order.peers import Peers, either
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.order.recent import Recent
from tilewright.targets.simulator.order.scopes import Scope
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.sites import Site

Some = TypeVar("Some", Numbers, Flags)


@dataclass(frozen=True)
class Grain:
    """Elements of `count` units each, of which the first begins at unit `first`.

    >>> Grain(2, 4).units(np.array([0, 3])).tolist()
    [4, 5, 10, 11]
    """

    count: int
    first: int

    def units(self, at: Numbers) -> Numbers:
        """The units of these elements, one element after the other."""
        return np.asarray((at[:, None] * self.count + (self.first + np.arange(self.count))).reshape(-1))

    def lanes(self, lanes: Present) -> Present:
        """The lanes of these units."""
        return lanes if self.count == 1 else lanes[np.arange(len(lanes.actor)).repeat(self.count)]

    def each(self, values: Some) -> Some:
        """The same for the units of each element."""
        return cast("Some", values.repeat(self.count))

    def of_elements(self, found: Some | None) -> Some | None:
        """For each element what is found at one of its units: the latest."""
        return None if found is None else cast("Some", found.reshape(-1, self.count).max(axis=1))


class GrainedShadow(Shadow):
    """A view's elements in the shadow of all views of the same bytes; it answers as `Shadow` does."""

    def __init__(self, units: Shadow, grain: Grain) -> None:
        self.units, self.grain = units, grain
        self.apart, self.edges, self.width = units.apart, units.edges, units.width
        self.recent = GrainedRecent(units.recent, grain)

    def forget(self, rows: Numbers, size: int) -> None:
        """Nothing: others may have put there what is to be seen."""

    def fill(self, at: Numbers, lanes: Present) -> None:
        """As of a shadow."""
        self.units.fill(self.grain.units(at), self.grain.lanes(lanes))

    def unwritten(self, at: Numbers) -> Flags | None:
        """Which of the elements have a unit without a value?"""
        return self.grain.of_elements(self.units.unwritten(self.grain.units(at)))

    def reading(self, at: Numbers, lanes: Present) -> Numbers | None:
        """As of a shadow."""
        return self.grain.of_elements(self.units.reading(self.grain.units(at), self.grain.lanes(lanes)))

    def writing(
        self, at: Numbers, lanes: Present, same: Callable[[], Flags] | None = None
    ) -> tuple[Numbers | None, Numbers | None, Numbers | None]:
        """As of a shadow."""
        each = None if same is None else lambda: self.grain.each(same())
        writes, reads, changes = self.units.writing(self.grain.units(at), self.grain.lanes(lanes), each)
        return self.grain.of_elements(writes), self.grain.of_elements(reads), self.grain.of_elements(changes)

    def updating(self, at: Numbers, lanes: Present) -> tuple[Numbers | None, Numbers | None]:
        """As of a shadow."""
        writes, reads = self.units.updating(self.grain.units(at), self.grain.lanes(lanes))
        return self.grain.of_elements(writes), self.grain.of_elements(reads)

    def reaching(
        self, at: Numbers, lanes: Present, scope: Scope, writes: bool = True
    ) -> tuple[Numbers | None, Numbers | None]:
        """As of a shadow."""
        changes, reads = self.units.reaching(self.grain.units(at), self.grain.lanes(lanes), scope, writes)
        return self.grain.of_elements(changes), self.grain.of_elements(reads)

    def mixing(self, at: Numbers, lanes: Present, writes: bool) -> tuple[Numbers | None, Numbers | None]:
        """Those by views whose elements have another size, or lie askew to these."""
        shadow, mine = self.units, (self.grain.count, self.grain.first % self.grain.count)
        units, each = self.grain.units(at), self.grain.lanes(lanes)
        settled, found = shadow.settled(each), list[Numbers | None]((None, None))
        for extent, peers in shadow.by_extent.items():
            for kind in (0, 1) if extent != mine else ():
                if writes or kind == 0:
                    found[kind] = either(found[kind], peers[kind].unordered(units, each, settled))
        if mine not in shadow.by_extent:
            changes, reads = (Peers(len(shadow.written), self.width, edges=self.edges) for _ in range(2))
            shadow.by_extent[mine] = changes, reads
        shadow.by_extent[mine][not writes].join(units, each, settled)
        return self.grain.of_elements(found[0]), self.grain.of_elements(found[1])

    def observing(self, at: Numbers, lanes: Present) -> Numbers | None:
        """As of a shadow."""
        return self.grain.of_elements(self.units.observing(self.grain.units(at), self.grain.lanes(lanes)))

    def beginning(self, at: Numbers, lanes: Present, kind: str) -> tuple[Numbers | None, Numbers | None]:
        """As of a shadow."""
        writes, reads = self.units.beginning(self.grain.units(at), self.grain.lanes(lanes), kind)
        return self.grain.of_elements(writes), self.grain.of_elements(reads)

    def read(self, at: Numbers, lanes: Present) -> None:
        """As of a shadow."""
        self.units.read(self.grain.units(at), self.grain.lanes(lanes))

    def landed(self, at: Numbers, epochs: Numbers, kind: str) -> None:
        """As of a shadow."""
        self.units.landed(self.grain.units(at), self.grain.each(epochs), kind)

    def older(self, at: Numbers, lanes: Present) -> Numbers | None:
        """As of a shadow."""
        return self.grain.of_elements(self.units.older(self.grain.units(at), self.grain.lanes(lanes)))

    def rivals(self, at: Numbers, lanes: Present) -> Numbers | None:
        """As of a shadow."""
        return self.grain.of_elements(self.units.rivals(self.grain.units(at), self.grain.lanes(lanes)))


class GrainedRecent(Recent):
    """The last accesses of all views, asked for the elements of one."""

    def __init__(self, units: Recent, grain: Grain) -> None:
        self.units, self.grain = units, grain

    def note(self, site: Site, at: Numbers, actors: Numbers | None, time: int) -> None:
        """The site accesses these elements."""
        self.units.note(site, self.grain.units(at), None if actors is None else self.grain.each(actors), time)

    def stores(self, at: Numbers, actors: Numbers) -> Iterator[tuple[Site, int]]:
        """As of all: the first number is that of an element."""
        for site, first in self.units.stores(self.grain.units(at), self.grain.each(actors)):
            yield site, first // self.grain.count

    def others(self, site: Site, did: str, at: int, epoch: int) -> list[Site]:
        """Of the units of the element the first that tells of another site, else of the site itself."""
        units = self.grain.units(np.array([at])).tolist()
        told = [found for unit in units if (found := self.units.others(site, did, unit, epoch))]
        return next((found for found in told if found != [site]), [site] if told else [])


class GrainedPending(Pending):
    """What is on its way to a view's elements, among what is to all views of the same bytes."""

    def __init__(self, units: Pending, grain: Grain) -> None:
        self.units, self.grain = units, grain

    def describe(self, at: int, kind: str) -> tuple[str, str]:
        """Whose it is: the first unit that is somebody's."""
        return self.units.describe(self._meeting(at, kind), kind)

    def _meeting(self, at: int, kind: str) -> int:
        units, counts = self.grain.units(np.array([at])), self.units.counts(kind)
        return int(units[0 if counts is None else np.argmax(counts.take(units) > 0)])

    def counts(self, kind: str) -> Numbers | None:
        """For each element the most that is on its way to one of its units."""
        count, first, units = self.grain.count, self.grain.first, self.units.counts(kind)
        if units is None:
            return None
        whole = units[first : first + (len(units) - first) // count * count]
        return self.grain.of_elements(whole)

    def begin(self, at: Numbers, kind: str) -> None:
        """As of all."""
        self.units.begin(self.grain.units(at), kind)

    def end(self, at: Numbers, kind: str) -> None:
        """As of all."""
        self.units.end(self.grain.units(at), kind)

    def forget(self) -> None:
        """As of all."""
        self.units.forget()

    def met(self, at: Numbers, kind: str) -> tuple[int, str] | None:
        """As of all: the number is that of an element."""
        found = self.units.met(self.grain.units(at), kind)
        return None if found is None else (found[0] // self.grain.count, found[1])
