"""Is a recording safe for every entry of its batch? Answers yes, or raises `NotUniformError`.

Bounds and initialisation were settled while recording. Here:

* entries do not meet: where a kernel writes a global buffer, the elements that different entries touch are disjoint;
* so a race can only happen within an entry, or, through shared memory, between iterations of the batched loop.
  An entry is checked for all; of iterations, two in a row are, because those further apart have more barriers between.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.domains.record import Access, Barrier, Recorder, accesses
from tilewright.targets.simulator.memory.access import Array, NotUniformError
from tilewright.targets.simulator.observers.patterns import INACTIVE, LINE_BYTES
from tilewright.targets.simulator.observers.tally import Tally
from tilewright.targets.simulator.order.shadow import Shadow

MAX_WINDOW = 1 << 24  # elements that one entry may reach over
MAX_WORK = 1 << 27  # comparisons


def prove(recorder: Recorder, entry: Lockstep) -> None:
    """Raises `NotUniformError` unless every entry is free of races and apart from the others.

    `entry` stands for one block; its clock runs on.
    """
    groups = _by_storage(recorder)
    for group in groups.values():
        _apart(group, recorder.entries)
    windows = {key: _window(group) for key, group in groups.items()}
    shadows = {key: Shadow(high - low, entry.machine.clocks.width, apart=True) for key, (low, high) in windows.items()}
    for turn in range(min(2, len(recorder.iterations))):
        for event in recorder.events:
            if isinstance(event, Barrier):
                entry.barrier(event.op, event.scope, None)
            elif isinstance(event, Access) and (turn == 0 or event.memory.data is None):
                key = id(_storage(event))
                if key in shadows:
                    _check(shadows[key], windows[key][0], event, entry)


def tally(recorder: Recorder, counts: Tally) -> None:
    """Counts the accesses of every entry."""
    for access in accesses(recorder.events):
        for origin, times in _origins(access, recorder.entries):
            row = np.full(recorder.launch.threads, INACTIVE, np.int64)
            row[slice(None) if access.lanes is None else access.lanes] = access.rest + origin
            counts.add(access.site, row[None], times)


def _storage(access: Access) -> object:
    return access.memory if access.memory.data is None else access.memory.data


def _by_storage(recorder: Recorder) -> dict[int, list[Access]]:
    """The accesses of each shared buffer, and of each global one that is written."""
    groups: dict[int, list[Access]] = defaultdict(list)
    for access in accesses(recorder.events):
        groups[id(_storage(access))].append(access)
    return {k: g for k, g in groups.items() if g[0].memory.data is None or any(a.is_store for a in g)}


def _window(group: list[Access]) -> tuple[int, int]:
    low = min(int(a.rest.min()) + _first(a) for a in group)
    high = max(int(a.rest.max()) + _first(a) for a in group) + 1
    if high - low > MAX_WINDOW:
        raise NotUniformError
    return low, high


def _first(access: Access) -> int:
    return 0 if access.base is None else int(access.base[0])


def _check(shadow: Shadow, low: int, access: Access, entry: Lockstep) -> None:
    at = access.rest + (_first(access) - low)
    lanes = entry.present(None)
    if access.lanes is not None:
        lanes = lanes[access.lanes]
    found = (*shadow.writing(at, lanes), shadow.rivals(at, lanes)) if access.is_store else [shadow.reading(at, lanes)]
    if any(races is not None for races in found):
        raise NotUniformError


def _apart(group: list[Access], entries: int) -> None:
    """Do different entries touch different elements, as far as one of them writes?"""
    if entries == 1 or group[0].memory.data is None:
        return
    base = group[0].base
    if base is None or any(access.base is not base for access in group):
        raise NotUniformError
    low, high = _window(group)
    distances = _distances(base, high - low)
    if len(distances) * (high - low) > MAX_WORK:
        raise NotUniformError
    written, touched = np.zeros(high - low, bool), np.zeros(high - low, bool)
    for access in group:
        at = access.rest + (_first(access) - low)
        touched[at] = True
        written[at] |= access.is_store
    for distance in distances.tolist():
        size = high - low - distance
        if (written[:size] & touched[distance:]).any() or (touched[:size] & written[distance:]).any():
            raise NotUniformError


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
        found.append(np.unique(near))
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)


def _origins(access: Access, entries: int) -> list[tuple[int, int]]:
    """Bases that lie differently on the banks, each with the number of entries like it."""
    if access.base is None:
        return [(0, entries)]
    place = access.base * access.site.width_bytes % LINE_BYTES
    if (place == place[0]).all():
        return [(int(access.base[0]), entries)]
    _, first, times = np.unique(place, return_index=True, return_counts=True)
    return [(int(access.base[at]), int(n)) for at, n in zip(first, times, strict=True)]
