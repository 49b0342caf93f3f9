"""Clocks and shadows against the definition: every pair of accesses, and the barriers between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tilewright.targets.simulator.order import crowd
from tilewright.targets.simulator.order.clocks import PLANES, SHARED_PROXY, Clocks, Numbers
from tilewright.targets.simulator.order.present import Present, actor_of
from tilewright.targets.simulator.order.shadow import Shadow

BLOCKS, WARPS, LANES, ELEMENTS = 2, 2, 2, 3
WIDTH = WARPS * LANES
ACTORS = range(BLOCKS * WIDTH)
ATOMIC = ("updates", "fills", "polls")  # changes, stores and loads; those do not race with each other
READING = ("reads", "polls")
BEGUN = {"begins load": "reads", "begins store": "writes", "begins atomic": "updates"}  # as an engine's
KINDS = ("reads", "reads", "writes", *ATOMIC, *BEGUN)


@dataclass(frozen=True)
class Step:
    """Of accesses, `KINDS`, the element of each actor; of `warps`, `blocks` who meet."""

    kind: str
    elements: tuple[tuple[int, int], ...] = ()
    groups: tuple[int, ...] = ()


def meets(step: Step, one: int, other: int) -> bool:
    """Does the step order what these actors did before it with what they do after it?"""
    size = {"warps": LANES, "blocks": WIDTH}.get(step.kind, 0)
    return bool(size) and one // size == other // size and one // size in step.groups


def ordered(steps: list[Step], first: int, mine: int, second: int, theirs: int) -> bool:
    """Does what `mine` does in a step lie before what `theirs` does in a later one? By the chain of meetings."""
    reached = {mine}
    for step in steps[first + 1 : second]:
        reached |= {other for other in ACTORS if any(meets(step, one, other) for one in reached)}
    return theirs in reached


def races(steps: list[Step], place: Callable[[int, int], object], now: int) -> set[int]:
    """The actors of the step that race with an access of an earlier one."""
    found = set()
    for actor, element in steps[now].elements:
        for then in range(now):
            for other, touched in steps[then].elements:
                alike = place(other, touched) == place(actor, element)
                if (
                    not _peers(steps[then].kind, steps[now].kind)
                    and alike
                    and not ordered(steps, then, other, now, actor)
                ):
                    found.add(actor)
    return found


def _peers(one: str, other: str) -> bool:
    """Is one no access yet, or do both go well together?"""
    return one in BEGUN or any({one, BEGUN.get(other, other)} <= {*kinds} for kinds in (ATOMIC, READING))


def elements_of(apart: bool) -> Callable[[int, int], int]:
    return lambda actor, element: element + ELEMENTS * (actor // WIDTH) * apart


elements = st.dictionaries(st.sampled_from(list(ACTORS)), st.integers(0, ELEMENTS - 1), min_size=1)
accesses = st.builds(lambda k, d: Step(k, tuple(sorted(d.items()))), st.sampled_from(KINDS), elements)
groups = st.sets(st.integers(0, BLOCKS * WARPS - 1), min_size=1).map(lambda found: tuple(sorted(found)))
barriers = st.builds(lambda k, g: Step(k, groups=g), st.sampled_from(("warps", "blocks")), groups)


def meet(clocks: Clocks, step: Step) -> None:
    if step.kind == "warps":
        active = np.isin(np.arange(BLOCKS * WARPS), step.groups).reshape(BLOCKS, WARPS)
        clocks.meet_warps(None if active.all() else active)
    else:
        active = np.isin(np.arange(BLOCKS), step.groups)
        clocks.meet_blocks(None if active.all() else active)


def found(shadow: Shadow, at: Numbers, lanes: Present, kind: str) -> set[int]:
    answers = {
        "reads": lambda: (shadow.reading(at, lanes),),
        "writes": lambda: shadow.writing(at, lanes),
        "updates": lambda: shadow.updating(at, lanes),
        "fills": lambda: shadow.updating(at, lanes),
        "polls": lambda: (shadow.observing(at, lanes),),
        **{begun: partial(shadow.beginning, at, lanes, begun.removeprefix("begins ")) for begun in BEGUN},
    }[kind]()
    if kind == "fills" and shadow.apart:
        shadow.fill(at, lanes)
        assert shadow.unwritten(at) is None
    assert all(answer is None or answer.any() for answer in answers)
    return {int(a) for answer in answers if answer is not None for a in lanes.actor[answer != 0]}


WRITE = Step("writes", ((2, 0),))
FILLED = [Step("writes", ((0, 0),)), Step("warps", groups=(0,)), Step("fills", ((1, 0),)), Step("polls", ((2, 0),))]


@pytest.mark.hypothesis
@pytest.mark.parametrize("many", [2, crowd.MANY])
@example(steps=[Step("polls", ((0, 0),)), Step("begins store", ((2, 0),))], apart=False)
@example(steps=[Step("polls", ((0, 0),)), Step("begins atomic", ((2, 0),))], apart=False)
@example(steps=[*(Step("reads", ((one, 0),)) for one in (0, 2, 3)), Step("warps", groups=(1,)), WRITE], apart=False)
@example(steps=FILLED, apart=True)  # the first write is another warp's business still
@settings(max_examples=100)
@given(steps=st.lists(accesses | barriers, max_size=12), apart=st.booleans())
def test_the_first_races_are_those_of_the_definition(steps: list[Step], apart: bool, many: int) -> None:
    """Up to the first step with a race, whose lanes are exactly those that race."""
    place = elements_of(apart)
    clocks = Clocks(np.arange(BLOCKS), WARPS, LANES)
    shadow = Shadow(ELEMENTS * (1 + apart * (BLOCKS - 1)), WIDTH, apart=apart)
    assert shadow.readers is not None
    shadow.readers.crowd.limit = many
    for now, step in enumerate(steps):
        if step.kind in ("warps", "blocks"):
            meet(clocks, step)
            continue
        actors = np.array([actor for actor, _ in step.elements])
        at = np.array([place(actor, element) for actor, element in step.elements])
        lanes = Present(clocks, actors)
        expected = races(steps, place, now)
        assert found(shadow, at, lanes, step.kind) == expected
        if expected:
            return
        if step.kind == "writes":
            rivals = shadow.rivals(at, lanes)
            alone = len(set(at.tolist())) == len(at)
            assert (rivals is None) == alone
            if rivals is not None:
                assert set(actor_of(rivals[rivals != 0]).tolist()) < set(actors.tolist())
                return


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 11)), min_size=1, unique=True))
def test_two_blocks_stand_for_all(reads: list[tuple[int, int]]) -> None:
    """Whatever block writes an element, one of the kept reads is another block's where one of all is."""
    places, epochs = (np.array(column) for column in zip(*sorted(reads), strict=True))
    kept = list(zip(*(part.tolist() for part in crowd.thinned(places, epochs, 4)), strict=True))
    assert set(kept) <= set(reads)
    for place in range(4):
        blocks = {actor // 4 for at, actor in reads if at == place}
        few = [actor // 4 for at, actor in kept if at == place]
        assert len(set(few)) == min(2, len(blocks))
        assert len(few) == 2 or len(blocks) < 2


def test_what_is_forgotten_has_no_value_but_its_writer() -> None:
    clocks = Clocks(np.arange(1), 1, 2)
    shadow, at = Shadow(2, 2, apart=True), np.array([0])
    assert shadow.unwritten(at) is not None
    shadow.writing(at, Present(clocks, np.array([0])))
    assert shadow.unwritten(at) is None
    shadow.forget(np.array([0]), 2)
    shadow.forget(np.array([0]), 2)
    assert shadow.unwritten(at) is not None
    writes, *_ = shadow.writing(at, Present(clocks, np.array([1])))
    assert writes is not None
    assert actor_of(writes).tolist() == [0]
    assert shadow.unwritten(at) is None


@given(st.lists(st.lists(st.integers(1, 99), min_size=1), min_size=1))
def test_a_crowd_knows_its_latest(epochs: list[list[int]]) -> None:
    some = crowd.Crowd(4)
    for part in epochs:
        some.add(np.zeros(len(part), np.int64), np.array(part))
    assert some.latest == max(max(part) for part in epochs)


def test_all_that_engines_read_of_one_element_is_remembered() -> None:
    """Of two reads that land together, both: who is ordered after one races with the other."""
    clocks = Clocks(np.arange(1), 2, 2)
    both = Present(clocks, np.array([0, 2]))
    for place in (0, 1):
        shadow = Shadow(1, 4)
        shadow.landed(np.array([0, 0]), both.epoch, "load")
        writer = Present(clocks, both.actor[[place]])
        _, reads, _ = shadow.writing(np.array([0]), writer)
        assert reads is not None
        assert actor_of(reads).tolist() == both.actor[[1 - place]].tolist()


def test_what_a_block_has_settled_is_not_settled_for_engines() -> None:
    """A barrier is no fence: what lanes wrote races with the engine's read until one has come."""
    clocks = Clocks(np.arange(1), 1, 2, planes=PLANES)
    shadow, at = Shadow(1, 2, apart=True), np.array([0])
    shadow.writing(at, Present(clocks, np.array([0])))
    clocks.meet_blocks()
    engine = Present(clocks, np.array([1]), SHARED_PROXY)
    assert shadow.beginning(at, engine.generic, "load") == (None, None)
    writes, _ = shadow.beginning(at, engine, "load")
    assert writes is not None
    clocks.fence(np.array([0]), np.ones((1, 2), bool), (SHARED_PROXY,))
    assert shadow.beginning(at, Present(clocks, np.array([1]), SHARED_PROXY), "load") == (None, None)
