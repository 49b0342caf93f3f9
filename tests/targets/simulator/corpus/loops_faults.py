"""Loops that never end, as searches and roots are written; instructions that a machine lacks; lanes at odds."""

from __future__ import annotations

from corpus import BOTH, fault

from tilewright.errors import SimulationError
from tilewright.script import tirx as T

HALF = "SM80_16x8x16_F32F16F16F32_TN"


@fault(SimulationError, *BOTH)
def a_search_that_keeps_its_middle(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    low: T.int32 = 0
    high: T.int32 = 50
    while low < high:  # here
        middle: T.int32 = (low + high) // 2
        if A[middle] < t:
            low = middle
        else:
            high = middle
    B[t] = low


@fault(SimulationError, *BOTH)
def a_divisor_of_nothing(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.int32 = A[t]
    y: T.int32 = 12
    while x != y:  # here
        if x > y:
            x = x - y
        else:
            y = y - x
    B[t] = x


@fault(SimulationError, *BOTH)
def steps_of_two_past_an_odd_end(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    i: T.int32 = 0
    while i != A[t]:  # here
        i = i + 2
    B[t] = i


@fault(SimulationError, *BOTH)
def a_list_that_is_a_ring(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    at: T.int32 = t
    length: T.int32 = 0
    while at != 63:  # here
        at = A[(at + 1) % 50]
        length = length + 1
    B[t] = length


@fault(SimulationError, *BOTH)
def a_root_that_is_never_met(A: T.Buffer((64,), "float32"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.float32 = A[t] + 1.0
    while x * x != A[t]:  # here
        x = (x + A[t] / x) * 0.5
    F[t] = x


@fault(SimulationError, *BOTH)
def a_power_that_wraps(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    p: T.uint32 = 1
    while p < 4294967295:  # here
        p = p * T.uint32(2)
    B[t] = A[t]


@fault(SimulationError, *BOTH)
def halves_that_do_not_reach_nothing(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.int32 = A[t] - 60
    bits: T.int32 = 0
    while x != 0:  # here
        x = x >> 1
        bits = bits + 1
    B[t] = bits


# ---- lanes at odds


@fault(SimulationError, "gfx942")
def an_accumulator_by_parity(A: T.Buffer((64, 4), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((4,), "float16")
    d = T.alloc_local((8,), "float32")
    T.copy_atom("BufferCopy64b", a, A[t, 0])
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d[t % 2 * 4], a, a)  # here
    F[t] = d[0]


@fault(SimulationError, *BOTH)
def lanes_that_copy_half_a_piece(A: T.Buffer((64, 8), "int32"), F: T.Buffer((64, 8), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 8), "int32")
    for i in T.serial(8):
        s[t, i] = A[t, i]
    T.ptx.fence.proxy.async_()
    T.ptx["cp.async.bulk.global.shared::cta.bulk_group"](F.ptr_to([t, 0]), s.ptr_to([t, 0]), 16 + t % 2 * 8)  # here
    T.ptx.cp.async_.bulk.commit_group()
    T.ptx.cp.async_.bulk.wait_group(0)


@fault(SimulationError, "gfx942")
def a_factor_by_the_half_of_the_wave(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        a[i] = A[t, i]
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d, a[t // 32 * 4], a)  # here
    F[t] = d[0]


@fault(SimulationError, "gfx942")
def added_to_what_the_row_says(A: T.Buffer((64, 4), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((4,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(8):
        d[i] = 0.0
    for k in T.serial(4):
        a[k] = A[t, k]
    for _k in T.serial(2):
        T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d, a, a, d[t // 16 % 2 * 4])  # here
    F[t] = d[0]


@fault(SimulationError, "gfx950")
def columns_read_to_other_registers(A: T.Buffer((64, 4), "float16"), F: T.Buffer((64,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 4), "float16")
    f = T.alloc_local((8,), "float16")
    for i in T.serial(4):
        s[t, i] = A[t, i]
    T.cuda.cta_sync()
    T.copy_atom("LDSReadTrans16_64b", f[t // 16 % 2 * 4], s[t, 0])  # here
    F[t] = f[0]


# ---- where no machine has it


@fault(SimulationError, "sm_75")
def a_step_of_16_on_turing(A: T.Buffer((32, 8), "float16"), F: T.Buffer((32,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((4,), "float32")
    T.copy_atom("UniversalCopy128b", a, A[t, 0])
    T.mma_atom(HALF, d, a, a)  # here
    F[t] = d[0]


@fault(SimulationError, "sm_70")
def matrices_from_rows_on_volta(A: T.Buffer((32, 8), "float16"), F: T.Buffer((32,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((32, 8), "float16")
    f = T.alloc_local((8,), "float16")
    for i in T.serial(8):
        s[t, i] = A[t, i]
    T.cuda.warp_sync()
    T.copy_atom("SM75_U32x4_LDSM_N", f, s[t, 0])  # here
    F[t] = f[0]


@fault(SimulationError, "sm_80", "sm_90", "gfx942")
def quad_pairs_after_volta(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((8,), "float32")
    T.copy_atom("UniversalCopy128b", a, A[t, 0])
    T.mma_atom("RDNA4_16x16x16_F32F16F16F32", d, a, a)  # here
    F[t] = d[0]


@fault(SimulationError, "sm_90", "sm_100a", "gfx1200")
def a_wave_elsewhere(A: T.Buffer((64, 4), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    for i in T.serial(4):
        a[i] = A[t, i]
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d, a, a)  # here
    F[t] = d[0]


@fault(SimulationError, "gfx942", "gfx950")
def rows_of_nvidia_on_amd(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 8), "float16")
    f = T.alloc_local((8,), "float16")
    for i in T.serial(8):
        s[t, i] = A[t, i]
    T.cuda.cta_sync()
    T.copy_atom("SM75_U16x8_LDSM_T", f, s[t, 0])  # here
    F[t] = f[0]


@fault(SimulationError, "gfx942", "gfx950")
def matrices_stored_on_amd(F: T.Buffer((64, 8), "float16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 8), "float16")
    f = T.alloc_local((8,), "float16")
    for i in T.serial(8):
        f[i] = 1.0
    T.copy_atom("SM90_U32x4_STSM_N", s[t, 0], f)  # here
    F[t, 0] = 1.0


@fault(SimulationError, "gfx942", "gfx950")
def waves_of_32_where_they_have_64(A: T.Buffer((64, 16), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((16,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(16):
        a[i] = A[t, i]
    T.mma_atom("RDNA3_16x16x16_F32F16F16F32", d, a, a)  # here
    F[t] = d[0]


@fault(SimulationError, "gfx1100", "sm_80")
def transposing_reads_elsewhere(A: T.Buffer((64, 4), "float16"), F: T.Buffer((64,), "float16")):
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
