"""Moves the data of a recording whose safety is proved: a chunk of entries at a time, one numpy call an event.

Each event becomes a function, once; what it gives lies in a list, by its name. Index arrays are made once, as long as
the chunks lie alike: iterations of loops only move where they begin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from tilewright.targets.simulator.domains.affine import Affine, Counter, evaluated
from tilewright.targets.simulator.domains.events import (
    Access,
    Compute,
    Event,
    Repeat,
    Stretch,
    Traced,
    accesses,
    used,
    walked,
)
from tilewright.targets.simulator.domains.record import Recorder
from tilewright.targets.simulator.memory.access import Array, Number, Operand, Symbolic

CHUNK_LANES = 8192  # keeps a chunk's indices and values in the second-level cache

Action: TypeAlias = Callable[[], None]
Reader: TypeAlias = Callable[[], Number]


def replay(recorder: Recorder) -> None:
    """Executes the recording for every entry, in place."""
    player = _Player(recorder, min(chunk_of(recorder), recorder.entries))
    for start in range(0, recorder.entries, player.chunk):
        player.play(slice(start, min(start + player.chunk, recorder.entries)))


def chunk_of(recorder: Recorder) -> int:
    """How many entries are moved at once."""
    return max(1, CHUNK_LANES // recorder.launch.threads)


def turns_of(recorder: Recorder) -> int:
    """How many events of loops the replay will take."""
    return -(-recorder.entries // chunk_of(recorder)) * sum(map(_length, recorder.events))


def _length(event: Event) -> int:
    """The events of a loop, those of loops in it as often as they happen; 0 of another event."""
    if not isinstance(event, Repeat):
        return 0
    return event.counter.trips * sum(_length(inner) or 1 for inner in event.body)


class _Player:
    """The functions of the events, and what stays the same from chunk to chunk."""

    def __init__(self, recorder: Recorder, chunk: int) -> None:
        self.recorder, self.chunk, self.entries = recorder, chunk, slice(0, 0)
        memories = {access.memory for access, _ in accesses(recorder.events)}
        self.data = {m: np.zeros(m.size * chunk, m.dtype) if m.data is None else m.data for m in memories}
        self.results: list[Number] = [0] * recorder.names
        self.iterations: dict[Counter, int] = {}
        self.origins: dict[int, int] = {}
        self.placed: dict[int, Array] = {}
        self.indices: dict[Access, Array] = {}
        self.actions = self.block(recorder.events, _kept(recorder.events))

    def play(self, entries: slice) -> None:
        """Moves the data of these entries."""
        self.place(entries)
        for action in self.actions:
            action()

    def place(self, entries: slice) -> None:
        """Where each base's chunk begins."""
        placed = {}
        for base in self.recorder.bases:
            self.origins[id(base)] = int(base[entries].min())
            placed[id(base)] = base[entries] - self.origins[id(base)]
        if entries.stop - entries.start != self.entries.stop - self.entries.start or any(
            not np.array_equal(self.placed[key], placed[key]) for key in placed
        ):
            self.indices.clear()
        self.entries, self.placed = entries, placed

    def block(self, events: Sequence[Event], kept: set[int]) -> list[Action]:
        """The functions of events. Data goes when the last of them that needs it is done, if none elsewhere does."""
        last = {name: number for number, event in enumerate(events) for name in used(event)}
        done = [
            [name for name, at in last.items() if at == number and name not in kept] for number in range(len(events))
        ]
        mine = {event.result for event in events if isinstance(event, Access | Compute)}
        actions = []
        for event, names in zip(events, done, strict=True):
            if isinstance(event, Access):
                actions.append(self.load(event, event.result) if event.result is not None else self.store(event))
            elif isinstance(event, Compute):
                actions.append(self.compute(event))
            elif isinstance(event, Repeat):
                actions.append(self.repeat(event, kept))
            over = [name for name in names if name in mine]
            if over:
                actions.append(self.forget(over))
        return actions

    def forget(self, names: list[int]) -> Action:
        """Lets data go, whose memory the next may have."""
        results = self.results

        def action() -> None:
            for name in names:
                results[name] = 0

        return action

    def load(self, access: Access, name: int) -> Action:
        """The function of a load."""
        results, located = self.results, self.located(access)

        def action() -> None:
            data, index = located()
            results[name] = data.take(index)

        def spread() -> None:
            data, index = located()
            full = np.zeros((len(index), self.recorder.launch.threads), data.dtype)
            full[:, access.lanes] = data.take(index)
            results[name] = full

        return action if access.lanes is None else spread

    def store(self, access: Access) -> Action:
        """The function of a store."""
        located, value = self.located(access), self.reader(0 if access.value is None else access.value)

        def action() -> None:
            data, index = located()
            data[index] = value()

        def part() -> None:
            data, index = located()
            shape = self.entries.stop - self.entries.start, self.recorder.launch.threads
            data[index] = np.broadcast_to(value(), shape)[:, access.lanes]

        return action if access.lanes is None else part

    def compute(self, event: Compute) -> Action:
        """The function of a computation."""
        results, function, name = self.results, event.function, event.result
        if all(isinstance(value, Traced) for value in event.uses) and len(event.uses) == 2:
            one, other = (value.name for value in event.uses if isinstance(value, Traced))

            def both() -> None:
                results[name] = function(results[one], results[other])

            return both
        readers = [self.reader(value) for value in event.uses]

        def action() -> None:
            results[name] = function(*[reader() for reader in readers])

        return action

    def repeat(self, event: Repeat, kept: set[int]) -> Action:
        """The function of a loop."""
        body, counter, iterations, results = self.block(event.body, kept), event.counter, self.iterations, self.results
        names = [carried.name for carried in event.carried]
        initial, following = ([self.reader(v) for v in values] for values in _carried(event))

        def action() -> None:
            for name, value in zip(names, [reader() for reader in initial], strict=True):
                results[name] = value
            for number in range(counter.trips):
                iterations[counter] = number
                for step in body:
                    step()
                for name, value in zip(names, [reader() for reader in following], strict=True):
                    results[name] = value

        return action

    def located(self, access: Access) -> Callable[[], tuple[Array, Array]]:
        """The storage from the lowest element of the chunk on, and the index array into it."""
        data, key = self.data[access.memory], id(access.base)
        low = int(access.rest.min()) if len(access.rest) else 0  # where steps go down it may be all that is above 0
        origins, indices, iterations = self.origins, self.indices, self.iterations
        origins.setdefault(id(None), 0)
        steps = [(counter, step) for counter, step in access.steps.items()]

        def found() -> tuple[Array, Array]:
            start = low + origins[key]
            for counter, step in steps:
                start += step * iterations[counter]
            index = indices.get(access)
            if index is None:
                index = indices[access] = self.index(access, low)
            return data[start:], index

        return found

    def index(self, access: Access, low: int) -> Array:
        """Where the lanes of each entry lie, from the lowest of all on."""
        memory: Stretch = access.memory
        if access.base is None:
            count = self.entries.stop - self.entries.start
            relative = np.arange(count, dtype=np.int64) * (memory.size if memory.data is None else 0)
        else:
            relative = self.placed[id(access.base)]
        return np.asarray(relative[:, None] + (access.rest - low))

    def reader(self, value: Operand) -> Reader:
        """An operand as numbers of shape (entries, lanes), or what broadcasts to it."""
        results, iterations = self.results, self.iterations
        if isinstance(value, Traced):
            name = value.name
            return lambda: results[name]
        if isinstance(value, Affine):
            affine = value
            return lambda: evaluated(affine, self.entries, iterations)
        assert not isinstance(value, Symbolic), "data or sums"
        number = value
        return lambda: number


def _carried(event: Repeat) -> tuple[Iterable[Operand], Iterable[Operand]]:
    return [carried.initial for carried in event.carried], [carried.following for carried in event.carried]


def _kept(events: Sequence[Event]) -> set[int]:
    """Data that is needed beside the events of the loop that makes it, or by what comes after an iteration."""
    homes: dict[int, tuple[Counter, ...]] = {}
    kept: set[int] = set()
    for event, around in walked(events):
        if isinstance(event, Access | Compute) and event.result is not None:
            homes[event.result] = around
    for event, around in walked(events):
        if isinstance(event, Repeat):
            kept.update(value.name for value in _carried(event)[1] if isinstance(value, Traced))
        elif isinstance(event, Access | Compute):
            kept.update(name for name in used(event) if homes.get(name, ()) != around[: len(homes.get(name, ()))])
    return kept
