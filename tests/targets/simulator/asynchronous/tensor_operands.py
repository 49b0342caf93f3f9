"""Products of an A that lies in tensor memory: of 64 and 128 rows, on D's lanes, written before and not meanwhile."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import AlignmentError, OutOfBoundsError, RaceError, SimulationError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLACKWELL = ("sm_100a",)
ST = "tcgen05.st.sync.aligned.32x32b.x8.b32"


def held(fault: str, rows: int = 64, slab: int = 0) -> PrimFunc:
    """Rows of 16 halves, on all lanes or on 16 of each 32, times 32 columns; lanes bring A there."""
    upper = {"on other lanes": 16 - slab, "at lane 8": 8}.get(fault, slab)
    column = {"beyond": 508, "not allocated": 64}.get(fault, 40)
    d_column = {"over A": 16}.get(fault, 0)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (128, 8), "uint32")
        b = T.match_buffer(B, (32, 16), "float16")
        out = T.match_buffer(D, (128, 32), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        y = pool.alloc_mma((32, 16), "float16", swizzle_mode=1)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        w = T.alloc_local((8,), "uint32")
        d = T.alloc_local((32,), "float32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 64)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        for i in T.serial(4):
            y[t // 4, t % 4 * 4 + i] = b[t // 4, t % 4 * 4 + i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        own = T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0)
        for c in T.serial(8):
            w[c] = a[t, c]
        if fault != "not there":
            T.ptx[ST](own + T.uint32(40), *[w[c] for c in range(8)])
        if fault != "not waited for":
            T.ptx.tcgen05.wait__st()
        if fault != "no fence":
            T.ptx.tcgen05.fence__before_thread_sync()
        T.cuda.cta_sync()
        T.ptx.tcgen05.fence__after_thread_sync()
        T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=rows, N=32, K=16, trans_a=False, trans_b=False)
        left = T.cuda.get_tmem_addr(where[0], upper, column)
        if t == 0:
            T.ptx.tcgen05.mma.kind__f16(T.cuda.get_tmem_addr(where[0], slab, d_column), left, T.matrix_descriptor(y, unit="tcgen05"), idesc[0], 0)  # here: on other lanes, at lane 8, beyond, not allocated, over A, not there, not waited for, no fence
            T.ptx.tcgen05.commit(bar.ptr_to([0]))
        if fault == "changed meanwhile":
            if t >= 32:
                if t < 64:
                    T.ptx[ST](own + T.uint32(40), *[w[c] for c in range(8)])  # here: changed meanwhile
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        if rows == 128:
            T.ptx["tcgen05.ld.sync.aligned.32x32b.x32.b32"](*[d[i] for i in range(32)], own)
            T.ptx.tcgen05.wait__ld()
            for i in T.serial(32):
                out[t, i] = d[i]
        else:
            T.ptx["tcgen05.ld.sync.aligned.16x64b.x16.b32"](*[d[i] for i in range(16)], T.cuda.get_tmem_addr(own, slab, 0))
            T.ptx.tcgen05.wait__ld()
            for i in T.serial(16):
                out[t, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 64)

    return kernel


def operands() -> list[Any]:
    rng = np.random.default_rng(11)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((128, 16), (32, 16)))
    return [a.view(np.uint32), b, np.zeros((128, 32), np.float32)]


def check(given: list[Any], rows: int = 64, slab: int = 0) -> None:
    """Rows are those of the lanes; those of 64 come back as 16x64b has them."""
    a, b, out = given
    whole = a.view(np.float16).astype(np.float32) @ b.astype(np.float32).T
    if rows == 128:
        assert (out == whole).all()
        return
    for thread in range(128):
        lane = thread % 32
        row = thread // 32 * 32 + slab + lane // 4 + lane % 2 * 8
        assert (out[thread, :16] == whole[row, lane // 2 % 2 + 2 * np.arange(16)]).all()


FAULTY = [
    Faulty(held, name, error, operands, match, BLACKWELL)
    for name, error, match in (
        ("on other lanes", SimulationError, "an A from lane 16 of tensor memory on, and a D from lane 0 on; rows of both lie"),
        ("at lane 8", AlignmentError, "lane 8 of tensor memory for a matrix of 64 rows"),
        ("beyond", OutOfBoundsError, "column 512 of tensor memory, which has 512|has not allocated"),
        ("not allocated", OutOfBoundsError, "column 64 of tensor memory, which its block has not allocated"),
        ("over A", SimulationError, "gives a D over what its product reads beside it, in column 40"),
        ("not there", UninitializedError, "which nothing has written"),
        ("not waited for", RaceError, "for which nobody has waited: tcgen05.wait::st"),
        ("no fence", RaceError, "no tcgen05.fence::before_thread_sync"),
        ("changed meanwhile", RaceError, "a product on its way reads"),
    )
]
CLEAN = [
    Clean(f"a product of {rows} rows from lane {slab} on in tensor memory", partial(held, "", rows, slab), operands, partial(check, rows=rows, slab=slab), BLACKWELL)
    for rows, slab in ((128, 0), (64, 0), (64, 16))
]
