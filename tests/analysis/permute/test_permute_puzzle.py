"""What can be put into turns at some cost, and what cannot: against all ways to put elements into turns."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from small_arch import LANES, SMALL, partitions, ways

from tilewright.analysis.permute.decide import decide
from tilewright.analysis.permute.puzzle import Puzzle, Turn
from tilewright.analysis.permute.sharing import cheapest_groups
from tilewright.analysis.permute.side import Side

ENOUGH = 1_000_000
WIDTHS = st.sampled_from([1, 2, 4])


@st.composite
def both_sides(draw: st.DrawFn, most: int) -> list[Side]:
    """As many elements on each side, some of them far apart."""
    elements, width = draw(st.integers(1, most)), draw(WIDTHS)
    reach = draw(st.sampled_from([elements, elements + 3, 2 * elements, 4 * elements]))
    places = st.lists(st.integers(0, reach - 1), min_size=elements, max_size=elements, unique=True)
    return [Side(tuple(draw(places)), width, SMALL.rule(kind, width), LANES) for kind in ("load", "store")]


def costs(group: Sequence[int], sides: Sequence[Side]) -> tuple[int, int]:
    read, write = (ways(group, side.cells, side.slots) for side in sides)
    return read, write


def holds(sides: Sequence[Side], turns: Sequence[Turn], turn_of: Sequence[int]) -> bool:
    """Does every turn have as many elements as it must and may, and cost no more than it may?"""
    for number, turn in enumerate(turns):
        group = [element for element, of in enumerate(turn_of) if of == number]
        read, write = costs(group, sides)
        if not (turn.least <= len(group) <= turn.most and read <= turn.read and write <= turn.write):
            return False
    return True


@settings(max_examples=150)
@given(both_sides(7), st.lists(st.tuples(*[st.integers(1, 3)] * 2, *[st.integers(0, 4)] * 2), min_size=1, max_size=3))
def test_what_is_possible_is_found(sides: list[Side], given_turns: list[tuple[int, int, int, int]]) -> None:
    turns = [Turn(read, write, min(few, many), max(few, many)) for read, write, few, many in given_turns]
    every = product(range(len(turns)), repeat=len(sides[0].cells))
    possible = any(holds(sides, turns, turn_of) for turn_of in every)
    puzzle = Puzzle(sides, turns)
    assert decide(puzzle, ENOUGH) is possible
    if possible:
        assert holds(sides, turns, puzzle.turns_of_elements)


@settings(max_examples=60)
@given(both_sides(9))
def test_groups_without_conflicts_are_no_more_than_is_said(sides: list[Side]) -> None:
    elements = len(sides[0].cells)
    groups = -(-elements // LANES)
    splits = partitions(range(elements), LANES, groups)
    most = max(sum(costs(group, sides) == (1, 1) for group in split) for split in splits)
    for needed in range(1, groups + 1):
        assert most <= cheapest_groups(sides, groups, needed, ENOUGH)
        assert (cheapest_groups(sides, groups, needed, ENOUGH) < needed) == (most < needed)


@settings(max_examples=40)
@given(both_sides(9), st.integers(0, 2**32))
def test_what_is_undone_is_as_before(sides: list[Side], seed: int) -> None:
    rng = random.Random(seed)
    elements = len(sides[0].cells)
    puzzle = Puzzle(sides, [Turn(rng.randint(1, 3), rng.randint(1, 3), 0, elements) for _ in range(3)])

    def seen() -> list[object]:
        values = puzzle.domain, puzzle.placed, puzzle.room, puzzle.used, puzzle.touched, puzzle.places, puzzle.untouched
        return [*map(list, values), [list(row) for row in (*puzzle.open, *puzzle.fit)]]

    if not puzzle.start():
        return
    before, mark = seen(), puzzle.mark
    for element in rng.sample(range(elements), elements):
        if not puzzle.put(element, puzzle.domain[element].bit_length() - 1):
            break
    puzzle.undo(mark)
    assert seen() == before


def test_work_is_bounded() -> None:
    """However hard the question."""
    rng = random.Random(0)
    for count, groups, work in ((64, 16, 10_000), (200, 50, 20_000)):
        offsets = [tuple(rng.sample(range(2 * count), count)) for _ in range(2)]
        sides = [Side(places, 1, SMALL.rule("load", 1), LANES) for places in offsets]
        puzzle = Puzzle(sides, [Turn(2, 1 + turn % 2, LANES, LANES) for turn in range(groups)])
        decide(puzzle, work)
        assert puzzle.work <= 4 * work
