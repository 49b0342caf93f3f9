"""What lanes learn by atomic accesses and fences: as sets of events say it; locks cost what their questions do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tilewright as tw
from tilewright.errors import SimulationError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.simulator.order.beyond import Sync
from tilewright.targets.simulator.order.clocks import Clocks
from tilewright.targets.simulator.order.ordered import fence, synchronise
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.order.times import Times

tables = st.dictionaries(st.integers(0, 20) | st.integers(0, 2**40), st.integers(1, 9), max_size=12)


@given(tables, tables)
def test_times_are_joined_as_tables_are(mine: dict[int, int], theirs: dict[int, int]) -> None:
    one, other = Times.of(mine), Times.of(theirs)
    both = one.joined(other)
    for number in {*mine, *theirs, 0, 17}:
        assert both[number] == max(mine.get(number, 0), theirs.get(number, 0))
        assert one[number] == mine.get(number, 0)
    assert both.joined(one) is both
    assert both.joined(other) is both


LANES, WARPS, BLOCKS = 2, 2, 2
ALL = LANES * WARPS * BLOCKS


@dataclass
class Lane:
    """Events that a lane knows, those that its fences hold for its writes, and those that its reads hold for fences."""

    known: set[int] = field(default_factory=set)
    fenced: set[int] = field(default_factory=set)
    fenced_nearby: set[int] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    seen_nearby: set[int] = field(default_factory=set)

    def sets(self) -> list[set[int]]:
        return [self.known, self.fenced, self.fenced_nearby, self.seen, self.seen_nearby]


@dataclass
class World:
    """By the definition, with sets of events; what is at a place: for all, for its block, and which that is."""

    lanes: list[Lane] = field(default_factory=lambda: [Lane() for _ in range(ALL)])
    places: dict[int, tuple[set[int], set[int], int]] = field(default_factory=dict)

    def atomic(self, lane: int, place: int, sync: Sync) -> None:
        me, block, there = self.lanes[lane], lane // (LANES * WARPS), self.places.get(place)
        if there and (sync.changes or not sync.writes):
            wide, near, theirs = there
            if theirs == block:
                (me.known if sync.acquires else me.seen_nearby).update(wide | near)
            elif not sync.narrow:
                (me.known if sync.acquires else me.seen).update(wide)
        if not sync.writes:
            return
        told = (set(me.known), set[int]()) if sync.releases else (set(me.fenced), set(me.fenced_nearby))
        wide, near = (set(), told[0] | told[1]) if sync.narrow else told
        if sync.changes and there and (wide or near):
            wide, near = wide | there[0], near | there[1] if there[2] == block else near
        if wide or near:
            self.places[place] = wide, near, block
        elif not sync.changes:
            self.places.pop(place, None)

    def fence(self, lane: int, narrow: bool) -> None:
        me = self.lanes[lane]
        me.known |= me.seen_nearby if narrow else me.seen_nearby | me.seen
        (me.fenced_nearby if narrow else me.fenced).update(me.known)

    def meet(self, first: int, count: int) -> None:
        group = self.lanes[first : first + count]
        for number in range(5):
            both = set().union(*(lane.sets()[number] for lane in group))
            for lane in group:
                lane.sets()[number].update(both)


lane = st.integers(0, ALL - 1)
syncs = st.builds(
    Sync.of,
    st.sampled_from(("relaxed", "acquire", "release", "acq_rel")),
    st.sampled_from(("gpu", "gpu", "cta")),
    st.booleans(),
    st.booleans(),
)
steps = st.one_of(
    st.tuples(st.just("access"), lane),
    st.tuples(st.just("atomic"), lane, st.integers(0, 1), syncs),
    st.tuples(st.just("atomic"), lane, st.integers(0, 1), syncs),
    st.tuples(st.just("fence"), lane, st.booleans()),
    st.tuples(st.just("warp"), st.integers(0, WARPS * BLOCKS - 1)),
    st.tuples(st.just("block"), st.integers(0, BLOCKS - 1)),
)
PUT, ASK = Sync(changes=False), Sync(writes=False)


@example(
    [("access", 0), ("fence", 0, False), ("block", 0), ("atomic", 2, 0, PUT), ("atomic", 4, 0, Sync(acquires=True))]
)
@example(
    [("access", 0), ("atomic", 0, 0, Sync(releases=True)), ("atomic", 4, 0, ASK), ("block", 1), ("fence", 6, False)]
)
@example(
    [("access", 0), ("atomic", 0, 0, Sync(releases=True)), ("atomic", 4, 0, ASK), ("block", 1), ("fence", 6, True)]
)
@given(st.lists(steps, min_size=4, max_size=24))
def test_what_lanes_know_is_what_sets_of_events_say(given: list[Any]) -> None:
    clocks, world, epochs = Clocks(np.arange(BLOCKS), WARPS, LANES), World(), list[int]()
    for kind, who, *words in given:
        present = Present(clocks, np.array([who]))
        if kind == "access":
            world.lanes[who].known.add(len(epochs))
            epochs.append(int(present.epoch[0]))
        elif kind == "atomic":
            place, sync = words
            if sync.changes and not sync.writes:
                continue
            synchronise(present, 1, np.array([place]), sync)
            world.atomic(who, place, sync)
        elif kind == "fence":
            fence(present, *words)
            world.fence(who, *words)
        elif kind == "warp":
            clocks.meet_warps((np.arange(WARPS * BLOCKS) == who).reshape(BLOCKS, WARPS))
            world.meet(who * LANES, LANES)
        else:
            clocks.meet_blocks(np.arange(BLOCKS) == who)
            world.meet(who * LANES * WARPS, LANES * WARPS)
        for one in range(ALL):
            after = Present(clocks, np.full(len(epochs), one)).after(np.array(epochs, np.int64))
            own = {i for i, epoch in enumerate(epochs) if epoch & 0xFFFFFFFF == one}
            assert set(np.flatnonzero(after).tolist()) == world.lanes[one].known | own, (kind, who, one)


def lock(blocks: int, how: str) -> PrimFunc:
    """Each block counts under a lock, which is released by an exchange or a store, or by fences."""

    @T.prim_func
    def kernel(L: T.Buffer((1,), "uint32"), C: T.Buffer((1,), "int32")):
        T.device_entry()
        T.cta_id([blocks])
        t = T.thread_id([32])
        if t == 0:
            f: T.uint32 = 1
            while f != 0:
                if how == "fences":
                    T.ptx.atom.relaxed.gpu.global_.cas.b32(f, L.ptr_to([0]), 0, 1)
                else:
                    T.ptx.atom.acquire.gpu.global_.cas.b32(f, L.ptr_to([0]), 0, 1)
            if how == "fences":
                T.cuda.thread_fence()
            C[0] = C[0] + 1
            if how == "fences":
                T.cuda.thread_fence()
                T.ptx.atom.relaxed.gpu.global_.exch.b32(f, L.ptr_to([0]), 0)
            elif how == "store":
                T.ptx.st.release.gpu.global_.u32(L.ptr_to([0]), 0)
            else:
                T.ptx.atom.release.gpu.global_.exch.b32(f, L.ptr_to([0]), 0)

    return kernel


@pytest.mark.parametrize("how", ["exchange", "store", "fences"])
def test_who_holds_a_lock_knows_all_before(how: str) -> None:
    for schedule in ({}, {"schedule": "random", "seed": 2}):
        count = np.zeros(1, np.int32)
        tw.compile(lock(96, how))(np.zeros(1, np.uint32), count, **schedule)
        assert count[0] == 96


def test_questions_of_lanes_one_after_the_other_use_up_steps() -> None:
    """So that the limit of steps is one of time: 96 blocks ask about 96 * 96 / 2 times, a step each."""
    with pytest.raises(SimulationError, match="takes more than 4000 simulated ops"):
        tw.compile(lock(96, "exchange"))(np.zeros(1, np.uint32), np.zeros(1, np.int32), steps=4000)
    tw.compile(lock(96, "exchange"))(np.zeros(1, np.uint32), np.zeros(1, np.int32), steps=40000)
