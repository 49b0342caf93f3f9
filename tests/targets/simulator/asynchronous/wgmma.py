"""Warpgroup products: descriptors, fences, groups and waits; whose registers and whose shared memory they are in."""

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

HOPPER = ("sm_90a",)
SS = "SM90_64x64x16_F32F16F16_SS"
RS = "SM90_64x64x16_F32F16F16_RS"
NARROW = "SM90_64x32x16_F32F16F16_SS"
TENSOR_LOAD = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"


def multiplied(fault: str) -> PrimFunc:
    """A warpgroup brings both factors to shared memory by itself, and multiplies; another one looks on."""
    no_data = fault == "nothing there"
    room = 33 if fault == "registers of its own" else 32
    first = {"half a warpgroup": 64, "half way up": 64, "one lane short": 1}.get(fault, 0)
    last = {"half a warpgroup": 128, "half way up": 192}.get(fault, 128)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (64, 64), "float16")
        b = T.match_buffer(B, (64, 64), "float16")
        out = T.match_buffer(D, (64, 64), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([256])
        pool = T.SMEMPool()
        x = pool.alloc_mma((64, 64), "float16")
        y = pool.alloc_mma((64, 64), "float16")
        d = T.alloc_local((room,), "float32")
        for i in T.serial(16):
            if not no_data:
                x[t // 4, t % 4 * 16 + i] = a[t // 4, t % 4 * 16 + i]
            y[t // 4, t % 4 * 16 + i] = b[t // 4, t % 4 * 16 + i]
        if fault != "no proxy fence":
            T.ptx.fence.proxy.async_.shared__cta()
        if fault != "no barrier":
            T.cuda.cta_sync()
        if t >= first:
            if t < last:
                if fault != "accumulator not there":
                    for i in T.serial(32):
                        d[i] = 0.0
                if fault != "no fence":
                    T.ptx.wgmma.fence.sync.aligned()  # here: half a warpgroup, half way up, one lane short
                if fault == "touched after the fence":
                    d[3] = 1.0
                if fault == "registers of its own":
                    T.wgmma_atom(SS, d[t % 2], x, y)  # here: registers of its own
                for k in T.serial(4):
                    T.wgmma_atom(SS, d, x[0, 16 * k], y[0, 16 * k])  # here: no proxy fence, no barrier, no fence, touched after the fence, nothing there, accumulator not there, block ends
                if fault == "another shape":
                    T.wgmma_atom(NARROW, d, x, y)  # here: another shape
                if fault == "another shape later":
                    T.ptx.wgmma.commit_group.sync.aligned()
                    T.ptx.wgmma.wait_group.sync.aligned(0)
                    T.wgmma_atom(NARROW, d, x, y)  # here: another shape later
                if fault == "scaled with no fence" or fault == "read with no fence":
                    T.ptx.wgmma.commit_group.sync.aligned()
                    T.ptx.wgmma.wait_group.sync.aligned(0)
                    if fault == "read with no fence":
                        out[t % 64, t // 64] = d[7]
                    else:
                        d[7] = d[7] * 2.0
                    T.wgmma_atom(SS, d, x, y)  # here: scaled with no fence, read with no fence
                if fault == "changed meanwhile":
                    d[31] = 2.0  # here: changed meanwhile
                if fault == "overwritten meanwhile":
                    x[t // 2, 0] = T.float16(1.0)  # here: overwritten meanwhile
                if fault != "no commit":
                    T.ptx.wgmma.commit_group.sync.aligned()
                if fault != "no wait" and fault != "block ends":
                    T.ptx.wgmma.wait_group.sync.aligned(1 if fault == "waits for none" else 0)
                if fault != "block ends":
                    for i in T.serial(32):
                        out[t // 32 * 16 + t % 32 // 4 + i // 2 % 2 * 8, i // 4 * 8 + t % 4 * 2 + i % 2] = d[i]  # here: no commit, no wait, waits for none
        if fault == "overwritten by others":
            if t >= 128:
                y[t % 64, 5] = T.float16(0.0)  # here: overwritten by others

    return kernel


def factors(rows: int = 64, depth: int = 64, columns: int = 64, kind: str = "float16") -> list[Any]:
    rng = np.random.default_rng(7)
    a, b = (rng.integers(-4, 5, shape).astype(kind) for shape in ((rows, depth), (columns, depth)))
    return [a, b, np.zeros((rows, columns), np.float32)]


def check_product(given: list[Any]) -> None:
    a, b = (x.array if isinstance(x, tw.TensorMap) else x for x in given[:2])
    assert (given[2] == a.astype(np.float32) @ b.astype(np.float32).T).all()


def described(fault: str) -> PrimFunc:
    """Descriptors as TIRx encodes them, offsets in 16 bytes; the next K is two of them further on."""
    start = {"between": 4, "third row": 192, "in the middle": 56, "beyond": 0}.get(fault, 0)
    rows = 32 if fault == "beyond" else 64
    plain = fault == "an array"

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (64, 64), "float16")
        b = T.match_buffer(B, (64, 64), "float16")
        out = T.match_buffer(D, (64, 64), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = T.alloc_shared((4096,), "float16") if plain else pool.alloc((rows * 64,), "float16", align=1024)
        y = pool.alloc((64, 64), "float16", align=1024, layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(64, 64) : (64, 1)])))
        d = T.alloc_local((32,), "float32")
        first = T.alloc_local((1,), "uint64")
        second: T.uint64 = 0
        for i in T.serial(32):
            row = T.meta_var(t // 2)
            column = T.meta_var(t % 2 * 32 + i)
            if row < rows:
                x[row * 64 + (column // 8 ^ row % 8) * 8 + column % 8] = a[row, column]
            y[row, column] = b[row, column]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        T.cuda.wgmma.encode_matrix_descriptor(first.data, x.ptr_to([start]), 1, 64, 3)  # here: between
        T.cuda.wgmma.encode_matrix_descriptor(T.address_of(second), y.ptr_to([0, 0]), 1, 64, 3)
        if fault == "not one descriptor":
            second = second + T.cast(t // 64, "uint64") * T.uint64(64)
        if fault == "no descriptor":
            second = T.uint64(5)
        if fault == "points nowhere":
            second = second + T.uint64(4096)
        T.ptx.wgmma.fence.sync.aligned()
        for k in T.unroll(4):
            T.ptx["wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"](*[d[i] for i in range(32)], first[0], second, (t < 64) if fault == "not one scale" else k, 1, 1, 0, 0)  # here: third row, in the middle, beyond, an array, not one descriptor, no descriptor, points nowhere, not one scale
            first[0] = first[0] + T.uint64(2)
            second = second + T.uint64(2)
        T.ptx.wgmma.commit_group.sync.aligned()
        T.ptx.wgmma.wait_group.sync.aligned(0)
        for i in T.unroll(32):
            T.cuda.wgmma.noop_barrier(d[i])
        for i in T.serial(32):
            out[t // 32 * 16 + t % 32 // 4 + i // 2 % 2 * 8, i // 4 * 8 + t % 4 * 2 + i % 2] = d[i]

    return kernel


def held(fault: str) -> PrimFunc:
    """A in registers, put there by the lanes as PTX's manual draws it; eight of K's 64 columns at a time."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (64, 64), "float16")
        b = T.match_buffer(B, (64, 64), "float16")
        out = T.match_buffer(D, (64, 64), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        y = pool.alloc_mma((64, 64), "float16")
        d = T.alloc_local((32,), "float32")
        f = T.alloc_local((4, 8), "float16")
        row = T.meta_var(t // 32 * 16 + t % 32 // 4)
        column = T.meta_var(t % 4 * 2)
        for i in T.serial(32):
            y[t // 2, t % 2 * 32 + i] = b[t // 2, t % 2 * 32 + i]
            d[i] = 0.0
        for k in T.unroll(4):
            for i in T.unroll(8):
                f[k, i] = a[row + i // 2 % 2 * 8, 16 * k + column + i % 2 + i // 4 * 8]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        T.ptx.wgmma.fence()
        if fault == "A after the fence":
            f[0, 0] = T.float16(1.0)
        for k in T.unroll(4):
            T.wgmma_atom(RS, d, f[k, 0], y[0, 16 * k])  # here: A after the fence
        if fault == "changed while it is read":
            f[3, 7] = T.float16(2.0)  # here: changed while it is read
        T.ptx.wgmma.commit_group()
        if fault == "A is an accumulator":
            T.ptx.wgmma.fence()
            T.ptx.wgmma.wait_group(1)
            T.wgmma_atom("SM90_64x8x16_F16F16F16_SS", f[3, 0], y, y)  # here: A is an accumulator
        T.ptx.wgmma.wait_group(0)
        for i in T.serial(32):
            out[row + i // 2 % 2 * 8, i // 4 * 8 + column + i % 2] = d[i]

    return kernel


def specialised(
    fault: str, stages: int = 2, steps: int = 4, consumers: int = 2, columns: int = 64, swizzle: str = "128B", ahead: int = 0
) -> PrimFunc:
    """A producer's elected lane loads tiles ahead; each consumer warpgroup multiplies its 64 rows.

    `ahead` groups are left on their way while the stage before them is given back.
    """
    depth = {"128B": 64, "64B": 32, "32B": 16}[swizzle]
    mode = {"128B": 3, "64B": 2, "32B": 1}[swizzle]
    rows, bytes_ = 64 * consumers, 2 * depth * (64 * consumers + columns)
    atom, count, threads = f"SM90_64x{columns}x16_F32F16F16_SS", columns // 2, 128 + 128 * consumers
    early = fault == "given back too early"
    left = 1 if fault == "given back while it is read" else ahead

    @T.prim_func
    def kernel(A: T.TensorMap(), B: T.TensorMap(), D: T.handle) -> None:
        out = T.match_buffer(D, (2 * rows, columns), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([threads])
        pool = T.SMEMPool()
        x = pool.alloc_mma((stages, rows, depth), "float16", swizzle_mode=mode)
        y = pool.alloc_mma((stages, columns, depth), "float16", swizzle_mode=mode)
        full = pool.alloc((stages,), "uint64")
        empty = pool.alloc((stages,), "uint64")
        pool.commit()
        if t == 0:
            for i in T.serial(stages):
                T.ptx.mbarrier.init.shared.b64(full.ptr_to([i]), 1)
                T.ptx.mbarrier.init.shared.b64(empty.ptr_to([i]), consumers)
            T.ptx.fence.proxy.async_()
        T.cuda.cta_sync()
        if t < 128:
            if t == 0:
                for k in T.serial(steps):
                    T.cuda.mbarrier_wait(empty.ptr_to([k % stages]), (k // stages + 1) % 2)
                    T.ptx.mbarrier.arrive.expect_tx.shared.b64(full.ptr_to([k % stages]), bytes_)
                    T.ptx[TENSOR_LOAD](x.ptr_to([k % stages, 0, 0]), T.address_of(A), k * depth, bx * rows, full.ptr_to([k % stages]))  # here: given back too early, given back while it is read
                    T.ptx[TENSOR_LOAD](y.ptr_to([k % stages, 0, 0]), T.address_of(B), k * depth, 0, full.ptr_to([k % stages]))
        else:
            w = T.meta_var(t // 128 - 1)
            d = T.alloc_local((count,), "float32")
            for k in T.serial(steps):
                if fault == "one warp waits":
                    if t // 32 % 4 == 0:
                        T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2)
                elif fault == "three warps wait":
                    if t // 32 % 4 != 3:
                        T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2)
                elif fault == "a lane of each warp waits":
                    if t % 32 == 0:
                        T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2)
                elif fault == "all lanes but one wait":
                    if t % 128 != 77:
                        T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2)
                elif fault != "nobody waits for the load":
                    T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2)
                if early:
                    if t % 128 == 0:
                        T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([k % stages]))
                T.ptx.wgmma.fence.sync.aligned()
                for j in T.unroll(depth // 16):
                    T.wgmma_atom(atom, d, x[k % stages, w * 64, 16 * j], y[k % stages, 0, 16 * j], k + j)  # here: nobody waits for the load, one warp waits, three warps wait, a lane of each warp waits, all lanes but one wait
                T.ptx.wgmma.commit_group.sync.aligned()
                T.ptx.wgmma.wait_group.sync.aligned(left)
                if not early:
                    if t % 128 == 0:
                        if fault == "given back while it is read":
                            T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([k % stages]))
                        elif k >= ahead:
                            T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([(k - ahead) % stages]))
            if ahead > 0:
                T.ptx.wgmma.wait_group.sync.aligned(0)
            for i in T.serial(count):
                out[bx * rows + w * 64 + t % 128 // 32 * 16 + t % 32 // 4 + i // 2 % 2 * 8, i // 4 * 8 + t % 4 * 2 + i % 2] = d[i]

    return kernel


def tiles(steps: int = 4, consumers: int = 2, columns: int = 64, swizzle: str = "128B") -> list[Any]:
    depth = {"128B": 64, "64B": 32, "32B": 16}[swizzle]
    a, b, d = factors(128 * consumers, steps * depth, columns)
    return [tw.TensorMap(a, (64 * consumers, depth), swizzle), tw.TensorMap(b, (columns, depth), swizzle), d]


def together(fault: str, stages: int = 3, steps: int = 5, ahead: int = 0) -> PrimFunc:
    """No producer: one lane of the warpgroup that multiplies loads ahead, and waits for room while the others go on.

    B lies as it does in memory, N contiguous: MN-major. `ahead` groups are on their way while that lane waits.
    """

    lag = stages - 1 - ahead

    @T.prim_func
    def kernel(A: T.TensorMap(), B: T.TensorMap(), D: T.handle) -> None:
        out = T.match_buffer(D, (128, 64), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([256])
        pool = T.SMEMPool()
        x = pool.alloc_mma((stages, 128, 64), "float16")
        y = pool.alloc_mma((stages, 64, 64), "float16")
        full = pool.alloc((stages,), "uint64")
        empty = pool.alloc((stages,), "uint64")
        d = T.alloc_local((32,), "float32")
        if t == 0:
            for i in T.serial(stages):
                T.ptx.mbarrier.init.shared.b64(full.ptr_to([i]), 1)
                T.ptx.mbarrier.init.shared.b64(empty.ptr_to([i]), 2)
            T.ptx.fence.mbarrier_init.release.cluster()
        T.cuda.cta_sync()
        for k in T.serial(steps + lag):
            if t == 32:
                if k < steps:
                    T.cuda.mbarrier_wait(empty.ptr_to([k % stages]), (k // stages + 1) % 2)
                    T.ptx.mbarrier.arrive.expect_tx.shared.b64(full.ptr_to([k % stages]), 3 * 8192)
                    T.ptx[TENSOR_LOAD](x.ptr_to([k % stages, 0, 0]), T.address_of(A), k * 64, 0, full.ptr_to([k % stages]))
                    T.ptx[TENSOR_LOAD](y.ptr_to([k % stages, 0, 0]), T.address_of(B), 0, k * 64, full.ptr_to([k % stages]))
            if k >= lag:
                s = T.meta_var((k - lag) % stages)
                T.cuda.mbarrier_wait(full.ptr_to([s]), (k - lag) // stages % 2)
                if fault == "a warp goes past":
                    if t % 128 < 96:
                        T.ptx.wgmma.fence.sync.aligned()  # here: a warp goes past
                else:
                    T.ptx.wgmma.fence.sync.aligned()
                for j in T.unroll(4):
                    T.wgmma_atom(SS, d, x[s, t // 128 * 64, 16 * j], y[s, 16 * j, 0], k - lag + j, trans_b=1)
                T.ptx.wgmma.commit_group.sync.aligned()
                T.ptx.wgmma.wait_group.sync.aligned(ahead)
                if t % 128 == 0:
                    if k - lag >= ahead:
                        T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([(k - lag - ahead) % stages]))
        T.ptx.wgmma.wait_group.sync.aligned(0)
        if t == 5:
            T.cuda.mbarrier_wait(full.ptr_to([(steps - 1) % stages]), (steps - 1) // stages % 2)
        for i in T.serial(32):
            out[t // 32 * 16 + t % 32 // 4 + i // 2 % 2 * 8, i // 4 * 8 + t % 4 * 2 + i % 2] = d[i]

    return kernel


def transposed_tiles(steps: int = 5) -> list[Any]:
    a, b, d = factors(128, 64 * steps, 64)
    return [tw.TensorMap(a, (128, 64), "128B"), tw.TensorMap(np.ascontiguousarray(b.T), (64, 64), "128B"), d]


def check_transposed(given: list[Any]) -> None:
    a, b = (x.array.astype(np.float32) for x in given[:2])
    assert (given[2] == a @ b).all()


def attention() -> PrimFunc:
    """S = Q K^T, then P V with P = S / 8 in half precision, in the registers where S was found."""

    @T.prim_func
    def kernel(Q: T.handle, K: T.handle, V: T.handle, O: T.handle) -> None:
        q = T.match_buffer(Q, (64, 64), "float16")
        key = T.match_buffer(K, (64, 64), "float16")
        v = T.match_buffer(V, (64, 64), "float16")
        out = T.match_buffer(O, (64, 64), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        sq = pool.alloc_mma((64, 64), "float16")
        sk = pool.alloc_mma((64, 64), "float16")
        sv = pool.alloc_mma((64, 64), "float16")
        s = T.alloc_local((32,), "float32")
        p = T.alloc_local((32,), "float16")
        o = T.alloc_local((32,), "float32")
        for i in T.serial(32):
            sq[t // 2, t % 2 * 32 + i] = q[t // 2, t % 2 * 32 + i]
            sk[t // 2, t % 2 * 32 + i] = key[t // 2, t % 2 * 32 + i]
            sv[t // 2, t % 2 * 32 + i] = v[t // 2, t % 2 * 32 + i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        T.ptx.wgmma.fence.sync.aligned()
        for k in T.unroll(4):
            T.wgmma_atom(SS, s, sq[0, 16 * k], sk[0, 16 * k], k > 0)
        T.ptx.wgmma.commit_group.sync.aligned()
        T.ptx.wgmma.wait_group.sync.aligned(0)
        for i in T.unroll(32):
            p[i] = T.cast(s[i] * 0.125, "float16")
        T.ptx.wgmma.fence.sync.aligned()
        for k in T.unroll(4):
            T.wgmma_atom(RS, o, p[8 * k], sv[16 * k, 0], k > 0, trans_b=True)
        T.ptx.wgmma.commit_group.sync.aligned()
        T.ptx.wgmma.wait_group.sync.aligned(0)
        for i in T.serial(32):
            out[t // 32 * 16 + t % 32 // 4 + i // 2 % 2 * 8, i // 4 * 8 + t % 4 * 2 + i % 2] = o[i]

    return kernel


def apart(fault: str) -> PrimFunc:
    """Two warpgroups begin together, and go on at their own pace; groups of products, the latest waited for last."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (128, 32), "float16")
        b = T.match_buffer(B, (32, 32), "float16")
        out = T.match_buffer(D, (128, 32), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([256])
        pool = T.SMEMPool()
        x = pool.alloc_mma((128, 32), "float16", swizzle_mode=2)
        y = pool.alloc_mma((32, 32), "float16", swizzle_mode=2)
        first = T.alloc_local((16,), "float32")
        for i in T.serial(16):
            x[t // 2, t % 2 * 16 + i] = a[t // 2, t % 2 * 16 + i]
        for i in T.serial(4):
            y[t // 8, t % 8 * 4 + i] = b[t // 8, t % 8 * 4 + i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        if t < 128 or fault != "one fences":
            T.ptx.wgmma.fence()
        if fault == "one fences again":
            first[5] = 0.0
            if t < 128:
                T.ptx.wgmma.fence()
        second = T.alloc_local((16,), "float32")
        T.wgmma_atom(NARROW, first, x[t // 128 * 64, 0], y, 0)  # here: one fences, one fences again
        T.ptx.wgmma.commit_group()
        T.wgmma_atom(NARROW, second, x[t // 128 * 64, 16], y[0, 16], t // 256)
        T.ptx.wgmma.commit_group()
        if t < 128:
            T.ptx.wgmma.wait_group(1)
            for i in T.serial(16):
                first[i] = first[i] * 2.0
            if fault == "the later group":
                first[0] = second[0]  # here: the later group
            if fault != "one waits":
                T.ptx.wgmma.wait_group(0)
        else:
            T.ptx.wgmma.wait_group(0)
            for i in T.serial(16):
                first[i] = first[i] * 2.0
        for i in T.serial(16):
            out[t // 32 * 16 + t % 32 // 4 + i // 2 % 2 * 8, i // 4 * 8 + t % 4 * 2 + i % 2] = first[i] + second[i]  # here: one waits

    return kernel


def halves() -> list[Any]:
    return factors(128, 32, 32)


def check_halves(given: list[Any]) -> None:
    a, b = (x.astype(np.float32) for x in given[:2])
    assert (given[2] == 2 * (a[:, :16] @ b[:, :16].T) + a[:, 16:] @ b[:, 16:].T).all()


def attended() -> list[Any]:
    rng = np.random.default_rng(9)
    return [*(rng.integers(-2, 3, (64, 64)).astype(np.float16) for _ in range(3)), np.zeros((64, 64), np.float32)]


def check_attended(given: list[Any]) -> None:
    q, k, v = (x.astype(np.float32) for x in given[:3])
    assert (given[3] == (q @ k.T / 8) @ v).all()


def packed() -> PrimFunc:
    """Half accumulators, two in a word; 8-bit factors copied by cp.async, negated; a choice by the warpgroup."""
    text = "wgmma.mma_async.sync.aligned.m64n16k32.f16.e4m3.e4m3"

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (64, 32), "float8_e4m3fn")
        b = T.match_buffer(B, (16, 32), "float8_e4m3fn")
        out = T.match_buffer(D, (2, 64, 8), "uint32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([256])
        pool = T.SMEMPool()
        x = pool.alloc_mma((64, 32), "float8_e4m3fn", swizzle_mode=1)
        y = pool.alloc_mma((16, 32), "float8_e4m3fn", swizzle_mode=0)
        d = T.alloc_local((4,), "uint32")
        if t < 128:
            T.ptx.cp.async_.cg.shared.global_(x.ptr_to([t // 2, t % 2 * 16]), a.ptr_to([t // 2, t % 2 * 16]), 16)
        if t < 32:
            T.ptx.cp.async_.cg.shared.global_(y.ptr_to([t // 2, t % 2 * 16]), b.ptr_to([t // 2, t % 2 * 16]), 16)
        T.ptx.cp.async_.wait_all()
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        for i in T.unroll(4):
            d[i] = T.uint32(0)
        T.ptx.wgmma.fence.sync.aligned()
        if t < 128:
            T.ptx[text](*[d[i] for i in range(4)], T.matrix_descriptor(x), T.matrix_descriptor(y), 1, -1, 1)
        T.ptx[text](*[d[i] for i in range(4)], T.matrix_descriptor(x), y, t // 128, 1, 1)
        T.ptx.wgmma.commit_group.sync.aligned()
        T.ptx.wgmma.wait_group.sync.aligned(0)
        for i in T.serial(4):
            out[t // 128, t % 128 // 32 * 16 + t % 32 // 4 + i % 2 * 8, i // 2 * 4 + t % 4] = d[i]

    return kernel


def bytes_() -> list[Any]:
    from tilewright.dtypes import dtype

    rng = np.random.default_rng(3)
    kind = dtype("float8_e4m3fn").numpy()
    return [*(rng.integers(-3, 4, (n, 32)).astype(np.float32).astype(kind) for n in (64, 16)), np.zeros((2, 64, 8), np.uint32)]


def check_packed(given: list[Any]) -> None:
    a, b = (x.astype(np.float32) for x in given[:2])
    assert (given[2].view(np.float16).astype(np.float32) == a @ b.T).all()


def _faults(make: Any, arguments: Any, *rows: tuple[str, type[Exception], str]) -> list[Faulty]:
    return [Faulty(make, name, error, arguments, match, HOPPER) for name, error, match in rows]


FAULTY = [
    *_faults(
        multiplied,
        factors,
        ("no proxy fence", RaceError, "no fence.proxy.async"),
        ("no barrier", RaceError, "no barrier"),
        ("no fence", RaceError, "no wgmma.fence before the first one"),
        ("touched after the fence", RaceError, "element 3 of its d, which was used with no wgmma.fence"),
        ("nothing there", UninitializedError, r"of x \(byte \d+\), which nothing has written"),
        ("accumulator not there", UninitializedError, "of its d"),
        ("block ends", RaceError, "the block ends while a product"),
        ("registers of its own", SimulationError, "different registers: d at 0, 1"),
        ("another shape", RaceError, "another shape is on its way"),
        ("another shape later", RaceError, "no wgmma.fence between"),
        ("scaled with no fence", RaceError, "element 7 of its d, which was used with no wgmma.fence"),
        ("read with no fence", RaceError, "element 7 of its d, which was used with no wgmma.fence"),
        ("changed meanwhile", RaceError, "writes element 31 of its d, in which a product on its way works"),
        ("overwritten meanwhile", RaceError, "which a product on its way reads"),
        ("overwritten by others", RaceError, "a product"),
        ("no commit", RaceError, "reads element 0 of its d, in which a product"),
        ("no wait", RaceError, "reads element 0 of its d, in which a product"),
        ("waits for none", RaceError, "reads element 0 of its d, in which a product"),
        ("half a warpgroup", BarrierError, r"thread \(64,0,0\) and 63 more .* 0 to 127, which all 128 .* thread 0 does not"),
        ("half way up", BarrierError, r"thread \(64,0,0\) and 63 more lanes"),
        ("one lane short", BarrierError, "thread 0 does not"),
    ),
    *_faults(
        described,
        factors,
        ("between", AlignmentError, "byte 8 of x, which is to be a multiple of 16"),
        ("third row", AlignmentError, "384 bytes into the pattern of mode 128B"),
        ("in the middle", SimulationError, "112 bytes into rows of 128, and a line takes 32"),
        ("beyond", OutOfBoundsError, "bytes 0 to 8191 of x, which has 4096"),
        ("an array", AlignmentError, "aligned to 128 bytes"),
        ("not one descriptor", SimulationError, "of a warpgroup give .* for the descriptor of B"),
        ("no descriptor", OutOfBoundsError, "where no buffer is"),
        ("points nowhere", OutOfBoundsError, "where no buffer is"),
        ("not one scale", SimulationError, "for scale-d"),
    ),
    *_faults(
        held,
        factors,
        ("A after the fence", RaceError, "element 0 of its f, which was used with no wgmma.fence"),
        ("changed while it is read", RaceError, "element 31 of its f, in which a product on its way works"),
        ("A is an accumulator", RaceError, "of its f, in which a product of another shape is on its way"),
    ),
    *_faults(
        specialised,
        tiles,
        ("nobody waits for the load", RaceError, "a copy on its way writes"),
        ("one warp waits", RaceError, "which a copy of block"),
        ("three warps wait", RaceError, "which a copy of block"),
        ("a lane of each warp waits", RaceError, "which a copy of block"),
        ("all lanes but one wait", RaceError, "which a copy of block"),
        ("given back too early", RaceError, "a product"),
        ("given back while it is read", RaceError, "a product"),
    ),
    *_faults(
        apart,
        halves,
        ("one fences", RaceError, r"thread \(128,0,0\) begins a product with no wgmma.fence"),
        ("one fences again", RaceError, r"thread \(128,0,0\) .* element 5 of its first, which was used with no wgmma.fence"),
        ("the later group", RaceError, "element 0 of its second, in which a product on its way works"),
        ("one waits", RaceError, r"thread \(0,0,0\) reads element 0 of its second"),
    ),
    *_faults(together, transposed_tiles, ("a warp goes past", BarrierError, "threads 0 to 127, of which 96 of 128 have come")),
]
CLEAN = [
    Clean("one warpgroup", partial(multiplied, ""), factors, check_product, HOPPER),
    Clean("descriptors by hand", partial(described, ""), factors, check_product, HOPPER),
    Clean("A in registers", partial(held, ""), factors, check_product, HOPPER),
    *(
        Clean(
            f"{consumers} consumers, {stages} stages, {steps} steps, {columns} columns, swizzle {swizzle}, {ahead} ahead",
            partial(specialised, "", stages, steps, consumers, columns, swizzle, ahead),
            partial(tiles, steps, consumers, columns, swizzle),
            check_product,
            HOPPER,
        )
        for stages, steps, consumers, columns, swizzle, ahead in (
            (1, 1, 1, 8, "128B", 0),
            (1, 3, 1, 64, "64B", 0),
            (2, 5, 2, 64, "128B", 0),
            (3, 7, 2, 32, "32B", 1),
            (4, 9, 1, 128, "128B", 2),
            (3, 4, 3, 24, "64B", 1),
        )
    ),
    Clean("a lane loads ahead, B by columns", partial(together, ""), transposed_tiles, check_transposed, HOPPER),
    Clean("products ahead of a lane that waits", partial(together, "", 3, 5, 1), transposed_tiles, check_transposed, HOPPER),
    Clean("one stage, a lane loads", partial(together, "", 1, 3), partial(transposed_tiles, 3), check_transposed, HOPPER),
    Clean("two warpgroups apart", partial(apart, ""), halves, check_halves, HOPPER),
    Clean("attention", attention, attended, check_attended, HOPPER),
    Clean("bytes, halves, signs", packed, bytes_, check_packed, HOPPER),
]
