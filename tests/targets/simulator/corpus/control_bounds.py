"""Faults of bounds: every memory, views, addresses, sides of choices, loops that go on too long."""

from __future__ import annotations

from corpus import BOTH, fault

from tilewright.errors import OutOfBoundsError, SimulationError, UninitializedError
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, TileLayout

TURNED = TileLayout(S[(4, 32) : (1, 4)])


@fault(OutOfBoundsError, *BOTH)
def one_too_far(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    A[t + 1] = 1  # here


@fault(OutOfBoundsError, *BOTH)
def one_before(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = A[t - 1]  # here


@fault(OutOfBoundsError, *BOTH)
def within_the_memory_but_not_the_row(A: T.Buffer((8, 12), "int32"), B: T.Buffer((8,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([8])
    B[t] = A[t, t + 6]  # here


@fault(OutOfBoundsError, *BOTH)
def of_another_block(A: T.Buffer((4, 64), "int32")):
    T.device_entry()
    b = T.cta_id([5])
    t = T.thread_id([64])
    A[b, t] = 1  # here


@fault(OutOfBoundsError, *BOTH)
def of_an_index_array(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[A[t] * 2] = 1  # here


@fault(OutOfBoundsError, *BOTH)
def of_shared_memory(B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((32,), "int32")
    s[t] = 1  # here
    B[t] = 1


@fault(OutOfBoundsError, *BOTH)
def of_the_pool(B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    pool = T.SMEMPool()
    first = pool.alloc((32,), "int32")
    second = pool.alloc((32,), "int32")
    second[t % 32] = 1
    first[t] = 1  # here
    B[t] = 1


@fault(OutOfBoundsError, *BOTH)
def of_registers(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    r = T.alloc_local((8,), "int32")
    for i in T.serial(8):
        r[i] = i
    A[t] = r[t // 7]  # here


@fault(OutOfBoundsError, *BOTH)
def of_a_declared_row(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    r = T.alloc_local((4,), "int32")
    i: T.int32 = 0
    while i <= 4:
        r[i] = t  # here
        i = i + 1
    A[t] = r[0]


@fault(OutOfBoundsError, *BOTH)
def of_a_view(A: T.Buffer((64,), "int32"), B: T.Buffer((32,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    v = T.decl_buffer((32,), "int32", data=A.data, elem_offset=16)
    B[t] = v[t + 8]  # here


@fault(OutOfBoundsError, *BOTH)
def of_a_view_of_a_view(A: T.Buffer((64,), "int32"), B: T.Buffer((16,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([16])
    v = T.decl_buffer((4, 8), "int32", data=A.data, elem_offset=8)
    w = T.decl_buffer((2, 8), "int32", data=v.data, elem_offset=16)
    B[t] = w[t // 4, t % 8]  # here


@fault(OutOfBoundsError, *BOTH)
def of_a_view_of_shared_memory(B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((128,), "int32")
    v = T.decl_buffer((8, 4), "int32", data=s.data, elem_offset=32)
    v[t // 8, t % 8] = 1  # here
    B[t] = 1


@fault(OutOfBoundsError, *BOTH)
def of_an_address(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    T.cuda.atomic_add(T.address_of(A[t * 2]), 1)  # here


@fault(OutOfBoundsError, *BOTH)
def of_an_address_in_a_view(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    v = T.decl_buffer((4, 4), "int32", data=A.data, elem_offset=16)
    T.cuda.atomic_max(v.ptr_to([t // 8, t % 8]), 1)  # here


@fault(OutOfBoundsError, *BOTH)
def of_a_flag(F: T.Buffer((4,), "uint32")):
    T.device_entry()
    b = T.cta_id([5])
    T.thread_id([32])
    T.ptx.st.release.gpu.global_.u32(F.ptr_to([b]), 1)  # here


@fault(OutOfBoundsError, *BOTH)
def of_a_lock(F: T.Buffer((4,), "uint32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    old: T.uint32 = 0
    T.ptx.atom.acquire.gpu.cas.b32(old, F.ptr_to([t // 4]), 0, 1)  # here


@fault(OutOfBoundsError, *BOTH)
def on_the_side_that_is_taken(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = T.if_then_else(t <= 63, A[t + 1], 0)  # here


@fault(OutOfBoundsError, *BOTH)
def behind_an_or(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    if t < 63 or A[t + 1] > 0:  # here
        B[t] = 1


@fault(OutOfBoundsError, *BOTH)
def in_the_condition_of_a_loop(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    i: T.int32 = t
    while A[i] != 100:  # here
        i = i + 1
    B[t] = i


@fault(OutOfBoundsError, *BOTH)
def in_a_loop_that_breaks_too_late(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    for i in range(100):
        B[t] = A[t + i]  # here
        if t + i > 63:
            break


@fault(OutOfBoundsError)
def of_a_region(A: T.Buffer((8, 32), "float32"), B: T.Buffer((4, 32), "float32", layout=TURNED)):
    T.device_entry()
    T.cta_id([1])
    T.thread_id([32])
    for s in T.serial(2):
        Tx.warp.permute_layout(B[0:4, 0:32], A[5 * s : 5 * s + 4, 0:32])  # here


@fault(OutOfBoundsError)
def of_a_region_that_begins_in_the_row_before(
    A: T.Buffer((8, 64), "float32"), B: T.Buffer((4, 32), "float32", layout=TURNED)
):
    T.device_entry()
    T.cta_id([1])
    T.thread_id([32])
    for s in T.serial(2):
        Tx.warp.permute_layout(B[0:4, 0:32], A[2:6, 32 * s - 16 : 32 * s + 16])  # here


@fault(OutOfBoundsError, "gfx942")
def of_a_wave(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    w = T.warp_id([2])
    lane = T.lane_id()
    A[w * 32 + lane] = 1  # here


# ---- what has no value


@fault(UninitializedError, *BOTH)
def shared_memory_that_nobody_wrote(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    A[t] = s[t]  # here


@fault(UninitializedError, *BOTH)
def a_variable_without_a_value(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.int32
    if t > 3:
        x = 1
    A[t] = x  # here


@fault(UninitializedError, *BOTH)
def a_flag_in_shared_memory(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((1,), "int32")
    A[t] = T.cuda.atomic_add(T.address_of(s[0]), 1)  # here


@fault(UninitializedError, *BOTH)
def an_element_that_a_loop_left_out(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    r = T.alloc_local((4,), "int32")
    for i in range(4):
        if i == 3 and t == 5:
            break
        r[i] = i
    A[t] = r[3]  # here


# ---- what never ends, and what is asserted


@fault(SimulationError, *BOTH)
def a_loop_that_nothing_ends(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    while A[t] < 60:  # here
        B[t] = 1


@fault(SimulationError, *BOTH)
def a_loop_that_only_asks(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    while A[t] == 7:  # here
        pass
    B[t] = 1


@fault(SimulationError, *BOTH)
def a_loop_that_counts_the_wrong_way(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    i: T.int64 = 5
    while i > 0:  # here
        i = i + 1
    A[t] = 1


@fault(SimulationError, *BOTH)
def a_loop_without_its_break(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    while True:  # here
        A[t] = 1
        if A[t] == 2:
            break


@fault(SimulationError, *BOTH)
def a_grid_that_is_too_large(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    for _i, _j, _k in T.grid(4096, 4096, 4096):  # here
        A[t] = 1


@fault(SimulationError, *BOTH)
def a_division_by_what_is_zero_once(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = 12 // A[t] if A[t] >= 0 else 0  # here


@fault(SimulationError, *BOTH)
def an_assertion(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    assert A[t] < 49, "too large"  # here
    A[t] = 1
