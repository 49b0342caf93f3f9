"""Products in tensor memory: descriptors, one thread, commits, fences; what they read and write meanwhile."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

import tilewright as tw
from tilewright.errors import (
    AlignmentError,
    BarrierError,
    OutOfBoundsError,
    RaceError,
    SimulationError,
    UninitializedError,
)
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLACKWELL = ("sm_100a",)
TENSOR_LOAD = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"
LD = "tcgen05.ld.sync.aligned.32x32b.x32.b32"


def multiplied(fault: str, again: int = 32) -> PrimFunc:
    """One lane multiplies 128 x 64 by 32 x 64; four warps read the result."""
    column = {"not allocated": 32, "beyond": 500}.get(fault, 0)
    lane = {"at lane 16": 16}.get(fault, 0)
    issuers = {"two lanes": 2}.get(fault, 1)
    told = {"told nonsense": 5}.get(fault, 0)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (128, 64), "float16")
        b = T.match_buffer(B, (32, 64), "float16")
        out = T.match_buffer(D, (128, 32), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((128, 64), "float16")
        y = pool.alloc_mma((32, 64), "float16")
        bar = T.alloc_shared((2,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        d = T.alloc_local((32,), "float32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 32)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
            T.ptx.mbarrier.init(bar.ptr_to([1]), 1)
        if fault != "no data":
            for i in T.serial(64):
                x[t, i] = a[t, i]
        for i in T.serial(16):
            y[t // 4, t % 4 * 16 + i] = b[t // 4, t % 4 * 16 + i]
        if fault != "no proxy fence":
            T.ptx.fence.proxy.async_.shared__cta()
        if fault != "no barrier":
            T.cuda.cta_sync()
        at = T.cuda.get_tmem_addr(where[0], lane, column)
        T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=128, N=32, K=16, trans_a=False, trans_b=False)
        if t < issuers:
            for k in T.unroll(4):
                T.ptx.tcgen05.mma.cta_group__1.kind__f16(at, T.matrix_descriptor(x[0, 16 * k], unit="tcgen05"), T.matrix_descriptor(y[0, 16 * k], unit="tcgen05"), idesc[0] + T.uint32(told), fault == "accumulator not there" or k > 0)  # here: no data, no proxy fence, no barrier, not allocated, beyond, at lane 16, two lanes, told nonsense, accumulator not there, block ends
            if fault == "overwritten meanwhile":
                x[3, 3] = T.float16(1.0)  # here: overwritten meanwhile
            if fault != "no commit":
                T.ptx.tcgen05.commit.cta_group__1.mbarrier__arrive__one.shared__cluster.b64(bar.ptr_to([1 if fault == "another mbarrier" else 0]))
        if fault != "no wait" and fault != "block ends":
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 1 if fault == "wrong parity" else 0)  # here: no commit, another mbarrier
        if fault != "no fence" and fault != "block ends":
            T.ptx.tcgen05.fence__after_thread_sync()
        if fault != "block ends":
            T.ptx[LD](*[d[i] for i in range(32)], T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0))  # here: no wait, no fence, wrong parity
            T.ptx.tcgen05.wait__ld()
            for i in T.serial(32):
                out[t, i] = d[i]
            if fault == "not sent back" or fault == "not let in" or fault == "":
                if fault != "not sent back":
                    T.ptx.tcgen05.fence__before_thread_sync()
                T.cuda.cta_sync()
                if t == again:
                    if fault != "not let in":
                        T.ptx.tcgen05.fence__after_thread_sync()
                    T.ptx.tcgen05.mma.kind__f16(at, T.matrix_descriptor(x, unit="tcgen05"), T.matrix_descriptor(y, unit="tcgen05"), idesc[0], 0)  # here: not sent back, not let in
                    T.ptx.tcgen05.commit(bar.ptr_to([1]))
                T.cuda.mbarrier_wait(bar.ptr_to([1]), 0)
            T.cuda.cta_sync()
            if t < 32:
                T.ptx.tcgen05.dealloc(where[0], 32)

    return kernel


def factors() -> list[Any]:
    rng = np.random.default_rng(7)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((128, 64), (32, 64)))
    return [a, b, np.zeros((128, 32), np.float32)]


def check_product(given: list[Any]) -> None:
    a, b = given[:2]
    assert (given[2] == a.astype(np.float32) @ b.astype(np.float32).T).all()


def stages(steps: int = 6) -> PrimFunc:
    """Two stages of shared memory that lanes fill again when a commit says that they have been read."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (128, 16 * steps), "float16")
        b = T.match_buffer(B, (32, 16 * steps), "float16")
        out = T.match_buffer(D, (128, 32), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((2, 128, 16), "float16", swizzle_mode=1)
        y = pool.alloc_mma((2, 32, 16), "float16", swizzle_mode=1)
        bar = T.alloc_shared((2,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        d = T.alloc_local((32,), "float32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 64)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
            T.ptx.mbarrier.init(bar.ptr_to([1]), 1)
        T.cuda.cta_sync()
        T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=128, N=32, K=16, trans_a=False, trans_b=False)
        for k in T.serial(steps):
            if k >= 2:
                T.cuda.mbarrier_wait(bar.ptr_to([k % 2]), (k // 2 - 1) % 2)
            for i in T.serial(16):
                x[k % 2, t, i] = a[t, 16 * k + i]
            for i in T.serial(4):
                y[k % 2, t // 4, t % 4 * 4 + i] = b[t // 4, 16 * k + t % 4 * 4 + i]
            T.ptx.fence.proxy.async_.shared__cta()
            T.cuda.cta_sync()
            if t == 64:
                T.ptx.tcgen05.mma.kind__f16(where[0] + T.uint32(32), T.matrix_descriptor(x[k % 2, 0, 0], unit="tcgen05"), T.matrix_descriptor(y[k % 2, 0, 0], unit="tcgen05"), idesc[0], k)
                T.ptx.tcgen05.commit(bar.ptr_to([k % 2]))
        for k in T.serial(2):
            T.cuda.mbarrier_wait(bar.ptr_to([k]), (steps // 2 - 1) % 2)
        T.ptx.tcgen05.fence__after_thread_sync()
        T.ptx[LD](*[d[i] for i in range(32)], T.cuda.get_tmem_addr(where[0], t // 32 * 32, 32))
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(32):
            out[t, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 64)

    return kernel


def specialised(steps: int = 6) -> PrimFunc:
    """A warp brings tiles ahead, another one multiplies, and four read: who waits for whom is said by mbarriers."""

    @T.prim_func
    def kernel(A: T.TensorMap(), B: T.TensorMap(), D: T.handle) -> None:
        out = T.match_buffer(D, (128, 32), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([192])
        pool = T.SMEMPool()
        x = pool.alloc_mma((2, 128, 16), "float16", swizzle_mode=1)
        y = pool.alloc_mma((2, 32, 16), "float16", swizzle_mode=1)
        full = T.alloc_shared((2,), "uint64")
        empty = T.alloc_shared((2,), "uint64")
        done = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        d = T.alloc_local((32,), "float32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 32)
            T.ptx.tcgen05.relinquish_alloc_permit()
        if t == 0:
            for i in T.serial(2):
                T.ptx.mbarrier.init(full.ptr_to([i]), 1)
                T.ptx.mbarrier.init(empty.ptr_to([i]), 1)
            T.ptx.mbarrier.init(done.ptr_to([0]), 1)
            T.ptx.fence.mbarrier_init.release.cluster()
        T.cuda.cta_sync()
        if t == 160:
            for k in T.serial(steps):
                T.cuda.mbarrier_wait(empty.ptr_to([k % 2]), (k // 2 + 1) % 2)
                T.ptx.mbarrier.arrive.expect_tx(full.ptr_to([k % 2]), 128 * 32 + 32 * 32)
                T.ptx[TENSOR_LOAD](x.ptr_to([k % 2, 0, 0]), T.address_of(A), 16 * k, 0, full.ptr_to([k % 2]))
                T.ptx[TENSOR_LOAD](y.ptr_to([k % 2, 0, 0]), T.address_of(B), 16 * k, 0, full.ptr_to([k % 2]))
        if t == 128:
            T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=128, N=32, K=16, trans_a=False, trans_b=False)
            for k in T.serial(steps):
                T.cuda.mbarrier_wait(full.ptr_to([k % 2]), k // 2 % 2)
                T.ptx.tcgen05.mma.kind__f16(where[0], T.matrix_descriptor(x[k % 2, 0, 0], unit="tcgen05"), T.matrix_descriptor(y[k % 2, 0, 0], unit="tcgen05"), idesc[0], k)
                T.ptx.tcgen05.commit(empty.ptr_to([k % 2]))
            T.ptx.tcgen05.commit(done.ptr_to([0]))
        if t < 128:
            T.cuda.mbarrier_wait(done.ptr_to([0]), 0)
            T.ptx.tcgen05.fence__after_thread_sync()
            T.ptx[LD](*[d[i] for i in range(32)], T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0))
            T.ptx.tcgen05.wait__ld()
            for i in T.serial(32):
                out[t, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 32)

    return kernel


def mapped() -> list[Any]:
    a, b, out = deep()
    return [tw.TensorMap(a, (128, 16), "32B"), tw.TensorMap(b, (32, 16), "32B"), out]


def check_mapped(given: list[Any]) -> None:
    check_product([given[0].array, given[1].array, given[2]])


def deep() -> list[Any]:
    rng = np.random.default_rng(9)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((128, 96), (32, 96)))
    return [a, b, np.zeros((128, 32), np.float32)]


def copied(fault: str, shape: str = "128x256b", rows: int = 128, width: int = 8) -> PrimFunc:
    """One lane copies rows of shared memory to tensor memory, which four warps read."""
    text = f"tcgen05.cp.cta_group::1.{shape}"
    lane = {"at lane 16": 16}.get(fault, 0)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (128, 8), "uint32")
        b = T.match_buffer(B, (128, 8), "uint32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((rows, width), "uint32", swizzle_mode=width // 8)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        d = T.alloc_local((8,), "uint32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 32)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        if fault != "no data":
            if t < rows:
                for i in T.serial(width):
                    x[t, i] = a[t, i]
        if fault != "no proxy fence":
            T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        at = T.cuda.get_tmem_addr(where[0], lane, 28 if fault == "not allocated" else 0)
        if t == 0:
            T.ptx[text](at, T.matrix_descriptor(x, unit="tcgen05"))  # here: no data, no proxy fence, at lane 16, not allocated
            if fault == "overwritten meanwhile":
                x[3, 3] = T.uint32(1)  # here: overwritten meanwhile
            T.ptx.tcgen05.commit(bar.ptr_to([0]))
        if fault != "no wait":
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        if fault != "no fence":
            T.ptx.tcgen05.fence__after_thread_sync()
        T.ptx["tcgen05.ld.sync.aligned.32x32b.x4.b32"](*[d[i] for i in range(4)], T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0))  # here: no wait, no fence
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(4):
            b[t, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 32)

    return kernel


def few() -> PrimFunc:
    """Four rows of 256 bits go to a lane of each warp."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (8, 8), "uint32")
        b = T.match_buffer(B, (4, 8), "uint32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((8, 8), "uint32", swizzle_mode=1)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        d = T.alloc_local((8,), "uint32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 32)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        if t < 8:
            for i in T.serial(8):
                x[t, i] = a[t, i]
                d[i] = T.uint32(0)
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        own = T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0)
        for i in T.serial(8):
            d[i] = T.uint32(7)
        T.ptx["tcgen05.st.sync.aligned.32x32b.x8.b32"](own, *[d[i] for i in range(8)])
        T.ptx.tcgen05.wait__st()
        T.ptx.tcgen05.fence__before_thread_sync()
        T.cuda.cta_sync()
        T.ptx.tcgen05.fence__after_thread_sync()
        if t == 0:
            T.ptx["tcgen05.cp.cta_group::1.4x256b"](where[0], T.matrix_descriptor(x, unit="tcgen05"))
            T.ptx.tcgen05.commit(bar.ptr_to([0]))
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        T.ptx["tcgen05.ld.sync.aligned.32x32b.x8.b32"](*[d[i] for i in range(8)], own)
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(8):
            if t % 32 == 0:
                b[t // 32, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 32)

    return kernel


def four() -> list[Any]:
    return [np.arange(64, dtype=np.uint32).reshape(8, 8), np.zeros((4, 8), np.uint32)]


def check_four(given: list[Any]) -> None:
    assert (given[1] == given[0][:4]).all()


def words() -> list[Any]:
    return [np.arange(1024, dtype=np.uint32).reshape(128, 8), np.zeros((128, 8), np.uint32)]


def check_words(given: list[Any], parts: tuple[int, ...] = (0, 1, 2, 3)) -> None:
    """Warps get these thirty-two rows."""
    for warp, part in enumerate(parts):
        assert (given[1][32 * warp : 32 * warp + 32, :4] == given[0][32 * part : 32 * part + 32, :4]).all()


SHAPES = {
    "128x128b": (128, (0, 1, 2, 3)),
    "64x128b.warpx2::02_13": (64, (0, 1, 0, 1)),
    "64x128b.warpx2::01_23": (64, (0, 0, 1, 1)),
    "32x128b.warpx4": (32, (0, 0, 0, 0)),
}


def _faults(make: Any, *found: tuple[str, type[Exception], str]) -> list[Faulty]:
    arguments = words if make is copied else factors
    return [Faulty(make, name, error, arguments, match, BLACKWELL) for name, error, match in found]


_FENCES = "no tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync"
FAULTY = [
    *_faults(
        multiplied,
        ("no data", UninitializedError, r"of x \(byte \d+\), which nothing has written"),
        ("no proxy fence", RaceError, "no fence.proxy.async"),
        ("not allocated", OutOfBoundsError, "column 32 of tensor memory, which its block has not allocated"),
        ("beyond", OutOfBoundsError, "column 5"),
        ("at lane 16", AlignmentError, "gives lane 16 of tensor memory for a matrix of 128 rows"),
        ("two lanes", SimulationError, "and 1 more lanes of its warp begin a product each"),
        ("told nonsense", SimulationError, "tells a product"),
        ("accumulator not there", UninitializedError, "of tensor memory, which nothing has written"),
        ("overwritten meanwhile", RaceError, "which a product on its way reads"),
        ("no commit", BarrierError, "an mbarrier"),
        ("another mbarrier", BarrierError, "an mbarrier"),
        ("no wait", RaceError, "a product on its way writes, whose commit nobody has waited for"),
        ("wrong parity", RaceError, "a product on its way writes, whose commit nobody has waited for"),
        ("no fence", RaceError, _FENCES),
        ("not sent back", RaceError, _FENCES),
        ("not let in", RaceError, _FENCES),
        ("block ends", RaceError, "the block ends while a product is on its way"),
    ),
    *_faults(
        copied,
        ("no data", UninitializedError, r"of x \(byte \d+\), which nothing has written"),
        ("no proxy fence", RaceError, "no fence.proxy.async"),
        ("at lane 16", AlignmentError, "copies to lane 16 of tensor memory"),
        ("not allocated", OutOfBoundsError, "column 32 of tensor memory"),
        ("overwritten meanwhile", RaceError, "on its way reads"),
        ("no wait", RaceError, "whose commit nobody has waited for"),
        ("no fence", RaceError, _FENCES),
    ),
]
CLEAN = [
    Clean("a product in tensor memory", partial(multiplied, ""), factors, check_product, BLACKWELL),
    Clean("a product in tensor memory, then one by the same thread", partial(multiplied, "", 0), factors, check_product, BLACKWELL),
    Clean("a copy of four rows to tensor memory", few, four, check_four, BLACKWELL),
    Clean("a copy to tensor memory", partial(copied, ""), words, check_words, BLACKWELL),
    *(
        Clean(
            f"a copy {shape} to tensor memory",
            partial(copied, "", shape, rows, 4),
            words,
            partial(check_words, parts=parts),
            BLACKWELL,
        )
        for shape, (rows, parts) in SHAPES.items()
    ),
    Clean("warps of their own for products in tensor memory", specialised, mapped, check_mapped, BLACKWELL),
    Clean("two stages of products in tensor memory", stages, deep, check_product, BLACKWELL),
]
