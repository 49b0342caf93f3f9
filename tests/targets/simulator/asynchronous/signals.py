"""cp.async that arrives at mbarriers, mbarriers that are asked instead of waited for, and words that end and begin."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import BarrierError, RaceError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

STORE = "cp.async.bulk.global.shared::cta.bulk_group"


def copies(fault: str, counted: bool = False, stores: bool = False) -> PrimFunc:
    """Half of the threads copy tiles by cp.async and tell the others by mbarriers when the data is there."""
    count = 64 + 64 * counted + 32 * (fault == "too many expected")

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (4, 256), "float32")
        b = T.match_buffer(B, (4, 256), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        s = T.alloc_shared((4, 256), "float32")
        full = T.alloc_shared((4,), "uint64")
        if t < 4:
            T.ptx.mbarrier.init.shared.b64(full.ptr_to([t]), count)
        T.cuda.cta_sync()
        if t < 64:
            for k in T.serial(4):
                T.ptx.cp.async_.cg.shared.global_(s.ptr_to([k, 4 * t]), a.ptr_to([k, 4 * t]), 16)
                if fault == "arrives itself":
                    T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([k]))
                elif counted:
                    T.ptx.cp.async_.mbarrier.arrive.shared.b64(full.ptr_to([k]))
                    T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([k]), 2)
                elif fault != "no arrival":
                    T.ptx.cp.async_.mbarrier.arrive.noinc.shared.b64(full.ptr_to([k]))
        else:
            for k in T.serial(4):
                if fault != "no wait":
                    T.cuda.mbarrier_wait(full.ptr_to([k]), 0)  # here: too many expected, no arrival
                if stores:
                    if fault != "no fence":
                        T.ptx.fence.proxy.async_.shared__cta()
                    T.ptx.bar.sync(1, 64)
                    if t == 64:
                        T.ptx[STORE](b.ptr_to([k, 0]), s.ptr_to([k, 0]), 1024)  # here: no fence
                        T.ptx.cp.async_.bulk.commit_group()
                        T.ptx.cp.async_.bulk.wait_group.read(0)
                else:
                    for i in T.serial(4):
                        b[k, 64 * i + t - 64] = s[k, 64 * i + t - 64]  # here: no wait, arrives itself

    return kernel


def arguments() -> list[Any]:
    a = np.random.default_rng(5).normal(size=(4, 256)).astype(np.float32)
    return [a, np.zeros_like(a)]


def check(given: list[Any]) -> None:
    assert (given[0] == given[1]).all()


def asked(fault: str) -> PrimFunc:
    """Threads ask until the phase is over; the word ends and begins anew for another one."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 64), "int32")
        b = T.match_buffer(B, (2, 64), "int32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((64,), "int32")
        word = T.alloc_shared((2,), "uint64")
        for k in T.serial(2):
            if t == 0:
                T.ptx.mbarrier.init.shared.b64(word.ptr_to([0]), 64)  # here: not ended
            T.cuda.cta_sync()
            s[t] = a[k, t]
            T.ptx.mbarrier.arrive.shared.b64(word.ptr_to([0]))
            if fault != "never asked":
                while not T.ptx.mbarrier.test_wait(word.ptr_to([0]), 0):
                    pass
            b[k, t] = s[63 - t]  # here: never asked
            if fault != "no barrier before the end":
                T.cuda.cta_sync()
            if fault != "not ended":
                if t == 0:
                    T.ptx.mbarrier.inval.shared.b64(word.ptr_to([0]))  # here: no barrier before the end

    return kernel


def asked_arguments() -> list[Any]:
    a = np.arange(128, dtype=np.int32).reshape(2, 64)
    return [a, np.zeros_like(a)]


def check_asked(given: list[Any]) -> None:
    assert (given[1] == given[0][:, ::-1]).all()


def own(fault: str) -> PrimFunc:
    """Copies of two warps arrive at one mbarrier in one step, and each waits for its own: then for all, by a barrier."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (3, 128), "int32")
        b = T.match_buffer(B, (3, 128), "int32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        s = T.alloc_shared((128,), "int32")
        word = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(word.ptr_to([0]), 128)
        T.cuda.cta_sync()
        for k in T.serial(3):
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([t]), a.ptr_to([k, t]), 4)
            T.ptx.cp.async_.mbarrier.arrive.noinc.shared.b64(word.ptr_to([0]))
            if fault == "by the mbarrier":
                T.cuda.mbarrier_wait(word.ptr_to([0]), k % 2)
            else:
                T.ptx.cp.async_.wait_all()
            if fault == "":
                s[t] = s[t] + 1
                T.cuda.cta_sync()
            elif fault == "of the warp":
                T.cuda.warp_sync()
            b[k, t] = s[127 - t]  # here: no barrier, of the warp
            T.cuda.cta_sync()

    return kernel


def _turned(given: list[Any], more: int) -> None:
    assert (given[1] == given[0][:, ::-1] + more).all()


def own_arguments() -> list[Any]:
    a = np.arange(384, dtype=np.int32).reshape(3, 128)
    return [a, np.zeros_like(a)]


FAULTY = [
    Faulty(own, "no barrier", RaceError, own_arguments, "no barrier between"),
    Faulty(own, "of the warp", RaceError, own_arguments, "no barrier between"),
    Faulty(copies, "no wait", RaceError, arguments, "a copy on its way writes"),
    Faulty(copies, "arrives itself", RaceError, arguments, "a copy on its way writes"),
    Faulty(copies, "no arrival", BarrierError, arguments, "64 of 64 arrivals"),
    Faulty(copies, "too many expected", BarrierError, arguments, "32 of 96 arrivals"),
    Faulty(partial(copies, stores=True), "no fence", RaceError, arguments, "fence"),
    Faulty(asked, "never asked", RaceError, asked_arguments, "no barrier between", ("sm_90",)),
    Faulty(asked, "not ended", BarrierError, asked_arguments, "which it is already"),
    Faulty(asked, "no barrier before the end", RaceError, asked_arguments, "no barrier between", ("sm_90",)),
]
CLEAN = [
    Clean("own copies", partial(own, ""), own_arguments, lambda given: _turned(given, 1)),
    Clean("all copies", partial(own, "by the mbarrier"), own_arguments, lambda given: _turned(given, 0)),
    Clean("cp.async arrives", partial(copies, ""), arguments, check),
    Clean("cp.async arrives, counted", partial(copies, "", counted=True), arguments, check),
    Clean("cp.async arrives, stored by a bulk copy", partial(copies, "", stores=True), arguments, check),
    Clean("mbarriers that are asked, and end", partial(asked, ""), asked_arguments, check_asked),
]
