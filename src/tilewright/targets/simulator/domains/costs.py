"""What the accesses of a recording cost, of all entries and iterations: each pattern of addresses is counted once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from tilewright.targets.simulator.domains.affine import Counter
from tilewright.targets.simulator.domains.events import Access, Stretch, accesses
from tilewright.targets.simulator.domains.record import Recorder
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.observers.patterns import INACTIVE, LINE_BYTES
from tilewright.targets.simulator.observers.tally import Tally


def tally(recorder: Recorder, counts: Tally) -> None:
    """Counts the accesses of every entry and iteration."""
    _count(accesses(recorder.events), recorder.entries, recorder.launch.threads, counts)


def tally_later(recorder: Recorder, counts: Tally) -> None:
    """The same, when somebody asks; until then only places are kept, no data."""
    nothing = Stretch(0, np.dtype(np.uint8))
    found = [(replace(access, memory=nothing, value=None), around) for access, around in accesses(recorder.events)]
    entries, threads = recorder.entries, recorder.launch.threads
    counts.later(lambda: _count(found, entries, threads, counts))


def _count(found: Iterable[tuple[Access, tuple[Counter, ...]]], entries: int, threads: int, counts: Tally) -> None:
    for access, around in found:
        row = np.full(threads, INACTIVE, np.int64)
        for origin, times in _origins(access, around, entries):
            row[access.active] = access.rest[:: access.count] + origin
            counts.count(counts.accesses(access.site, row[None]), times)


def _origins(access: Access, around: tuple[Counter, ...], entries: int) -> list[tuple[int, int]]:
    """Where the access lies, of all places that lie alike in a line of banks one, and how often it lies like that."""
    places, times = _alike(access, np.zeros(1, np.int64) if access.base is None else access.base)
    if access.base is None:
        times = times * entries
    for counter in around:
        step = access.steps.get(counter, 0)
        if not step:
            times = times * counter.trips
            continue
        moved, weights = _alike(access, step * np.arange(counter.trips, dtype=np.int64))
        both = (places[:, None] + moved).reshape(-1)
        places, times = _alike(access, both, (times[:, None] * weights).reshape(-1))
    return list(zip(places.tolist(), times.tolist(), strict=True))


def _alike(access: Access, places: Array, times: Array | None = None) -> tuple[Array, Array]:
    """Of places that differ by whole lines of banks the first, and the sum of their times, where none are given 1."""
    inside = places * (access.site.step_bytes or access.site.width_bytes)
    inside &= LINE_BYTES - 1  # a power of 2
    if (inside == inside[0]).all():
        return places[:1], np.array([len(places) if times is None else times.sum()])
    _, first, which = np.unique(inside, return_index=True, return_inverse=True)
    return places[first], np.bincount(which.reshape(-1), times).astype(np.int64)
