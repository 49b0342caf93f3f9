"""What mbarriers count, to their limits; who learns from them, and whose copy counts on which."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import BarrierError, OutOfBoundsError, RaceError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.simulator.order.mbarriers import MOST_ARRIVALS, MOST_BYTES

LOAD = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
CAST = f"{LOAD}.multicast::cluster"
TILE = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"
INT32 = np.int32


@T.prim_func
def made(N: T.int32, LANES: T.int32) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    bar = T.alloc_shared((1,), "uint64")
    if t < LANES:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), N)


@pytest.mark.parametrize("count", [-1, 0, 1, MOST_ARRIVALS, MOST_ARRIVALS + 1])
def test_an_mbarrier_waits_for_as_many_arrivals_as_it_can_count(count: int) -> None:
    if 1 <= count <= MOST_ARRIVALS:
        tw.compile(made)(count, 1)
        return
    with pytest.raises(BarrierError, match=f"makes element 0 of bar an mbarrier for {count} arrivals"):
        tw.compile(made)(count, 1)


def test_two_lanes_make_no_mbarrier_of_one_word() -> None:
    with pytest.raises(BarrierError, match="which it is already"):
        tw.compile(made)(1, 2)


@T.prim_func
def arrived(FOR: T.int32, EACH: T.int32) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    bar = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), FOR)
    T.cuda.cta_sync()
    if t < 3:
        T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]), EACH)


@pytest.mark.parametrize(
    ("waits_for", "each", "left"), [(6, 2, 0), (7, 2, 0), (4, 2, 0), (2, 2, 0), (5, 2, 1), (6, 0, 6)]
)
def test_a_lane_arrives_at_least_once_and_no_more_often_than_its_phase_waits_for(
    waits_for: int, each: int, left: int
) -> None:
    """Lanes arrive one after the other: where a phase is complete, the next one begins."""
    if not left:
        tw.compile(arrived)(waits_for, each)
        return
    with pytest.raises(
        BarrierError, match=f"arrives {each} times at element 0 of bar, which waits for {left} arrivals"
    ):
        tw.compile(arrived)(waits_for, each)


@pytest.mark.parametrize(("count", "right"), [(32, True), (31, False)])
def test_who_of_a_warp_arrives_at_the_next_phase_is_chance(count: int, right: bool) -> None:
    """One of 32 is too late for a phase of 31: what they wrote is not known when it is over, be it the first lane's."""

    @T.prim_func
    def kernel(B: T.Buffer((32,), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((32,), "int32")
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), count)
        T.cuda.cta_sync()
        if t < 32:
            s[t] = t
            T.ptx.mbarrier.arrive(bar.ptr_to([0]))
        else:
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
            if t == 32:
                B[0] = s[0]

    for schedule in ("lockstep", "random"):
        if right:
            tw.compile(kernel)(np.zeros(32, INT32), schedule=schedule)
        else:
            with pytest.raises(RaceError, match="reads element 0 of s"):
                tw.compile(kernel)(np.zeros(32, INT32), schedule=schedule)


@T.prim_func
def expected(FIRST: T.int32, THEN: T.int32) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    bar = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
        T.ptx.mbarrier.expect_tx.relaxed.cta.shared__cta.b64(bar.ptr_to([0]), FIRST)
        T.ptx.mbarrier.expect_tx.relaxed.cta.shared__cta.b64(bar.ptr_to([0]), THEN)


@pytest.mark.parametrize(("first", "then"), [(MOST_BYTES, 1), (-1, 0), (16, -16)])
def test_bytes_are_expected_up_to_the_limit_and_never_taken_back(first: int, then: int) -> None:
    tw.compile(expected)(MOST_BYTES - 1, 0)
    with pytest.raises(BarrierError, match=rf"expects {then if first > 0 else first} bytes more .* up to {MOST_BYTES}"):
        tw.compile(expected)(first, then)


@T.prim_func
def asked(B: T.Buffer((2,), "int32"), OWN: T.int32) -> None:
    """Thread 32 completes the first phase of both; threads 0 and 1 ask, each for its own, and read."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    bar = T.alloc_shared((2,), "uint64")
    s = T.alloc_shared((2,), "int32")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([1]), 1)
    T.cuda.cta_sync()
    if t == 32:
        s[0] = 5
        s[1] = 6
        T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]))
        T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([1]))
    if t < 2:
        done: T.bool = False
        while not done:
            done = T.ptx.mbarrier.test_wait.parity.shared.b64(bar.ptr_to([t]), T.if_then_else(t == 1, OWN, 0))
            done = done or OWN == 1
        B[t] = s[t]


def test_who_is_told_no_knows_nothing() -> None:
    b = np.zeros(2, INT32)
    tw.compile(asked)(b, 0)
    assert b.tolist() == [5, 6]
    with pytest.raises(RaceError, match=r"element [01] of s"):
        tw.compile(asked)(b, 1)


@T.prim_func
def tried(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    bar = T.alloc_shared((1,), "uint64")
    s = T.alloc_shared((4,), "int32")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
        T.ptx.fence.proxy.async_.shared__cta()
        T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([0]), 16)
        T.ptx[LOAD](s.ptr_to([0]), A.ptr_to([0]), 16, bar.ptr_to([0]))
        for _ in T.serial(3):
            B[0] = T.cast(T.ptx.mbarrier.test_wait.parity.shared.b64(bar.ptr_to([0]), 0), "int32")
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)


def test_copies_go_on_while_one_asks_for_them() -> None:
    a, b = np.arange(4, dtype=INT32), np.zeros(1, INT32)
    tw.compile(tried)(a, b)
    assert b.tolist() == [1]


@T.prim_func
def crossed(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")) -> None:
    """In block 0 two lanes copy at once, one to each block, on mbarriers of other places."""
    T.device_entry()
    T.cta_id([2])
    rank = T.cta_id_in_cluster([2])
    t = T.thread_id([32])
    bar = T.alloc_shared((2,), "uint64")
    s = T.alloc_shared((4,), "int32")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([rank]), 1)
        T.ptx.fence.mbarrier_init.release.cluster()
        T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([rank]), 16)
    T.cuda.cluster_sync()
    if rank == 0 and t < 2:
        T.ptx[CAST](s.ptr_to([0]), A.ptr_to([4 * t]), 16, bar.ptr_to([t]), 1 << t)
    T.cuda.mbarrier_wait(bar.ptr_to([rank]), 0)
    if t < 4:
        B[4 * rank + t] = s[t]
    T.cuda.cluster_sync()


def test_each_lane_s_copy_counts_on_the_mbarrier_that_it_names() -> None:
    a, b = np.arange(8, dtype=INT32), np.zeros(8, INT32)
    tw.compile(crossed, target="simulator:sm_90")(a, b)
    assert b.tolist() == a.tolist()


@T.prim_func
def boxed(map_: T.TensorMap(), AT: T.int32) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    bar = T.alloc_shared((1,), "uint64")
    s = T.alloc_shared((64,), "float32")
    spare = T.alloc_shared((64,), "float32")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
        T.ptx.fence.proxy.async_.shared__cta()
        T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([0]), 4 * 64)
        spare[0] = 0.0
        T.ptx[TILE](s.ptr_to([AT]), map_, 0, 0, bar.ptr_to([0]))
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)


def test_a_box_fits_the_array_where_it_comes_down() -> None:
    box = tw.TensorMap(np.zeros((8, 8), np.float32), (8, 8))
    tw.compile(boxed, target="simulator:sm_90")(box, 0)
    with pytest.raises(OutOfBoundsError, match="of s, which has 64"):
        tw.compile(boxed, target="simulator:sm_90")(box, 32)


STORE = "st.async.shared::cluster.mbarrier::complete_tx::bytes.s32"


@T.prim_func
def sent(B: T.Buffer((2, 32), "int32")) -> None:
    T.device_entry()
    bx = T.cta_id([2])
    rank = T.cta_id_in_cluster([2])
    t = T.thread_id([32])
    bar = T.alloc_shared((1,), "uint64")
    s = T.alloc_shared((32,), "int32")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
    T.cuda.cluster_sync()
    if t == 0:
        T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([0]), 4 * 32)
    T.ptx[STORE](T.ptx.mapa(s.ptr_to([t]), 1 - rank), t, T.ptx.mapa(bar.ptr_to([0]), 1 - rank))
    T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
    B[bx, t] = s[t]
    T.cuda.cluster_sync()


def test_what_comes_from_registers_costs_where_it_comes_down() -> None:
    report = tw.compile(sent, target="simulator:sm_90").profile(np.zeros((2, 32), INT32))
    (store,) = report.select(buffer="s", kind="store")
    assert (store.accesses, store.bytes, store.sectors) == (64, 64 * 4, 0)


def peeked(looks: str) -> PrimFunc:
    """Lanes arrive, then ask once whether all have, and read."""

    @T.prim_func
    def kernel(B: T.Buffer((64,), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((64,), "int32")
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 64)
        T.cuda.cta_sync()
        s[t] = t
        T.ptx.mbarrier.arrive(bar.ptr_to([0]))
        over = T.ptx.mbarrier.test_wait(bar.ptr_to([0]), 0)
        if looks == "and waits":
            if not over:
                T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
            B[t] = s[63 - t]
        elif looks == "and reads if so":
            if over:
                B[t] = s[63 - t]
        elif looks == "and keeps it":
            B[t] = s[63 - t] + T.cast(over, "int32")
        else:
            B[t] = s[63 - t]

    return kernel


@pytest.mark.parametrize(
    ("looks", "right"), [("and waits", True), ("and reads if so", True), ("", False), ("and keeps it", False)]
)
def test_an_answer_that_nobody_looks_at_tells_nothing(looks: str, right: bool) -> None:
    """In the order of lockstep, too, in which the answer is yes."""
    for stage in ("tile", "final"):
        kernel, found = tw.compile(peeked(looks)), np.zeros(64, INT32)
        if right:
            kernel.simulate(found, stage=stage)
            assert found.tolist() == list(range(63, -1, -1))
        else:
            with pytest.raises(RaceError, match="writes with no barrier between"):
                kernel.simulate(found, stage=stage)
