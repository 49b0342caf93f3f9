"""Which loops of a recording can be taken at once, every event for all iterations, instead of turn after turn.

Those whose iterations find nothing that another leaves: they touch elements of their own, or each writes what it reads
before it does, so that it may as well have a memory of its own; or what they share are sums that products add to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from tilewright.targets.simulator.domains.affine import Counter
from tilewright.targets.simulator.domains.events import Access, Event, Forget, Product, Repeat, Stretch, accesses
from tilewright.targets.simulator.memory.access import Array

MOST = 1 << 22  # elements that the iterations of a loop touch together


@dataclass(frozen=True, eq=False)
class Way:
    """How a loop can be taken at once: each iteration is to have its `own` of these memories.

    Where iterations are `alike`, the first stands for all: they only differ in what they load of arrays that nobody
    writes, and their products only add up.
    """

    own: Sequence[Stretch]
    alike: bool


AtOnce: TypeAlias = Mapping[Counter, Way]


def at_once(events: Sequence[Event]) -> AtOnce:
    """The loops that can be taken at once, and how."""
    stored = {id(access.memory.storage) for access, _ in accesses(events) if access.is_store}
    found: dict[Counter, Way] = {}
    _touches(events, found, stored)
    return found


@dataclass(frozen=True, eq=False)
class _Touch:
    """What an event does to a memory, in all iterations of some loops; without an access: every element is new."""

    memory: Stretch
    access: Access | None
    writes: bool
    product: Product | None = None
    inner: tuple[Counter, ...] = ()

    def step(self, counter: Counter) -> int:
        return 0 if self.access is None else self.access.steps.get(counter, 0)

    def outer(self, counter: Counter) -> frozenset[tuple[Counter, int]]:
        """The steps of loops around this one."""
        steps = {} if self.access is None else self.access.steps
        return frozenset((c, step) for c, step in steps.items() if step and c is not counter and c not in self.inner)

    def places(self, outer: Counter | None = None) -> Array:
        """The elements, by iteration of the outer loop where one is given."""
        if self.access is None:
            return np.arange(self.memory.elements)[None]
        found = (self.access.rest + self.access.first)[None]
        for counter in (*self.inner, *([outer] if outer else [])):
            if step := self.access.steps.get(counter, 0):
                moved = step * np.arange(counter.trips)
                found = (moved[:, None, None] + found).reshape(counter.trips if counter is outer else 1, -1)
        return found


def _touches(events: Sequence[Event], found: dict[Counter, Way], stored: Set[int]) -> list[_Touch] | None:
    """All that the events touch, in order; None where a loop among them is to be taken turn after turn."""
    touches: list[_Touch] | None = []
    for event in events:
        more: list[_Touch] | None = []
        if isinstance(event, Repeat):
            more = _touches(event.body, found, stored)
            way = None if more is None or event.carried else _way(event.counter, more, stored)
            if way is None or more is None:
                more = None
            else:
                found[event.counter] = way
                more = [replace(touch, inner=(*touch.inner, event.counter)) for touch in more]
        elif isinstance(event, Access):
            more = [_Touch(event.memory, event, event.is_store)]
        elif isinstance(event, Product):
            starts = [] if event.start is None else [_Touch(event.start.memory, event.start, False, event)]
            more = [*starts, _Touch(event.target.memory, event.target, True, event)]
        elif isinstance(event, Forget) and event.memory.private:
            more = [_Touch(event.memory, None, True)]
        touches = None if touches is None or more is None else touches + more
    return touches


def _way(counter: Counter, touches: Sequence[_Touch], stored: Set[int]) -> Way | None:
    """How to take a loop at once; None where iterations depend on each other."""
    groups: dict[int, list[_Touch]] = defaultdict(list)
    for touch in touches:
        groups[id(touch.memory.storage)].append(touch)
    own, alike = [], True
    for key, group in groups.items():
        steps = any(touch.step(counter) for touch in group)
        if not any(touch.writes for touch in group):
            alike &= not steps or (group[0].memory.data is not None and key not in stored)
        elif len({touch.outer(counter) for touch in group}) > 1:
            return None  # who meets whom is another question in each turn of the loops around
        elif steps:
            alike = False
            if not _apart(counter, group):
                return None
        elif counter.trips * group[0].memory.elements <= MOST and _covered(group):
            own.append(group[0].memory)
            alike &= all(touch.product is None for touch in group)
        elif not _summed(group):
            return None
    return Way(own, alike)


def _covered(group: Sequence[_Touch]) -> bool:
    """Is everything written before it is read?"""
    written = np.zeros(group[0].memory.elements, bool)
    for touch in group:
        places = touch.places()
        if touch.writes:
            written[places] = True
        elif not written[places].all():
            return False
    return True


def _summed(group: Sequence[_Touch]) -> bool:
    """Do products add to it, each to elements of its own, and does nobody else look?"""
    products = {touch.product for touch in group}
    seen = np.zeros(group[0].memory.elements, bool)
    for product in products:
        if product is None or product.start is None or product.start.memory is not product.target.memory:
            return False
        start, target = product.start, product.target
        if dict(start.steps) != dict(target.steps) or not np.array_equal(start.rest, target.rest):
            return False
        places = next(touch for touch in group if touch.product is product).places()
        if seen[places].any():
            return False
        seen[places] = True
    return True


def _apart(counter: Counter, group: Sequence[_Touch]) -> bool:
    """Does each iteration touch elements that no other touches, as far as it or the other writes them?

    What is only written, by one event, may as well be written in order.
    """
    if any(touch.access is None for touch in group):
        return False
    steps, once = {touch.step(counter) for touch in group}, [touch.places() for touch in group]
    if len(group) == 1 or (len(steps) == 1 and _reach(once) <= abs(*steps)):
        return True
    if counter.trips * sum(places.size for places in once) > MOST:
        return False
    turns, found = np.arange(counter.trips, dtype=np.int32)[:, None], [touch.places(counter) for touch in group]
    low = min(int(places.min()) for places in found)
    owner = np.full(_reach(found), -1, np.int32)
    for touch, places in zip(group, found, strict=True):
        if touch.writes:
            before = owner[places - low]
            if len(places) < counter.trips or ((before >= 0) & (before != turns)).any():
                return False
            owner[places - low] = turns
            if (owner[places - low] != turns).any():
                return False
    owners = (owner[places - low] for touch, places in zip(group, found, strict=True) if not touch.writes)
    return all(((mine < 0) | (mine == turns)).all() for mine in owners)


def _reach(found: Sequence[Array]) -> int:
    """From the lowest place to the highest."""
    return max(int(places.max()) for places in found) - min(int(places.min()) for places in found) + 1
