"""The barrier of a block is its barrier 0, whether threads come to it by its name, by a vote or by its number."""

from __future__ import annotations

from corpus import BOTH, clean_on, fault

from tilewright.errors import BarrierError, RaceError
from tilewright.script import tirx as T


@fault(BarrierError, *BOTH)
def half_the_block_by_number_before_all_meet(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([256])
    if t < 128:
        T.ptx.bar.sync(0, 128)
    T.cuda.cta_sync()  # here
    A[t] = 1


@fault(BarrierError, *BOTH)
def half_the_block_by_number_after_all_met(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    T.cuda.cta_sync()
    if t < 128:
        T.ptx.bar.sync(0, 128)
    else:
        T.ptx.bar.sync(0, 128)  # here
    A[t] = 1


@fault(BarrierError, *BOTH)
def one_number_for_two_groups(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    if t < 128:
        T.ptx.bar.sync(1, 128)
    else:
        T.ptx.bar.sync(1, 128)  # here
    A[t] = 1


@fault(BarrierError, *BOTH)
def half_come_by_number_and_nobody_else(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    if t < 128:
        T.ptx.bar.sync(0, 256)  # here
    A[t] = 1


@fault(BarrierError, *BOTH)
def half_come_where_others_only_may(A: T.Buffer((256,), "int32"), F: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    if t < 128:
        T.cuda.cta_sync()  # here
    if F[t] > 0:
        T.ptx.bar.sync(0, 256)
    A[t] = 1


@fault(BarrierError, *BOTH)
def another_count_than_all(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    if t < 128:
        T.cuda.cta_sync()
    else:
        T.ptx.bar.sync(0, 128)  # here
    A[t] = 1


@fault(BarrierError, *BOTH)
def two_places_where_all_should_meet(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    T.ptx.bar.sync(0, 256)
    if t < 128:
        T.cuda.cta_sync()
    else:
        T.cuda.cta_sync()  # here
    A[t] = 1


@fault(BarrierError, *BOTH)
def some_vote_and_others_come_by_number(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    if t < 128:
        n: T.int32 = T.cast(T.cuda.syncthreads_or(A[t] > 3), "int32")
        A[t] = n
    else:
        T.ptx.bar.sync(0, 256)  # here


@fault(RaceError, *BOTH)
def who_only_tells_does_not_wait(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    s = T.alloc_shared((256,), "int32")
    s[t] = A[t]
    if t < 128:
        T.ptx.bar.arrive(0, 256)
    else:
        T.cuda.cta_sync()
    B[t] = s[255 - t]  # here


@fault(BarrierError, *BOTH)
def a_number_that_turns_out_to_be_the_block_s(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    n: T.int32 = A[0]
    if t < 128:
        T.ptx.bar.sync(n, 128)
    T.cuda.cta_sync()  # here
    A[t] = 1


@fault(BarrierError, *BOTH)
def who_has_told_comes_again_before_it_knows(A: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    if t < 128:
        T.ptx.bar.arrive(0, 256)
    else:
        T.cuda.cta_sync()
    T.ptx.bar.sync(0, 256)  # here
    A[t] = 1


@clean_on(*BOTH)
def halves_that_meet_by_number_and_by_name(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    s = T.alloc_shared((256,), "int32")
    s[t] = A[t]
    if t < 128:
        T.cuda.cta_sync()
    else:
        T.ptx.bar.sync(0, 256)
    B[t] = s[255 - t]


@clean_on(*BOTH)
def who_tells_and_who_waits_for_all(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([256])
    s = T.alloc_shared((2, 128), "int32")
    for k in T.serial(2):
        if t < 128:
            s[k, t] = A[128 * k + t]
            T.ptx.bar.arrive(0, 256)
        else:
            T.cuda.cta_sync()
            if b == 0:
                B[128 * k + t - 128] = s[k, 255 - t]
        T.ptx.bar.sync(1, 256)


@clean_on(*BOTH)
def all_meet_in_turn_by_number_name_and_vote(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    s = T.alloc_shared((256,), "int32")
    s[t] = A[t]
    T.ptx.bar.sync(0, 256)
    n: T.int32 = s[255 - t]
    m: T.int32 = T.cast(T.cuda.syncthreads_or(n > 3), "int32")
    s[t] = n + m
    T.cuda.cta_sync()
    B[t] = s[t ^ 1]


@clean_on(*BOTH)
def half_by_the_block_s_number_when_all_know(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    s = T.alloc_shared((256,), "int32")
    s[t] = A[t]
    if t < 128:
        T.ptx.bar.sync(0, 128)
        B[t] = s[127 - t]
    T.ptx.bar.sync(1, 256)
    T.cuda.cta_sync()
    if t >= 128:
        B[t] = s[255 - t]


@clean_on(*BOTH)
def one_number_handed_from_group_to_group(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([256])
    s = T.alloc_shared((256,), "int32")
    s[t] = A[t]
    if t < 128:
        T.ptx.bar.sync(1, 128)
        B[t] = s[127 - t]
        T.ptx.bar.arrive(2, 256)
    else:
        T.ptx.bar.sync(2, 256)
        T.ptx.bar.sync(1, 128)
        B[t] = s[383 - t]
