"""Copies that arrive more often than an mbarrier waits for are told as such, and never as arrivals that it lacks."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import SimulationError
from tilewright.script import tirx as T


@T.prim_func
def twice_as_many(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((32,), "float32")
    bar = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init(bar.ptr_to([0]), 16)
    T.cuda.cta_sync()
    T.ptx.cp.async_.ca.shared.global_(s.ptr_to([t]), A.ptr_to([t]), 4)
    T.ptx.cp.async_.mbarrier.arrive.noinc(bar.ptr_to([0]))
    T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
    B[t] = s[t]


def test_too_many_arrivals_of_copies() -> None:
    a, b = np.zeros(32, np.float32), np.zeros(32, np.float32)
    with pytest.raises(SimulationError, match="32 arrivals have come in its phase 0, which waits for 16"):
        tw.compile(twice_as_many)(a, b)
