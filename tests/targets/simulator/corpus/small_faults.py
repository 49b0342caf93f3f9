"""Small slips of kinds that few larger kernels have: two writes, askew copies, operands that are none, foreign ones."""

from __future__ import annotations

from corpus import BOTH, fault

from tilewright.errors import AlignmentError, BarrierError, RaceError, SimulationError
from tilewright.script import tirx as T

AMD = ("gfx942", "gfx1100")
STORE = "cp.async.bulk.global.shared::cta.bulk_group"

# ---- two writes


@fault(RaceError, *BOTH)
def halves_of_a_block_in_one_place(A: T.Buffer((128,), "int32"), F: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    F[t % 64] = A[t]  # here


@fault(RaceError, *BOTH)
def a_total_of_each_warp(A: T.Buffer((128,), "int32"), F: T.Buffer((1,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    total: T.int32 = T.cuda.warp_sum(A[t])
    if t % 64 == 0:
        F[0] = total  # here


@fault(RaceError, *BOTH)
def a_place_and_its_neighbour_s(A: T.Buffer((128,), "int32"), F: T.Buffer((128,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    s = T.alloc_shared((128,), "int32")
    s[t] = A[t]
    s[(t + 64) % 128] = t  # here
    T.cuda.cta_sync()
    F[t] = s[t]


# ---- copies that begin askew


@fault(AlignmentError, *BOTH)
def eight_bytes_at_an_odd_word(A: T.Buffer((128,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((130,), "int32")
    T.ptx.cp.async_.ca.shared.global_(s.ptr_to([2 * t + 1]), A.ptr_to([2 * t]), 8)  # here
    T.ptx.cp.async_.wait_all()


@fault(AlignmentError, *BOTH)
def rows_that_are_no_multiple_of_a_copy(A: T.Buffer((64, 7), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 8), "float32")
    T.ptx.cp.async_.cg.shared.global_(s.ptr_to([t, 0]), A.ptr_to([t, 0]), 16)  # here
    T.ptx.cp.async_.wait_all()


@fault(AlignmentError, *BOTH)
def a_bulk_store_from_the_second_word(A: T.Buffer((64,), "int32"), F: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    s[t] = A[t]
    T.ptx.fence.proxy.async_()
    T.cuda.cta_sync()
    if t == 0:
        T.ptx[STORE](F.ptr_to([0]), s.ptr_to([1]), 128)  # here
        T.ptx.cp.async_.bulk.commit_group()
        T.ptx.cp.async_.bulk.wait_group(0)


@fault(AlignmentError, *BOTH)
def a_bulk_store_behind_a_header(A: T.Buffer((64,), "int32"), F: T.Buffer((80,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    s[t] = A[t]
    T.ptx.fence.proxy.async_()
    T.cuda.cta_sync()
    if t == 0:
        T.ptx[STORE](F.ptr_to([2]), s.ptr_to([0]), 256)  # here
        T.ptx.cp.async_.bulk.commit_group()
        T.ptx.cp.async_.bulk.wait_group(0)


# ---- operands that are none


@fault(SimulationError, *BOTH)
def a_share_of_nobody(A: T.Buffer((64,), "int32"), F: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    F[t] = 100 % A[t]  # here


@fault(SimulationError, *BOTH)
def a_bit_beyond_its_word(A: T.Buffer((64,), "int32"), F: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    F[t] = 1 << A[t]  # here


@fault(SimulationError, *BOTH)
def a_shift_to_the_left_by_less_than_nothing(A: T.Buffer((64,), "int32"), F: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    F[t] = A[t] >> (30 - t)  # here


@fault(SimulationError, *BOTH)
def a_mean_of_no_numbers(A: T.Buffer((64,), "int32"), F: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    count: T.int32 = 0
    for i in T.serial(8):
        if A[t] > 8 * i + 1:
            count = count + 1
    if t < 32:
        F[t] = A[t] // count  # here


# ---- lanes at odds


@fault(SimulationError, "gfx942")
def an_a_by_the_half(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(8):
        a[i] = A[t, i]
        d[i] = 0.0
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d, a[t // 32 * 4], a, d)  # here
    F[t] = d[0]


@fault(SimulationError, "gfx942")
def a_b_by_parity(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(8):
        a[i] = A[t, i]
        d[i] = 0.0
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d, a, a[t % 2 * 4], d)  # here
    F[t] = d[0]


@fault(SimulationError, "gfx942")
def a_sum_by_the_quarter(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(8):
        a[i] = A[t, i]
        d[i] = 0.0
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d[t // 16 % 2 * 4], a, a, d[0])  # here
    F[t] = d[0]


@fault(SimulationError, "gfx942")
def an_addend_by_the_half(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(8):
        a[i] = A[t, i]
        d[i] = 0.0
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d, a, a, d[t // 32 * 4])  # here
    F[t] = d[0]


@fault(SimulationError, "gfx942")
def an_a_by_data(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(8):
        a[i] = A[t, i]
        d[i] = 0.0
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d, a[T.cast(A[t, 0], "int32") // 2 % 2 * 4], a, d)  # here
    F[t] = d[0]


@fault(SimulationError, "gfx942")
def a_sum_by_data(A: T.Buffer((64, 8), "float16"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    d = T.alloc_local((8,), "float32")
    for i in T.serial(8):
        a[i] = A[t, i]
        d[i] = 0.0
    T.mma_atom("CDNA3_16x16x16_F32F16F16F32", d[T.cast(A[t, 0], "int32") // 2 % 2 * 4], a, a, d)  # here
    F[t] = d[0]


@fault(BarrierError, *BOTH)
def a_barrier_of_other_numbers_of_threads(A: T.Buffer((128,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    if t < 64:
        T.ptx.bar.sync(1, 128)
    else:
        T.ptx.bar.sync(1, 64)  # here
    A[t] = t


# ---- words of others


@fault(SimulationError, *AMD)
def copies_of_ampere_on_amd(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    T.ptx.cp.async_.ca.shared.global_(s.ptr_to([t]), A.ptr_to([t]), 4)  # here
    T.ptx.cp.async_.wait_all()


@fault(SimulationError, *AMD)
def numbered_barriers_on_amd(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    A[t] = t
    T.ptx.bar.sync(1, 64)  # here


@fault(SimulationError, *AMD)
def fences_of_hopper_on_amd(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    A[t] = t
    T.ptx.fence.proxy.async_()  # here


@fault(SimulationError, *AMD)
def pairs_of_additions_on_amd(F: T.Buffer((128,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    T.ptx.red.relaxed.gpu.global_.v2.f32.add(F.ptr_to([2 * t]), 0.5, 1.0)  # here
