"""No schedule is better than one that is called optimal: against all schedules of a small machine."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_arch import SMALL, best

from tilewright.analysis.permute.schedule import PermuteSchedule, permute_schedule

WIDTHS = st.sampled_from([1, 2, 4, 8, 16])


@st.composite
def sides(draw: st.DrawFn, most: int, count: int = 2) -> list[list[int]]:
    """Offsets of as many elements on each side, some of them far apart."""
    elements = draw(st.integers(1, most))
    reach = draw(st.sampled_from([elements, elements + 3, 2 * elements, 4 * elements]))
    places = st.lists(st.integers(0, reach - 1), min_size=elements, max_size=elements, unique=True)
    return [draw(places) for _ in range(count)]


@settings(max_examples=80)
@given(sides(8, 1), WIDTHS)
def test_the_lower_bound_is_exact_for_one_side(side: list[list[int]], width: int) -> None:
    """With elements of words some order meets it; with narrower ones none is below."""
    elements = range(len(side[0]))
    schedule = permute_schedule(side[0], elements, element_bytes=width, arch=SMALL)
    least = best(side, width)
    assert schedule.read.lower_bound == least if width >= 4 else schedule.read.lower_bound <= least


@settings(max_examples=80)
@given(sides(8), WIDTHS)
def test_optimal_is_optimal(both: list[list[int]], width: int) -> None:
    """Elements of words and wider are split as well as can be, and that is proved; so it is of a few narrower ones."""
    claimed(permute_schedule(*both, element_bytes=width, arch=SMALL), best(both, width))


@settings(max_examples=12)
@given(sides(12), st.sampled_from([2, 4]))
def test_optimal_is_optimal_in_three_groups(both: list[list[int]], width: int) -> None:
    """Groups of four elements that cost up to four wavefronts: here it matters how these are shared out."""
    claimed(permute_schedule(*both, element_bytes=width, arch=SMALL), best(both, width))


def test_all_destinations_of_a_full_bank() -> None:
    """Three elements of one bank and two of others, to every order of five places of which two share a bank."""
    for order in permutations((0, 1, 4, 6, 7)):
        both = [[0, 4, 8, 1, 2], list(order)]
        claimed(permute_schedule(*both, element_bytes=4, arch=SMALL), best(both, 4))


def claimed(schedule: PermuteSchedule, least: int) -> None:
    assert schedule.read.lower_bound + schedule.write.lower_bound <= schedule.lower_bound <= least
    assert schedule.wavefronts >= least
    assert schedule.optimal


# ---- what is said of it


def test_phases_that_cannot_both_be_at_their_best() -> None:
    """One register leaves nothing to choose but the halves of the warp: 2 and 3 wavefronts do not go together."""
    source, destination = range(32), [row + 5 * column for row in range(4) for column in range(8)]
    schedule = permute_schedule(source, destination, element_bytes=8)
    assert schedule.read.lower_bound + schedule.write.lower_bound == 5
    assert schedule.wavefronts == schedule.lower_bound == 6
    assert schedule.optimal
    assert "however 5 wavefronts are shared out among these, some banks hold too much" in schedule.proof


@pytest.mark.parametrize("width", [8, 16])
def test_groups_that_stay_empty(width: int) -> None:
    """In order each register has lanes of every group at work; the elements could do with fewer groups."""
    count = {8: 16 * 3 + 1, 16: 8 * 5 + 2}[width]
    schedule = permute_schedule(range(count), range(count), element_bytes=width)
    assert schedule.conflict_free
    assert schedule.wavefronts == 2 * -(-count // (128 // width))


def test_one_instruction_is_counted_and_not_searched() -> None:
    """Up to 32 narrow elements go in one instruction, whatever the words that they share."""
    for stride in range(1, 40):
        schedule = permute_schedule(range(32), [stride * i for i in range(32)], element_bytes=2)
        assert schedule.optimal


def test_words_that_cannot_go_at_once() -> None:
    """Words in half of the banks have to go as a whole, and their halves meet in a bank of the destination."""
    source = [4 * (i // 2) + i % 2 for i in range(64)]
    destination = [2 * (i // 2) + 64 * (i % 2) for i in range(64)]
    schedule = permute_schedule(source, destination, element_bytes=2)
    assert schedule.read.lower_bound + schedule.write.lower_bound == 4
    assert schedule.wavefronts == schedule.lower_bound == 6
    assert "however 5 wavefronts are shared out among these, elements cannot be put into them" in schedule.proof


def test_what_is_not_proved_is_not_claimed() -> None:
    """AMD reads 16 bytes by lanes that it does not write by."""
    source, destination = random.Random(0).sample(range(200), 200), random.Random(1).sample(range(200), 200)
    schedule = permute_schedule(source, destination, element_bytes=16, arch="gfx950")
    assert not schedule.optimal
    assert f"{schedule.write.lower_bound} is a lower bound, not known to be reachable" in schedule.proof
    assert "The two phases group the lanes differently; that was searched, not decided." in schedule.proof
