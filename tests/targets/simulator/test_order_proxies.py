"""Clocks with proxies, single lanes and engines, against the definition: who knows of which access, one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.targets.simulator.order.clocks import GENERIC, PLANES, SHARED_PROXY, Clocks, Numbers
from tilewright.targets.simulator.order.present import Present

WARPS, LANES, TOKENS = 2, 2, 2
WIDTH = WARPS * LANES
ROW = np.array([0])


@dataclass(frozen=True)
class Step:
    """What these lanes do; a token is what one may release to and acquire from. An `engine` gives to its token."""

    kind: str
    lanes: tuple[int, ...]
    token: int = 0


class World:
    """The definition: for each lane, which accesses lie before it, and which of these a fence has passed on."""

    def __init__(self, threads: int = WIDTH) -> None:
        self.threads = threads
        self.known: list[set[int]] = [set() for _ in range(WIDTH)]
        self.fenced: list[set[int]] = [set() for _ in range(WIDTH)]
        self.given: list[tuple[set[int], set[int]]] = [(set(), set()) for _ in range(TOKENS)]
        self.count = 0

    def access(self) -> int:
        self.count += 1
        return self.count - 1

    def meet(self, lanes: set[int]) -> None:
        for sets in (self.known, self.fenced):
            union = set().union(*(sets[lane] for lane in lanes))
            for lane in lanes:
                sets[lane] |= union

    def step(self, step: Step, new: dict[int, int]) -> None:
        known, fenced = self.given[step.token]
        if step.kind == "engine":
            known |= {new[-1]}
            fenced |= {new[-1]}
        for lane in step.lanes:
            if step.kind == "access":
                self.known[lane] |= {new[lane]}
            elif step.kind == "fence":
                self.fenced[lane] |= self.known[lane]
            elif step.kind == "release":
                known |= self.known[lane]
                fenced |= self.fenced[lane]
            elif step.kind == "acquire":
                self.known[lane] |= known
                self.fenced[lane] |= fenced
        if step.kind == "warps":
            for warp in {lane // LANES for lane in step.lanes}:
                self.meet({lane for lane in range(self.threads) if lane // LANES == warp})
        elif step.kind == "block":
            self.meet(set(range(self.threads)))


class Machine:
    """The same by clocks."""

    def __init__(self, threads: int = WIDTH) -> None:
        self.clocks = Clocks(np.array([3]), WARPS, LANES, engines=TOKENS, planes=PLANES, threads=threads)
        self.given = [np.zeros((PLANES, 1, self.clocks.known.shape[3]), np.int64) for _ in range(TOKENS)]
        self.epochs: list[int] = []

    def lanes(self, numbers: tuple[int, ...]) -> Numbers:
        return 3 * self.clocks.width + np.array(numbers, np.int64)

    def step(self, step: Step) -> dict[int, int]:
        clocks, flags = self.clocks, np.isin(np.arange(WIDTH), step.lanes)[None]
        if step.kind == "access":
            self.epochs += Present(clocks, self.lanes(step.lanes)).epoch.tolist()
            return {lane: len(self.epochs) - len(step.lanes) + i for i, lane in enumerate(step.lanes)}
        if step.kind == "engine":
            now = clocks.now
            self.epochs += clocks.stamp(ROW, step.token).tolist()
            self.given[step.token][:, 0, WARPS + step.token] = now
            return {-1: len(self.epochs) - 1}
        if step.kind == "fence":
            clocks.fence(ROW, flags, (SHARED_PROXY,))
        elif step.kind == "release":
            released = clocks.released(ROW, flags)
            self.given[step.token] = np.maximum(clocks.fitted(self.given[step.token]), released)
        elif step.kind == "acquire":
            clocks.acquire(ROW, flags, self.given[step.token])
        elif step.kind == "warps":
            clocks.meet_warps(np.isin(np.arange(WARPS), [lane // LANES for lane in step.lanes])[None])
        else:
            clocks.meet_blocks()
        return {}

    def after(self, lane: int, plane: int) -> set[int]:
        count = len(self.epochs)
        present = Present(self.clocks, np.repeat(self.lanes((lane,)), count), plane)
        return set(np.flatnonzero(present.after(np.array(self.epochs, np.int64))).tolist()) if count else set()


KINDS = ("access", "access", "fence", "release", "acquire", "warps", "block", "engine")
steps = st.builds(
    lambda kind, lanes, token: Step(kind, tuple(sorted(lanes)), token),
    st.sampled_from(KINDS),
    st.sampled_from(({0}, {1}, {2}, {0, 1}, {2, 3}, {0, 2}, {0, 1, 2, 3})),
    st.integers(0, TOKENS - 1),
)


@pytest.mark.parametrize(
    "given_",
    [
        [Step("access", (0,), 0), Step("release", (0,), 0), Step("fence", (0, 1), 0), Step("acquire", (1,), 0)],
        [Step("access", (2,), 0), Step("release", (2,), 0), Step("fence", (2, 3), 0), Step("acquire", (2, 3), 0)],
        [Step("access", (2,), 0), Step("fence", (2, 3), 0), Step("release", (2,), 0), Step("acquire", (0,), 0)],
    ],
)
def test_a_warp_that_fences_does_so_for_each_lane(given_: list[Step]) -> None:
    """What a fellow lane told before the fence has not passed one; what it tells after it has."""
    world, machine = World(), Machine()
    for step in given_:
        world.step(step, machine.step(step))
    for lane in range(WIDTH):
        assert machine.after(lane, SHARED_PROXY) == world.fenced[lane]


@pytest.mark.hypothesis
@settings(max_examples=400)
@given(st.lists(steps, min_size=3, max_size=14))
def test_who_knows_of_what(given: list[Step]) -> None:
    """A lane is ordered after an access by the clocks exactly where it is by the definition, in both proxies."""
    world, machine = World(), Machine()
    for step in given:
        world.step(step, machine.step(step))
        for lane in range(WIDTH):
            assert machine.after(lane, GENERIC) == world.known[lane], step
            assert machine.after(lane, SHARED_PROXY) == world.fenced[lane], step


@pytest.mark.hypothesis
@given(st.lists(steps, min_size=3, max_size=14))
def test_a_last_warp_of_few_lanes_is_a_warp(given: list[Step]) -> None:
    """The same of a block whose last warp has one lane less: those that it has are all of it."""
    world, machine = World(WIDTH - 1), Machine(WIDTH - 1)
    for step in given:
        some = replace(step, lanes=tuple(lane for lane in step.lanes if lane < WIDTH - 1))
        world.step(some, machine.step(some))
        for lane in range(WIDTH - 1):
            assert machine.after(lane, GENERIC) == world.known[lane], step
            assert machine.after(lane, SHARED_PROXY) == world.fenced[lane], step


@given(st.lists(steps, max_size=14))
def test_what_is_settled_everybody_knows(given: list[Step]) -> None:
    """The floor, below which no access is looked at, lies below everything that somebody does not know."""
    world, machine = World(), Machine()
    for step in given:
        world.step(step, machine.step(step))
        settled = {i for i, epoch in enumerate(machine.epochs) if epoch >> 32 <= machine.clocks.floor}
        assert all(settled <= known for known in world.known)
