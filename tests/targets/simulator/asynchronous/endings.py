"""Blocks that end while copies are on their way; and what bulk copies leave in global memory, read by bulk copies."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

import tilewright as tw
from tilewright.errors import RaceError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

LOAD = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
STORE = "cp.async.bulk.global.shared::cta.bulk_group"
TMA = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"


def prefetched(fault: str, tma: bool = False, ahead: int = 2, steps: int = 3) -> PrimFunc:
    """A thread loads rows ahead of those who read them; past the last it is to stop."""
    last = steps + (1 if "too many" in fault else 0)

    @T.prim_func
    def kernel(A: T.TensorMap(), R: T.handle, B: T.handle) -> None:
        a = T.match_buffer(R, (2, 4, 64), "float32")
        b = T.match_buffer(B, (2, 4, 64), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([64])
        s = T.alloc_shared((4, 64), "float32")
        full = T.alloc_shared((4,), "uint64")
        if t < 4:
            T.ptx.mbarrier.init.shared.b64(full.ptr_to([t]), 1)
        T.ptx.fence.proxy.async_()
        T.cuda.cta_sync()
        for k in T.serial(last):
            if t == 0:
                T.ptx.mbarrier.arrive.expect_tx.shared.b64(full.ptr_to([k]), 256)
                if tma:
                    T.ptx[TMA](s.ptr_to([k, 0]), T.address_of(A), 0, 4 * bx + k, full.ptr_to([k]))  # here: a box too many
                else:
                    T.ptx[LOAD](s.ptr_to([k, 0]), a.ptr_to([bx, k, 0]), 256, full.ptr_to([k]))  # here: one too many, without an end
            if k >= ahead:
                T.cuda.mbarrier_wait(full.ptr_to([k - ahead]), 0)
                b[bx, k - ahead, t] = s[k - ahead, t]
        if fault != "without an end":
            for k in T.serial(ahead):
                if steps - ahead + k >= 0:
                    T.cuda.mbarrier_wait(full.ptr_to([steps - ahead + k]), 0)
                    b[bx, steps - ahead + k, t] = s[steps - ahead + k, t]

    return kernel


def prefetched_arguments() -> list[Any]:
    a = np.random.default_rng(8).normal(size=(2, 4, 64)).astype(np.float32)
    return [tw.TensorMap(a.reshape(8, 64), (1, 64)), a.copy(), np.zeros_like(a)]


def check_prefetched(given: list[Any]) -> None:
    assert (given[2][:, :3] == given[1][:, :3]).all()


def bounced(fault: str, elsewhere: bool = False) -> PrimFunc:
    """What a bulk copy has stored is loaded by a bulk copy: of the same thread, or of one that it has met."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 128), "float32")
        b = T.match_buffer(B, (2, 128), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([128])
        s = T.alloc_shared((2, 128), "float32")
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
        s[0, t] = a[bx, 127 - t]
        T.ptx.fence.proxy.async_()
        T.cuda.cta_sync()
        if t == 0:
            T.ptx[STORE](b.ptr_to([bx, 0]), s.ptr_to([0, 0]), 512)
            T.ptx.cp.async_.bulk.commit_group()
            if fault == "the reads alone":
                T.ptx.cp.async_.bulk.wait_group.read(0)
            else:
                T.ptx.cp.async_.bulk.wait_group(0)
        if fault == "written by a thread":
            T.cuda.cta_sync()
            b[bx, t] = s[0, t]
        if elsewhere or fault == "written by a thread":
            T.cuda.cta_sync()
        if t == (64 if elsewhere else 0):
            T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([0]), 512)
            T.ptx[LOAD](s.ptr_to([1, 0]), b.ptr_to([bx, 0]), 512, bar.ptr_to([0]))  # here: the reads alone, written by a thread
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        a[bx, t] = s[1, t]

    return kernel


def unmet(fault: str) -> PrimFunc:
    """As `bounced`; the other thread does not know that the store is done."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 128), "float32")
        b = T.match_buffer(B, (2, 128), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([128])
        s = T.alloc_shared((2, 128), "float32")
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
        s[0, t] = a[bx, 127 - t]
        T.ptx.fence.proxy.async_()
        T.cuda.cta_sync()
        if t == 0:
            T.ptx[STORE](b.ptr_to([bx, 0]), s.ptr_to([0, 0]), 512)
            T.ptx.cp.async_.bulk.commit_group()
            T.ptx.cp.async_.bulk.wait_group(0)
        if t == 64:
            T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([0]), 512)
            T.ptx[LOAD](s.ptr_to([1, 0]), b.ptr_to([bx, 0]), 512, bar.ptr_to([0]))  # here: nobody met
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        a[bx, t] = s[1, t]

    return kernel


def pair() -> list[Any]:
    a = np.random.default_rng(9).normal(size=(2, 128)).astype(np.float32)
    return [a, np.zeros_like(a)]


def check_bounced(given: list[Any]) -> None:
    assert (given[0] == given[1]).all()
    assert (np.random.default_rng(9).normal(size=(2, 128)).astype(np.float32)[:, ::-1] == given[0]).all()


FAULTY = [
    Faulty(partial(prefetched, tma=True), "a box too many", RaceError, prefetched_arguments, "nobody has waited"),
    Faulty(prefetched, "one too many", RaceError, prefetched_arguments, "nobody has waited"),
    Faulty(prefetched, "without an end", RaceError, prefetched_arguments, "nobody has waited"),
    Faulty(bounced, "the reads alone", RaceError, pair, "a copy on its way writes"),
    Faulty(bounced, "written by a thread", RaceError, pair, "fence"),
    Faulty(unmet, "nobody met", RaceError, pair, "no barrier"),
]
CLEAN = [
    *(
        Clean(f"{'boxes' if tma else 'rows'} loaded {ahead} ahead", partial(prefetched, "", tma, ahead), prefetched_arguments, check_prefetched)
        for tma, ahead in ((False, 1), (True, 2), (False, 3))
    ),
    Clean("a store loaded by its thread", partial(bounced, ""), pair, check_bounced),
    Clean("a store loaded by another thread", partial(bounced, "", True), pair, check_bounced),
]
