"""Block-scaled products: factors that are not there, not the same everywhere, or changed meanwhile."""

from __future__ import annotations

from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
from faults import Clean, Faulty

from tilewright.errors import AlignmentError, OutOfBoundsError, RaceError, SimulationError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLACKWELL = ("sm_100a",)
ST = "tcgen05.st.sync.aligned.32x32b.x4.b32"


def scaled(fault: str, copied: bool = True) -> PrimFunc:
    """128 x 64 times 32 x 64 of 4 bits, sixteen elements with a factor; factors are copied, or lanes store them."""
    lane = {"at lane 32": 32}.get(fault, 0)
    column = {"beyond": 512, "not allocated": 128}.get(fault, 32)
    wrong = {"no such ID": 1 << 29, "shifted": 2 << 29}.get(fault, 0)
    period = {"not everywhere": 64}.get(fault, 32)
    to = {"over its factors": 8}.get(fault, 0)
    copies = copied and fault not in ("not everywhere", "no fence", "not waited for")

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, U: T.handle, V: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (128, 32), "uint8")
        b = T.match_buffer(B, (32, 32), "uint8")
        u = T.match_buffer(U, (64, 4), "uint32")
        v = T.match_buffer(V, (32, 4), "uint32")
        out = T.match_buffer(D, (128, 32), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((128, 32), "uint8", swizzle_mode=1)
        y = pool.alloc_mma((32, 32), "uint8", swizzle_mode=1)
        rows = pool.alloc_mma((32, 4), "uint32", swizzle_mode=0)
        columns = pool.alloc_mma((32, 4), "uint32", swizzle_mode=0)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        d = T.alloc_local((32,), "float32")
        w = T.alloc_local((4,), "uint32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 128)
            for c in T.serial(4):
                rows[t, c] = u[t, c]
                columns[t, c] = v[t, c]
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        for i in T.serial(32):
            x[t, i] = a[t, i]
        for i in T.serial(8):
            y[t // 4, t % 4 * 8 + i] = b[t // 4, t % 4 * 8 + i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        own = T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0)
        if not copies:
            for c in T.serial(4):
                w[c] = u[t % period, c]
            T.ptx[ST](own + T.uint32(32), *[w[c] for c in range(4)])
            for c in T.serial(4):
                w[c] = v[t % 32, c]
            T.ptx[ST](own + T.uint32(36), *[w[c] for c in range(4)])
            if fault != "not waited for":
                T.ptx.tcgen05.wait__st()
            if fault != "no fence":
                T.ptx.tcgen05.fence__before_thread_sync()
            T.cuda.cta_sync()
            T.ptx.tcgen05.fence__after_thread_sync()
        sfa = T.cuda.get_tmem_addr(where[0], lane, column)
        T.cuda.tcgen05.encode_instr_descriptor_block_scaled(idesc.data, d_dtype="float32", a_dtype="float4_e2m1fn", b_dtype="float4_e2m1fn", sfa_dtype="float8_e4m3fn", sfb_dtype="float8_e4m3fn", sfa_tmem_addr=0, sfb_tmem_addr=0, M=128, N=32, K=64, trans_a=False, trans_b=False)
        if t == 0:
            if copies:
                if fault != "no factors":
                    T.ptx["tcgen05.cp.cta_group::1.32x128b.warpx4"](where[0] + T.uint32(32), T.matrix_descriptor(rows, unit="tcgen05"))
                T.ptx["tcgen05.cp.cta_group::1.32x128b.warpx4"](where[0] + T.uint32(36), T.matrix_descriptor(columns, unit="tcgen05"))
            T.ptx["tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16"](where[0] + T.uint32(to), T.matrix_descriptor(x, unit="tcgen05"), T.matrix_descriptor(y, unit="tcgen05"), idesc[0] + T.uint32(wrong), sfa, where[0] + T.uint32(36), 0)  # here: over its factors, no factors, at lane 32, beyond, not allocated, no such ID, shifted, not everywhere, no fence, not waited for
            T.ptx.tcgen05.commit(bar.ptr_to([0]))
        if fault == "changed meanwhile":
            for c in T.serial(4):
                w[c] = u[t % 32, c]
            if t >= 32:
                if t < 64:
                    T.ptx[ST](own + T.uint32(32), *[w[c] for c in range(4)])  # here: changed meanwhile
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        T.ptx["tcgen05.ld.sync.aligned.32x32b.x32.b32"](*[d[i] for i in range(32)], own)
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(32):
            out[t, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 128)

    return kernel


def operands() -> list[Any]:
    """Codes of 4 bits, factors as they lie (lane, row / 32, number), and D."""
    rng = np.random.default_rng(5)
    a, b = (rng.integers(0, 256, (rows, 32)).astype(np.uint8) for rows in (128, 32))
    u, v = (rng.integers(40, 72, (lanes, 16)).astype(np.uint8) for lanes in (64, 32))
    return [a, b, u.view(np.uint32), v.view(np.uint32), np.zeros((128, 32), np.float32)]


def numbers(codes: Any, factors: Any) -> Any:
    split = np.stack([codes & 15, codes >> 4], axis=-1).reshape(len(codes), 64)
    held = factors.view(np.uint8).reshape(len(factors), 4, 4).view(ml_dtypes.float8_e4m3fn).astype(np.float64)
    rows = held[:32].swapaxes(0, 1).reshape(128, 4)[: len(codes)]
    return split.view(ml_dtypes.float4_e2m1fn).astype(np.float64) * rows.repeat(16, axis=1)


def check(given: list[Any]) -> None:
    a, b, u, v, out = given
    assert (out == (numbers(a, u) @ numbers(b, v).T).astype(np.float32)).all()


def _faults(*found: tuple[str, type[Exception], str]) -> list[Faulty]:
    return [Faulty(scaled, name, error, operands, match, BLACKWELL) for name, error, match in found]


FAULTY = [
    *_faults(
        ("no factors", UninitializedError, "lanes 0 to 15 of column 32 of tensor memory, which nothing has written"),
        ("at lane 32", AlignmentError, "scale factors of A from lane 32 of tensor memory on; they begin at lane 0"),
        ("beyond", OutOfBoundsError, "column 512 of tensor memory, which has 512"),
        ("not allocated", OutOfBoundsError, "column 128 of tensor memory, which its block has not allocated"),
        ("over its factors", SimulationError, "gives a D over what its product reads beside it, in column 32"),
        ("no such ID", SimulationError, "the scale factor ID of A is one of 0, 2 here, got 1"),
        ("shifted", SimulationError, "four factors are a whole word, of which the ID is 0"),
        ("not everywhere", SimulationError, "lanes 0 and 32 have different ones in column 32"),
        ("no fence", RaceError, "no tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync"),
        ("not waited for", RaceError, "a copy on its way writes, for which nobody has waited: tcgen05.wait::st"),
        ("changed meanwhile", RaceError, "a copy on its way|a product on its way reads|no barrier"),
    )
]
CLEAN = [
    Clean("a scaled product in tensor memory", partial(scaled, ""), operands, check, BLACKWELL),
    Clean("a scaled product of factors that lanes store in tensor memory", partial(scaled, "", False), operands, check, BLACKWELL),
]
