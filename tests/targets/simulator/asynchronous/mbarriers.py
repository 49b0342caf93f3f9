"""mbarriers: producers and consumers that hand stages of shared memory to each other."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import BarrierError, RaceError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T


def handshake(fault: str, stages: int = 2, tiles: int = 6, elected: bool = False) -> PrimFunc:
    """The first 64 threads fill stages, the others empty them; all arrive, or one lane after its warp has met."""
    full_count = 1 if elected else 64
    empty_count = {"deadlock": 65, "no arrivals": 0}.get(fault, full_count)
    first = 0 if fault in ("parity", "wrong start") else 1

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, tiles, 64), "float32")
        b = T.match_buffer(B, (2, tiles, 64), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([128])
        s = T.alloc_shared((stages, 64), "float32")
        full = T.alloc_shared((stages,), "uint64")
        empty = T.alloc_shared((stages,), "uint64")
        if fault == "before init":
            T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([0]))  # here: before init
        if fault == "all make it":
            T.ptx.mbarrier.init.shared.b64(full.ptr_to([0]), 64)  # here: all make it
        if t == 0:
            for i in T.serial(stages):
                T.ptx.mbarrier.init.shared.b64(full.ptr_to([i]), full_count)
                T.ptx.mbarrier.init.shared.b64(empty.ptr_to([i]), empty_count)  # here: no arrivals
            if fault == "made again":
                T.ptx.mbarrier.init.shared.b64(full.ptr_to([0]), 64)  # here: made again
            if fault == "ended":
                T.ptx.mbarrier.inval.shared.b64(full.ptr_to([0]))
        if fault != "no barrier after init":
            T.cuda.cta_sync()
        if fault == "as data":
            full[0] = T.uint64(7)  # here: as data
        if fault == "read as data":
            b[bx, 0, t % 64] = T.cast(full[0], "float32")  # here: read as data
        if t < 64:
            for k in T.serial(tiles):
                if fault != "no wait for room":
                    T.cuda.mbarrier_wait(empty.ptr_to([k % stages]), (k // stages + first) % 2)  # here: deadlock, wrong start, no barrier after init, released too early
                s[k % stages, t] = a[bx, k, t]  # here: no warp sync
                if fault == "too many":
                    T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([k % stages]), 65)  # here: too many
                if elected:
                    T.cuda.warp_sync()
                    T.ptx.bar.sync(1, 64)
                    if t == 0:
                        T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([k % stages]))
                else:
                    T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([k % stages]))  # here: ended
                if fault == "written after release":
                    s[k % stages, t] = a[bx, k, t] + 1.0
        else:
            for k in T.serial(tiles):
                if fault == "released too early":
                    T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([k % stages]))
                if fault != "no wait for data":
                    T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2 + (2 if fault == "no parity" else 0))  # here: no parity, no wait for room
                b[bx, k, t - 64] = s[k % stages, 127 - t] * 2.0  # here: no wait for data, written after release
                if elected:
                    if fault != "no warp sync":
                        T.ptx.bar.sync(2, 64)
                    if t == 64:
                        T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([k % stages]))
                elif fault != "released too early":
                    T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([k % stages]))

    return kernel


def arguments(tiles: int = 6) -> list[Any]:
    a = np.random.default_rng(2).normal(size=(2, tiles, 64)).astype(np.float32)
    return [a, np.zeros_like(a)]


def check(given: list[Any]) -> None:
    assert (given[1] == 2 * given[0][:, :, ::-1]).all()


def ping_pong(fault: str) -> PrimFunc:
    """Two groups of threads write one buffer in turn, each after the other has read it."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (4, 64), "int32")
        b = T.match_buffer(B, (4, 64), "int32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        s = T.alloc_shared((64,), "int32")
        turn = T.alloc_shared((2,), "uint64")
        if t < 2:
            T.ptx.mbarrier.init.shared.b64(turn.ptr_to([t]), 64)
        T.cuda.cta_sync()
        g = t // 64
        u = t % 64
        for k in T.serial(2):
            if fault != "out of turn":
                T.cuda.mbarrier_wait(turn.ptr_to([g]), (k + (1 if fault == "first waits" else 1 - g)) % 2)
            s[u] = a[2 * k + g, u]  # here: out of turn, first waits
            T.ptx.bar.sync(1 + g, 64)
            b[2 * k + g, u] = s[63 - u]
            T.ptx.mbarrier.arrive.shared.b64(turn.ptr_to([1 - g]))

    return kernel


def ping_arguments() -> list[Any]:
    a = np.arange(256, dtype=np.int32).reshape(4, 64)
    return [a, np.zeros_like(a)]


def check_ping(given: list[Any]) -> None:
    assert (given[1] == given[0][:, ::-1]).all()


FAULTY = [
    Faulty(handshake, "before init", BarrierError, arguments, "before mbarrier.init"),
    Faulty(handshake, "all make it", BarrierError, arguments, "which it is already"),
    Faulty(handshake, "made again", BarrierError, arguments, "which it is already"),
    Faulty(handshake, "no arrivals", BarrierError, arguments, "for 0 arrivals"),
    Faulty(handshake, "no barrier after init", RaceError, arguments, "writes with no barrier between"),
    Faulty(handshake, "ended", BarrierError, arguments, "before mbarrier.init"),
    Faulty(handshake, "as data", BarrierError, arguments, "which is an mbarrier"),
    Faulty(handshake, "read as data", BarrierError, arguments, "which is an mbarrier"),
    Faulty(handshake, "deadlock", BarrierError, arguments, "lacks 1 of 65 arrivals"),
    Faulty(handshake, "wrong start", BarrierError, arguments, "lacks 64 of 64 arrivals"),
    Faulty(handshake, "no parity", BarrierError, arguments, "the parity 2, which is 0 or 1"),
    Faulty(handshake, "too many", BarrierError, arguments, "which waits for 64 arrivals"),
    Faulty(handshake, "no wait for room", BarrierError, arguments, "lacks 64 of 64"),
    Faulty(handshake, "no wait for data", RaceError, arguments, "no barrier between"),
    Faulty(handshake, "written after release", RaceError, arguments, "no barrier between"),
    Faulty(handshake, "released too early", BarrierError, arguments, "lacks 64 of 64"),
    Faulty(partial(handshake, elected=True), "no warp sync", RaceError, arguments, "reads with no barrier between"),
    Faulty(ping_pong, "out of turn", RaceError, ping_arguments, "no barrier between"),
    Faulty(ping_pong, "first waits", RaceError, ping_arguments, "no barrier between"),
]
CLEAN = [
    *(
        Clean(
            f"handshake over {stages} stages, {tiles} tiles{', one lane for all' * elected}",
            partial(handshake, "", stages, tiles, elected),
            partial(arguments, tiles),
            check,
        )
        for stages, tiles, elected in ((1, 1, False), (1, 4, False), (2, 6, False), (3, 7, False), (4, 3, False), (1, 3, True), (2, 6, True), (3, 8, True))
    ),
    Clean("ping-pong", partial(ping_pong, ""), ping_arguments, check_ping),
]
