"""Locks cost what their questions do, and who holds one knows what all before him did."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import SimulationError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T


def lock(blocks: int, how: str) -> PrimFunc:
    """Each block counts under a lock, which is released by an exchange or a store, or by fences."""

    @T.prim_func
    def kernel(L: T.Buffer((1,), "uint32"), C: T.Buffer((1,), "int32")):
        T.device_entry()
        T.cta_id([blocks])
        t = T.thread_id([32])
        if t == 0:
            f: T.uint32 = 1
            while f != 0:
                if how == "fences":
                    T.ptx.atom.relaxed.gpu.global_.cas.b32(f, L.ptr_to([0]), 0, 1)
                else:
                    T.ptx.atom.acquire.gpu.global_.cas.b32(f, L.ptr_to([0]), 0, 1)
            if how == "fences":
                T.cuda.thread_fence()
            C[0] = C[0] + 1
            if how == "fences":
                T.cuda.thread_fence()
                T.ptx.atom.relaxed.gpu.global_.exch.b32(f, L.ptr_to([0]), 0)
            elif how == "store":
                T.ptx.st.release.gpu.global_.u32(L.ptr_to([0]), 0)
            else:
                T.ptx.atom.release.gpu.global_.exch.b32(f, L.ptr_to([0]), 0)

    return kernel


@pytest.mark.parametrize("how", ["exchange", "store", "fences"])
def test_who_holds_a_lock_knows_all_before(how: str) -> None:
    for schedule in ({}, {"schedule": "random", "seed": 2}):
        count = np.zeros(1, np.int32)
        tw.compile(lock(96, how))(np.zeros(1, np.uint32), count, **schedule)
        assert count[0] == 96


def test_questions_of_lanes_one_after_the_other_use_up_steps() -> None:
    """So that the limit of steps is one of time: 96 blocks ask about 96 * 96 / 2 times, a step each."""
    with pytest.raises(SimulationError, match="takes more than 4000 simulated ops"):
        tw.compile(lock(96, "exchange"))(np.zeros(1, np.uint32), np.zeros(1, np.int32), steps=4000)
    tw.compile(lock(96, "exchange"))(np.zeros(1, np.uint32), np.zeros(1, np.int32), steps=40000)
