"""Threads that end early: a barrier behind is for all, and what they hold they have told nobody."""

from __future__ import annotations

from corpus import BOTH, clean_on, fault

from tilewright.errors import BarrierError, OutOfBoundsError, RaceError, UninitializedError
from tilewright.script import tirx as T


@fault(BarrierError, *BOTH)
def some_end_before_all_meet(A: T.Buffer((128,), "int32"), B: T.Buffer((128,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    s = T.alloc_shared((128,), "int32")
    s[t] = A[t]
    if t >= 100:
        return
    T.cuda.cta_sync()  # here
    B[t] = s[127 - t]


@fault(BarrierError, *BOTH)
def some_end_in_a_loop_before_their_warp_meets(A: T.Buffer((128,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    for k in T.serial(4):
        if A[t] == k:
            return
        T.cuda.warp_sync()  # here
        A[t] = A[t] + 1


@fault(UninitializedError, *BOTH)
def who_ends_has_written_nothing(A: T.Buffer((128,), "int32"), B: T.Buffer((128,), "int32")):
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([128])
    s = T.alloc_shared((128,), "int32")
    if b == 1:
        return
    if t < 64:
        s[t] = A[t]
    T.cuda.cta_sync()
    B[t] = s[127 - t]  # here


@fault(OutOfBoundsError, *BOTH)
def the_one_behind_the_last_does_not_end(A: T.Buffer((100,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    if t > 100:
        return
    A[t] = 1  # here


def _set(s, t, n):
    if n == 0:
        return
    s[t] = n


@fault(RaceError, *BOTH)
def a_helper_s_return_is_its_own(A: T.Buffer((128,), "int32"), B: T.Buffer((128,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    s = T.alloc_shared((128,), "int32")
    s[t] = 0
    _set(s, t, A[t])
    B[t] = s[127 - t]  # here


@clean_on(*BOTH)
def who_is_behind_the_last_ends(A: T.Buffer((100,), "int32"), B: T.Buffer((100,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    s = T.alloc_shared((128,), "int32")
    s[t] = t
    T.cuda.cta_sync()
    if t >= 100:
        return
    _set(B, t, A[t])
    A[t] = s[127 - t]


@clean_on(*BOTH)
def a_whole_block_ends(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):
    T.device_entry()
    b = T.cta_id([3])
    t = T.thread_id([128])
    s = T.alloc_shared((128,), "int32")
    for k in T.serial(2):
        if b + k > 1:
            return
        s[t] = A[128 * b + t]
        T.cuda.cta_sync()
        B[128 * b + t] = s[127 - t] + k
        T.cuda.cta_sync()


@clean_on(*BOTH)
def whole_warps_end(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    for k in T.serial(4):
        if t // 64 == k:
            return
        A[t] = A[t] + 1
        T.cuda.warp_sync()
        n: T.int32 = T.cuda.warp_sum(A[t])
        A[t] = n
