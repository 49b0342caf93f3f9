"""Collective instructions as they are meant: tiles through shared memory, both sizes of warps, edges, roles."""

from __future__ import annotations

from corpus import BOTH, clean, clean_on

from tilewright.script import tirx as T
from tilewright.tirx.layout import S, TileLayout

HALF = "SM80_16x8x16_F32F16F16F32_TN"
PADDED = TileLayout(S[(32, 16) : (24, 1)])


@clean
def a_tile_of_two_warps(
    A: T.Buffer((32, 16), "float16"), B: T.Buffer((8, 16), "float16"), F: T.Buffer((32, 8), "float32")
):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((32, 16), "float16", layout=PADDED)
    r = T.alloc_shared((8, 16), "float16")
    a = T.alloc_local((8,), "float16")
    b = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    T.copy_atom("UniversalCopy128b", a, A[t // 2, t % 2 * 8])
    T.copy_atom("UniversalCopy128b", s[t // 2, t % 2 * 8], a)
    for i in T.serial(2):
        r[t // 8, t % 8 * 2 + i] = B[t // 8, t % 8 * 2 + i]
    T.cuda.cta_sync()
    T.copy_atom("SM75_U32x4_LDSM_N", a, s[t // 32 * 16 + t % 16, t % 32 // 16 * 8])
    T.copy_atom("SM75_U32x2_LDSM_N", b, r[t % 8, t // 8 % 2 * 8])
    T.mma_atom(HALF, d, a, b)
    for i in T.unroll(4):
        F[t // 32 * 16 + t % 32 // 4 + i // 2 * 8, t % 4 * 2 + i % 2] = d[i]


@clean
def sums_over_a_loop(A: T.Buffer((4, 32, 8), "float16"), F: T.Buffer((32, 4), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(4):
        d[i] = 1.0
    for k in T.serial(4):
        T.copy_atom("UniversalCopy128b", a, A[k, t, 0])
        T.mma_atom(HALF, d, a, a[4], d)
    T.copy_atom("UniversalCopy128b", F[t, 0], d)


@clean
def one_of_two_warps(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64, 4), "float32")):
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((4,), "float32")
    T.copy_atom("UniversalCopy128b", a, A[t, 0])
    for i in T.serial(4):
        d[i] = 2.0
    if t < 32:
        T.mma_atom(HALF, d, a, a, d)
    T.copy_atom("UniversalCopy128b", F[t, 0], d)


@clean
def warps_with_roles(A: T.Buffer((4, 32, 8), "float16"), F: T.Buffer((32, 4), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((2, 32, 8), "float16")
    if t < 32:
        f = T.alloc_local((8,), "float16")
        for k in T.serial(4):
            T.ptx.bar.sync(3 + k % 2, 64)
            T.copy_atom("UniversalCopy128b", f, A[k, t, 0])
            T.copy_atom("UniversalCopy128b", s[k % 2, t, 0], f)
            T.ptx.bar.arrive(1 + k % 2, 64)
    else:
        a = T.alloc_local((8,), "float16")
        d = T.alloc_local((4,), "float32")
        for i in T.serial(4):
            d[i] = 0.0
        T.ptx.bar.arrive(3, 64)
        T.ptx.bar.arrive(4, 64)
        for k in T.serial(4):
            T.ptx.bar.sync(1 + k % 2, 64)
            T.copy_atom("SM75_U32x4_LDSM_N", a, s[k % 2, t - 32, 0])
            if k < 2:
                T.ptx.bar.arrive(3 + k % 2, 64)
            T.mma_atom(HALF, d, a, a, d)
        T.copy_atom("UniversalCopy128b", F[t - 32, 0], d)


@clean
def two_buffers_in_turn(A: T.Buffer((4, 32, 8), "float16"), F: T.Buffer((32, 4), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((2, 32, 8), "float16")
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(4):
        d[i] = 0.0
    for k in T.serial(4):
        T.copy_atom("UniversalCopy128b", s[k % 2, t, 0], A[k, t, 0])
        T.cuda.warp_sync()
        T.copy_atom("SM75_U16x8_LDSM_T", a, s[k % 2, 31 - t, 0])
        T.mma_atom(HALF, d, a, a, d)
    T.copy_atom("UniversalCopy128b", F[t, 0], d)


@clean
def stored_as_matrices(A: T.Buffer((32, 8), "float16"), F: T.Buffer((32, 8), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((32, 8), "float16")
    f = T.alloc_local((8,), "float16")
    T.copy_atom("UniversalCopy128b", f, A[t, 0])
    T.copy_atom("SM90_U16x8_STSM_T", s[t, 0], f)
    T.cuda.warp_sync()
    T.copy_atom("UniversalCopy128b", f, s[t, 0])
    T.copy_atom("UniversalCopy128b", F[t, 0], f)


@clean
def two_matrices_of_sixteen_rows(A: T.Buffer((16, 8), "float16"), F: T.Buffer((32, 4), "float16")):
    """The addresses of lanes 16 to 31 do not count, wherever they point."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((16, 8), "float16")
    f = T.alloc_local((4,), "float16")
    for i in T.serial(4):
        s[t // 2, t % 2 * 4 + i] = A[t // 2, t % 2 * 4 + i]
    T.cuda.warp_sync()
    T.copy_atom("SM75_U32x2_LDSM_N", f, s[T.min(t, 15), T.if_then_else(t < 16, 0, 3)])
    T.copy_atom("UniversalCopy64b", F[t, 0], f)


@clean
def bytes_packed_in_words(A: T.Buffer((32, 4), "uint32"), F: T.Buffer((32, 4), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((4,), "uint32")
    d = T.alloc_local((4,), "int32")
    T.ptx.ld.global_.v4.b32(a[0], a[1], a[2], a[3], A.ptr_to([t, 0]))
    T.mma_atom("SM80_16x8x32_S32S8S8S32_TN", d, a, a[1])
    T.ptx.st.global_.v4.s32(F.ptr_to([t, 0]), d[0], d[1], d[2], d[3])


@clean_on("sm_70")
def quad_pairs(A: T.Buffer((32, 8), "float16"), F: T.Buffer((32, 8), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((8,), "float32")
    T.copy_atom("UniversalCopy128b", a, A[t, 0])
    T.mma_atom("SM70_8x8x4_F32F16F16F32_TN", d, a, a[4])
    for i in T.serial(8):
        F[t, i] = d[i]


@clean_on(*BOTH)
def each_lane_for_itself(A: T.Buffer((48,), "float32"), F: T.Buffer((48,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([48])
    a = T.alloc_local((1,), "float32")
    d = T.alloc_local((1,), "float32")
    a[0] = A[t]
    d[0] = 1.0
    if t % 3 == 0:
        T.mma_atom("UniversalFMA<float32>", d, a, a, d)
    F[t] = d[0]


@clean_on("gfx942")
def a_wave_of_64(A: T.Buffer((64, 4), "float16"), F: T.Buffer((64, 4), "float32")):
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([128])
    a = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    T.copy_atom("BufferCopy64b", a, A[t % 64, 0])
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d, a, a)
    if t < 64:
        for i in T.serial(4):
            F[t, i] = d[i]


@clean_on("gfx942")
def reads_and_writes_beyond_the_edge(A: T.Buffer((60, 4), "float32"), F: T.Buffer((50, 4), "float32")):
    """A buffer instruction reads 0 there, and drops what it writes."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((4,), "float32")
    T.copy_atom("BufferCopy128b", a, A[t + 4, 0])
    a[0] = a[0] + 1.0
    T.copy_atom("BufferCopy128b", F[t - 7, 0], a)


@clean_on("gfx950")
def columns_from_lds(A: T.Buffer((64, 4), "float16"), F: T.Buffer((64, 4), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 4), "float16")
    f = T.alloc_local((4,), "float16")
    for i in T.serial(4):
        s[t, i] = A[t, i]
    T.cuda.cta_sync()
    T.copy_atom("LDSReadTrans16_64b", f, s[t, 0])
    for i in T.serial(4):
        F[t, i] = f[i]


@clean_on("gfx1100")
def both_halves_hold_the_same(A: T.Buffer((16, 16), "float16"), F: T.Buffer((32, 8), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((16,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(16):
        a[i] = A[t % 16, i]
    T.mma_atom("RDNA3_16x16x16_F32F16F16F32", d, a, a)
    for i in T.serial(8):
        F[t, i] = d[i]


@clean_on("gfx1200")
def a_wave_of_32(A: T.Buffer((32, 8), "bfloat16"), F: T.Buffer((32, 8), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "bfloat16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(8):
        a[i] = A[t, i]
    for k in T.serial(3):
        if k == 0:
            T.mma_atom("RDNA4_16x16x16_F32BF16BF16F32", d, a, a)
        else:
            T.mma_atom("RDNA4_16x16x16_F32BF16BF16F32", d, a, a, d)
    for i in T.serial(8):
        F[t, i] = d[i]


@clean_on(*BOTH)
def registers_by_the_lane(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64, 8), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    f = T.alloc_local((2, 8), "float16")
    T.copy_atom("UniversalCopy128b", f[t % 2, 0], A[t, 0])
    T.copy_atom("UniversalCopy128b", F[t, 0], f[t % 2, 0])


@clean_on(*BOTH)
def the_half_that_the_column_says(A: T.Buffer((64, 4), "float32"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    f = T.alloc_local((2, 4), "float32")
    for i in T.serial(2):
        for j in T.serial(4):
            f[i, j] = 0.0
    T.copy_atom("UniversalCopy128b", f[T.cast(A[t, 0], "int32") // 4 % 2, 0], A[t, 0])
    F[t] = f[0, 0]
