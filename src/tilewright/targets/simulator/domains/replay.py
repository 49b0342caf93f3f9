"""Moves the data of a recording whose safety is proved: a chunk of entries at a time, one numpy call an event."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.targets.simulator.domains.record import Access, Compute, Recorder, Shifted, Traced, accesses
from tilewright.targets.simulator.memory.access import Array

CHUNK_LANES = 8192  # keeps a chunk's indices and values in the second-level cache


def replay(recorder: Recorder) -> None:
    """Executes the recording for every entry, in place."""
    chunk = max(1, CHUNK_LANES // recorder.launch.threads)
    player = _Player(recorder, min(chunk, recorder.entries))
    for start in range(0, recorder.entries, chunk):
        player.play(slice(start, min(start + chunk, recorder.entries)))


class _Player:
    """What stays the same from chunk to chunk: the shared buffers' storage, and index arrays."""

    def __init__(self, recorder: Recorder, chunk: int) -> None:
        self.recorder = recorder
        memories = {access.memory for access in accesses(recorder.events)}
        self.shared = {m: np.zeros(m.size * chunk, m.dtype) for m in memories if m.data is None}
        self.lowest = {access: int(access.rest.min()) for access in accesses(recorder.events)}
        self.placed: dict[int, tuple[int, Array]] = {}
        self.indices: dict[Access, Array] = {}
        last_use = {value.event: i for i, event in enumerate(recorder.events) for value in _traced(event)}
        self.done = [[e for e in last_use if last_use[e] == i] for i in range(len(recorder.events))]

    def play(self, entries: slice) -> None:
        self.place(entries)
        results: dict[int, Any] = {}
        for number, event in enumerate(self.recorder.events):
            if isinstance(event, Access):
                data, index = self.locate(event, entries.stop - entries.start)
                if event.is_store:
                    data[index] = self.lanes(event, self.value(event.value, results, entries), entries)
                else:
                    results[number] = self.spread(event, data.take(index))
            elif isinstance(event, Compute):
                results[number] = event.function(*(self.value(value, results, entries) for value in event.values))
            for past in self.done[number]:
                del results[past]

    def place(self, entries: slice) -> None:
        """Where each base's chunk begins. Index arrays are kept as long as the chunks lie alike."""
        placed = {}
        for base in self.recorder.bases:
            origin = int(base[entries].min())
            placed[id(base)] = origin, base[entries] - origin
        if any(not np.array_equal(self.placed[key][1], placed[key][1]) for key in self.placed):
            self.indices.clear()
        self.placed = placed

    def locate(self, access: Access, count: int) -> tuple[Array, Array]:
        """The storage from the chunk's first element on, and the index array into it."""
        memory, low = access.memory, self.lowest[access]
        data = self.shared[memory] if memory.data is None else memory.data
        origin, relative = (0, None) if access.base is None else self.placed[id(access.base)]
        index = self.indices.get(access)
        if index is None or len(index) != count:
            if relative is None:
                relative = np.arange(count, dtype=np.int64) * (memory.size if memory.data is None else 0)
            index = self.indices[access] = relative[:, None] + (access.rest - low)
        return data[origin + low :], index

    def value(self, value: Any, results: dict[int, Any], entries: slice) -> Any:
        """An operand as numbers of shape (entries, lanes), or one that broadcasts to it."""
        if isinstance(value, Traced):
            return results[value.event]
        if isinstance(value, Shifted):
            base = value.base[entries, None]
            return base if value.rest is None else base + value.rest
        return value

    def lanes(self, access: Access, value: Any, entries: slice) -> Any:
        """The part of a value that the access stores."""
        if access.lanes is None:
            return value
        return np.broadcast_to(value, (entries.stop - entries.start, self.recorder.launch.threads))[:, access.lanes]

    def spread(self, access: Access, values: Array) -> Array:
        """Loaded values at their lanes; 0 at the others."""
        if access.lanes is None:
            return values
        full = np.zeros((len(values), self.recorder.launch.threads), values.dtype)
        full[:, access.lanes] = values
        return full


def _traced(event: Any) -> list[Traced]:
    values = event.values if isinstance(event, Compute) else [event.value] if isinstance(event, Access) else []
    return [value for value in values if isinstance(value, Traced)]
