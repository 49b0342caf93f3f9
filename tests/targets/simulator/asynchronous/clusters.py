"""Blocks of a cluster that fill each other's shared memory: multicast, remote arrivals, the barrier in two halves."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

import tilewright as tw
from tilewright.errors import AlignmentError, BarrierError, OutOfBoundsError, RaceError, SimulationError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

TMA = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
BULK = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
SHARE = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
REMOTE = "mbarrier.arrive.release.cluster.shared::cluster.b64"


def pipeline(fault: str, size: int = 2, stages: int = 2, steps: int = 4, tma: bool = True, tail: bool = True) -> PrimFunc:
    """Each block loads its slice of every tile for all blocks of the cluster; consumers release the stages of all.

    Thread 0 is the producer, the threads from 64 on consume. At the end the producer waits until all stages are
    released (`tail`), or the cluster meets.
    """
    rows, columns, blocks = 8 * size, 8, size * (1 + (size == 2))
    everyone = (1 << size) - 1
    mask = {"wrong mask": everyone - 2, "a block too many": everyone + (1 << size), "no block": 0}.get(fault, everyone)
    bytes_ = 4 * rows * columns + {"too many bytes": 64, "too few bytes": -256}.get(fault, 0)
    releases = size - 1 if fault == "too few releases" else size

    @T.prim_func
    def kernel(A: T.TensorMap(), R: T.handle, B: T.handle) -> None:
        a = T.match_buffer(R, (rows, steps * columns), "float32")
        b = T.match_buffer(B, (blocks, rows, steps * columns), "float32")
        T.device_entry()
        bx = T.cta_id([blocks])
        rank = T.cta_id_in_cluster([size])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        s = pool.alloc((stages, rows, columns), "float32", align=128)
        full = pool.alloc((stages,), "uint64")
        empty = pool.alloc((stages,), "uint64")
        if t == 0:
            for i in T.serial(stages):
                T.ptx.mbarrier.init.shared.b64(full.ptr_to([i]), 1)
                T.ptx.mbarrier.init.shared.b64(empty.ptr_to([i]), releases)
            if fault != "no fence after init":
                T.ptx.fence.mbarrier_init.release.cluster()
        if fault == "block barrier for cluster":
            T.cuda.cta_sync()
        else:
            T.ptx.barrier.cluster.arrive.relaxed.aligned()
            if fault != "no wait for the cluster":
                T.ptx.barrier.cluster.wait.acquire.aligned()
        if t < 64:
            if t == 0:
                for k in T.serial(steps):
                    if fault != "no room":
                        T.cuda.mbarrier_wait(empty.ptr_to([k % stages]), (k // stages + 1) % 2)  # here: wrong mask, too many bytes, too few bytes, too few arrivals
                    T.ptx.mbarrier.arrive.expect_tx.shared.b64(full.ptr_to([k % stages]), bytes_)  # here: no room, too few releases
                    if tma:
                        T.ptx[TMA](s.ptr_to([k % stages, 8 * rank, 0]), T.address_of(A), k * columns, 8 * rank, full.ptr_to([k % stages]), mask)  # here: no fence after init, block barrier for cluster, no wait for the cluster, a block too many, no block, released before it is read, releases of its own alone
                    else:
                        for i in T.serial(8):
                            T.ptx[BULK](s.ptr_to([k % stages, 8 * rank + i, 0]), a.ptr_to([8 * rank + i, k * columns]), 4 * columns, full.ptr_to([k % stages]), mask)
                if tail:
                    if fault != "ends before the others":
                        for k in T.serial(stages):
                            T.cuda.mbarrier_wait(empty.ptr_to([(steps + k) % stages]), ((steps + k) // stages + 1) % 2)
        else:
            for k in T.serial(steps):
                if fault != "no wait for data":
                    T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2)
                for i in T.serial(rows * columns // 64):
                    e = i * 64 + t - 64
                    b[bx, e // columns, k * columns + e % columns] = s[k % stages, e // columns, e % columns] * 2.0  # here: no wait for data
                    if fault == "released before it is read":
                        if i == 0:
                            if t - 64 < size:
                                T.ptx[REMOTE](T.ptx.mapa.shared__cluster.u32(empty.ptr_to([k % stages]), t - 64))
                if fault != "released before it is read":
                    T.ptx.bar.sync(1, 64)
                    if t - 64 < size:
                        if fault == "releases of its own alone":
                            T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([k % stages]))
                        elif fault == "a block that is not there":
                            T.ptx[REMOTE](T.ptx.mapa.shared__cluster.u32(empty.ptr_to([k % stages]), t - 63))  # here: a block that is not there
                        elif fault == "too few arrivals":
                            if t == 64:
                                T.ptx[REMOTE](T.ptx.mapa.shared__cluster.u32(empty.ptr_to([k % stages]), rank))
                        else:
                            T.ptx[REMOTE](T.ptx.mapa.shared__cluster.u32(empty.ptr_to([k % stages]), t - 64))  # here: ends before the others
        if not tail:
            T.cuda.cluster_sync()

    return kernel


def pipeline_arguments(size: int = 2, steps: int = 4) -> list[Any]:
    a = np.random.default_rng(6).normal(size=(8 * size, 8 * steps)).astype(np.float32)
    return [tw.TensorMap(a, (8, 8)), a.copy(), np.zeros((size * (1 + (size == 2)), *a.shape), np.float32)]


def check_pipeline(given: list[Any]) -> None:
    assert (given[2] == 2 * given[1]).all()


def ring(fault: str, size: int = 2, rounds: int = 3) -> PrimFunc:
    """Rows go round in the cluster: each block sends what it has to the next one, which says when it has room."""
    count = {"twenty bytes": 20, "beyond": 1024, "askew": 256}.get(fault, 512)
    skew = 2 if fault == "askew" else 0

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2 * size, 128), "float32")
        b = T.match_buffer(B, (2 * size, 128), "float32")
        T.device_entry()
        bx = T.cta_id([2 * size])
        rank = T.cta_id_in_cluster([size])
        t = T.thread_id([128])
        s = T.alloc_shared((2, 128), "float32")
        full = T.alloc_shared((2,), "uint64")
        room = T.alloc_shared((2,), "uint64")
        sent = T.alloc_shared((1,), "uint64")
        if t < 2:
            T.ptx.mbarrier.init.shared.b64(full.ptr_to([t]), 1)
            T.ptx.mbarrier.init.shared.b64(room.ptr_to([t]), 1)
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(sent.ptr_to([0]), 1)
        s[0, t] = a[bx, t]
        T.ptx.fence.proxy.async_()
        T.cuda.cluster_sync()
        after = (rank + 1) % size
        before = (rank + size - 1) % size
        sum: T.float32 = 0.0
        for k in T.serial(rounds):
            now = k % 2
            then = 1 - now
            if k > 0:
                if fault != "no wait for data":
                    T.cuda.mbarrier_wait(full.ptr_to([now]), (k - 1) // 2 % 2)
            sum = sum + s[now, t]  # here: no wait for data, no expectation
            if fault == "no barrier before sending":
                T.cuda.warp_sync()
            else:
                T.cuda.cta_sync()
            if t == 0:
                if k > 0:
                    T.ptx[REMOTE](T.ptx.mapa(sent.ptr_to([0]), before))
                    if fault != "room while it is sent":
                        T.cuda.mbarrier_wait(sent.ptr_to([0]), (k - 1) % 2)
                    T.ptx[REMOTE](T.ptx.mapa(room.ptr_to([then]), before))
                if fault != "no expectation":
                    T.ptx.mbarrier.arrive.expect_tx.shared.b64(full.ptr_to([then]), 512)
                else:
                    T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([then]))
                if k > 0:
                    if fault != "no room":
                        T.cuda.mbarrier_wait(room.ptr_to([then]), (k - 1) // 2 % 2)
                if fault == "two blocks":
                    T.ptx[SHARE](T.ptx.mapa(s.ptr_to([then, 0]), after), s.ptr_to([now, 0]), 512, T.ptx.mapa(full.ptr_to([then]), rank))  # here: two blocks
                elif fault == "to itself":
                    T.ptx[SHARE](T.ptx.mapa(s.ptr_to([now, 0]), rank), s.ptr_to([now, 0]), 512, T.ptx.mapa(full.ptr_to([now]), rank))  # here: to itself
                else:
                    T.ptx[SHARE](T.ptx.mapa(s.ptr_to([then, skew]), after), s.ptr_to([now, 0]), count, T.ptx.mapa(full.ptr_to([then]), after))  # here: no room, room while it is sent, no barrier before sending, twenty bytes, askew, beyond, ends at once
            if fault == "overwritten while sent":
                s[now, t] = 0.0  # here: overwritten while sent
        b[bx, t] = sum
        T.cuda.mbarrier_wait(full.ptr_to([rounds % 2]), (rounds - 1) // 2 % 2)
        if fault != "ends at once":
            T.cuda.cluster_sync()

    return kernel


def halves(fault: str, size: int = 2, aligned: bool = True) -> PrimFunc:
    """Blocks write their shared memory, come to the barrier, do something else, wait, and read their neighbour's."""
    lonely = fault in ("half the threads", "one block alone")

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2 * size, 64), "int32")
        b = T.match_buffer(B, (2 * size, 64), "int32")
        T.device_entry()
        bx = T.cta_id([2 * size])
        rank = T.cta_id_in_cluster([size])
        t = T.thread_id([64])
        s = T.alloc_shared((64,), "int32")
        r: T.int32 = 0
        if fault == "waits first":
            T.ptx.barrier.cluster.wait.acquire()  # here: waits first
        for k in T.serial(2):
            s[t] = a[bx, t] + k  # here: written while others read
            if fault == "relaxed":
                T.ptx.barrier.cluster.arrive.relaxed()
            elif fault == "fence of the block":
                T.ptx.fence.mbarrier_init.release.cluster()
                T.ptx.barrier.cluster.arrive.relaxed()
            elif fault == "one block alone":
                if rank == 0:
                    T.ptx.barrier.cluster.arrive.release()
                    T.ptx.barrier.cluster.wait.acquire()  # here: one block alone
            elif fault == "half a warp":
                if t % 2 == 0:
                    T.ptx.barrier.cluster.arrive.release.aligned()  # here: half a warp
            elif fault == "half the threads":
                if t < 32:
                    T.ptx.barrier.cluster.arrive.release()
                    T.ptx.barrier.cluster.wait.acquire()  # here: half the threads
            elif fault == "too early":
                T.cuda.cta_sync()
            elif aligned:
                T.ptx.barrier.cluster.arrive.release.aligned()
            else:
                T.ptx.barrier.cluster.arrive()
            if fault == "again":
                T.ptx.barrier.cluster.arrive.release()  # here: again
            if fault == "the whole barrier between":
                T.cuda.cluster_sync()  # here: the whole barrier between
            r = r + a[bx, 63 - t]
            if fault != "too early" and not lonely:
                if aligned:
                    T.ptx.barrier.cluster.wait.acquire.aligned()
                else:
                    T.ptx.barrier.cluster.wait()
            there = T.ptx.mapa(s, (rank + (0 if lonely else 1)) % size)
            r = r + there[t if lonely else 63 - t]  # here: relaxed, fence of the block, too early
            if fault != "written while others read" and not lonely:
                T.ptx.barrier.cluster.arrive()
                T.ptx.barrier.cluster.wait()
        b[bx, t] = r

    return kernel


def halves_arguments(size: int = 2) -> list[Any]:
    a = np.arange(128 * size, dtype=np.int32).reshape(2 * size, 64)
    return [a, np.zeros_like(a)]


def check_halves(given: list[Any]) -> None:
    a, b = given
    size = len(a) // 2
    after = np.roll(a.reshape(2, size, 64), -1, axis=1).reshape(a.shape)
    assert (b == 2 * a[:, ::-1] + 2 * after[:, ::-1] + 1).all()


def exchange(fault: str, size: int = 2, vector: int = 1, add: bool = False) -> PrimFunc:
    """Each thread stores to the next block, bytes counted there, or adds to one block's sums."""
    bytes_ = 4 * 128 + {"too many bytes": 4, "too few bytes": -256}.get(fault, 0)
    store = "st.async.shared::cluster.mbarrier::complete_tx::bytes" + (f".v{vector}" if vector > 1 else "") + ".s32"
    total = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s32"
    threads = 128 // vector

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2 * size, 128), "int32")
        b = T.match_buffer(B, (2 * size, 128), "int32")
        T.device_entry()
        bx = T.cta_id([2 * size])
        rank = T.cta_id_in_cluster([size])
        t = T.thread_id([threads])
        s = T.alloc_shared((128,), "int32")
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
        if add or fault == "not ordered":
            for i in T.serial(vector):
                s[vector * t + i] = 0
        if fault == "not ordered":
            T.ptx.fence.mbarrier_init.release.cluster()
            T.ptx.barrier.cluster.arrive.relaxed()
            T.ptx.barrier.cluster.wait()
        else:
            T.cuda.cluster_sync()
        if t == 0:
            T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([0]), bytes_ * (size if add else 1))
        after = (rank + 1) % size
        if add:
            for k in T.serial(size):
                T.ptx[total](T.ptx.mapa(s.ptr_to([t]), k), a[bx, t], T.ptx.mapa(bar.ptr_to([0]), k))
        elif vector == 1:
            T.ptx[store](T.ptx.mapa(s.ptr_to([t]), after), a[bx, t], T.ptx.mapa(bar.ptr_to([0]), after))  # here: not ordered, not waited for
        elif vector == 2:
            T.ptx[store](T.ptx.mapa(s.ptr_to([(2 * t + 1) % 127 if fault == "askew" else 2 * t]), after), a[bx, 2 * t], a[bx, 2 * t + 1], T.ptx.mapa(bar.ptr_to([0]), after))  # here: askew
        else:
            T.ptx[store](T.ptx.mapa(s.ptr_to([4 * t]), after), a[bx, 4 * t], a[bx, 4 * t + 1], a[bx, 4 * t + 2], a[bx, 4 * t + 3], T.ptx.mapa(bar.ptr_to([0]), after))
        if fault != "not waited for":
            if fault != "read at once":
                T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)  # here: too many bytes, too few bytes
            for i in T.serial(vector):
                b[bx, vector * t + i] = s[vector * t + i]  # here: read at once

    return kernel


def exchange_arguments(size: int = 2) -> list[Any]:
    a = np.arange(256 * size, dtype=np.int32).reshape(2 * size, 128)
    return [a, np.zeros_like(a)]


def check_exchange(given: list[Any]) -> None:
    size = len(given[0]) // 2
    before = np.roll(given[0].reshape(2, size, 128), 1, axis=1).reshape(given[0].shape)
    assert (given[1] == before).all()


def check_sums(given: list[Any]) -> None:
    size = len(given[0]) // 2
    assert (given[1].reshape(2, size, 128) == given[0].reshape(2, size, 128).sum(axis=1, keepdims=True)).all()


def ring_arguments(size: int = 2) -> list[Any]:
    a = np.random.default_rng(7).normal(size=(2 * size, 128)).astype(np.float32)
    return [a, np.zeros_like(a)]


def check_ring(given: list[Any], size: int = 2, rounds: int = 3) -> None:
    a = given[0].reshape(2, size, 128)
    total = np.zeros_like(a)
    for k in range(rounds):
        total = total + np.roll(a, k, axis=1)
    assert (given[1].reshape(total.shape) == total).all()


three = partial(ring, size=3)
FAULTY = [
    Faulty(pipeline, "wrong mask", BarrierError, pipeline_arguments, "lacks 1 of 2 arrivals"),
    Faulty(pipeline, "a block too many", OutOfBoundsError, pipeline_arguments, "0b111 of a cluster that has 2"),
    Faulty(pipeline, "no block", OutOfBoundsError, pipeline_arguments, "0b0 of a cluster"),
    Faulty(pipeline, "too many bytes", BarrierError, pipeline_arguments, "lacks 2 of 2 arrivals"),
    Faulty(pipeline, "too few bytes", BarrierError, pipeline_arguments, "lacks 2 of 2 arrivals"),
    Faulty(pipeline, "no fence after init", RaceError, pipeline_arguments, "no barrier"),
    Faulty(pipeline, "block barrier for cluster", RaceError, pipeline_arguments, "no barrier"),
    Faulty(pipeline, "no wait for the cluster", RaceError, pipeline_arguments, "no barrier"),
    Faulty(pipeline, "no room", BarrierError, pipeline_arguments, "waits for 0 arrivals"),
    Faulty(pipeline, "no wait for data", RaceError, pipeline_arguments, "a copy on its way writes"),
    Faulty(pipeline, "released before it is read", RaceError, pipeline_arguments, "no barrier"),
    Faulty(pipeline, "releases of its own alone", RaceError, pipeline_arguments, "a copy on its way writes"),
    Faulty(pipeline, "too few arrivals", BarrierError, pipeline_arguments, "lacks 1 of 2 arrivals"),
    Faulty(pipeline, "too few releases", BarrierError, pipeline_arguments, "waits for"),
    Faulty(pipeline, "a block that is not there", OutOfBoundsError, pipeline_arguments, "reaches block 2"),
    Faulty(pipeline, "ends before the others", RaceError, pipeline_arguments, "may end before"),
    Faulty(three, "room while it is sent", RaceError, partial(ring_arguments, 3), "no barrier"),
    Faulty(ring, "no wait for data", RaceError, ring_arguments, "a copy on its way"),
    Faulty(ring, "no expectation", RaceError, ring_arguments, "a copy on its way"),
    Faulty(three, "no room", RaceError, partial(ring_arguments, 3), "no barrier"),
    Faulty(ring, "no barrier before sending", RaceError, ring_arguments, "no barrier"),
    Faulty(ring, "two blocks", SimulationError, ring_arguments, "copies to block"),
    Faulty(ring, "to itself", RaceError, ring_arguments, "a copy on its way"),
    Faulty(ring, "twenty bytes", SimulationError, ring_arguments, "20 bytes"),
    Faulty(ring, "askew", AlignmentError, ring_arguments, "multiple of 16"),
    Faulty(ring, "beyond", OutOfBoundsError, ring_arguments, "elements"),
    Faulty(ring, "overwritten while sent", RaceError, ring_arguments, "a copy on its way reads"),
    Faulty(ring, "ends at once", RaceError, ring_arguments, "may end before"),
    Faulty(halves, "waits first", BarrierError, halves_arguments, "to which it has not come"),
    Faulty(halves, "again", BarrierError, halves_arguments, "before it has waited"),
    Faulty(halves, "relaxed", RaceError, halves_arguments, "no barrier"),
    Faulty(halves, "fence of the block", RaceError, halves_arguments, "no barrier"),
    Faulty(halves, "too early", RaceError, halves_arguments, "no barrier"),
    Faulty(halves, "one block alone", BarrierError, halves_arguments, "64 of 128 threads have come"),
    Faulty(halves, "half the threads", BarrierError, halves_arguments, "64 of 128 threads have come", ("sm_90",)),
    Faulty(halves, "half a warp", BarrierError, halves_arguments, "does not reach"),
    Faulty(halves, "the whole barrier between", BarrierError, halves_arguments, "before it has waited"),
    Faulty(halves, "written while others read", RaceError, halves_arguments, "no barrier"),
    Faulty(exchange, "too many bytes", BarrierError, exchange_arguments, "lacks 4 bytes"),
    Faulty(exchange, "too few bytes", BarrierError, exchange_arguments, "the expectation of 256 bytes"),
    Faulty(exchange, "not ordered", RaceError, exchange_arguments, "no barrier"),
    Faulty(exchange, "not waited for", RaceError, exchange_arguments, "for which nobody has waited"),
    Faulty(exchange, "read at once", RaceError, exchange_arguments, "a copy on its way"),
    Faulty(partial(exchange, vector=2), "askew", AlignmentError, exchange_arguments, "multiple of 8"),
]
CLEAN = [
    *(
        Clean(
            f"{'tiles' if tma else 'rows'} for a cluster of {size}, {stages} stages, {steps} steps, "
            f"{'a wait for all stages' if tail else 'a barrier'} at the end",
            partial(pipeline, "", size, stages, steps, tma, tail),
            partial(pipeline_arguments, size, steps),
            check_pipeline,
        )
        for size, stages, steps, tma, tail in (
            (2, 1, 3, True, True),
            (2, 3, 5, True, False),
            (4, 2, 4, True, True),
            (2, 2, 3, False, True),
            (4, 3, 3, False, False),
        )
    ),
    *(
        Clean(
            f"a ring of {size}, {rounds} rounds",
            partial(ring, "", size, rounds),
            partial(ring_arguments, size),
            partial(check_ring, size=size, rounds=rounds),
        )
        for size, rounds in ((2, 1), (2, 3), (3, 4))
    ),
    *(
        Clean(f"the barrier in two halves, {size} blocks{', whole warps' * aligned}", partial(halves, "", size, aligned), partial(halves_arguments, size), check_halves)
        for size, aligned in ((2, True), (2, False), (4, True), (3, False))
    ),
    *(
        Clean(f"stores of {vector} to the next of {size}", partial(exchange, "", size, vector), partial(exchange_arguments, size), check_exchange)
        for size, vector in ((2, 1), (4, 1), (2, 2), (3, 4))
    ),
    Clean("sums in all blocks", partial(exchange, "", 4, 1, True), partial(exchange_arguments, 4), check_sums),
]
