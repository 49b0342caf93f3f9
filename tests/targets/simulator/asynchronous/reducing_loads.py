"""Loads of tensor memory that reduce: what they load and what they reduce it to is there once they are waited for."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import OutOfBoundsError, RaceError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

ULTRA = ("sm_103a",)
ST = "tcgen05.st.sync.aligned.32x32b.x16.b32"


def reduced(fault: str, how: str = "max.f32", kind: str = "float32") -> PrimFunc:
    """Each of 128 lanes stores a row of 16 words, loads it again, and gets its least or greatest."""
    column = {"beyond": 24}.get(fault, 0)
    text = f"tcgen05.ld.red.sync.aligned.32x32b.x16.{how}"

    @T.prim_func
    def kernel(A: T.handle, D: T.handle, R: T.handle) -> None:
        a = T.match_buffer(A, (128, 16), kind)
        out = T.match_buffer(D, (128, 16), kind)
        best = T.match_buffer(R, (128,), kind)
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        where = T.alloc_shared((1,), "uint32")
        d = T.alloc_local((16,), kind)
        r = T.alloc_local((1,), kind)
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 32)
        T.cuda.cta_sync()
        own = T.cuda.get_tmem_addr(where[0], t // 32 * 32, column)
        for c in T.serial(16):
            d[c] = a[t, c]
        if fault != "not there":
            T.ptx[ST](own, *[d[c] for c in range(16)])  # here: beyond
        if fault != "stored meanwhile":
            T.ptx.tcgen05.wait__st()
        T.ptx[text](*[d[c] for c in range(16)], r[0], own)  # here: not there, stored meanwhile
        if fault == "read before the wait":
            best[t] = r[0]  # here: read before the wait
        if fault == "written before the wait":
            d[3] = a[t, 3]  # here: written before the wait
        T.ptx.tcgen05.wait__ld()
        for c in T.serial(16):
            out[t, c] = d[c]
        best[t] = r[0]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 32)

    return kernel


def operands(kind: str = "float32") -> list[Any]:
    rng = np.random.default_rng(17)
    a = rng.normal(size=(128, 16)).astype(np.float32) if kind == "float32" else rng.integers(-9, 9, (128, 16)).astype(kind)
    return [a, np.zeros_like(a), np.zeros(128, a.dtype)]


def check(given: list[Any], how: str = "max.f32") -> None:
    a, out, best = given
    numbers = np.abs(a) if "abs" in how else a
    assert (out == a).all()
    assert (best == (numbers.max(axis=1) if "max" in how else numbers.min(axis=1))).all()


FAULTY = [
    Faulty(reduced, name, error, operands, match, ULTRA)
    for name, error, match in (
        ("not there", UninitializedError, "which nothing has written"),
        ("stored meanwhile", RaceError, "a copy on its way writes, for which nobody has waited: tcgen05.wait::st"),
        ("read before the wait", RaceError, "tcgen05.wait::ld"),
        ("written before the wait", RaceError, "tcgen05.wait::ld"),
        ("beyond", OutOfBoundsError, "column 32 of tensor memory, which its block has not allocated"),
    )
]
CLEAN = [
    Clean(f"rows of tensor memory and their {how}", partial(reduced, "", how, kind), partial(operands, kind), partial(check, how=how), ULTRA)
    for how, kind in (("max.f32", "float32"), ("min.abs.NaN.f32", "float32"), ("min.s32", "int32"), ("max.u32", "uint32"))
]
