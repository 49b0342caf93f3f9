"""Lanes that part and join hold what they held, each lane for itself."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.arch import get
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.agents.cohort import Cohort
from tilewright.targets.simulator.domains.lockstep import Lockstep, Machine
from tilewright.targets.simulator.limits import Fuel, Limits
from tilewright.targets.simulator.memory.access import Array, Value
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.memory.remote import Remote
from tilewright.targets.simulator.observers.tally import Tally

BLOCKS, THREADS = 4, 3
MACHINE = Machine(Launch((BLOCKS, 1, 1), (THREADS, 1, 1)), np.arange(BLOCKS), Tally(get("sm_80")), Fuel(Limits()))
LANES = np.arange(BLOCKS * THREADS).reshape(BLOCKS, THREADS)
ZERO = np.float32(0)


def whole() -> Cohort:
    """All lanes; what they hold says whose it is."""
    registers = Registers(2, np.dtype(np.int64), written=True)
    registers.cells[:] = [LANES + 100, np.int64(5)]
    remote = Remote(Memory(np.zeros(BLOCKS), 1, apart=True), LANES, 1, MACHINE.visits)
    values: list[Value] = [LANES, LANES[:1], LANES[:, :1], 7, np.stack([LANES, -LANES]), registers, registers, remote]
    return Cohort(3, values, MACHINE.lanes(), group=2)


@given(st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=1, max_size=3), st.randoms())
@settings(max_examples=30)
def test_lanes_part_and_join(flags: list[list[bool]], dice: Random) -> None:
    """Each lane is in one part, on the side of its flag; whichever join, its lanes hold their own."""
    cohorts = [whole()]
    for some in flags:
        given_ = np.array(some).reshape(LANES.shape)
        parts = []
        for cohort in cohorts:
            for flag, part in list(cohort.parts(given_[np.ix_(cohort.domain.rows, cohort.domain.threads)])):
                assert (given_[np.ix_(part.domain.rows, part.domain.threads)] == flag).all()
                parts.append(part)
        cohorts = parts
    while len(cohorts) > 1:
        dice.shuffle(cohorts)
        one, other, *rest = cohorts
        both = one.joined(other)
        assert both is not None or not _alike(one, other)
        check(one)
        cohorts = [both, *rest] if both is not None else cohorts
        if both is None and not any(_alike(a, b) for a in cohorts for b in cohorts if a is not b):
            break
    for cohort in cohorts:
        check(cohort)
    assert sorted(n for c in cohorts for n in LANES[np.ix_(c.domain.rows, c.domain.threads)].flat) == list(range(12))


def _alike(one: Cohort, other: Cohort) -> bool:
    return np.array_equal(one.domain.rows, other.domain.rows) or np.array_equal(
        one.domain.threads, other.domain.threads
    )


def check(cohort: Cohort) -> None:
    """What its lanes hold is theirs."""
    mine = LANES[np.ix_(cohort.domain.rows, cohort.domain.threads)]
    lane, thread, block, seven, pair, registers, again, remote = cohort.values
    assert (cohort.at, cohort.group, cohort.waiting, seven) == (3, 2, None, 7)
    assert _full(lane, mine) == mine.tolist()
    assert _full(thread, mine) == (mine % THREADS).tolist()
    assert _full(block, mine) == (mine // THREADS * THREADS).tolist()
    assert isinstance(pair, np.ndarray)
    assert [_full(part, mine) for part in pair] == [mine.tolist(), (-mine).tolist()]
    assert isinstance(registers, Registers)
    assert again is registers
    assert _full(registers.cells[0], mine) == (mine + 100).tolist()
    assert _full(registers.cells[1], mine) == np.full(mine.shape, 5).tolist()
    assert isinstance(remote, Remote)
    assert _full(remote.rank, mine) == mine.tolist()


def _full(value: object, mine: Array) -> object:
    return np.broadcast_to(np.asarray(value), mine.shape).tolist()


def test_numbers_of_different_bits_stay_apart() -> None:
    """A zero with a sign is not the one without; a number of one type not that of another."""
    parts = [part for _, part in whole().parts(np.array([[True, True, False]] * BLOCKS))]
    for part, zero in zip(parts, (ZERO, -ZERO), strict=True):
        part.values = [zero, 1, True]
    both = parts[0].joined(parts[1])
    assert both is not None
    assert np.signbit(np.asarray(both.values[0])).tolist() == [[False, False, True]]
    assert [type(value) for value in both.values[1:]] == [int, bool]


def test_lockstep_of_a_part_names_its_lanes() -> None:
    lanes = Lockstep(MACHINE, np.array([2]), np.array([1, 2]))
    assert lanes.name(int(lanes.actor[0, 1])) == "block (2,0,0) thread (2,0,0)"
