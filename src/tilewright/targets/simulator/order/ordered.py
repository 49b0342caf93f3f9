"""What atomic accesses and fences tell: who leaves its past at an element, and who takes what is there.

A relaxed write releases what a fence came before, and a fence acquires what a relaxed read has come upon: of the same
lane, or of one that has met it between the two, at a barrier. PTX speaks of fence and access by one thread; kernels
in which every thread fences and one writes for all behind a barrier, or one reads and all fence behind it, are as
right on machines, whose fences wait for all that came before.
"""

from __future__ import annotations

from tilewright.targets.simulator.order.beyond import Beyond, Numbers, Place, Sync
from tilewright.targets.simulator.order.past import NOTHING, Past
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.order.scopes import UNTOLD, Left, Scope, Told


def synchronise(lanes: Present, memory: int, at: Numbers, sync: Sync) -> int:
    """The lanes, one after the other, access these elements of a memory so; how many had to be asked."""
    clocks = lanes.clocks
    if clocks.beyond.idle and not (sync.acquires or sync.releases):
        return 0
    for number, (lane, element) in enumerate(zip(lanes.actor.tolist(), at.tolist(), strict=True)):
        place = (memory, element)
        there = _there(clocks.beyond, place, lane, sync)
        if there is not None and sync.reads:
            _take(clocks.beyond, there.told(clocks.beyond.groups, lane), lane, sync)
        if sync.writes:
            own = lanes.past(number).left_by(lane, clocks.now) if sync.releases else NOTHING
            _leave(clocks.beyond, place, lane, sync, own, there if sync.changes else None)
    if sync.releases:
        clocks.step()
    return len(at)


def fence(lanes: Present, scope: Scope) -> int:
    """What the lanes have seen by relaxed accesses they have acquired; what they write so from here on they release.

    From and for those in the group of the `scope`. Gives how many lanes had to be asked.
    """
    beyond = lanes.clocks.beyond
    for number, lane in enumerate(lanes.actor.tolist()):
        seen = beyond.seen.of(lane)
        if seen:
            beyond.learnt.add(lane, seen.within(scope))
            beyond.seen.put(lane, beyond.seen.own(lane).beyond(scope))
        beyond.fenced.put(lane, beyond.fenced.own(lane).fenced(scope, lanes.past(number)))
    lanes.clocks.step()
    return len(lanes.actor)


def _there(beyond: Beyond, place: Place, lane: int, sync: Sync) -> Left | None:
    """What was left there, if whoever wrote last and the lane are each in the scope of the other's access."""
    left = beyond.left.get(place)
    if left is None or not beyond.groups.reach(left.writer, left.scope, lane, sync.scope):
        return None
    return left


def _take(beyond: Beyond, told: Told, lane: int, sync: Sync) -> None:
    """The lane acquires what is for it, or has seen it for a fence to acquire."""
    if sync.acquires:
        acquired = told.within(sync.scope)
        if acquired:
            beyond.learnt.add(lane, acquired)
        told = told.beyond(sync.scope) if sync.scope != Scope.ALL else UNTOLD
    if told:
        beyond.seen.add(lane, told)


def _leave(beyond: Beyond, place: Place, lane: int, sync: Sync, own: Past, there: Left | None) -> None:
    """The lane leaves its `own` past, and what it has fenced, beside what was there."""
    pasts = there.pasts if there else {}
    fenced = beyond.fenced.of(lane) if beyond.fenced else UNTOLD
    if there and not (own or fenced):
        there.writer, there.scope = lane, sync.scope
        return
    for scope in Scope:
        past = own if own and scope <= sync.scope else fenced.pasts[scope]
        if past:
            group = beyond.groups.of(scope, lane)
            before = pasts.get(group, NOTHING)
            pasts[group] = past if past.includes(before) else past | before
    if pasts:
        beyond.left[place] = Left(lane, sync.scope, pasts)
    else:
        beyond.left.pop(place, None)
