"""Faults of collective instructions: rows, fragments, warps, machines that lack them, and what they race with."""

from __future__ import annotations

from corpus import BOTH, fault

from tilewright.errors import (
    BarrierError,
    MisalignedError,
    OutOfBoundsError,
    RaceError,
    SimulationError,
    UninitializedError,
)
from tilewright.script import tirx as T

HALF = "SM80_16x8x16_F32F16F16F32_TN"
MFMA = "CDNA3_16x16x16_F32F16F16F32"


@fault(MisalignedError)
def a_row_that_starts_between(A: T.Buffer((16, 24), "float16"), F: T.Buffer((32, 8), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((16, 24), "float16")
    f = T.alloc_local((8,), "float16")
    for i in T.serial(12):
        s[t // 2, t % 2 * 12 + i] = A[t // 2, t % 2 * 12 + i]
    T.cuda.warp_sync()
    T.copy_atom("SM75_U32x4_LDSM_N", f, s[t % 16, t // 16 * 8 + 4])  # here
    F[t, 0] = f[0]


@fault(MisalignedError, *BOTH)
def a_vector_between_vectors(A: T.Buffer((512,), "float16"), F: T.Buffer((32,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    f = T.alloc_local((8,), "float16")
    T.copy_atom("UniversalCopy128b", f, A[t * 8 + 4])  # here
    F[t] = f[0]


@fault(MisalignedError, *BOTH)
def a_vector_of_ptx_between_vectors(A: T.Buffer((256,), "uint32"), F: T.Buffer((32,), "uint32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    f = T.alloc_local((2,), "uint32")
    T.ptx.ld.global_.v2.b32(f[0], f[1], A.ptr_to([t * 3]))  # here
    F[t] = f[0]


@fault(MisalignedError, "gfx942")
def a_buffer_load_between_words(A: T.Buffer((512,), "float16"), F: T.Buffer((64,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    f = T.alloc_local((4,), "float16")
    T.copy_atom("BufferCopy64b", f, A[t * 4 + 1])  # here
    F[t] = f[0]


@fault(BarrierError)
def half_a_warp_multiplies(F: T.Buffer((32, 4), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    b = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        a[i] = 1.0
    for i in T.serial(4):
        b[i] = 1.0
    if t < 16:
        T.mma_atom(HALF, d, a, b)  # here
        F[t, 0] = d[0]


@fault(BarrierError)
def the_last_warp_has_half_its_lanes(A: T.Buffer((48, 8), "float16"), F: T.Buffer((48,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([48])
    s = T.alloc_shared((48, 8), "float16")
    f = T.alloc_local((2,), "float16")
    for i in T.serial(8):
        s[t, i] = A[t, i]
    T.cuda.cta_sync()
    T.copy_atom("SM75_U32x1_LDSM_N", f, s[t, 0])  # here
    F[t] = f[0]


@fault(BarrierError, "gfx942")
def half_a_wave_multiplies(F: T.Buffer((32,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(4):
        a[i] = 1.0
    T.mma_atom(MFMA, d, a, a)  # here
    F[t] = d[0]


@fault(UninitializedError)
def half_a_fragment(F: T.Buffer((32,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    b = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(4):
        a[i] = 1.0
        b[i] = 1.0
    T.mma_atom(HALF, d, a, b)  # here
    F[t] = d[0]


@fault(UninitializedError)
def an_accumulator_of_some_lanes(F: T.Buffer((32,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    b = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        a[i] = 1.0
    for i in T.serial(4):
        b[i] = 1.0
        if t < 31:
            d[i] = 0.0
    T.mma_atom(HALF, d, a, b, d)  # here
    F[t] = d[0]


@fault(UninitializedError)
def rows_that_nobody_wrote(A: T.Buffer((16, 8), "float16"), F: T.Buffer((32,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((16, 8), "float16")
    f = T.alloc_local((4,), "float16")
    for i in T.serial(4):
        s[t // 4, t % 4 * 2 + i % 2] = A[t // 4, t % 4 * 2 + i % 2]
    T.cuda.warp_sync()
    T.copy_atom("SM75_U32x2_LDSM_N", f, s[t % 16, 0])  # here
    F[t] = f[0]


@fault(RaceError)
def rows_of_another_warp(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 8), "float16")
    f = T.alloc_local((8,), "float16")
    for i in T.serial(8):
        s[t, i] = A[t, i]
    T.cuda.warp_sync()
    T.copy_atom("SM75_U32x4_LDSM_N", f, s[(t + 32) % 64, 0])  # here
    F[t] = f[0]


@fault(RaceError)
def rows_of_other_lanes(A: T.Buffer((32, 8), "float16"), F: T.Buffer((32,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((32, 8), "float16")
    f = T.alloc_local((8,), "float16")
    for i in T.serial(8):
        s[t, i] = A[t, i]
    T.copy_atom("SM75_U16x8_LDSM_T", f, s[31 - t, 0])  # here
    F[t] = f[0]


@fault(RaceError)
def matrices_stored_over_rows_in_use(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((32, 8), "float16")
    f = T.alloc_local((8,), "float16")
    T.copy_atom("UniversalCopy128b", f, A[t, 0])
    if t < 32:
        T.copy_atom("UniversalCopy128b", s[t, 0], f)
    T.cuda.cta_sync()
    if t < 32:
        F[t] = s[t, 0]
    else:
        T.copy_atom("SM90_U32x4_STSM_N", s[t % 32, 0], f)  # here


@fault(RaceError, *BOTH)
def vectors_over_one_another(A: T.Buffer((32, 4), "float16"), F: T.Buffer((64,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    f = T.alloc_local((4,), "float16")
    T.copy_atom("UniversalCopy64b", f, A[t, 0])
    T.copy_atom("UniversalCopy64b", F[t // 2 * 4], f)  # here


@fault(SimulationError, "sm_80")
def stmatrix_before_hopper(F: T.Buffer((32,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((32, 8), "float16")
    f = T.alloc_local((2,), "float16")
    f[0] = 1.0
    f[1] = 1.0
    T.copy_atom("SM90_U32x1_STSM_N", s[t, 0], f)  # here
    F[t] = 1.0


@fault(SimulationError, "sm_100a")
def consumer_blackwell_on_another(F: T.Buffer((32,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((16,), "float8_e4m3fn")
    d = T.alloc_local((4,), "float32")
    T.mma_atom("SM120_16x8x32_F32E4M3E4M3F32_TN", d, a, a)  # here
    F[t] = d[0]


@fault(SimulationError, "gfx1100")
def a_wave_of_64_lanes_where_it_has_32(F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(4):
        a[i] = 1.0
    T.mma_atom(MFMA, d, a, a)  # here
    F[t] = d[0]


@fault(SimulationError, "gfx942")
def a_warp_of_nvidia_on_amd(F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        a[i] = 1.0
    T.mma_atom(HALF, d, a, a)  # here
    F[t] = d[0]


@fault(SimulationError, "gfx942")
def transposing_reads_before_cdna4(A: T.Buffer((64, 4), "float16"), F: T.Buffer((64,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 4), "float16")
    f = T.alloc_local((4,), "float16")
    for i in T.serial(4):
        s[t, i] = A[t, i]
    T.cuda.cta_sync()
    T.copy_atom("LDSReadTrans16_64b", f, s[t, 0])  # here
    F[t] = f[0]


@fault(SimulationError, "gfx1100")
def copies_that_differ(F: T.Buffer((32,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((16,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(16):
        a[i] = T.cast(t, "float16")
    T.mma_atom("RDNA3_16x16x16_F32F16F16F32", d, a, a)  # here
    F[t] = d[0]


@fault(OutOfBoundsError)
def more_registers_than_there_are(F: T.Buffer((32,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    b = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        a[i] = 1.0
    for i in T.serial(4):
        b[i] = 1.0
    T.mma_atom(HALF, d[2], a, b)  # here
    F[t] = 1.0


@fault(OutOfBoundsError)
def a_row_that_leaves_its_memory(A: T.Buffer((252,), "float16"), F: T.Buffer((32,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((252,), "float16")
    f = T.alloc_local((8,), "float16")
    for i in T.serial(8):
        if t * 8 + i < 252:
            s[t * 8 + i] = A[t * 8 + i]
    T.cuda.warp_sync()
    T.copy_atom("SM75_U32x4_LDSM_N", f, s[t * 8])  # here
    F[t] = f[0]


@fault(OutOfBoundsError, *BOTH)
def a_row_outside_of_its_buffer(A: T.Buffer((31, 8), "float16"), F: T.Buffer((32,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    f = T.alloc_local((8,), "float16")
    T.copy_atom("UniversalCopy128b", f, A[t, 0])  # here
    F[t] = f[0]


@fault(UninitializedError, *BOTH)
def read_where_no_lane_of_its_parity_copied(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    f = T.alloc_local((2, 8), "float16")
    T.copy_atom("UniversalCopy128b", f[t % 2, 0], A[t, 0])
    F[t] = f[0, 0]  # here
