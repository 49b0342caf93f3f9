"""What atomic accesses and fences tell: who leaves its past at an element, and who takes what is there.

A relaxed write releases what a fence came before, and a fence acquires what a relaxed read has come upon: of the same
lane, or of one that has met it between the two, at a barrier. PTX speaks of fence and access by one thread; kernels
in which every thread fences and one writes for all behind a barrier, or one reads and all fence behind it, are as
right on machines, whose fences wait for all that came before.
"""

from __future__ import annotations

from tilewright.targets.simulator.order.beyond import Numbers, Sync
from tilewright.targets.simulator.order.pasts import NOTHING, Past
from tilewright.targets.simulator.order.present import Present


def synchronise(lanes: Present, memory: int, at: Numbers, sync: Sync) -> int:
    """The lanes, one after the other, access these elements of a memory so; how many had to be asked."""
    beyond = lanes.clocks.beyond
    if beyond.idle and not (sync.acquires or sync.releases):
        return 0
    for number, (lane, element) in enumerate(zip(lanes.actor.tolist(), at.tolist(), strict=True)):
        place = (memory, element)
        there = beyond.left.get(place)
        if there and (sync.changes or not sync.writes):
            (beyond.take if sync.acquires else beyond.see)(lane, there, sync.narrow)
        if sync.writes:
            past, nearby = _told(lanes, number, lane, sync)
            if past or nearby:
                beyond.leave(place, lane, past, nearby, there if sync.changes else None)
            elif not sync.changes:
                beyond.left.pop(place, None)
    if sync.releases:
        lanes.clocks.step()
    return len(at)


def _told(lanes: Present, number: int, lane: int, sync: Sync) -> tuple[Past, Past]:
    """What the access of a lane tells all, and its block."""
    if sync.releases:
        past = lanes.past(number)
        return (NOTHING, past) if sync.narrow else (past, NOTHING)
    if not lanes.clocks.beyond.fences:
        return NOTHING, NOTHING
    fenced, nearby = lanes.clocks.beyond.fenced_by(lane)
    if sync.narrow:
        nearby.learn(fenced)
    return (NOTHING if sync.narrow else fenced), nearby


def fence(lanes: Present, narrow: bool) -> int:
    """What the lanes have seen by relaxed accesses they have acquired; what they write so from here on they release.

    `narrow`: for lanes of their block only. Gives how many lanes had to be asked.
    """
    beyond = lanes.clocks.beyond
    for number, lane in enumerate(lanes.actor.tolist()):
        beyond.fence(lane, narrow)
        beyond.hold(lane, lanes.past(number), narrow)
    lanes.clocks.step()
    return len(lanes.actor)
