"""Products of pairs of CTAs: who allocates, whose data, who begins, who is told."""

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
REMOTE = "mbarrier.arrive.release.cluster.shared::cluster.b64"


def paired(fault: str, m: int = 256, issuer: int = 0) -> PrimFunc:
    """Two CTAs have half of A's rows and half of B's each; a thread of one begins, and both read their rows of D."""
    rows, folds = m // 2, 256 // m
    together = {"no cluster": 1}.get(fault, 2)
    column = {"not allocated": 64}.get(fault, 0)
    lane = {"at lane 16": 16}.get(fault, 0)
    both, steps = fault in ("both begin", "both begin once"), 1 if fault == "both begin once" else 4
    mask = {"told to nobody there": 1, "beyond the cluster": 5, "told to nobody": 0}.get(fault, 3)
    own = {"other columns": 64}.get(fault, 32)
    m_told = {"of one CTA": 64}.get(fault, m)
    load = f"tcgen05.ld.sync.aligned.32x32b.x{32 // folds}.b32"
    mma = "tcgen05.mma.cta_group::{}.kind::f16".format(1 if fault == "two groups" else 2)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (m, 64), "float16")
        b = T.match_buffer(B, (32, 64), "float16")
        out = T.match_buffer(D, (m, 32), "float32")
        T.device_entry()
        T.cta_id([2])
        rank = T.cta_id_in_cluster([together])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((rows, 64), "float16")
        y = pool.alloc_mma((16, 64), "float16")
        bar = T.alloc_shared((2,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        d = T.alloc_local((32,), "float32")
        if t < 32:
            if fault != "one allocates" or rank == 0:
                if rank == 0:
                    T.ptx.tcgen05.alloc.cta_group__2.sync.aligned.shared__cta.b32(where.ptr_to([0]), 32)  # here: one allocates, no cluster, other columns
                else:
                    T.ptx.tcgen05.alloc.cta_group__2.sync.aligned.shared__cta.b32(where.ptr_to([0]), own)  # here: leaked there
            T.ptx.tcgen05.relinquish_alloc_permit.cta_group__2.sync.aligned()
        if t == 0:
            if fault != "no mbarrier there" or rank == 0:
                T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
            T.ptx.mbarrier.init(bar.ptr_to([1]), 1)
        T.cuda.cta_sync()
        if fault != "no data there" or rank == 0:
            if t < rows:
                for i in T.serial(64):
                    x[t, i] = a[rows * rank + t, i]
        for i in T.serial(8):
            y[t // 8, t % 8 * 8 + i] = b[16 * rank + t // 8, t % 8 * 8 + i]
        if fault != "no proxy fence" and fault != "fenced by one" and (fault != "no proxy fence there" or rank == 0):
            T.ptx.fence.proxy.async_.shared__cta()
        if fault == "only the CTA meets":
            T.cuda.cta_sync()
        else:
            T.cuda.cluster_sync()
        if fault == "fenced by one" and rank == issuer:
            T.ptx.fence.proxy.async_.shared__cta()
        at = T.cuda.get_tmem_addr(where[0], lane, column)
        T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=m, N=32, K=16, trans_a=False, trans_b=False, n_cta_groups=2)
        if both or rank == issuer:
            if t == 0:
                for k in T.unroll(steps):
                    T.ptx[mma](at, T.matrix_descriptor(x[0, 16 * k], unit="tcgen05"), T.matrix_descriptor(y[0, 16 * k], unit="tcgen05"), idesc[0] - T.uint32((m - m_told) // 16 << 24), k > 0)  # here: both begin once, no data there, only the CTA meets, no proxy fence, no proxy fence there, not allocated, at lane 16, both begin, two groups, of one CTA, block ends
                T.ptx.tcgen05.commit.cta_group__2.mbarrier__arrive__one.shared__cluster.multicast__cluster.b64(bar.ptr_to([0]), mask)  # here: beyond the cluster, told to nobody, no mbarrier there
        if fault == "overwritten meanwhile":
            if rank == 1:
                x[3, t % 64] = T.float16(1.0)  # here: overwritten meanwhile
        if fault != "no wait" and fault != "block ends":
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)  # here: told to nobody there
        if fault != "no fence" and fault != "block ends":
            T.ptx.tcgen05.fence__after_thread_sync()
        if fault != "block ends":
            T.ptx[load](*[d[i] for i in range(32 // folds)], T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0))  # here: no wait, no fence
            T.ptx.tcgen05.wait__ld()
            for i in T.serial(32 // folds):
                out[rows * rank + t % rows, t // rows * 16 + i] = d[i]
            T.ptx.tcgen05.fence__before_thread_sync()
            T.cuda.cta_sync()
            if t < 32:
                if fault != "leaked there" or rank == 0:
                    T.ptx.tcgen05.dealloc.cta_group__2.sync.aligned.b32(where[0], 32)

    return kernel


def factors(m: int = 256) -> list[Any]:
    rng = np.random.default_rng(11)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((m, 64), (32, 64)))
    return [a, b, np.zeros((m, 32), np.float32)]


def check_product(given: list[Any]) -> None:
    a, b = given[:2]
    assert (given[2] == a.astype(np.float32) @ b.astype(np.float32).T).all()


def stages(steps: int = 4) -> PrimFunc:
    """Two stages in each CTA, filled again when the commit to both says so; four CTAs are two pairs, of a cluster."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (512, 16 * steps), "float16")
        b = T.match_buffer(B, (32, 16 * steps), "float16")
        out = T.match_buffer(D, (512, 32), "float32")
        T.device_entry()
        bx = T.cta_id([4])
        rank = T.cta_id_in_cluster([4])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((2, 128, 16), "float16", swizzle_mode=1)
        y = pool.alloc_mma((2, 16, 16), "float16", swizzle_mode=1)
        bar = T.alloc_shared((2,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        d = T.alloc_local((32,), "float32")
        if t < 32:
            T.ptx.tcgen05.alloc.cta_group__2.sync.aligned.shared__cta.b32(where.ptr_to([0]), 64)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
            T.ptx.mbarrier.init(bar.ptr_to([1]), 1)
        T.cuda.cluster_sync()
        T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=256, N=32, K=16, trans_a=False, trans_b=False, n_cta_groups=2)
        for k in T.serial(steps):
            if k >= 2:
                T.cuda.mbarrier_wait(bar.ptr_to([k % 2]), (k // 2 - 1) % 2)
            for i in T.serial(16):
                x[k % 2, t, i] = a[128 * bx + t, 16 * k + i]
            for i in T.serial(2):
                y[k % 2, t // 8, t % 8 * 2 + i] = b[bx % 2 * 16 + t // 8, 16 * k + t % 8 * 2 + i]
            T.ptx.fence.proxy.async_.shared__cta()
            T.cuda.cluster_sync()
            if rank % 2 == 0:
                if t == 64:
                    T.ptx["tcgen05.mma.cta_group::2.kind::f16"](where[0] + T.uint32(32), T.matrix_descriptor(x[k % 2, 0, 0], unit="tcgen05"), T.matrix_descriptor(y[k % 2, 0, 0], unit="tcgen05"), idesc[0], k)
                    T.ptx["tcgen05.commit.cta_group::2.multicast::cluster"](bar.ptr_to([k % 2]), 3 if rank == 0 else 12)
        for k in T.serial(2):
            T.cuda.mbarrier_wait(bar.ptr_to([k]), (steps // 2 - 1) % 2)
        T.ptx.tcgen05.fence__after_thread_sync()
        T.ptx["tcgen05.ld.sync.aligned.32x32b.x32.b32"](*[d[i] for i in range(32)], T.cuda.get_tmem_addr(where[0], t // 32 * 32, 32))
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(32):
            out[128 * bx + t, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc.cta_group__2.sync.aligned.b32(where[0], 64)

    return kernel


def specialised(fault: str = "", steps: int = 6) -> PrimFunc:
    """In each CTA a thread brings tiles ahead, and one tells the other CTA of them, where one multiplies; four warps read."""

    @T.prim_func
    def kernel(A: T.TensorMap(), B: T.TensorMap(), D: T.handle) -> None:
        out = T.match_buffer(D, (256, 32), "float32")
        T.device_entry()
        T.cta_id([2])
        rank = T.cta_id_in_cluster([2])
        t = T.thread_id([224])
        pool = T.SMEMPool()
        x = pool.alloc_mma((2, 128, 16), "float16", swizzle_mode=1)
        y = pool.alloc_mma((2, 16, 16), "float16", swizzle_mode=1)
        full = T.alloc_shared((2,), "uint64")
        ready = T.alloc_shared((2,), "uint64")
        empty = T.alloc_shared((2,), "uint64")
        done = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        idesc = T.alloc_local((1,), "uint32")
        d = T.alloc_local((32,), "float32")
        if t < 32:
            T.ptx.tcgen05.alloc.cta_group__2.sync.aligned.shared__cta.b32(where.ptr_to([0]), 32)
            T.ptx.tcgen05.relinquish_alloc_permit.cta_group__2()
        if t == 0:
            for i in T.serial(2):
                T.ptx.mbarrier.init(full.ptr_to([i]), 1)
                T.ptx.mbarrier.init(ready.ptr_to([i]), 2)
                T.ptx.mbarrier.init(empty.ptr_to([i]), 1)
            T.ptx.mbarrier.init(done.ptr_to([0]), 1)
            T.ptx.fence.mbarrier_init.release.cluster()
        T.cuda.cluster_sync()
        if t == 160:
            for k in T.serial(steps):
                if fault != "filled too early" or rank == 0:
                    T.cuda.mbarrier_wait(empty.ptr_to([k % 2]), (k // 2 + 1) % 2)
                T.ptx.mbarrier.arrive.expect_tx(full.ptr_to([k % 2]), 128 * 32 + 16 * 32)  # here: filled too early
                T.ptx[TENSOR_LOAD](x.ptr_to([k % 2, 0, 0]), T.address_of(A), 16 * k, 128 * rank, full.ptr_to([k % 2]))
                T.ptx[TENSOR_LOAD](y.ptr_to([k % 2, 0, 0]), T.address_of(B), 16 * k, 16 * rank, full.ptr_to([k % 2]))
        if t == 192:
            for k in T.serial(steps):
                if fault != "told too early" or rank == 0:
                    T.cuda.mbarrier_wait(full.ptr_to([k % 2]), k // 2 % 2)
                T.ptx[REMOTE](T.ptx.mapa.shared__cluster.u32(ready.ptr_to([k % 2]), 0))
        if t == 128:
            if rank == 0:
                T.cuda.tcgen05.encode_instr_descriptor(idesc.data, d_dtype="float32", a_dtype="float16", b_dtype="float16", M=256, N=32, K=16, trans_a=False, trans_b=False, n_cta_groups=2)
                for k in T.serial(steps):
                    T.cuda.mbarrier_wait(ready.ptr_to([k % 2]), k // 2 % 2)
                    T.ptx["tcgen05.mma.cta_group::2.kind::f16"](where[0], T.matrix_descriptor(x[k % 2, 0, 0], unit="tcgen05"), T.matrix_descriptor(y[k % 2, 0, 0], unit="tcgen05"), idesc[0], k)  # here: told too early
                    T.ptx["tcgen05.commit.cta_group::2.multicast::cluster"](empty.ptr_to([k % 2]), 3)
                T.ptx["tcgen05.commit.cta_group::2.multicast::cluster"](done.ptr_to([0]), 3)
        if t < 128:
            T.cuda.mbarrier_wait(done.ptr_to([0]), 0)
            T.ptx.tcgen05.fence__after_thread_sync()
            T.ptx["tcgen05.ld.sync.aligned.32x32b.x32.b32"](*[d[i] for i in range(32)], T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0))
            T.ptx.tcgen05.wait__ld()
            for i in T.serial(32):
                out[128 * rank + t, i] = d[i]
        T.cuda.cluster_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc.cta_group__2(where[0], 32)

    return kernel


def mapped() -> list[Any]:
    rng = np.random.default_rng(13)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((256, 96), (32, 96)))
    return [tw.TensorMap(a, (128, 16), "32B"), tw.TensorMap(b, (16, 16), "32B"), np.zeros((256, 32), np.float32)]


def check_mapped(given: list[Any]) -> None:
    check_product([given[0].array, given[1].array, given[2]])


def copied(fault: str, shape: str = "128x128b", size: int = 128) -> PrimFunc:
    """A thread of one CTA copies the rows of both, each to its own tensor memory."""
    text = f"tcgen05.cp.cta_group::2.{shape}"

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 128, 4), "uint32")
        b = T.match_buffer(B, (2, 128, 4), "uint32")
        T.device_entry()
        T.cta_id([2])
        rank = T.cta_id_in_cluster([2])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((size, 4), "uint32", swizzle_mode=0)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        d = T.alloc_local((4,), "uint32")
        if t < 32:
            T.ptx.tcgen05.alloc.cta_group__2.sync.aligned.shared__cta.b32(where.ptr_to([0]), 32)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        if fault != "no data there" or rank == 0:
            if t < size:
                for i in T.serial(4):
                    x[t, i] = a[rank, t, i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cluster_sync()
        if rank == 0:
            if t == 0:
                T.ptx[text](where[0], T.matrix_descriptor(x, unit="tcgen05"))  # here: no data there
                if fault == "told one":
                    T.ptx["tcgen05.commit.cta_group::2"](bar.ptr_to([0]))
                else:
                    T.ptx["tcgen05.commit.cta_group::2.multicast::cluster"](bar.ptr_to([0]), 3)
        if fault == "told one":
            if rank == 0:
                T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        elif fault != "no wait there" or rank == 0:
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        T.ptx["tcgen05.ld.sync.aligned.32x32b.x4.b32"](*[d[i] for i in range(4)], T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0))  # here: no wait there, told one
        T.ptx.tcgen05.wait__ld()
        for i in T.serial(4):
            b[rank, t, i] = d[i]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc.cta_group__2.sync.aligned.b32(where[0], 32)

    return kernel


def words() -> list[Any]:
    return [np.arange(1024, dtype=np.uint32).reshape(2, 128, 4), np.zeros((2, 128, 4), np.uint32)]


def check_words(given: list[Any], size: int = 128) -> None:
    assert (given[1] == given[0][:, np.arange(128) % size]).all()


def deep() -> list[Any]:
    rng = np.random.default_rng(12)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((512, 64), (32, 64)))
    return [a, b, np.zeros((512, 32), np.float32)]


def _faults(make: Any, arguments: Any, *found: tuple[str, type[Exception], str]) -> list[Faulty]:
    return [Faulty(make, name, error, arguments, match, BLACKWELL) for name, error, match in found]


_FENCES = "no tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync"
FAULTY = [
    *_faults(
        paired,
        factors,
        ("one allocates", BarrierError, r"waits for the other CTA of its pair, block \(1,0,0\), to allocate"),
        ("no cluster", SimulationError, "cta_group::2 is for pairs of CTAs of a cluster, which has 1 here"),
        ("other columns", SimulationError, "allocates .* columns of tensor memory, and block .*: a pair has the same"),
        ("two groups", SimulationError, "cta_group::1 in a kernel that has used cta_group::2"),
        ("no data there", UninitializedError, r"of x \(byte \d+\), which nothing has written"),
        ("only the CTA meets", RaceError, r"which block \(1,0,0\) thread .* writes with no barrier"),
        ("no proxy fence", RaceError, "no fence.proxy.async"),
        ("no proxy fence there", RaceError, r"which block \(1,0,0\) thread .* writes with no barrier, or no fence.proxy.async"),
        ("not allocated", OutOfBoundsError, "column 64 of tensor memory, which its block has not allocated"),
        ("at lane 16", AlignmentError, "gives lane 16 of tensor memory for a matrix of 128 rows"),
        ("both begin once", RaceError, "a product on its way writes, whose commit nobody has waited for"),
        ("both begin", RaceError, "a product on its way writes, whose commit nobody has waited for"),
        ("of one CTA", SimulationError, "M in .128, 256., not 64"),
        ("no mbarrier there", BarrierError, r"uses element 0 of bar \(byte 0\) as an mbarrier, before mbarrier.init"),
        ("told to nobody there", BarrierError, "an mbarrier"),
        ("told to nobody", OutOfBoundsError, "the mask 0x0 of a cluster that has 2"),
        ("beyond the cluster", OutOfBoundsError, "the mask 0x5 of a cluster that has 2"),
        ("overwritten meanwhile", RaceError, "which a product on its way reads"),
        ("no wait", RaceError, "a product on its way writes, whose commit nobody has waited for"),
        ("no fence", RaceError, _FENCES),
        ("block ends", RaceError, "the block ends while a product is on its way"),
        ("leaked there", SimulationError, "the block ends with 32 columns of tensor memory"),
    ),
    *_faults(
        specialised,
        mapped,
        ("filled too early", BarrierError, "which waits for 0 arrivals"),
        ("told too early", RaceError, "on its way"),
    ),
    *_faults(
        copied,
        words,
        ("no data there", UninitializedError, r"of x \(byte \d+\), which nothing has written"),
        ("no wait there", RaceError, "a product on its way writes|no barrier"),
        ("told one", RaceError, "a product on its way writes|no barrier"),
    ),
]
CLEAN = [
    Clean("threads of their own for products of a pair in tensor memory", specialised, mapped, check_mapped, BLACKWELL),
    Clean("a product of a pair in tensor memory", partial(paired, ""), factors, check_product, BLACKWELL),
    Clean("a product of a pair, folded, in tensor memory", partial(paired, "", 128), partial(factors, 128), check_product, BLACKWELL),
    Clean("a product of a pair that the other CTA begins in tensor memory", partial(paired, "", 256, 1), factors, check_product, BLACKWELL),
    Clean("a product of a pair whose thread fences for the other in tensor memory", partial(paired, "fenced by one"), factors, check_product, BLACKWELL),
    Clean("two pairs of a cluster, and two stages, in tensor memory", stages, deep, check_product, BLACKWELL),
    Clean("a copy of a pair to tensor memory", partial(copied, ""), words, check_words, BLACKWELL),
    Clean("a copy of a pair to all quarters of tensor memory", partial(copied, "", "32x128b.warpx4", 32), words, partial(check_words, size=32), BLACKWELL),
]
