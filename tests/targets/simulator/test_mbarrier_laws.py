"""What mbarriers, clusters and flags hand on: what was told reaches who asks, through others too; and no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import RaceError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

REMOTE = "mbarrier.arrive.{}.cluster.shared::cluster.b64"
LOAD = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
SCHEDULES: tuple[dict[str, Any], ...] = ({}, *({"schedule": "random", "seed": seed} for seed in range(3)))


def run(kernel: PrimFunc, *arrays: Any, **switches: Any) -> None:
    tw.compile(kernel, target="simulator:sm_90")(*arrays, **switches)


def handed_on(order: str, fenced: bool, asks: bool) -> PrimFunc:
    """Block 0 writes and raises a flag; block 1 sees it and arrives at an mbarrier of block 2, which reads."""
    arrive = REMOTE.format(order)

    @T.prim_func
    def kernel(A: T.Buffer((1,), "int32"), F: T.Buffer((1,), "uint32"), B: T.Buffer((1,), "int32")) -> None:
        T.device_entry()
        b = T.cta_id([3])
        T.cta_id_in_cluster([3])
        T.thread_id([1])
        bar = T.alloc_shared((1,), "uint64")
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
        T.ptx.fence.mbarrier_init.release.cluster()
        T.cuda.cluster_sync()
        if b == 0:
            A[0] = 7
            T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 1)
        elif b == 1:
            f: T.uint32 = 0
            while f == 0:
                if asks:
                    T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([0]))
                else:
                    T.ptx.ld.relaxed.gpu.global_.u32(f, F.ptr_to([0]))
            if fenced:
                T.cuda.thread_fence()
            T.ptx[arrive](T.ptx.mapa(bar.ptr_to([0]), 2))
        else:
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
            if fenced:
                T.cuda.thread_fence()
            B[0] = A[0]
        T.cuda.cluster_sync()

    return kernel


def three() -> list[Any]:
    return [np.zeros(1, np.int32), np.zeros(1, np.uint32), np.zeros(1, np.int32)]


@pytest.mark.parametrize("switches", SCHEDULES)
@pytest.mark.parametrize(("order", "fenced"), [("release", False), ("release", True), ("relaxed", True)])
def test_who_is_told_by_a_flag_tells_it_on_by_an_mbarrier(order: str, fenced: bool, switches: dict[str, Any]) -> None:
    arrays = three()
    run(handed_on(order, fenced, True), *arrays, **switches)
    assert arrays[2][0] == 7


@pytest.mark.parametrize(("order", "fenced", "asks"), [("relaxed", False, True), ("release", False, False)])
def test_what_is_not_released_or_not_acquired_is_not_told(order: str, fenced: bool, asks: bool) -> None:
    with pytest.raises(RaceError, match="element 0 of A"):
        run(handed_on(order, fenced, asks), *three())


@T.prim_func
def by_a_cluster(A: T.Buffer((1,), "int32"), F: T.Buffer((1,), "uint32"), B: T.Buffer((1,), "int32")) -> None:
    """A block of one cluster raises a flag, which one of another sees before its own meets."""
    T.device_entry()
    b = T.cta_id([4])
    T.cta_id_in_cluster([2])
    T.thread_id([1])
    if b == 0:
        A[0] = 7
        T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 1)
    if b == 2:
        f: T.uint32 = 0
        while f == 0:
            T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([0]))
    T.cuda.cluster_sync()
    if b == 3:
        B[0] = A[0]


@pytest.mark.parametrize("switches", SCHEDULES)
def test_what_one_block_has_learnt_its_cluster_knows_when_it_has_met(switches: dict[str, Any]) -> None:
    arrays = three()
    run(by_a_cluster, *arrays, **switches)
    assert arrays[2][0] == 7


def told_by(arrive: str, fenced: bool, blocks: int = 2) -> PrimFunc:
    """A block's memory is written, and read by the other when it has been told."""

    @T.prim_func
    def kernel(B: T.Buffer((blocks, 32), "int32")) -> None:
        T.device_entry()
        b = T.cta_id([blocks])
        rank = T.cta_id_in_cluster([2])
        t = T.thread_id([32])
        s = T.alloc_shared((32,), "int32")
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 32)
            T.ptx.fence.mbarrier_init.release.cluster()
        T.cuda.cluster_sync()
        s[t] = b * 32 + t
        if fenced:
            T.cuda.thread_fence()
        T.ptx[arrive](T.ptx.mapa(bar.ptr_to([0]), 1 - rank))
        T.cuda.mbarrier_wait_acquire_cluster(bar.ptr_to([0]), 0)
        there = T.ptx.mapa(s, 1 - rank)
        B[b, t] = there[31 - t]
        T.cuda.cluster_sync()

    return kernel


@pytest.mark.parametrize("switches", SCHEDULES)
@pytest.mark.parametrize(("order", "fenced"), [("release", False), ("relaxed", True)])
def test_arrivals_tell_what_they_release_or_fenced_before(order: str, fenced: bool, switches: dict[str, Any]) -> None:
    check_told(8, order, fenced, **switches)


def check_told(blocks: int, order: str, fenced: bool, **switches: Any) -> None:
    b = np.zeros((blocks, 32), np.int32)
    run(told_by(REMOTE.format(order), fenced, blocks), b, **switches)
    assert (b.reshape(-1, 2, 32) == np.arange(32 * blocks).reshape(-1, 2, 32)[:, ::-1, ::-1]).all()


@T.prim_func
def unasked(W: T.Buffer((256,), "int32"), N: T.Buffer((1,), "int32"), B: T.Buffer((256,), "int32")) -> None:
    T.device_entry()
    b = T.cta_id([256])
    t = T.thread_id([256])
    bar = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 256)
        W[b] = b
        T.cuda.thread_fence()
        T.cuda.atomic_add(N.ptr_to([0]), 1)
    T.cuda.cta_sync()
    T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]))
    T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
    if t == 32 and b >= 128:
        B[b] = W[b - 128]


def test_what_a_block_tells_itself_is_not_of_blocks_that_ran_before() -> None:
    with pytest.raises(RaceError, match="of W"):
        run(unasked, np.zeros(256, np.int32), np.zeros(1, np.int32), np.zeros(256, np.int32))


def test_a_relaxed_arrival_tells_nothing() -> None:
    with pytest.raises(RaceError, match="of there"):
        run(told_by(REMOTE.format("relaxed"), False), np.zeros((2, 32), np.int32))


def phases(early: bool) -> PrimFunc:
    """Two warps arrive, a third reads what both wrote before; `early`: what one of them writes for the next phase."""

    @T.prim_func
    def kernel(B: T.Buffer((64,), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([96])
        s = T.alloc_shared((2, 64), "int32")
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 64)
        if t < 64:
            s[1, t] = 0
        T.cuda.cta_sync()
        if t < 32:
            s[0, t] = t
            T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]))
        elif t < 64:
            s[0, t] = t
            T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]))
            if early:
                s[1, t] = 1
                T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]))
        else:
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
            B[t - 64] = s[0, t - 64]
            B[t - 32] = s[0, t - 32]
            if early:
                B[t - 64] = s[1, t - 32]

    return kernel


def test_a_phase_tells_what_all_who_arrived_had_done() -> None:
    b = np.zeros(64, np.int32)
    run(phases(False), b)
    assert (b == np.arange(64)).all()


def test_a_phase_tells_nothing_of_the_next() -> None:
    with pytest.raises(RaceError, match="of s"):
        run(phases(True), np.zeros(64, np.int32))


@T.prim_func
def expected_late(A: T.Buffer((2, 64), "float32"), B: T.Buffer((64,), "float32")) -> None:
    """The bytes of the first copy come before anybody says that they will: that of the second has been waited for."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((2, 64), "float32")
    bar = T.alloc_shared((2,), "uint64")
    if t < 2:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([t]), 1)
        T.ptx.fence.mbarrier_init.release.cluster()
    T.cuda.cta_sync()
    if t == 0:
        T.ptx[LOAD](s.ptr_to([0, 0]), A.ptr_to([0, 0]), 256, bar.ptr_to([0]))
        T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([1]), 256)
        T.ptx[LOAD](s.ptr_to([1, 0]), A.ptr_to([1, 0]), 256, bar.ptr_to([1]))
        T.cuda.mbarrier_wait(bar.ptr_to([1]), 0)
        T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]))
        T.ptx.mbarrier.expect_tx.relaxed.cta.shared.b64(bar.ptr_to([0]), 256)
    T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
    B[t] = s[0, t]


def test_an_expectation_of_bytes_that_have_come_completes_the_phase() -> None:
    a, b = np.arange(128, dtype=np.float32).reshape(2, 64), np.zeros(64, np.float32)
    run(expected_late, a, b)
    assert (b == a[0]).all()


@T.prim_func
def neighbours(A: T.Buffer((256,), "float32"), B: T.Buffer((64,), "float32")) -> None:
    """Whoever waits for the lanes' copies at one mbarrier has not waited for the engine's at the next."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((256,), "float32")
    bar = T.alloc_shared((2,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 32)
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([1]), 1)
        T.ptx.fence.mbarrier_init.release.cluster()
    T.cuda.cta_sync()
    if t < 32:
        if t == 0:
            T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([1]), 512)
            T.ptx[LOAD](s.ptr_to([0]), A.ptr_to([0]), 512, bar.ptr_to([1]))
        T.ptx.cp.async_.cg.shared.global_(s.ptr_to([128 + 4 * t]), A.ptr_to([128 + 4 * t]), 16)
        T.ptx.cp.async_.mbarrier.arrive.noinc.shared.b64(bar.ptr_to([0]))
    else:
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        B[t] = s[t] + s[128 + t]


def test_what_an_engine_brings_is_not_told_by_the_mbarrier_beside() -> None:
    with pytest.raises(RaceError, match="element 32 of s"):
        run(neighbours, np.zeros(256, np.float32), np.zeros(64, np.float32))


@T.prim_func
def asked_then_written(F: T.Buffer((1,), "uint32"), B: T.Buffer((1,), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    f: T.uint32 = 0
    if t == 0:
        T.ptx.ld.relaxed.gpu.global_.u32(f, F.ptr_to([0]))
        B[0] = f
    elif t == 32:
        F[0] = 1


@pytest.mark.parametrize("switches", SCHEDULES)
def test_a_plain_store_races_with_an_atomic_load_before(switches: dict[str, Any]) -> None:
    with pytest.raises(RaceError, match="element 0 of F"):
        run(asked_then_written, np.zeros(1, np.uint32), np.zeros(1, np.uint32), **switches)


def exchanged(blocks: int, threads: int) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((blocks,), "int32"), B: T.Buffer((blocks,), "int32")) -> None:
        T.device_entry()
        b = T.cta_id([blocks])
        T.cta_id_in_cluster([2])
        t = T.thread_id([threads])
        if t == 0:
            A[b] = b
        T.cuda.cluster_sync()
        if t == 1:
            B[b] = A[b + 1 - 2 * (b % 2)]

    return kernel


@pytest.mark.parametrize("switches", SCHEDULES)
@pytest.mark.parametrize(("blocks", "threads"), [(16, 32)])
def test_clusters_meet_wherever_they_run(blocks: int, threads: int, switches: dict[str, Any]) -> None:
    """Also those that run after others, or in another order."""
    a, b = np.zeros(blocks, np.int32), np.zeros(blocks, np.int32)
    run(exchanged(blocks, threads), a, b, **switches)
    assert (b == np.arange(blocks) ^ 1).all()
