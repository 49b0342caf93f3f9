"""Where lanes meet, against the definition: how often, and who knows of what afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tilewright.targets.simulator.order.barriers import Barrier, Meeting
from tilewright.targets.simulator.order.clocks import GENERIC, PLANES, SHARED_PROXY, Clocks
from tilewright.targets.simulator.order.past import Past
from tilewright.targets.simulator.order.present import Present

BLOCKS, WARPS, LANES = 2, 3, 2
THREADS = WARPS * LANES
EXPECTED = 2 * LANES  # lanes that complete a barrier

coming = st.tuples(st.integers(0, BLOCKS - 1), st.sets(st.integers(0, THREADS - 1), min_size=1))


@given(st.lists(coming, max_size=24), st.sampled_from([(True, 1), (False, 1), (False, 2)]), st.booleans())
def test_a_group_has_met_as_often_as_all_of_it_have_come(
    steps: list[tuple[int, set[int]]], kind: tuple[bool, int], short: bool
) -> None:
    """Nobody comes again before its group has met. The last warp may have a lane less."""
    (of_warps, together), threads = kind, THREADS - short
    clocks = Clocks(np.arange(BLOCKS), WARPS, LANES, threads=threads, cluster=together)
    meeting, come = Meeting(clocks, threads, of_warps, together), np.zeros((BLOCKS, threads), int)
    group = np.arange(threads) // (LANES if of_warps else THREADS)
    for block, lanes in steps:
        lanes = {lane for lane in lanes if lane < threads and come[block, lane] == meeting.times[block, group[lane]]}
        if not lanes:
            continue
        goal = meeting.arrive(np.array([block]), np.array(sorted(lanes)))
        before = _met(come, group, together)
        come[block, sorted(lanes)] += 1
        assert (goal == before + 1).all()
        assert (meeting.times == _met(come, group, together)).all()


def _met(
    come: np.ndarray[tuple[int, int], np.dtype[np.int_]],
    group: np.ndarray[tuple[int], np.dtype[np.int_]],
    together: int,
) -> object:
    met = np.stack([come[:, group == one].min(axis=1) for one in np.unique(group)], axis=1)
    return met if together == 1 else np.broadcast_to(met.min(axis=0), met.shape)


@dataclass
class World:
    """The definition: of each warp what lies before it, and which of that has passed a fence; of the barrier too."""

    known: list[set[int]] = field(default_factory=lambda: [set() for _ in range(WARPS)])
    fenced: list[set[int]] = field(default_factory=lambda: [set() for _ in range(WARPS)])
    given: tuple[set[int], set[int]] = (set(), set())
    come: int = 0
    waiting: set[int] = field(default_factory=set)

    def step(self, kind: str, warp: int, number: int) -> None:
        if kind == "access":
            self.known[warp].add(number)
        elif kind == "fence":
            self.fenced[warp] |= self.known[warp]
        else:
            self.given = self.given[0] | self.known[warp], self.given[1] | self.fenced[warp]
            self.come += LANES
            self.waiting |= {warp} if kind == "sync" else set()
        if self.come >= EXPECTED:
            for one in self.waiting:
                self.known[one] |= self.given[0]
                self.fenced[one] |= self.given[1]
            self.given, self.come, self.waiting = (set(), set()), 0, set()


steps = st.tuples(st.sampled_from(("access", "fence", "arrive", "sync", "sync")), st.integers(0, WARPS - 1))


@pytest.mark.hypothesis
@settings(max_examples=200)
@example([("access", 0), ("arrive", 0), ("arrive", 1), ("sync", 2), ("arrive", 1)])
@example([("sync", 0), ("arrive", 1), ("access", 1), ("arrive", 1), ("arrive", 2)])
@given(st.lists(steps, min_size=4, max_size=20))
def test_who_waits_at_a_barrier_knows_what_those_who_came_did(given: list[tuple[str, int]]) -> None:
    """And nobody else does; whoever waits does nothing until the barrier completes."""
    clocks, world, epochs = Clocks(np.array([3]), WARPS, LANES, planes=PLANES), World(), list[int]()
    barrier = Barrier(clocks)
    for kind, warp in given:
        if warp in world.waiting:
            continue
        lanes = 3 * clocks.width + warp * LANES + np.arange(LANES)
        here = np.arange(WARPS)[None] == warp
        if kind == "access":
            epochs += Present(clocks, lanes[:1]).epoch.tolist()
            clocks.meet_warps(here)
        elif kind == "fence":
            clocks.fence(np.array([0]), np.repeat(here, LANES, axis=1), (SHARED_PROXY,))
        else:
            barrier.arrive(np.array([0]), here, EXPECTED, kind == "sync")
        world.step(kind, warp, len(epochs) - 1)
        for one in range(WARPS):
            for plane, expected in ((GENERIC, world.known), (SHARED_PROXY, world.fenced)):
                present = Present(clocks, np.full(len(epochs), 3 * clocks.width + one * LANES), plane)
                after = present.after(np.array(epochs, np.int64)) if epochs else np.zeros(0, bool)
                assert set(np.flatnonzero(after).tolist()) == expected[one], (kind, warp, one)


def test_what_was_learnt_elsewhere_passes_a_barrier_to_those_who_wait() -> None:
    """Once: who waits at the next one learns what those who come to that have learnt."""
    clocks = Clocks(np.arange(2), WARPS, LANES)
    barrier, elsewhere = Barrier(clocks), clocks.width // LANES  # a warp of the other block
    clocks.beyond.learnt.teach(0, Past({elsewhere: 7}))
    for warp, waits in ((0, False), (1, True), (1, False), (2, True)):
        barrier.arrive(np.array([0]), np.arange(WARPS)[None] == warp, EXPECTED, waits)
    told = [clocks.beyond.learnt.of_warp(warp).knows(elsewhere * LANES, LANES, 7) for warp in range(WARPS)]
    assert told == [True, True, True]
    clocks.beyond.learnt.teach(0, Past({elsewhere: 9}))
    for warp, waits in ((1, False), (2, True)):
        barrier.arrive(np.array([0]), np.arange(WARPS)[None] == warp, EXPECTED, waits)
    assert not clocks.beyond.learnt.of_warp(2).knows(elsewhere * LANES, LANES, 9)


comings = st.tuples(
    st.sampled_from(("arrive", "sync", "alone", "alone", "told", "told afar")),
    st.integers(0, WARPS - 1),
    st.integers(0, WARPS - 1),
)


@pytest.mark.hypothesis
@settings(max_examples=200)
@example([("arrive", 0, 0), ("arrive", 1, 0), ("told", 1, 0), ("arrive", 0, 0)])
@example([("alone", 0, 0), ("alone", 1, 0), ("sync", 2, 0), ("sync", 1, 0), ("told afar", 2, 0), ("alone", 0, 0)])
@example([("arrive", 0, 0), ("arrive", 1, 0), ("told", 0, 2), ("told afar", 1, 2), ("arrive", 2, 0), ("arrive", 1, 0)])
@given(st.lists(comings, min_size=3, max_size=20))
def test_a_warp_that_does_not_know_who_came_before_could_have_come_among_them(
    given: list[tuple[str, int, int]],
) -> None:
    """To a phase of several warps after any other; phases of one warp each have no order among themselves."""
    clocks = Clocks(np.array([3]), WARPS, LANES)
    barrier, row = Barrier(clocks), np.array([0])
    knows: list[set[int]] = [set() for _ in range(WARPS)]
    number, waiting, open_, gathered = 0, set[int](), set[int](), set[int]()
    last, own = set[int](), set[int]()  # arrivals at the last phase of several warps, and at those of one since
    for kind, warp, other in given:
        here = np.arange(WARPS)[None] == warp
        if warp in waiting or (kind == "alone" and open_):
            continue
        if kind.startswith("told"):
            if other not in waiting:
                past, first = clocks.released(row, np.repeat(here, LANES, axis=1)), 3 * clocks.width // LANES
                learnt = clocks.beyond.learnt.of_warp(first + warp)
                if kind == "told":
                    clocks.acquire(row, np.repeat(np.arange(WARPS)[None] == other, LANES, axis=1), past)
                else:
                    learnt |= Past({first + one: when for one, when in enumerate(past[GENERIC, 0].tolist()) if when})
                clocks.beyond.learnt.teach(first + other, learnt)
                knows[other] |= knows[warp]
            continue
        expected = LANES if kind == "alone" else EXPECTED
        due = last | (own if kind != "alone" else set())
        early = bool(due - knows[warp])
        assert barrier.unordered(row, here, expected).tolist() == [[early and one == warp for one in range(WARPS)]]
        barrier.arrive(row, here, expected, kind != "arrive")
        number += 1
        knows[warp].add(number)
        if kind == "alone":
            own.add(number)
            continue
        open_.add(number)
        gathered |= knows[warp]
        waiting |= {warp} if kind == "sync" else set()
        if len(open_) * LANES == EXPECTED:
            for one in waiting:
                knows[one] |= gathered
            last, own, open_, gathered, waiting = open_, set(), set(), set(), set()
