"""Runs a recording on names instead of numbers, for the first block; loops that can be are taken at once.

Data is an array over the loops that are taken at once, the lanes, and the elements of a lane.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tilewright.targets.simulator.collective.operands import Operand as Side
from tilewright.targets.simulator.domains.affine import Counter, Steps
from tilewright.targets.simulator.domains.at_once import AtOnce
from tilewright.targets.simulator.domains.events import (
    Access,
    Compute,
    Event,
    Forget,
    Product,
    Repeat,
    Shift,
    Stretch,
    Traced,
    accesses,
)
from tilewright.targets.simulator.domains.grids import Axes
from tilewright.targets.simulator.domains.origins import NAME, Joined, Names, Origins
from tilewright.targets.simulator.memory.access import Array, NotUniformError, Operand

UNWRITTEN = -1
MOST = 1 << 24  # names in one memory


@dataclass(frozen=True, eq=False)
class Part:
    """An array, as accesses reach it whose places move from block to block as the base does.

    `steps` is how they move in loops whose first iteration stands for all.
    """

    data: Array
    base: Array | None
    steps: Steps

    @property
    def key(self) -> Hashable:
        """Equal parts have names in common."""
        return id(self.data), id(self.base), frozenset(self.steps.items())


@dataclass(eq=False)
class Namer:
    """The names in all memories. `fresh` is in those that nothing has written; of `parts` names are given."""

    threads: int
    loops: AtOnce
    fresh: int
    origins: Origins
    parts: list[Part] = field(default_factory=list)
    memories: dict[int, Names] = field(default_factory=dict)
    lows: dict[int, int] = field(default_factory=dict)  # of global ones: from which element on
    known: dict[Hashable, int] = field(default_factory=dict)  # the first name of each part
    alike: list[Counter] = field(default_factory=list)  # loops whose first iteration stands for all
    around: list[Counter] = field(default_factory=list)  # loops in these, all of whose iterations are there
    turns: dict[Counter, int] = field(default_factory=dict)  # of others
    own: dict[int, dict[Counter, int]] = field(default_factory=dict)  # how far the memories of iterations lie apart
    results: dict[int, tuple[Names, int]] = field(default_factory=dict)  # and in how many loops they are

    def run(self, events: Sequence[Event]) -> None:
        """All of them.

        Raises:
            NotUniformError: lanes read what nothing has written, or hold different names of one element; or data goes
                other ways than through memories and products.
        """
        found = [access for access, _ in accesses(events) if access.memory.data is not None and len(access.rest)]
        for storage in {id(access.memory.data) for access in found if access.is_store}:
            same = [access for access in found if id(access.memory.data) == storage]  # by one base: blocks are apart
            first = self._first(self._part(same[0]))
            lows, highs = zip(*(access.reach() for access in same), strict=True)
            self.lows[storage] = min(lows)
            self.memories[storage] = np.arange(first + min(lows), first + max(highs) + 1, dtype=NAME)
        self._run(events)

    def _run(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Access):
                if event.result is None:
                    self._store(event, self._value(event.value))
                else:
                    self._result(event.result, self._load(event))
            elif isinstance(event, Shift):
                self._result(event.result, _shifted(event, self._name(event.value)))
            elif isinstance(event, Product):
                self._product(event)
            elif isinstance(event, Repeat):
                self._repeat(event)
            elif isinstance(event, Forget):
                if event.memory.private:
                    self._memory(event.memory)[:] = self.fresh
            elif isinstance(event, Compute):
                raise NotUniformError

    # ---- loops

    def _repeat(self, event: Repeat) -> None:
        counter, way = event.counter, self.loops.get(event.counter)
        if event.carried:
            raise NotUniformError
        if way is None:
            for turn in range(counter.trips):
                self.turns[counter] = turn
                self._run(event.body)
            del self.turns[counter]
        elif way.alike and not self.around:
            self.alike.append(counter)
            self._run(event.body)
            self.alike.pop()
            for memory in way.own:
                self._end(self._memory(memory), counter)
        else:
            self._all(event, way.own)

    def _end(self, names: Names, counter: Counter) -> None:
        """What an iteration leaves in a memory, that the last one leaves."""
        for part in [part for part in self.parts if counter in part.steps]:
            first, steps = self._first(part), {c: step for c, step in part.steps.items() if c is not counter}
            last = self._first(Part(part.data, part.base, steps)) + part.steps[counter] * (counter.trips - 1)
            names[(names >= first) & (names < first + len(part.data))] += last - first

    def _all(self, event: Repeat, own: Sequence[Stretch]) -> None:
        """Takes all iterations of a loop."""
        counter, before = event.counter, [(memory, self._memory(memory)) for memory in own]
        for memory, old in before:
            self._part_ways(memory, counter, old)
        self.around.append(counter)
        self._run(event.body)
        self.around.pop()
        for memory, old in before:
            last = self._memory(memory)[-len(old) :]
            self.memories[id(memory.storage)] = np.where(last == UNWRITTEN, old, last)
            del self.own[id(memory.storage)][counter]

    def _part_ways(self, memory: Stretch, counter: Counter, old: Names) -> None:
        """Every iteration gets a memory of its own."""
        size = counter.trips * len(old)
        if size > MOST:
            raise NotUniformError
        self.memories[id(memory.storage)] = np.full(size, UNWRITTEN, NAME)
        self.own.setdefault(id(memory.storage), {})[counter] = len(old)

    # ---- data

    def _result(self, name: int, found: Names) -> None:
        self.results[name] = found, len(self.around)

    def _name(self, name: int) -> Names:
        """Data, over all loops that are taken at once now."""
        found, depth = self.results[name]
        return found.reshape(found.shape[:depth] + (1,) * (len(self.around) - depth) + found.shape[depth:])

    def _value(self, value: Operand | None) -> Names:
        if isinstance(value, Traced):
            return self._name(value.name)
        if isinstance(value, np.generic) and value.dtype != np.bool_:
            return self.origins.constant(np.asarray(value))
        raise NotUniformError

    # ---- memory

    def _part(self, access: Access) -> Part:
        """A global memory, as this access reaches it."""
        assert access.memory.data is not None, "global"
        steps = {counter: step for counter, step in access.steps.items() if counter in self.alike}
        return Part(access.memory.data, access.base, steps)

    def _first(self, part: Part) -> int:
        """Its first name."""
        if part.key not in self.known:
            self.known[part.key] = self.origins.begin(len(self.parts), len(part.data))
            self.parts.append(part)
        return self.known[part.key]

    def _memory(self, memory: Stretch) -> Names:
        key = id(memory.storage)
        if key not in self.memories:
            self.memories[key] = np.full(memory.elements, self.fresh, NAME)
        return self.memories[key]

    def _index(self, access: Access) -> Array:
        """The elements, over the loops that are taken at once, the active lanes, and the elements of a lane."""
        count, steps = len(self.around), access.steps
        start = access.first - self.lows.get(id(access.memory.storage), 0)
        start += sum(step * self.turns[c] for c, step in steps.items() if c in self.turns)
        found = (access.rest + start).reshape((1,) * count + (-1, access.count))
        own = self.own.get(id(access.memory.storage), {})
        for number, counter in enumerate(self.around):
            step = steps.get(counter, 0) + own.get(counter, 0)
            if step:
                found = found + (step * np.arange(counter.trips)).reshape((-1,) + (1,) * (count + 1 - number))
        return found

    def _load(self, access: Access) -> Names:
        index = self._index(access)
        if access.memory.data is not None and id(access.memory.data) not in self.memories:
            found: Names = (index + self._first(self._part(access))).astype(NAME)
        else:
            found = self._memory(access.memory).take(index)
            if (found == UNWRITTEN).any():
                raise NotUniformError
        if access.lanes is None or found.shape[-2] == self.threads:
            return found
        full = np.zeros((*found.shape[:-2], self.threads, access.count), NAME)
        full[..., access.active, :] = found
        return full

    def _store(self, access: Access, value: Names) -> None:
        index = self._index(access)
        if value.ndim and value.shape[-2] != index.shape[-2]:
            value = value[..., access.active, :]
        self._memory(access.memory)[index] = value

    # ---- products

    def _product(self, event: Product) -> None:
        """Matrices of the loops whose iterations differ in A, in B, in both or in none, and of those that only add up.

        What differs in A alone are rows of larger matrices, what differs in B alone their columns.
        """
        held, target = event.held, self._index(event.target)
        a, b = (self._matrices(side, self._name(name)) for side, name in ((held.a, event.a), (held.b, event.b)))
        zeros = np.zeros((1,) * (target.ndim + 1), NAME)
        c = zeros if event.start is None else self._matrices(held.c, self._load(event.start))
        trips = [counter.trips for counter in self.around]
        axes = Axes.of(trips, a.shape[:-3], b.shape[:-3], target.shape[:-2])
        size = a.shape[-2], b.shape[-2], a.shape[-3]
        steps = list(zip(axes.rows(a), axes.columns(b), strict=True))
        names = self.origins.products(Joined(event.atom, steps, axes.sums(c, *size), turns=tuple(self.alike)))
        made = held.c.fragments(axes.apart(names, *size))
        self._store(event.target, made.reshape(*target.shape[:-2], self.threads, -1))

    def _matrices(self, side: Side, held: Names) -> Names:
        """The matrices, over the loops and groups of lanes, that lanes hold."""
        fragments = held.reshape(-1, *side.elements.shape)
        if side.copies > 1 and side.disagreement(fragments) is not None:
            raise NotUniformError
        return side.matrices(fragments).reshape(*held.shape[:-2], -1, *side.shape)


def _shifted(event: Shift, held: Names) -> Names:
    """What lanes hold after a copy atom."""
    moves, count = event.moves, held.shape[-1]
    assert moves.taken is not None, "something changes lanes"
    if count % moves.pieces:
        raise NotUniformError
    lanes, each = len(moves.taken), count // moves.pieces
    taken = (moves.taken.reshape(-1, 1) * each + np.arange(each)).reshape(-1)
    flat = held.reshape(-1, lanes * count)
    found: Names = flat.take(taken, axis=1).reshape(*held.shape[:-1], -1)
    return found
