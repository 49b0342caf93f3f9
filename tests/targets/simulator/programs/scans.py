"""Scans and histograms: two buffers in turn, warps by themselves, blocks one after another by flags, bins by atomics."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import BarrierError, OutOfBoundsError, RaceError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLOCKS, WIDE, BINS = 4, 128, 16


def scan(fault: str) -> PrimFunc:
    """Sums of all before, in 7 rounds of two buffers in turn."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (BLOCKS, WIDE), "int32")
        b = T.match_buffer(B, (BLOCKS, WIDE), "int32")
        T.device_entry()
        bx = T.cta_id([BLOCKS])
        t = T.thread_id([WIDE])
        s = T.alloc_shared((2, WIDE), "int32")
        s[1 if fault == "starts in the other" else 0, t] = a[bx, t]
        for k in T.serial(7 if fault != "a round too many" else 8):
            far = 1 << k
            if fault == "lanes meet":
                T.cuda.warp_sync()
            elif fault == "those who add meet":
                if t >= far:
                    T.cuda.cta_sync()  # here: those who add meet
            elif fault != "does not meet":
                T.cuda.cta_sync()
            if fault == "no edge":
                s[(k + 1) % 2, t] = s[k % 2, t] + s[k % 2, t - far]  # here: no edge
            elif fault == "in place":
                if t >= far:
                    s[0, t] = s[0, t] + s[0, t - far]  # here: in place
            elif fault == "only those who add":
                if t >= far:
                    s[(k + 1) % 2, t] = s[k % 2, t] + s[k % 2, t - far]  # here: only those who add
            elif fault == "an edge too low":
                s[(k + 1) % 2, t] = s[k % 2, t] + (s[k % 2, t - far] if t >= far - 1 else 0)  # here: an edge too low
            else:
                s[(k + 1) % 2, t] = s[k % 2, t] + (s[k % 2, t - far] if t >= far else 0)  # here: starts in the other, does not meet, lanes meet
        T.cuda.cta_sync()
        b[bx, t] = s[bx if fault == "a third buffer" else 1, t]  # here: a third buffer

    return kernel


def numbers() -> list[Any]:
    a = (np.arange(BLOCKS * WIDE).reshape(BLOCKS, WIDE) % 11).astype(np.int32)
    return [a, np.zeros_like(a)]


def check_scan(given: list[Any]) -> None:
    assert (given[1] == given[0].cumsum(axis=1)).all()


def of_warps(fault: str) -> PrimFunc:
    """Each warp scans its own part of shared memory, and meets nobody else."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (BLOCKS, WIDE), "int32")
        b = T.match_buffer(B, (BLOCKS, WIDE), "int32")
        T.device_entry()
        bx = T.cta_id([BLOCKS])
        t = T.thread_id([WIDE])
        s = T.alloc_shared((WIDE,), "int32")
        s[t] = a[bx, t]
        for k in T.serial(5):
            far = 1 << k
            if fault != "no meeting before":
                T.cuda.warp_sync()
            x: T.int32 = s[t] + (s[t - far] if t % 32 >= far else 0)  # here: no meeting before
            if fault == "lanes that add meet":
                if t % 32 >= far:
                    T.cuda.warp_sync()  # here: lanes that add meet
            elif fault != "no meeting between":
                T.cuda.warp_sync()
            s[t] = x  # here: no meeting between
        if fault == "no meeting at the end":
            b[bx, t] = s[t // 32 * 32 + 31 - t % 32]  # here: no meeting at the end
        elif fault == "the next lane's":
            s[(t + 1) % WIDE] = t  # here: the next lane's
        elif fault == "one place a warp":
            s[t // 32] = t  # here: one place a warp
        else:
            b[bx, t] = s[t]

    return kernel


def check_warps(given: list[Any]) -> None:
    assert (given[1].reshape(-1, 32) == given[0].reshape(-1, 32).cumsum(axis=1)).all()


def chained(fault: str) -> PrimFunc:
    """Each block adds what the one before it publishes beside a flag, and publishes its own sum."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, F: T.handle) -> None:
        a = T.match_buffer(A, (BLOCKS, WIDE), "int32")
        b = T.match_buffer(B, (BLOCKS + 1,), "int32")
        flags = T.match_buffer(F, (BLOCKS + 1,), "uint32")
        T.device_entry()
        bx = T.cta_id([BLOCKS])
        t = T.thread_id([WIDE])
        s = T.alloc_shared((1,), "int32")
        if fault != "the sum starts nowhere":
            if t == 0:
                s[0] = 0
        if fault != "no barrier behind the zero":
            T.cuda.cta_sync()
        T.cuda.atomic_add(s.ptr_to([0]), a[bx, t])  # here: the sum starts nowhere, no barrier behind the zero
        T.cuda.cta_sync()
        if t == 0:
            if bx > 0 or fault == "the first waits, too":
                f: T.uint32 = 0
                if fault == "for its own flag":
                    while f == 0:  # here: for its own flag
                        T.ptx.ld.acquire.gpu.global_.u32(f, flags.ptr_to([bx + 1]))
                elif fault == "for another number":
                    while f != 2:  # here: for another number
                        T.ptx.ld.acquire.gpu.global_.u32(f, flags.ptr_to([bx]))
                elif fault == "for the block behind":
                    while f == 0:  # here: for the block behind
                        T.ptx.ld.acquire.gpu.global_.u32(f, flags.ptr_to([(bx + 2) % (BLOCKS + 1)]))
                elif fault == "once":
                    T.ptx.ld.acquire.gpu.global_.u32(f, flags.ptr_to([bx]))
                elif fault == "relaxed":
                    while f == 0:
                        T.ptx.ld.relaxed.gpu.global_.u32(f, flags.ptr_to([bx]))
                else:
                    while f == 0:  # here: never published, published elsewhere, published by the last, the first waits, too
                        T.ptx.ld.acquire.gpu.global_.u32(f, flags.ptr_to([bx]))
            if fault == "written after":
                T.ptx.st.release.gpu.global_.u32(flags.ptr_to([bx + 1]), 1)
            b[bx + 1] = b[bx] + s[0]  # here: relaxed, published relaxed, once, written after
            if fault == "published elsewhere":
                T.ptx.st.release.gpu.global_.u32(flags.ptr_to([0]), 1)
            elif fault == "published by the last":
                if bx == BLOCKS - 1:
                    T.ptx.st.release.gpu.global_.u32(flags.ptr_to([bx + 1]), 1)
            elif fault == "published relaxed":
                T.ptx.st.relaxed.gpu.global_.u32(flags.ptr_to([bx + 1]), 1)
            elif fault != "never published" and fault != "written after":
                T.ptx.st.release.gpu.global_.u32(flags.ptr_to([bx + 1]), 1)

    return kernel


def chain() -> list[Any]:
    a = (np.arange(BLOCKS * WIDE).reshape(BLOCKS, WIDE) % 9).astype(np.int32)
    return [a, np.zeros(BLOCKS + 1, np.int32), np.zeros(BLOCKS + 1, np.uint32)]


def check_chain(given: list[Any]) -> None:
    assert (given[1][1:] == given[0].sum(axis=1).cumsum()).all()


def histogram(fault: str) -> PrimFunc:
    """Bins in shared memory by atomics, then added to those of all blocks."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (BLOCKS, WIDE), "int32")
        b = T.match_buffer(B, (BINS,), "int32")
        T.device_entry()
        bx = T.cta_id([BLOCKS])
        t = T.thread_id([WIDE])
        bins = T.alloc_shared((BINS,), "int32")
        if fault == "bins not empty":
            if t < BINS - 1:
                bins[t] = 0
        else:
            if t < BINS:
                bins[t] = 0
        if fault != "no barrier behind the zeros":
            T.cuda.cta_sync()
        bin = a[bx, t] % BINS
        if fault == "added by hand":
            bins[bin] = bins[bin] + 1  # here: added by hand
        elif fault == "numbers from 1":
            T.cuda.atomic_add(bins.ptr_to([bin + 1]), 1)  # here: numbers from 1
        else:
            T.cuda.atomic_add(bins.ptr_to([bin]), 1)  # here: bins not empty, no barrier behind the zeros
        if fault != "no barrier behind the counts":
            T.cuda.cta_sync()
        if t < BINS:
            if fault == "blocks add by hand":
                b[t] = b[t] + bins[t]  # here: blocks add by hand
            elif fault == "blocks store":
                b[t] = bins[t] * (bx + 1)  # here: blocks store
            else:
                T.cuda.atomic_add(b.ptr_to([t]), bins[t])  # here: no barrier behind the counts
        elif fault == "counted by all":
            b[t % BINS] = 0  # here: counted by all

    return kernel


def counted() -> list[Any]:
    a = (np.arange(BLOCKS * WIDE).reshape(BLOCKS, WIDE) ** 2 % 53).astype(np.int32)
    return [a, np.zeros(BINS, np.int32)]


def check_counted(given: list[Any]) -> None:
    assert (given[1] == np.bincount(given[0].reshape(-1) % BINS, minlength=BINS)).all()


FAULTY = [
    Faulty(scan, "starts in the other", UninitializedError, numbers, "of s"),
    Faulty(scan, "those who add meet", BarrierError, numbers, "of its cta"),
    Faulty(scan, "does not meet", RaceError, numbers, "no barrier"),
    Faulty(scan, "lanes meet", RaceError, numbers, "no barrier"),
    Faulty(scan, "in place", RaceError, numbers, "no barrier"),
    Faulty(scan, "no edge", OutOfBoundsError, numbers, "coordinate -1"),
    Faulty(scan, "only those who add", UninitializedError, numbers, "element 128 of s"),
    Faulty(scan, "an edge too low", OutOfBoundsError, numbers, "coordinate -1"),
    Faulty(scan, "a third buffer", OutOfBoundsError, numbers, "coordinate 2"),
    Faulty(of_warps, "no meeting before", RaceError, numbers, "no barrier"),
    Faulty(of_warps, "no meeting between", RaceError, numbers, "no barrier"),
    Faulty(of_warps, "lanes that add meet", BarrierError, numbers, "of its warp"),
    Faulty(of_warps, "no meeting at the end", RaceError, numbers, "no barrier"),
    Faulty(of_warps, "the next lane's", RaceError, numbers, "no barrier"),
    Faulty(of_warps, "one place a warp", RaceError, numbers, "no barrier"),
    *(
        Faulty(chained, name, BarrierError, chain, "go round in a loop")
        for name in (
            "for its own flag",
            "for another number",
            "for the block behind",
            "never published",
            "published elsewhere",
            "published by the last",
        )
    ),
    Faulty(chained, "relaxed", RaceError, chain, "no barrier"),
    Faulty(chained, "published relaxed", RaceError, chain, "no barrier"),
    Faulty(chained, "written after", RaceError, chain, "no barrier"),
    Faulty(chained, "once", RaceError, chain, "no barrier"),
    Faulty(chained, "the sum starts nowhere", UninitializedError, chain, "element 0 of s"),
    Faulty(chained, "no barrier behind the zero", RaceError, chain, "no barrier"),
    Faulty(histogram, "bins not empty", UninitializedError, counted, "element 15 of bins"),
    Faulty(histogram, "no barrier behind the zeros", RaceError, counted, "no barrier"),
    Faulty(histogram, "added by hand", RaceError, counted, "no barrier"),
    Faulty(histogram, "numbers from 1", OutOfBoundsError, counted, "coordinate 16"),
    Faulty(histogram, "no barrier behind the counts", RaceError, counted, "no barrier"),
    Faulty(histogram, "blocks add by hand", RaceError, counted, "no barrier"),
    Faulty(histogram, "blocks store", RaceError, counted, "no barrier"),
    Faulty(histogram, "counted by all", RaceError, counted, "no barrier"),
]
CLEAN = [
    Clean("a scan in two buffers", partial(scan, ""), numbers, check_scan),
    Clean("a scan of each warp", partial(of_warps, ""), numbers, check_warps, ("sm_90",)),
    Clean("sums of all blocks before", partial(chained, ""), chain, check_chain),
    Clean("a histogram", partial(histogram, ""), counted, check_counted),
]
