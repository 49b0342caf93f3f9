"""cp.asyncs that arrive at an mbarrier when they are done: who waits for groups knows of its committed ones alone."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import RaceError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T


def waiting(fault: str, wait: int = 0, ends: str = "before", reads: int = 1, by: str = "groups") -> PrimFunc:
    """Each lane copies two numbers, arrives at an mbarrier when they are there, and reads one that it has waited for."""
    wait = {"the other group": 1}.get(fault, wait)
    ends = {"neither committed": "none", "next copy": "none", "committed after the wait": "late"}.get(fault, ends)
    one = "end" if fault != "neither committed" else "none"
    skew = 1 if fault == "neighbour's copy" or by in ("phase", "twice") else 0
    number = 0 if fault == "neither committed" else reads

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 128), "int32")
        b = T.match_buffer(B, (128,), "int32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        s = T.alloc_shared((2, 128), "int32")
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 128)
        T.cuda.cta_sync()
        T.ptx.cp.async_.ca.shared.global_(s.ptr_to([0, t]), a.ptr_to([0, t]), 4)
        if one == "end":
            T.ptx.cp.async_.commit_group()
        T.ptx.cp.async_.ca.shared.global_(s.ptr_to([1, t]), a.ptr_to([1, t]), 4)
        if ends == "before":
            T.ptx.cp.async_.commit_group()
        T.ptx.cp.async_.mbarrier.arrive.noinc.shared.b64(bar.ptr_to([0]))
        if ends == "after":
            T.ptx.cp.async_.commit_group()
        if by == "phase":
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        elif by == "all":
            T.ptx.cp.async_.wait_all()
        else:
            T.ptx.cp.async_.wait_group(wait)
        if by == "twice":
            T.cuda.cta_sync()
            T.ptx.cp.async_.wait_group(0)
        if ends == "late":
            T.ptx.cp.async_.commit_group()
        b[t] = s[number, t ^ skew]  # here: the other group, neither committed, next copy, committed after the wait, neighbour's copy

    return kernel


def arguments() -> list[Any]:
    return [np.random.default_rng(3).integers(-99, 99, (2, 128)).astype(np.int32), np.zeros(128, np.int32)]


def check(given: list[Any], row: int = 1, skew: int = 0) -> None:
    assert (given[1] == given[0][row, np.arange(128) ^ skew]).all()


FAULTY = [
    Faulty(waiting, fault, RaceError, arguments, "no barrier between|on its way")
    for fault in (
        "the other group",
        "neither committed",
        "next copy",
        "committed after the wait",
        "neighbour's copy",
    )
]
CLEAN = [
    Clean("both groups have arrived, and are waited for", partial(waiting, ""), arguments, check),
    Clean("one of two groups that have arrived", partial(waiting, "", 1, reads=0), arguments, partial(check, row=0)),
    Clean(
        "the committed one of two copies", partial(waiting, "", ends="none", reads=0), arguments, partial(check, row=0)
    ),
    Clean("committed when it has arrived", partial(waiting, "", ends="after"), arguments, check),
    Clean("all copies, committed or not", partial(waiting, "", ends="none", by="all"), arguments, check),
    Clean(
        "groups that all have waited for, again", partial(waiting, "", by="twice"), arguments, partial(check, skew=1)
    ),
    Clean(
        "the phase, not the groups", partial(waiting, "", ends="none", by="phase"), arguments, partial(check, skew=1)
    ),
]
