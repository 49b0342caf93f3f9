"""Is a recording safe for every entry of its batch? Answers yes, or raises `NotUniformError`.

Bounds were settled while recording. Here:

* entries do not meet: where a kernel writes a global buffer, the elements that different entries touch are disjoint;
* so a race can only happen within an entry, or, through shared memory, between iterations of the batched loop.
  One entry is checked for all, by a shadow; of iterations which touch the same elements, two in a row are, because
  those further apart have more barriers between, and of iterations which touch elements of their own, one is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.domains.affine import Counter
from tilewright.targets.simulator.domains.events import Access, Barrier, Event, Forget, Repeat, accesses
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.domains.record import Recorder
from tilewright.targets.simulator.memory.access import Array, NotUniformError
from tilewright.targets.simulator.order.shadow import Shadow

MAX_WINDOW = 1 << 24  # elements that one entry may reach over
MAX_WORK = 1 << 27  # comparisons
MAX_CHECKED = 1 << 22  # accesses of lanes of the one entry


def prove(recorder: Recorder, entry: Lockstep, checks: bool = True) -> None:
    """Raises `NotUniformError` unless every entry is apart from the others and, with `checks`, free of races.

    `entry` stands for one block; its clock runs on.
    """
    groups = [Group.of(found) for found in _by_storage(recorder)]
    for group in groups:
        if recorder.entries > 1 and not group.is_shared:
            _refuse_meetings(group, group.distances_of_entries(), tuple(group.counters))
    if not checks:
        return
    checker = _Checker(entry, {group.key: group for group in groups}, _turns(groups))
    checker.run(recorder.events)
    if len(recorder.iterations) > 1:
        checker.again = True
        checker.run(recorder.events)


@dataclass(frozen=True, eq=False)
class Group:
    """The accesses of one shared buffer, or of a global one that is written, and the counters of the loops around."""

    accesses: tuple[Access, ...]
    counters: dict[Counter, list[Access]]  # around which of them

    @staticmethod
    def of(found: Sequence[tuple[Access, tuple[Counter, ...]]]) -> Group:
        """The group of accesses with the counters around them."""
        counters: dict[Counter, list[Access]] = defaultdict(list)
        for access, around in found:
            for counter in around:
                counters[counter].append(access)
        return Group(tuple(access for access, _ in found), counters)

    @property
    def key(self) -> int:
        """What tells its storage."""
        return id(_storage(self.accesses[0]))

    @property
    def is_shared(self) -> bool:
        """Has each entry its own?"""
        return self.accesses[0].memory.data is None

    def distances_of_entries(self) -> Array:
        """The distances between the elements of two entries, where all accesses move alike."""
        base = self.accesses[0].base
        if base is None or any(access.base is not base for access in self.accesses):
            raise NotUniformError
        low, high = self.window({counter: counter.trips for counter in self.counters})
        return _distances(base, high - low)

    def window(self, turns: Mapping[Counter, int]) -> tuple[int, int]:
        """Where the elements of the first entry lie in so many iterations of these loops, one of the others."""
        lows, highs = zip(*(access.reach(turns) for access in self.accesses), strict=True)
        low, high = min(lows), max(highs) + 1
        if high - low > MAX_WINDOW:
            raise NotUniformError
        return low, high

    def turns(self, counter: Counter) -> int:
        """How many iterations show all that can happen between iterations."""
        if counter.rolled:
            return counter.trips
        inside = self.counters.get(counter, [])
        steps = {access.steps.get(counter, 0) for access in inside}
        if steps <= {0}:
            return min(2, counter.trips)
        return 1 if len(inside) == len(self.accesses) and len(steps) == 1 and self._apart(counter) else counter.trips

    def _apart(self, counter: Counter) -> bool:
        """Do iterations touch elements of their own?"""
        others = tuple(other for other in self.counters if other is not counter)
        step = abs(self.accesses[0].steps[counter])
        low, high = self.window({other: other.trips for other in others})
        distances = np.arange(1, min(counter.trips, -(-(high - low) // step)), dtype=np.int64) * step
        try:
            _refuse_meetings(self, distances, others)
        except NotUniformError:
            return False
        return True


@dataclass(eq=False)
class _Checker:
    """Runs the accesses of one entry on shadows."""

    entry: Lockstep
    groups: dict[int, Group]
    turns: dict[Counter, int]
    again: bool = False  # the second iteration of the batched loop, where only shared memory is the same
    at: dict[Counter, int] = field(default_factory=dict)
    shadows: dict[int, tuple[Shadow, int]] = field(default_factory=dict)
    checked: int = 0

    def __post_init__(self) -> None:
        for key, group in self.groups.items():
            low, high = group.window(self.turns)
            self.shadows[key] = Shadow(high - low, self.entry.machine.clocks.width, apart=True), low

    def run(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Access):
                self.check(event)
            elif isinstance(event, Barrier):
                self.entry.barrier(event.op, event.scope, None)
            elif isinstance(event, Repeat):
                few = event.counter.trips if event.counter.rolled else min(2, event.counter.trips)
                for turn in range(self.turns.get(event.counter, few)):
                    self.at[event.counter] = turn
                    self.run(event.body)
            elif isinstance(event, Forget) and id(event.memory) in self.shadows:
                shadow, _ = self.shadows[id(event.memory)]
                shadow.forget(np.zeros(1, np.int64), len(shadow.written))

    def check(self, access: Access) -> None:
        key = id(_storage(access))
        if key not in self.shadows or (self.again and access.memory.data is not None):
            return
        shadow, low = self.shadows[key]
        at = access.rest + (access.first - low + sum(step * self.at[counter] for counter, step in access.steps.items()))
        self.checked += len(at)
        if self.checked > MAX_CHECKED:
            raise NotUniformError
        lanes = self.entry.present(None)
        if access.lanes is not None:
            lanes = lanes[access.lanes]
        if access.is_store:
            found = [*shadow.writing(at, lanes), shadow.rivals(at, lanes)]
        else:
            found = [shadow.reading(at, lanes)]
            if access.memory.data is None and shadow.unwritten(at) is not None:
                raise NotUniformError
        if any(races is not None for races in found):
            raise NotUniformError


def _turns(groups: Sequence[Group]) -> dict[Counter, int]:
    """How many iterations of each loop have to be run."""
    counters = dict.fromkeys(counter for group in groups for counter in group.counters)
    return {counter: max(group.turns(counter) for group in groups if counter in group.counters) for counter in counters}


def _storage(access: Access) -> object:
    return access.memory if access.memory.data is None else access.memory.data


def _by_storage(recorder: Recorder) -> list[list[tuple[Access, tuple[Counter, ...]]]]:
    """The accesses of each shared buffer, and of each global one that is written; those of no lane are left out."""
    groups: dict[int, list[tuple[Access, tuple[Counter, ...]]]] = defaultdict(list)
    for access, around in accesses(recorder.events):
        if len(access.rest):
            groups[id(_storage(access))].append((access, around))
    return [g for g in groups.values() if g[0][0].memory.data is None or any(access.is_store for access, _ in g)]


def _refuse_meetings(group: Group, distances: Array, counters: tuple[Counter, ...]) -> None:
    """Raises `NotUniformError` where two that lie so far apart touch one element, as far as one of them writes.

    Each touches what the first entry does in all iterations of these loops.
    """
    low, high = group.window({counter: counter.trips for counter in counters})
    if len(distances) * (high - low) > MAX_WORK:
        raise NotUniformError
    written, touched = np.zeros(high - low, bool), np.zeros(high - low, bool)
    for access in group.accesses:
        places = np.zeros(high - low, bool)
        places[access.rest + (access.first - low)] = True
        for counter in counters:
            places = _repeated(places, access.steps.get(counter, 0), counter.trips)
        touched |= places
        written |= places & access.is_store
    for distance in distances.tolist():
        size = high - low - distance
        if (written[:size] & touched[distance:]).any() or (touched[:size] & written[distance:]).any():
            raise NotUniformError


def _repeated(places: Array, step: int, times: int) -> Array:
    """The places, moved by 0, 1, .. times - 1 steps, together.

    >>> _repeated(np.array([True, False, False, False, False]), 2, 3).tolist()
    [True, False, True, False, True]
    """
    done, result = 1, places
    while step and done < times:
        more = min(done, times - done)
        moved, by = np.zeros_like(result), abs(step * more)
        (front, back) = (slice(None, -by or None), slice(by, None)) if step > 0 else (slice(by, None), slice(None, -by))
        moved[back] = result[front]
        result, done = result | moved, done + more
    return result


def _distances(base: Array, span: int) -> Array:
    """The distinct distances below `span` between the bases of two entries."""
    ordered = base if (base[1:] >= base[:-1]).all() else np.sort(base)
    found: list[Array] = []
    for lag in range(1, len(ordered)):
        gaps = ordered[lag:] - ordered[:-lag]
        near = gaps[gaps < span]
        if not len(near):
            break
        if lag * len(ordered) > MAX_WORK // 8:
            raise NotUniformError
        found.append(distinct_values(near))
    return distinct_values(np.concatenate(found)) if found else np.zeros(0, np.int64)
