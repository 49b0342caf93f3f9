"""Buffers of tensor memory by a pool: columns that are leaked, used before or after they are there, or not theirs."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import OutOfBoundsError, RaceError, SimulationError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLACKWELL = ("sm_100a",)
ST, LD = "tcgen05.st.sync.aligned.32x32b.x8.b32", "tcgen05.ld.sync.aligned.32x32b.x32.b32"


def pooled(fault: str, back: int = 1) -> PrimFunc:
    """128 x 16 in tensor memory times 32 x 16; one warp allocates, one gives back."""
    meets = fault != "before the block has met"

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (128, 8), "uint32")
        b = T.match_buffer(B, (32, 16), "float16")
        out = T.match_buffer(D, (128, 32), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        columns = T.TMEMPool(pool, 64, alloc_warp=1, dealloc_warp=back, sync_after_alloc=meets)
        acc = columns.alloc_tcgen05_mma_D((128, 32), "float32", M=128)
        left = columns.alloc_tcgen05_mma_A((128, 16), "float16", M=128, cols=32)
        y = pool.alloc_mma((32, 16), "float16", swizzle_mode=1)
        bar = T.alloc_shared((1,), "uint64")
        idesc = T.alloc_local((1,), "uint32")
        w = T.alloc_local((8,), "uint32")
        d = T.alloc_local((32,), "float32")
        columns.commit()  # here: never given back
        for c in T.serial(8):
            w[c] = a[t, c]
        T.ptx[ST](T.cuda.get_tmem_addr(left, t // 32 * 32, 32 if fault == "beside its buffer" else 0), *[w[c] for c in range(8)])  # here: before the block has met, beside its buffer
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        for i in T.serial(4):
            y[t // 4, t % 4 * 4 + i] = b[t // 4, t % 4 * 4 + i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.ptx.tcgen05.wait__st()
        T.ptx.tcgen05.fence__before_thread_sync()
        T.cuda.cta_sync()
        T.ptx.tcgen05.fence__after_thread_sync()
        T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=128, N=32, K=16, trans_a=False, trans_b=False)
        if t == 0:
            T.ptx.tcgen05.mma.kind__f16(acc, left, T.matrix_descriptor(y, unit="tcgen05"), idesc[0], 0)
            T.ptx.tcgen05.commit(bar.ptr_to([0]))
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        T.ptx[LD](*[d[i] for i in range(32)], T.cuda.get_tmem_addr(acc.allocated_addr[0], t // 32 * 32, 0))
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(32):
            out[t, i] = d[i]
        if fault != "before all have read":
            T.cuda.cta_sync()
        if fault != "never given back":
            columns.dealloc()  # here: before all have read
        if fault == "twice":
            columns.dealloc()  # here: twice

    return kernel


def viewed() -> PrimFunc:
    """A view of an address: two buffers over the same columns, one after the other."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (128, 8), "uint32")
        b = T.match_buffer(B, (128, 8), "uint32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        where = pool.alloc((1,), "uint32")
        columns = T.TMEMPool(pool, 32, tmem_addr=where)
        columns.move_base_to(16)
        first = columns.alloc((128, 8), "uint32")
        columns.move_base_to(16)
        columns.alloc((128, 16), "uint32")
        w = T.alloc_local((8,), "uint32")
        columns.commit()
        view = T.decl_buffer((128, 8), "uint32", scope="tmem", allocated_addr=columns.addr + T.uint32(16))
        for c in T.serial(8):
            w[c] = a[t, c]
        T.tmem_atom("SM100_TMEM_STORE_32dp32b8x", w, T.cuda.get_tmem_addr(first, t // 32 * 32, 0))
        T.ptx.tcgen05.wait__st()
        T.tmem_atom("SM100_TMEM_LOAD_32dp32b8x", w, T.cuda.get_tmem_addr(view, t // 32 * 32, 0))
        T.ptx.tcgen05.wait__ld()
        for c in T.serial(8):
            b[t, c] = w[c]
        T.cuda.cta_sync()
        columns.dealloc()

    return kernel


def operands() -> list[Any]:
    rng = np.random.default_rng(13)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((128, 16), (32, 16)))
    return [a.view(np.uint32), b, np.zeros((128, 32), np.float32)]


def check(given: list[Any]) -> None:
    a, b, out = given
    assert (out == a.view(np.float16).astype(np.float32) @ b.astype(np.float32).T).all()


def words() -> list[Any]:
    return [np.arange(1024, dtype=np.uint32).reshape(128, 8), np.zeros((128, 8), np.uint32)]


def check_words(given: list[Any]) -> None:
    assert (given[0] == given[1]).all()


FAULTY = [
    Faulty(pooled, name, error, operands, match, BLACKWELL)
    for name, error, match in (
        ("never given back", SimulationError, "the block ends with 64 columns of tensor memory, which .* has allocated"),
        ("before the block has met", RaceError, "no barrier"),
        ("beside its buffer", OutOfBoundsError, "column 64 of tensor memory, which its block has not allocated"),
        ("before all have read", RaceError, "tensor memory"),
        ("twice", SimulationError, "gives back 64 columns of tensor memory at 0x0; its block has none"),
    )
]
CLEAN = [
    Clean("columns of a pool, a product in tensor memory", partial(pooled, ""), operands, check, BLACKWELL),
    Clean("columns of a pool that another warp gives back", partial(pooled, "", 3), operands, check, BLACKWELL),
    Clean("a view of columns of a pool", viewed, words, check_words, BLACKWELL),
]
