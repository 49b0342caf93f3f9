"""Tensor memory as kernels use it: accumulators that warps keep there, column by column."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import OutOfBoundsError, SimulationError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLACKWELL = ("sm_100a",)
LD, ST = ("tcgen05.ld.sync.aligned.32x32b.x4.b32", "tcgen05.st.sync.aligned.32x32b.x4.b32")
WIDE = "tcgen05.ld.sync.aligned.32x32b.x16.b32"


def kept(fault: str, steps: int = 4) -> PrimFunc:
    """Each warp keeps 16 sums a lane in columns, adds to four of them in each of so many rounds, and reads them all."""
    stored = {"a round is left out": 3, "no round": 0}.get(fault, 4)
    column = {"beyond what it has": 20, "before what it has": 480, "a column on": 17, "the last four and more": 30}.get(fault, 0)
    first = {"begins at the second": 1}.get(fault, 0)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 128, 16), "int32")
        b = T.match_buffer(B, (2, 128, 16), "int32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([128])
        where = T.alloc_shared((2,), "uint32")
        d = T.alloc_local((4,), "int32")
        e = T.alloc_local((16,), "int32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 32)  # here: never given back, one block keeps them
            if fault == "too many":
                T.ptx.tcgen05.alloc(where.ptr_to([1]), 512)  # here: too many
            if fault == "a second time":
                T.ptx.tcgen05.alloc(where.ptr_to([1]), 64)  # here: a second time
            T.ptx.tcgen05.relinquish_alloc_permit()
        T.cuda.cta_sync()
        at = T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0)
        for j in T.unroll(4):
            if j >= first:
                if j < stored:
                    for i in T.serial(4):
                        d[i] = 0
                    if fault != "some warps begin" or t < 96:
                        if fault != "warps in turn" or t // 32 == j:
                            T.ptx[ST](T.cuda.get_tmem_addr(at, 0, 4 * j), *[d[i] for i in range(4)])
                            T.ptx.tcgen05.wait__st()
        for k in T.serial(steps):
            for j in T.unroll(4):
                T.ptx[LD](*[d[i] for i in range(4)], T.cuda.get_tmem_addr(at, 0, 4 * j + column))  # here: a round is left out, no round, begins at the second, some warps begin, warps in turn, beyond what it has, before what it has, a column on, the last four and more
                T.ptx.tcgen05.wait__ld()
                for i in T.serial(4):
                    d[i] = d[i] + a[bx, t, 4 * j + i] * (k + 1)
                T.ptx[ST](T.cuda.get_tmem_addr(at, 0, 4 * j), *[d[i] for i in range(4)])
                T.ptx.tcgen05.wait__st()
        if fault == "given back and read":
            T.cuda.cta_sync()
            if t < 32:
                T.ptx.tcgen05.dealloc(where[0], 32)
            T.cuda.cta_sync()
        if fault == "eight on":
            T.ptx[WIDE](*[e[i] for i in range(16)], T.cuda.get_tmem_addr(at, 0, 8))  # here: eight on
        T.ptx[WIDE](*[e[i] for i in range(16)], at)  # here: given back and read
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(16):
            b[bx, t, i] = e[i]
        T.cuda.cta_sync()
        if t < 32:
            if fault == "half of them back":
                T.ptx.tcgen05.dealloc(where[0], 64)  # here: half of them back
            elif fault == "others back":
                T.ptx.tcgen05.dealloc(where[0] + T.uint32(4), 32)  # here: others back
            elif fault == "one block keeps them":
                if bx == 0:
                    T.ptx.tcgen05.dealloc(where[0], 32)
            elif fault != "never given back":
                T.ptx.tcgen05.dealloc(where[0], 32)

    return kernel


def sums() -> list[Any]:
    a = (np.arange(2 * 128 * 16).reshape(2, 128, 16) % 37).astype(np.int32)
    return [a, np.zeros_like(a)]


def check_sums(steps: int, given: list[Any]) -> None:
    assert (given[1] == given[0] * sum(range(1, steps + 1))).all()


FAULTY = [
    *(
        Faulty(kept, name, UninitializedError, sums, "which nothing has written", BLACKWELL)
        for name in ("a round is left out", "no round", "begins at the second", "some warps begin", "warps in turn", "a column on", "eight on", "beyond what it has")
    ),
    *(
        Faulty(kept, name, OutOfBoundsError, sums, "column", BLACKWELL)
        for name in ("before what it has", "the last four and more", "given back and read")
    ),
    *(
        Faulty(kept, name, SimulationError, sums, match, BLACKWELL)
        for name, match in (
            ("never given back", "nobody gave back"),
            ("one block keeps them", "nobody gave back"),
            ("too many", "of which 480 are left"),
            ("a second time", "nobody gave back"),
            ("half of them back", "gives back 64 columns"),
            ("others back", "gives back 32 columns"),
        )
    ),
]
CLEAN = [
    Clean(
        f"sums in columns, {steps} rounds", partial(kept, "", steps), sums, partial(check_sums, steps), BLACKWELL
    )
    for steps in (1, 4)
]
