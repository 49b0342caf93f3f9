"""Registers that are not there or not written yet, and warps that write one element, in code as it is written."""

from __future__ import annotations

from corpus import BOTH, fault

from tilewright.errors import OutOfBoundsError, RaceError, UninitializedError
from tilewright.script import tirx as T


@fault(OutOfBoundsError, *BOTH)
def a_sorted_list_that_grows(A: T.Buffer((8, 64), "int32"), B: T.Buffer((64,), "int32")):
    """The largest four: what is moved down falls off the end."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    best = T.alloc_local((4,), "int32")
    for i in T.serial(4):
        best[i] = -1
    for k in T.serial(8):
        at: T.int32 = 3
        while at > 0 and best[T.max(at, 0)] < A[k, t]:
            at = at - 1
        for i in T.serial(4):
            if i >= at:
                best[i + 1] = best[i]  # here
        best[at] = A[k, t]
    B[t] = best[0]


@fault(OutOfBoundsError, *BOTH)
def digits_of_a_number(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    counts = T.alloc_local((9,), "int32")
    for i in T.serial(9):
        counts[i] = 0
    x: T.int32 = A[t]
    while x > 0:
        counts[x % 10] = counts[x % 10] + 1  # here
        x = x // 10
    B[t] = counts[1]


@fault(OutOfBoundsError, *BOTH)
def a_ring_of_registers_without_its_modulus(A: T.Buffer((16, 64), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    ring = T.alloc_local((4,), "int32")
    total: T.int32 = 0
    for k in T.serial(4):
        ring[k] = A[k, t]
    for k in T.serial(4, 16):
        total = total + ring[k - 4]  # here
        ring[k % 4] = A[k, t]
    B[t] = total


@fault(UninitializedError, *BOTH)
def a_maximum_of_what_was_not_there(A: T.Buffer((16, 64), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    best: T.int32
    for k in T.serial(16):
        if A[k, t] % 7 == 0:
            best = T.max(A[k, t], best)  # noqa: F821 - declared by its type  # here
    B[t] = best


@fault(UninitializedError, *BOTH)
def a_ring_that_is_read_ahead(A: T.Buffer((16, 64), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    ring = T.alloc_local((4,), "int32")
    total: T.int32 = 0
    for k in T.serial(16):
        ring[k % 4] = A[k, t]
        total = total + ring[(k + 1) % 4]  # here
    B[t] = total


@fault(UninitializedError, *BOTH)
def an_index_found_by_some(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    found: T.int32
    for k in range(8):
        if A[(t + k) % 64] == 45:
            found = k
            break
    B[t] = A[T.max(T.min(found, 63), 0)]  # here


@fault(UninitializedError, *BOTH)
def every_second_of_a_row(A: T.Buffer((64, 8), "float32"), F: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([64])
    r = T.alloc_local((8,), "float32")
    for i in T.serial(0, 8, 2):
        r[i] = A[t, i]
    total: T.float32 = 0.0
    for i in T.serial(8):
        total = total + r[i]  # here
    F[t] = total


@fault(RaceError, *BOTH)
def warps_that_tell_their_largest(A: T.Buffer((256,), "int32"), F: T.Buffer((1,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    x: T.int32 = T.cuda.warp_max(A[t] + t)
    if t % 64 == 0:
        F[0] = x  # here


@fault(RaceError, *BOTH)
def a_scatter_by_keys(A: T.Buffer((256,), "int32"), F: T.Buffer((50,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    s = T.alloc_shared((50,), "int32")
    s[A[t]] = t  # here
    T.cuda.cta_sync()
    if t < 50:
        F[t] = s[t]


@fault(RaceError, *BOTH)
def tiles_that_overlap_by_a_row(A: T.Buffer((256,), "int32"), F: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    s = T.alloc_shared((31, 8), "int32")
    s[t // 64 * 7 + t % 64 // 8, t % 8] = A[t] + t  # here
    T.cuda.cta_sync()
    F[t] = s[t // 16, t % 8]


@fault(RaceError, *BOTH)
def a_flag_and_what_clears_it(A: T.Buffer((256,), "int32"), F: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    s = T.alloc_shared((1,), "int32")
    if t == 0:
        s[0] = 0
    if A[t] == 49 and t > 128:
        s[0] = t  # here
    T.cuda.cta_sync()
    F[t] = s[0]
