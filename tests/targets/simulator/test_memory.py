"""Memories against their definition: an element a lane, each access checked for itself."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr

from tilewright.arch import get
from tilewright.errors import BarrierError, OutOfBoundsError, RaceError, SimulationError, UninitializedError
from tilewright.script import tirx as T
from tilewright.targets.launch import Launch, kernel_of
from tilewright.targets.simulator.domains.lockstep import Machine
from tilewright.targets.simulator.limits import Fuel, Limits
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.addresses import SharedMap
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.pending import Pending
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.memory.runs import Run, gathered
from tilewright.targets.simulator.observers.tally import Tally
from tilewright.targets.simulator.order.beyond import Sync
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.sites import Site

BLOCKS, THREADS, SIZE = 2, 3, 4
SHAPE = (BLOCKS, THREADS)
OP = ConstantOp(IntegerAttr(0, 64))
STORE_ONLY = Sync(changes=False)

indices = st.lists(st.integers(-2, SIZE + 1), min_size=6, max_size=6).map(lambda n: np.array(n).reshape(SHAPE))
inside = st.lists(st.integers(0, SIZE - 1), min_size=6, max_size=6).map(lambda n: np.array(n).reshape(SHAPE))
masks = st.none() | st.lists(st.booleans(), min_size=6, max_size=6).filter(any).map(
    lambda f: np.array(f).reshape(SHAPE)
)


def machine() -> Machine:
    return Machine(Launch((BLOCKS, 1, 1), (THREADS, 1, 1)), np.arange(BLOCKS), Tally(get("sm_80")), Fuel(Limits()))


def site(kind: str) -> Site:
    return Site(OP, kind, OP.result, "m", "shared", 8)


def memory(apart: bool, agreed: bool = True, dtype: str = "int64") -> Memory:
    elements = SIZE * (BLOCKS if apart else 1)
    shadow = Shadow(elements, machine().clocks.width, apart=apart)
    return Memory(np.arange(elements).astype(dtype), SIZE, shadow, apart, {} if agreed else None)


def error_of(call: Callable[[], object]) -> SimulationError | None:
    try:
        call()
    except SimulationError as error:
        return error
    return None


def active(mask: Array | None) -> list[tuple[int, int]]:
    return [at for at in np.ndindex(*SHAPE) if mask is None or mask[at]]


@given(indices, masks, st.booleans(), st.booleans())
def test_an_index_outside_is_an_error_of_the_first_active_lane_that_has_one(
    index: Array, mask: Array | None, apart: bool, stores: bool
) -> None:
    wrong = [at for at in active(mask) if not 0 <= index[at] < SIZE]
    held, lanes = memory(apart), machine().lanes()
    held.shadow = None
    before = held.data.copy()
    found: list[Array] = []

    def reached() -> None:
        if stores:
            held.store(lanes, index, np.int64(7), mask, site("store"))
        else:
            found.append(held.load(lanes, index, mask, site("load")))

    error = error_of(reached)
    assert isinstance(error, OutOfBoundsError) == bool(wrong)
    if wrong:
        block, thread = wrong[0]
        does = "writes" if stores else "reads"
        text = f"block ({block},0,0) thread ({thread},0,0) {does} element {index[wrong[0]]} of m, which has {SIZE} "
        assert str(error).startswith(text)
        assert (held.data == before).all()
    elif not stores:
        wanted = np.zeros(SHAPE, np.int64)
        for at in active(mask):
            wanted[at] = before[index[at] + at[0] * SIZE * apart]
        assert (found[0] == wanted).all()


@given(inside, inside, masks, st.booleans(), st.booleans())
def test_lanes_that_store_to_one_element_agree_or_race(
    index: Array, value: Array, mask: Array | None, apart: bool, agreed: bool
) -> None:
    """Of one value it is noted, or an error where nobody takes notes; the message names both lanes."""
    held, lanes, where = memory(apart, agreed), machine().lanes(), site("store")
    places = [(at, index[at] + at[0] * SIZE * apart, value[at]) for at in active(mask)]
    pairs = [(a, b) for a in places for b in places if a[0] < b[0] and a[1] == b[1]]
    differ = [(a, b) for a, b in pairs if a[2] != b[2] or not agreed]
    error = error_of(lambda: held.store(lanes, index, value, mask, where))
    assert isinstance(error, RaceError) == bool(differ)
    assert differ or set(held.agreed or {}) == ({where} if pairs else set())
    texts = [str(error)] if error else list((held.agreed or {}).values())
    for text in texts:
        me, other = (tuple(map(int, n)) for n in re.findall(r"block \((\w),0,0\) thread \((\w),0,0\)", text))
        assert me != other
        assert index[me] == index[other]
        assert f"writes element {index[me]} of m (byte {8 * index[me]})," in text
        assert not apart or me[0] == other[0]


ONE, OTHER = (np.arange(6).reshape(SHAPE) == lane for lane in (1, 2))
DID = {"load": "reads", "store": "writes", "atomic": "changes"}


@pytest.mark.parametrize("first", DID)
@pytest.mark.parametrize("second", DID)
@pytest.mark.parametrize("value", [3, 4])
def test_a_later_step_races_with_what_another_lane_did(first: str, second: str, value: int) -> None:
    """Two loads do not, nor two atomic changes; of two stores of one value it is noted, not of a change and a store."""
    held, index = memory(False), np.full(SHAPE, 3)
    _step(held, first, index, ONE, 3)
    races = first != second or (first == "store" and value != 3)
    if not races:
        _step(held, second, index, OTHER, value)
        assert bool(held.agreed) == (first == "store")
        return
    with pytest.raises(RaceError) as found:
        _step(held, second, index, OTHER, value)
    text = (
        f"thread (2,0,0) {DID[second]} element 3 of m (byte 24), which block (0,0,0) thread (1,0,0) "
        f"{_seen(first, second)} with"
    )
    assert text in str(found.value)


def _seen(first: str, second: str) -> str:
    """A plain write finds changes; who reads, or changes, calls them writes."""
    return "writes" if first == "atomic" and second == "load" else DID[first]


def _step(held: Memory, kind: str, index: Array, mask: Array, value: int) -> None:
    lanes = machine().lanes()
    if kind == "load":
        held.load(lanes, index, mask, site("load"))
    elif kind == "store":
        held.store(lanes, index, np.int64(value), mask, site("store"))
    else:
        held.update(lanes, index, np.int64(value), mask, site("atomic"), np.add)


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zeros_of_two_signs_are_two_values(zero: float) -> None:
    held, lanes = memory(False, dtype="float32"), machine().lanes()
    value = np.where(np.arange(THREADS) == 1, np.float32(-0.0), np.float32(zero))
    if zero == 0.0 and not np.signbit(zero):
        with pytest.raises(RaceError):
            held.store(lanes, np.zeros(SHAPE, int), value, None, site("store"))
    else:
        held.store(lanes, np.zeros(SHAPE, int), value, None, site("store"))
        assert held.agreed


@given(inside, masks, st.sets(st.integers(0, SIZE - 1)), st.sampled_from(["load", "store", "atomic"]))
def test_what_is_an_mbarrier_is_no_memory(index: Array, mask: Array | None, words: set[int], kind: str) -> None:
    held = memory(False)
    held.live = np.isin(np.arange(SIZE), list(words))
    wrong = [at for at in active(mask) if index[at] in words]
    error = error_of(lambda: access(held, kind, index, mask))
    assert isinstance(error, BarrierError) == bool(wrong)
    if wrong:
        block, thread = wrong[0]
        assert f"block ({block},0,0) thread ({thread},0,0)" in str(error)
        assert f"element {index[wrong[0]]} of m (byte {8 * index[wrong[0]]}), which is an mbarrier" in str(error)


AGAINST = {"load": ("store", "atomic"), "store": ("load", "store", "atomic"), "atomic": ("load", "store")}


@example(np.zeros(SHAPE, int), None, [(0, "atomic", False)], "load")
@example(np.zeros(SHAPE, int), None, [(0, "load", False)], "atomic")
@settings(max_examples=100)
@given(
    inside,
    masks,
    st.lists(st.tuples(st.integers(0, SIZE - 1), st.sampled_from(list(AGAINST)), st.booleans()), max_size=5),
    st.sampled_from(list(AGAINST)),
)
def test_what_is_on_its_way_may_not_be_met(
    index: Array, mask: Array | None, others: list[tuple[int, str, bool]], kind: str
) -> None:
    """A load does not mind loads, nor a change changes; what is done is met by nobody."""
    held = memory(False)
    held.pending = Pending(SIZE, lambda at, other: (f"{other} of {at}", "there"))
    for at, other, _ in others:
        held.pending.begin(np.array([at]), other)
    for at, other, ends in others:
        if ends:
            held.pending.end(np.array([at]), other)
    open_ = {(at, other) for at, other, ends in others if not ends}
    wrong = [at for at in active(mask) if any((index[at], other) in open_ for other in AGAINST[kind])]
    error = error_of(lambda: access(held, kind, index, mask))
    assert isinstance(error, RaceError) == bool(wrong)
    if wrong:
        pattern = r"block \((\w),0,0\) thread \((\w),0,0\) \w+ element (\w) of m \(byte \w+\), which (\w+) of (\w)\n"
        found = re.search(pattern, str(error))
        assert found is not None
        who = int(found[1]), int(found[2])
        assert who in wrong
        assert index[who] == int(found[3]) == int(found[5])
        assert (int(found[5]), found[4]) in open_


def access(held: Memory, kind: str, index: Array, mask: Array | None) -> None:
    lanes = machine().lanes()
    if kind == "load":
        held.load(lanes, index, mask, site("load"))
    elif kind == "store":
        held.store(lanes, index, index, mask, site("store"))
    else:
        held.update(lanes, index, np.int64(1), mask, site("atomic"), np.add)


def test_what_nothing_has_written_is_not_read_nor_changed() -> None:
    """Atomically, neither; a store that asks nothing writes, be it atomic, until all is forgotten again."""
    held, lanes, index = memory(True), machine().lanes(), np.array([[0, 1, 2]] * BLOCKS)
    for kind in ("load", "atomic"):
        with pytest.raises(UninitializedError, match=r"element 0 of m \(byte 0\), which nothing has written"):
            access_apart(held, kind, index)
    held.update(lanes, index, np.int64(5), None, site("atomic"), None, STORE_ONLY)
    assert [held.held(lanes, row, 0)[1].tolist() for row in range(BLOCKS)] == [[True, True, True, False]] * BLOCKS
    assert held.held(lanes, 1, 0)[0].tolist()[:3] == [5, 5, 5]
    held.data[SIZE] = 6
    assert held.held(lanes, 1, 0)[0].tolist()[:3] == [6, 5, 5]
    held.forget(np.array([1]))
    assert [held.held(lanes, row, 0)[1].any() for row in range(BLOCKS)] == [True, False]


def access_apart(held: Memory, kind: str, index: Array) -> None:
    with np.errstate(all="ignore"):
        access(held, kind, index, None)


@given(inside, masks, inside)
def test_atomic_changes_are_told_where_bits_change(index: Array, mask: Array | None, by: Array) -> None:
    held, lanes = memory(False), machine().lanes()
    before = held.data.copy()
    found = held.update(lanes, index, by, mask, site("atomic"), np.add)
    now, seen = before.copy(), np.zeros(SHAPE, int)
    for at in active(mask):
        seen[at] = now[index[at]]
        now[index[at]] += by[at]
    assert (found == seen).all()
    assert (held.data == now).all()
    assert held.changes <= 1
    assert bool(held.changes) >= bool((now != before).any())
    assert held.changes == 0 or any(by[at] for at in active(mask))


# ---- registers


@given(st.lists(st.tuples(st.sampled_from(["set", "run", "get", "all"]), st.integers(0, SIZE - 1), masks), max_size=8))
def test_registers_are_each_lanes_own(steps: list[tuple[str, int, Array | None]]) -> None:
    """Cell by cell or in runs, by some lanes or all; what a lane has not written it may not read."""
    registers, lanes = Registers(SIZE, np.dtype(np.int64)), machine().lanes()
    values, known = np.zeros((*SHAPE, SIZE), int), np.zeros((*SHAPE, SIZE), bool)
    for number, (what, cell, mask) in enumerate(steps):
        given_ = np.arange(6).reshape(SHAPE) + 10 * number
        chosen = np.ones(SHAPE, bool) if mask is None else mask
        count = 2 if what in ("run", "all") and cell < SIZE - 1 else 1
        try:
            if what == "set":
                registers.store(lanes, cell, given_, mask, site("store"))
            elif what == "run":
                made = np.stack([given_ + 100 * n for n in range(count)], axis=2)
                registers.put(lanes, cell, Run(count, lambda made=made: made), mask, site("store"))
            elif what == "get":
                found = np.broadcast_to(np.asarray(registers.load(lanes, cell, mask, site("load"))), SHAPE)
                assert (found == values[:, :, cell])[chosen].all()
            else:
                read = registers.run(lanes, cell, count, mask, site("load")).values
                assert (read == values[:, :, cell : cell + count])[chosen].all()
        except UninitializedError:
            assert what in ("get", "all")
            assert not known[chosen][:, cell : cell + count].all()
            return
        if what in ("set", "run"):
            for n in range(count):
                values[:, :, cell + n][chosen] = (given_ + 100 * n)[chosen]
                known[:, :, cell + n][chosen] = True
        else:
            assert known[chosen][:, cell : cell + count].all()


@pytest.mark.parametrize("index", [-1, SIZE])
def test_registers_end(index: int) -> None:
    registers, lanes = Registers(SIZE, np.dtype(np.int64), written=True), machine().lanes()
    with pytest.raises(OutOfBoundsError, match=f"element {index} of m"):
        registers.load(lanes, index, None, site("load"))
    with pytest.raises(OutOfBoundsError, match=f"element {SIZE} of m"):
        registers.run(lanes, SIZE - 1, 2, None, site("load"))
    with pytest.raises(OutOfBoundsError, match=f"element {index} of m"):
        registers.store(lanes, np.full(SHAPE, index), 1, None, site("store"))


@given(inside, inside, masks)
def test_registers_by_index(index: Array, value: Array, mask: Array | None) -> None:
    """Lanes may name different cells; elements are gathered from, and scattered to, whoever is named."""
    registers, lanes = Registers(SIZE, np.dtype(np.int64), written=True), machine().lanes()
    registers.store(lanes, index, value, mask, site("store"))
    wanted = np.zeros((*SHAPE, SIZE), int)
    for at in active(mask):
        wanted[at][index[at]] = value[at]
    assert (
        registers.load(lanes, index, mask, site("load"))
        == np.where(
            np.ones(SHAPE, bool) if mask is None else mask, np.take_along_axis(wanted, index[:, :, None], 2)[:, :, 0], 0
        )
    ).all()
    block, thread = np.array([1, 0, 1]), np.array([0, 2, 2])
    cell = index[block, thread]
    assert (registers.gather(lanes, block, thread, cell, site("load")) == wanted[block, thread, cell]).all()
    registers.scatter(lanes, block, thread, cell, np.array([7, 8, 9]), site("store"))
    wanted[block, thread, cell] = [7, 8, 9]
    for number in range(SIZE):
        assert (
            np.broadcast_to(np.asarray(registers.load(lanes, number, None, site("load"))), SHAPE)
            == wanted[:, :, number]
        ).all()


def test_a_run_is_known_again_by_its_registers_in_order() -> None:
    values = np.arange(24).reshape(2, 3, 4)
    run = Run(4, lambda: values)
    one, two, three, four = run.columns
    dtype = np.dtype(np.int64)
    assert gathered([one, two, three, four], SHAPE, dtype) is run
    assert (gathered([two, three], SHAPE, dtype).values == values[:, :, 1:3]).all()
    assert (gathered([one, two], SHAPE, dtype).values == values[:, :, :2]).all()
    assert (gathered([two, one], SHAPE, dtype).values == values[:, :, [1, 0]]).all()
    assert (gathered([one, three], SHAPE, dtype).values == values[:, :, [0, 2]]).all()
    assert (gathered([one, 7], SHAPE, dtype).values == np.stack([values[:, :, 0], np.full(SHAPE, 7)], axis=2)).all()


def test_a_byte_of_shared_memory_is_that_of_the_array_that_it_lies_in() -> None:
    @T.prim_func
    def held(A: T.Buffer((32,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        flag = T.alloc_shared((3,), "uint8")
        row = T.alloc_shared((33,), "float32")
        flag[t % 3] = T.uint8(1)
        row[t] = A[t] + T.cast(flag[t % 3], "float32")
        A[t] = row[t]

    found = SharedMap.of(kernel_of(held.module))
    ends = [start + array.size for start, array in found.places]
    assert len(found.places) == 2
    for byte in range(min(start for start, _ in found.places) - 2, max(ends) + 2):
        inside = [place for place, end in zip(found.places, ends, strict=True) if place[0] <= byte < end]
        assert [found.find(byte)] == (inside or [None])
