"""Sparse products in tensor memory: metadata that is not there, says nothing, or changes meanwhile."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import AlignmentError, OutOfBoundsError, RaceError, SimulationError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLACKWELL = ("sm_100a",)
ST = "tcgen05.st.sync.aligned.32x32b.x1.b32"


def sparse(fault: str, selector: int = 0) -> PrimFunc:
    """128 x 32, of which half is stored, times 32 x 32."""
    lane = {"at lane 16": 16}.get(fault, 0)
    column = {"beyond": 511, "not allocated": 64}.get(fault, 32)
    wrong = {"told dense": -4, "64 rows": -(4 << 24), "a selector beyond": 3}.get(fault, selector)
    text = "tcgen05.mma.cta_group::1.kind::f16" if fault == "an A that is dense" else "tcgen05.mma.sp.cta_group::1.kind::f16"

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, U: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (128, 16), "float16")
        b = T.match_buffer(B, (32, 32), "float16")
        u = T.match_buffer(U, (128,), "uint32")
        out = T.match_buffer(D, (128, 32), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((128, 16), "float16", swizzle_mode=1)
        y = pool.alloc_mma((32, 32), "float16", swizzle_mode=2)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        d = T.alloc_local((32,), "float32")
        w = T.alloc_local((1,), "uint32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 64)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        for i in T.serial(16):
            x[t, i] = a[t, i]
        for i in T.serial(8):
            y[t // 4, t % 4 * 8 + i] = b[t // 4, t % 4 * 8 + i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        own = T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0)
        w[0] = u[t]
        if fault == "says nothing":
            if t == 37:
                w[0] = u[t] & T.uint32(0xFFFFFF0F)
        if fault != "no metadata":
            T.ptx[ST](own + T.uint32(32 + selector), w[0])
            T.ptx.tcgen05.wait__st()
        if fault != "no fence":
            T.ptx.tcgen05.fence__before_thread_sync()
        T.cuda.cta_sync()
        T.ptx.tcgen05.fence__after_thread_sync()
        T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=128, N=32, K=32, trans_a=False, trans_b=False, is_sparse=True)
        meta = T.cuda.get_tmem_addr(where[0], lane, column)
        if t == 0:
            if fault == "an A that is dense":
                T.ptx[text](where[0], T.matrix_descriptor(x, unit="tcgen05"), T.matrix_descriptor(y, unit="tcgen05"), idesc[0], 0)  # here: an A that is dense
            else:
                T.ptx[text](where[0], T.matrix_descriptor(x, unit="tcgen05"), T.matrix_descriptor(y, unit="tcgen05"), meta, idesc[0] + T.uint32(wrong & 0xFFFFFFFF), 0)  # here: no metadata, says nothing, at lane 16, beyond, not allocated, told dense, 64 rows, a selector beyond, no fence
            T.ptx.tcgen05.commit(bar.ptr_to([0]))
        if fault == "changed meanwhile":
            if t >= 96:
                T.ptx[ST](own + T.uint32(32), w[0])  # here: changed meanwhile
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        T.ptx["tcgen05.ld.sync.aligned.32x32b.x32.b32"](*[d[i] for i in range(32)], own)
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(32):
            out[t, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 64)

    return kernel


def operands() -> list[Any]:
    """The first and the last of each four are stored: 0b1100."""
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((128, 16), (32, 32)))
    return [a, b, np.full(128, 0xCCCCCCCC, np.uint32), np.zeros((128, 32), np.float32)]


def check(given: list[Any]) -> None:
    a, b = (x.astype(np.float32) for x in given[:2])
    columns = np.arange(32).reshape(8, 4)[:, [0, 3]].reshape(-1)
    assert (given[3] == a @ b[:, columns].T).all()


def _faults(*found: tuple[str, type[Exception], str]) -> list[Faulty]:
    return [Faulty(sparse, name, error, operands, match, BLACKWELL) for name, error, match in found]


FAULTY = [
    *_faults(
        ("no metadata", UninitializedError, "lanes 0 to 15 of column 32 of tensor memory, which nothing has written"),
        ("says nothing", SimulationError, "the metadata 0b0000 for elements 4 to 7 of row 37 of A, which says no places"),
        ("at lane 16", AlignmentError, "metadata of A from lane 16 of tensor memory on; it begins at lane 0"),
        ("beyond", OutOfBoundsError, "column 511 of tensor memory, which its block has not allocated"),
        ("not allocated", OutOfBoundsError, "column 64 of tensor memory, which its block has not allocated"),
        ("told dense", SimulationError, "that says a dense A, and the instruction is .sp"),
        ("an A that is dense", SimulationError, "that says a sparse A, and the instruction is not .sp"),
        ("64 rows", SimulationError, "where metadata of 64 rows of a CTA lies is not known here"),
        ("a selector beyond", UninitializedError, "column 35 of tensor memory, which nothing has written"),
        ("no fence", RaceError, "no tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync"),
        ("changed meanwhile", RaceError, "a product on its way reads|no barrier"),
    )
]
CLEAN = [
    Clean("a sparse product in tensor memory", partial(sparse, ""), operands, check, BLACKWELL),
    Clean("a sparse product with another selector in tensor memory", partial(sparse, "", 2), operands, check, BLACKWELL),
]
