"""Pipelines of matrix products, found in closed form from one block, do what a run of all blocks does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recordings import Move, Place, Turns, World, loops, moves, recordings
from reruns import agree, drawn
from tile_pipelines import Pipeline, kernel, tile_pipelines

import tilewright as tw
from tilewright.targets.simulator.domains.affine import Counter
from tilewright.targets.simulator.domains.at_once import at_once
from tilewright.targets.simulator.domains.events import Repeat
from tilewright.targets.simulator.domains.rolling import rolled
from tilewright.targets.simulator.simulate import Simulator

PLAIN = Pipeline((2, 2), 2, 4, 1, 0, 1, 2, False, False, False, False, False, "")


def simulator(pipeline: Pipeline) -> Simulator:
    return Simulator(tw.compile(kernel(pipeline)).lowered().module)


@pytest.mark.hypothesis
@given(tile_pipelines())
@settings(max_examples=10)
def test_pipelines_are_what_they_are_turn_after_turn(pipeline: Pipeline) -> None:
    """Results, costs and errors, with checks and without."""
    run = simulator(pipeline)
    for check in ("on", "off"):
        known = set(agree(run, "sm_90", 2, check=check))
        assert len(known) == 1
        assert pipeline.fault or known == {True}


WAYS = (
    {},
    {"after": True},
    {"each": True},
    {"twice": True},
    {"turned": True},
    {"halves": True, "across": 4},
    {"stages": 3, "ahead": 2, "turns": 7},
    {"stages": 2, "ahead": 1, "turns": 5, "after": True},
)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_what_is_right_is_proved(way: dict[str, bool | int]) -> None:
    run = simulator(replace(PLAIN, **way))  # type: ignore[arg-type]  # the fields' values, by name
    report = run.run(drawn(run, 0))
    assert report.proved
    assert report.repeated


@pytest.mark.parametrize("fault", ["no barrier before", "no barrier after", "nothing ahead", "blocks meet"])
def test_faults_are_told_as_ever(fault: str) -> None:
    ahead = {"stages": 2, "ahead": 1} if fault == "nothing ahead" else {}
    assert list(agree(simulator(replace(PLAIN, fault=fault, **ahead)), "sm_90", 2)) == [False, False]


# ---- loops


@pytest.mark.hypothesis
@given(recordings)
@settings(max_examples=60)
def test_loops_taken_at_once_are_loops_turn_after_turn(statements: list[Move | Turns]) -> None:
    world = World()
    events = world.events(statements)
    assert world.left(events, together=True) == world.left(events, together=False)


@pytest.mark.hypothesis
@given(moves, st.lists(st.one_of(moves, loops(1)), max_size=2), st.integers(2, 4), st.integers(0, 3))
@settings(max_examples=40)
def test_turns_in_even_steps_are_a_loop(first: Move, more: list[Move | Turns], trips: int, step: int) -> None:
    """Turns that lie so far apart become a loop that does the same; where the last lies elsewhere they do not."""
    world, statements = World(), [first, *more]
    turns = [world.events(shifted(statements, step * turn)) for turn in range(trips)]
    loop = rolled(turns, Counter(world.op, trips))
    assert loop is not None
    assert world.left([loop], together=False) == world.left(list(chain.from_iterable(turns)), together=False)
    uneven = [*turns[:-1], world.events(shifted(statements, step * (trips - 1) + 1))]
    assert trips == 2 or rolled(uneven, Counter(world.op, trips)) is None


def shifted(statements: Sequence[Move | Turns], by: int) -> list[Move | Turns]:
    """The statements, whose sources lie further on."""
    return [
        replace(one, body=tuple(shifted([inner for inner in one.body if not isinstance(inner, str)], by)))
        if isinstance(one, Turns)
        else replace(one, source=replace(one.source, first=one.source.first + by))
        for one in statements
    ]


def test_iterations_that_add_up_or_only_load_elsewhere_are_alike() -> None:
    """A loop that fetches and uses is alike; one that hands on from turn to turn is taken turn after turn."""
    fetch = Move(Place("array", 0, 1, (4, 0, 0)), Place("shared", 0, 1, (0, 0, 0)))
    use = Move(Place("shared", 0, 1, (0, 0, 0)), Place("registers", 0, 0, (0, 0, 0)))
    give = Move(Place("shared", 0, 1, (0, 0, 0)), Place("result", 0, 1, (4, 0, 0)))

    def way(*body: Move) -> bool | None:
        events = World().events([Turns(3, body)])
        (loop,) = events
        assert isinstance(loop, Repeat)
        found = at_once(events).get(loop.counter)
        return None if found is None else found.alike

    assert (way(fetch, use), way(fetch, use, give), way(use, fetch)) == (True, False, None)
