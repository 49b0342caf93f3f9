"""Registers of lanes that part and join, and of products that work in them; who asks in vain; atomic loads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr

from tilewright.arch import get
from tilewright.errors import BarrierError, RaceError, SimulationError, UninitializedError
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.agents.cohort import Cohort
from tilewright.targets.simulator.agents.flow import Jump
from tilewright.targets.simulator.agents.polls import Patience
from tilewright.targets.simulator.domains.lockstep import Lockstep, Machine
from tilewright.targets.simulator.limits import Fuel, Limits
from tilewright.targets.simulator.memory.access import Array, Lanes, Mask, Number
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.guards import Guard
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.memory.runs import Run
from tilewright.targets.simulator.observers.tally import Tally
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.sites import Site

THREADS, SIZE = 4, 3
SHAPE = (1, THREADS)
OP = ConstantOp(IntegerAttr(0, 64))
KIND = np.dtype(np.int64)
flags = st.lists(st.booleans(), min_size=THREADS, max_size=THREADS)


def machine() -> Machine:
    return Machine(Launch((1, 1, 1), (THREADS, 1, 1)), np.arange(1), Tally(get("sm_90a")), Fuel(Limits()))


def site(kind: str) -> Site:
    return Site(OP, kind, OP.result, "m", "local", 8)


class Asked(Guard):
    """Notes which register is touched."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.cells: list[int] = []

    def touch(self, lanes: Lanes, cell: int, mask: Mask, site: Site) -> None:
        self.cells.append(cell)


def test_every_access_asks_the_guard_of_each_register() -> None:
    guard, lanes = Asked(SIZE), machine().lanes()
    registers = Registers(SIZE, KIND, written=True, guard=guard)
    registers.load(lanes, 2, None, site("load"))
    registers.store(lanes, 1, 5, None, site("store"))
    registers.run(lanes, 1, 2, None, site("load"))
    registers.put(lanes, 0, Run(2, lambda: np.zeros((*SHAPE, 2), KIND)), None, site("store"))
    registers.load(lanes, np.array([[0, 0, 2, 2]]), None, site("load"))
    assert guard.cells == [2, 1, 1, 2, 0, 1, 0, 2]


def test_what_an_inactive_lane_would_index_is_never_asked() -> None:
    registers, lanes = Registers(SIZE, KIND, written=True), machine().lanes()
    index, mask = np.array([[0, -1, SIZE, 2]]), np.array([[True, False, False, True]])
    registers.store(lanes, index, index + 7, mask, site("store"))
    assert np.asarray(registers.load(lanes, index, mask, site("load"))).tolist() == [[7, 0, 0, 9]]


def part(chosen: slice) -> Callable[[Number], Number]:
    def change(value: Number) -> Number:
        return value[..., chosen] if isinstance(value, np.ndarray) and value.ndim else value

    return change


def join(one: Number, other: Number) -> Number:
    return np.concatenate([np.broadcast_to(one, (1, 2)), np.broadcast_to(other, (1, 2))], axis=1)


def fault(registers: Registers, lanes: Lanes, cell: int, mask: Array) -> type[SimulationError] | None:
    try:
        registers.load(lanes, cell, mask, site("load"))
    except SimulationError as error:
        return type(error)
    return None


@given(flags, flags)
def test_parted_lanes_keep_what_is_written_and_what_works_in_it(written: list[bool], works: list[bool]) -> None:
    """Whether all lanes are asked or, parted, each half: unwritten registers and those of a product are refused."""
    stores, begins = np.array([written]), np.array([works])
    whole, made = machine(), Registers(SIZE, KIND, guard=Guard(SIZE))
    halves = [Lockstep(whole, np.arange(1), np.arange(start, start + 2)) for start in (0, 2)]
    sides = [made.each(part(slice(start, start + 2))) for start in (0, 2)]
    for start, side, lanes in zip((0, 2), sides, halves, strict=True):
        mine = (slice(None), slice(start, start + 2))
        if stores[mine].any():
            side.store(lanes, 0, np.arange(2)[None] + start, stores[mine], site("store"))
        assert side.guard is not None
        side.guard.fence(None)
        if begins[mine].any():
            side.guard.begin(lanes, range(1), 1, 1, begins[mine], site("load"))
    both = sides[0].with_(sides[1], join)
    again = [both.each(part(slice(start, start + 2))) for start in (0, 2)]
    for lane in range(THREADS):
        wanted = RaceError if works[lane] else None if written[lane] else UninitializedError
        chosen = np.arange(THREADS)[None] == lane
        assert fault(both, whole.lanes(), 0, chosen) is wanted
        assert fault(again[lane // 2], halves[lane // 2], 0, chosen[:, lane // 2 * 2 :][:, :2]) is wanted
        if wanted is None:
            assert np.asarray(both.load(whole.lanes(), 0, chosen, site("load")))[0, lane] == lane


@pytest.mark.parametrize("what", ["memory", "registers"])
def test_who_asks_in_vain_is_stopped_once_nothing_has_changed(what: str) -> None:
    lanes, loop, patience = machine().lanes(), Jump(OP, 0), Patience()
    memory, registers = Memory(np.zeros(SIZE, KIND), SIZE), Registers(SIZE, KIND, written=True)
    cohort = Cohort(0, [memory, registers], lanes)
    assert patience.lose([cohort], [loop]) is None
    if what == "memory":
        memory.store(lanes, np.zeros(SHAPE, int), 1, None, site("store"))
    else:
        registers.store(lanes, 1, 5, None, site("store"))
    assert patience.lose([cohort], [loop]) is None
    lost = patience.lose([cohort], [loop])
    assert isinstance(lost, BarrierError)
    assert "and 3 other threads go round in a loop" in str(lost)


@pytest.mark.parametrize(("kind", "races"), [("load", False), ("atomic", False), ("store", True)])
def test_an_atomic_load_minds_what_an_engine_stores_only(kind: str, races: bool) -> None:
    whole, at = machine(), np.array([1])
    shadow, lanes = Shadow(SIZE, whole.clocks.width), whole.lanes()
    shadow.observing(at, lanes.present(np.array([[True, False, False, False]])))
    found = shadow.beginning(at, lanes.present(np.array([[False, True, False, False]])), kind)
    assert any(rivals is not None and rivals.any() for rivals in found) == races


MASKS = st.none() | flags.map(lambda chosen: np.array([chosen]))
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["touch", "begin", "begin", "fence", "finish"]), st.integers(0, 1), st.integers(1, 2), MASKS
    ),
    max_size=9,
)


SOME = np.array([[True, False, True, False]])


class OfLane:
    """What the guard knows of one lane: fences, what has been waited for, and of registers their last use."""

    def __init__(self) -> None:
        self.fences, self.done = 0, 0
        self.last: dict[int, tuple[int, int]] = {}  # fences then, and who
        self.ticket: dict[int, int] = {}

    def wrong(self, what: str, cell: int, kind: int) -> int:
        """2: a product is at work there, which is told first; 1: a fence is missing."""
        busy = self.ticket.get(cell, 0) > self.done
        fences, who = self.last.get(cell, (-1, 0))
        if what == "touch":
            return 2 * busy
        return (2 if busy else fences == self.fences) * (what == "begin" and who != kind)


@example([("begin", 0, 1, None), ("finish", 0, 1, SOME), ("finish", 0, 1, ~SOME), ("touch", 0, 1, None)], False)
@example([("begin", 0, 1, None), ("finish", 0, 1, None), ("fence", 0, 1, SOME), ("begin", 0, 2, None)], False)
@example([("begin", 0, 1, None), ("fence", 0, 1, None), ("finish", 0, 1, None), ("begin", 0, 2, None)], True)
@given(STEPS, st.booleans())
def test_a_guard_knows_of_each_lane_what_it_did(steps: list[tuple[str, int, int, Array | None]], parted: bool) -> None:
    """Step after step, of some lanes or all, and of lanes that have parted and joined between."""
    guard, lanes = Guard(2), machine().lanes()
    known = [OfLane() for _ in range(THREADS)]
    for ticket, (what, cell, kind, mask) in enumerate(steps, 1):
        chosen = [lane for lane in range(THREADS) if mask is None or mask[0, lane]]
        if parted:
            halves = [guard.each(part(slice(start, start + 2))) for start in (0, 2)]
            guard = halves[0].with_(halves[1], join)
        refused = max((known[lane].wrong(what, cell, kind) for lane in chosen), default=0)
        if refused:
            with pytest.raises(RaceError, match=r"thread \((\w),0,0\)") as found:
                guarded(guard, lanes, what, cell, kind, ticket, mask)
            first = next(lane for lane in chosen if known[lane].wrong(what, cell, kind) == refused)
            assert f"thread ({first},0,0)" in str(found.value)
            return
        guarded(guard, lanes, what, cell, kind, ticket, mask)
        for lane in chosen:
            known[lane].fences += what == "fence"
            known[lane].done = ticket if what == "finish" else known[lane].done
            if what in ("touch", "begin"):
                known[lane].last[cell] = known[lane].fences, kind if what == "begin" else 0
            if what == "begin":
                known[lane].ticket[cell] = ticket


def guarded(guard: Guard, lanes: Lanes, what: str, cell: int, kind: int, ticket: int, mask: Mask) -> None:
    if what == "touch":
        guard.touch(lanes, cell, mask, site("load"))
    elif what == "begin":
        guard.begin(lanes, range(cell, cell + 1), kind, ticket, mask, site("load"))
    elif what == "fence":
        guard.fence(mask)
    else:
        guard.finish(ticket if mask is None else np.where(mask, ticket, 0))
