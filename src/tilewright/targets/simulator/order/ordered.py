"""What atomic accesses and fences tell: who leaves its past at an element, and who takes what is there."""

from __future__ import annotations

from tilewright.targets.simulator.order.beyond import Numbers, Past, Sync
from tilewright.targets.simulator.order.present import Present


def synchronise(lanes: Present, memory: int, at: Numbers, sync: Sync) -> None:
    """The lanes, one after the other, access these elements of a memory so."""
    beyond = lanes.clocks.beyond
    if beyond.idle and not (sync.acquires or sync.releases):
        return
    for number, (lane, element) in enumerate(zip(lanes.actor.tolist(), at.tolist(), strict=True)):
        place = (memory, element)
        there = beyond.left.get(place)
        if there and (sync.changes or not sync.writes) and beyond.reaches(place, lane, sync.narrow):
            if sync.acquires:
                beyond.acquire(lane, there)
            else:
                beyond.seen.setdefault(lane, Past()).learn(there)
        if sync.writes:
            mine = lanes.past(number) if sync.releases else beyond.held_back(lane)
            if mine is not None:
                beyond.left[place] = mine.copy()
                narrow = sync.narrow if sync.releases else lane in beyond.fenced_narrowly
                beyond.left_by[place] = lane // lanes.clocks.width, narrow
                if there and sync.changes:
                    beyond.left[place].learn(there)
            elif not sync.changes:
                beyond.left.pop(place, None)
    if sync.releases:
        lanes.clocks.step()


def fence(lanes: Present, narrow: bool) -> None:
    """What the lanes have seen by relaxed accesses they have acquired; what they write so from here on they release.

    `narrow`: for lanes of their block only.
    """
    beyond = lanes.clocks.beyond
    for number, lane in enumerate(lanes.actor.tolist()):
        seen = beyond.seen.pop(lane, None)
        if seen is not None:
            beyond.acquire(lane, seen)
        beyond.fenced[lane] = lanes.past(number)
        (beyond.fenced_narrowly.add if narrow else beyond.fenced_narrowly.discard)(lane)
    lanes.clocks.step()
