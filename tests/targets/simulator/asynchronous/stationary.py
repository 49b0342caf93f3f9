"""Weight-stationary products in tensor memory: columns of D on parts of the lanes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import AlignmentError, OutOfBoundsError, RaceError, SimulationError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLACKWELL = ("sm_100a",)


def stationary(fault: str, rows: int = 32) -> PrimFunc:
    """Rows of 16 halves times 64 columns, which go on, after so many, on the next lanes."""
    parts = 128 // rows
    wide = 64 // parts
    column = {"beyond": 512 - wide // 2, "not allocated": 64}.get(fault, 0)
    lane, wrong = {"at lane 16": 16}.get(fault, 0), {"narrow": 4 << 17}.get(fault, 0)
    held = fault == "A in tensor memory"

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (rows, 16), "float16")
        b = T.match_buffer(B, (64, 16), "float16")
        out = T.match_buffer(D, (128, wide), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((rows, 16), "float16", swizzle_mode=1)
        y = pool.alloc_mma((64, 16), "float16", swizzle_mode=1)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        d = T.alloc_local((wide,), "float32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 64)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        for i in T.serial(16):
            if t < rows:
                x[t, i] = a[t, i]
            if t < 64:
                y[t, i] = b[t, i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=rows, N=64, K=16, trans_a=False, trans_b=False)
        told = idesc[0] - T.uint32(wrong)
        to = T.cuda.get_tmem_addr(where[0], lane, column)
        if t == 0:
            if held:
                T.ptx["tcgen05.mma.ws.cta_group::1.kind::f16"](to, where[0], T.matrix_descriptor(y, unit="tcgen05"), told, 0)  # here: A in tensor memory
            else:
                T.ptx["tcgen05.mma.ws.cta_group::1.kind::f16"](to, T.matrix_descriptor(x, unit="tcgen05"), T.matrix_descriptor(y, unit="tcgen05"), told, 0)  # here: beyond, not allocated, at lane 16, narrow
            T.ptx.tcgen05.commit(bar.ptr_to([0]))
        if fault != "not waited for":
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        for i in T.serial(wide // 8):
            T.tmem_atom("SM100_TMEM_LOAD_32dp32b8x", d[8 * i], T.cuda.get_tmem_addr(where[0], t // 32 * 32, T.cast(8 * i, "uint32")))  # here: not waited for
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(wide):
            out[t, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 64)

    return kernel


def operands(rows: int = 32) -> list[Any]:
    rng = np.random.default_rng(19)
    a, b = (rng.integers(-4, 5, (count, 16)).astype(np.float16) for count in (rows, 64))
    return [a, b, np.zeros((128, 64 * rows // 128), np.float32)]


def check(given: list[Any]) -> None:
    a, b, out = given
    whole = a.astype(np.float32) @ b.astype(np.float32).T
    assert (np.concatenate(np.split(out, 128 // len(a)), axis=1) == whole).all()


FAULTY = [
    Faulty(stationary, name, error, operands, match, BLACKWELL)
    for name, error, match in (
        ("beyond", OutOfBoundsError, "column 512 of tensor memory, which has 512|has not allocated"),
        ("not allocated", OutOfBoundsError, "column 64 of tensor memory, which its block has not allocated"),
        ("at lane 16", AlignmentError, "lane 16 of tensor memory for a matrix of 32 rows, which begins at lane 0"),
        ("narrow", SimulationError, r"tcgen05.mma.ws has N in \(64, 128, 256\), not 32"),
        ("A in tensor memory", SimulationError, "where A of a tcgen05.mma.ws lies in tensor memory is not known"),
        ("not waited for", RaceError, "a product on its way writes, whose commit nobody has waited for"),
    )
]
CLEAN = [
    Clean(f"a weight-stationary product of {rows} rows in tensor memory", partial(stationary, "", rows), partial(operands, rows), check, BLACKWELL)
    for rows in (32, 64, 128)
]
