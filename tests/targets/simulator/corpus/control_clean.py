"""Kernels without fault: loops, choices, views, warps that run apart, flags between blocks, locks."""

from __future__ import annotations

from corpus import BOTH, clean, clean_on

from tilewright.script import tirx as T


@clean_on(*BOTH)
def collatz(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    n: T.int32 = A[t] + 1
    steps: T.int32 = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps = steps + 1
    B[t] = steps


@clean_on(*BOTH)
def first_larger(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = -1
    for i in range(64):
        if A[i] <= t // 2:
            continue
        B[t] = i
        break


@clean_on(*BOTH)
def nested_loops(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    total: T.int32 = 0
    for i in range(5):
        j: T.int32 = 0
        while j < t % 4:
            if j == i:
                break
            total = total + 1
            j = j + 1
        if total > 9:
            break
    A[t] = total


@clean_on(*BOTH)
def stencil(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = (A[t - 1] if t > 0 else 0) + T.if_then_else(t < 63, A[t + 1], 0)


@clean_on(*BOTH)
def guarded_by_and(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = 0
    if t < 63 and A[t + 1] > A[t]:
        B[t] = 1
    if t == 0 or A[t - 1] > A[t]:
        B[t] = 2


@clean_on(*BOTH)
def guarded_quotient(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = 100 // A[t] if A[t] != 0 else -1


@clean_on(*BOTH)
def views(A: T.Buffer((64,), "int32"), B: T.Buffer((32,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    v = T.decl_buffer((4, 8), "int32", data=A.data, elem_offset=16)
    w = T.decl_buffer((8,), "int32", data=v.data, elem_offset=40)
    B[t] = v[t // 8, t % 8] + w[t % 8]


@clean_on(*BOTH)
def a_view_of_shared_memory(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((128,), "int32")
    v = T.decl_buffer((8, 8), "int32", data=s.data, elem_offset=64)
    v[t // 8, t % 8] = A[t]
    T.cuda.cta_sync()
    A[t] = v[t % 8, t // 8]


@clean_on(*BOTH)
def registers_by_index(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    r: T.int32[4]
    for i in range(4):
        r[i] = A[(t + i) % 64] * 0 + i  # noqa: F821 - declared by its type
    B[t] = r[t % 4]  # noqa: F821


@clean_on(*BOTH)
def ping_pong(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((2, 64), "int32")
    s[0, t] = A[t]
    i: T.int32 = 0
    while i < 5:
        T.cuda.cta_sync()
        s[(i + 1) % 2, t] = s[i % 2, (t + 1) % 64]
        i = i + 1
    T.cuda.cta_sync()
    A[t] = s[1, t]


@clean_on(*BOTH)
def a_barrier_in_a_while(A: T.Buffer((4, 64), "int32")):
    T.device_entry()
    b = T.cta_id([4])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    n: T.int32 = 0
    while n < b + 1:
        s[t] = A[b, t]
        T.cuda.cta_sync()
        A[b, t] = s[(t + 1) % 64]
        T.cuda.cta_sync()
        n = n + 1


@clean_on(*BOTH)
def a_tree(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    s[t] = A[t]
    width: T.int32 = 32
    while width > 0:
        T.cuda.cta_sync()
        if t < width:
            s[t] = s[t] + s[t + width]
        width = width // 2
    T.cuda.cta_sync()
    A[t] = s[0]


@clean_on(*BOTH)
def a_tree_of_a_warp(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.int32 = A[t]
    for i in T.unroll(5):
        x = x + T.cuda.__shfl_xor_sync(0xFFFFFFFF, x, 1 << i)
    A[t] = x


@clean_on("gfx942")
def a_tree_of_a_wave(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.int32 = A[t]
    for i in T.unroll(6):
        x = x + T.cuda.__shfl_xor_sync(0xFFFFFFFF, x, 1 << i, 64)
    A[t] = x


@clean_on("gfx942")
def a_wave_needs_no_barrier_of_the_block(A: T.Buffer((2, 64), "int32")):
    T.device_entry()
    T.cta_id([1])
    w = T.warp_id([2])
    lane = T.lane_id([64])
    s = T.alloc_shared((2, 64), "int32")
    s[w, lane] = A[w, lane]
    T.cuda.warp_sync()
    A[w, lane] = s[w, 63 - lane]


@clean_on(*BOTH)
def lanes_that_leave_and_meet(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    i: T.int32 = 0
    while i < A[t]:
        i = i + 7
    T.cuda.warp_sync()
    A[t] = T.cuda.__shfl_down_sync(0xFFFFFFFF, i, 1)


@clean_on(*BOTH)
def votes(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "uint64")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = T.cuda.ballot_sync(0xFFFFFFFFFFFFFFFF, A[t] > 20)
    if T.cuda.any_sync(0xFFFFFFFF, A[t] == 40):
        B[t] = 0


@clean
def a_warp_by_itself(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    if t < 32:
        A[t] = A[t] + T.cuda.__shfl_xor_sync(0xFFFFFFFF, A[t], 3)
    else:
        n: T.int32 = 0
        while n < 3:
            T.cuda.warp_sync()
            n = n + 1


@clean
def producer_and_consumer(A: T.Buffer((4, 32), "int32"), B: T.Buffer((4, 32), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((2, 32), "int32")
    k: T.int32 = 0
    if t < 32:
        while k < 4:
            T.ptx.bar.sync(3 + k % 2, 64)
            s[k % 2, t] = A[k, t]
            T.ptx.bar.arrive(1 + k % 2, 64)
            k = k + 1
    else:
        T.ptx.bar.arrive(3, 64)
        T.ptx.bar.arrive(4, 64)
        while k < 4:
            T.ptx.bar.sync(1 + k % 2, 64)
            B[k, t - 32] = s[k % 2, 63 - t]
            if k < 2:
                T.ptx.bar.arrive(3 + k % 2, 64)
            k = k + 1


@clean_on(*BOTH)
def copies_of_other_sizes(A: T.Buffer((2, 64), "int32"), F: T.Buffer((2, 64), "int32")):
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    s[t] = A[b, t]
    T.ptx.fence.proxy.async_()
    T.cuda.cta_sync()
    if t < 2:
        bytes_ = 64 * (1 + t) - 32 * b
        T.ptx["cp.async.bulk.global.shared::cta.bulk_group"](F.ptr_to([b, 32 * t]), s.ptr_to([16 * t]), bytes_)
        T.ptx.cp.async_.bulk.commit_group()
        T.ptx.cp.async_.bulk.wait_group(0)


@clean
def one_barrier_at_two_places(A: T.Buffer((4, 64), "int32"), B: T.Buffer((4, 64), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((4, 64), "int32")
    for k in T.serial(4):
        s[k, t] = A[k, t]
        if t < 32:
            T.ptx.bar.sync(1, 64)
        else:
            T.ptx.bar.sync(1, 64)
        B[k, t] = s[k, 63 - t]


@clean_on(*BOTH)
def a_flag(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([64])
    if b == 1:
        A[t] = t
        T.cuda.cta_sync()
        if t == 0:
            T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 1)
    else:
        if t == 0:
            f: T.uint32 = 0
            while f == 0:
                T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([0]))
        T.cuda.cta_sync()
        B[t] = A[63 - t]


@clean
def flags_of_warps(A: T.Buffer((64,), "int32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((32,), "int32")
    if t >= 32:
        s[t - 32] = A[t]
        T.cuda.warp_sync()
        if t == 32:
            T.ptx.st.release.cta.global_.u32(F.ptr_to([0]), 1)
    else:
        f: T.uint32 = 0
        while f == 0:
            T.ptx.ld.acquire.cta.global_.u32(f, F.ptr_to([0]))
        A[t] = s[31 - t]


@clean_on(*BOTH)
def a_chain_of_blocks(A: T.Buffer((8, 32), "int32"), F: T.Buffer((8,), "uint32")):
    T.device_entry()
    b = T.cta_id([7])
    t = T.thread_id([32])
    if t == 0 and b > 0:
        f: T.uint32 = 0
        while f == 0:
            T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([b]))
    T.cuda.cta_sync()
    A[b + 1, t] = A[b, t] + 1
    T.cuda.cta_sync()
    if t == 0:
        T.ptx.st.release.gpu.global_.u32(F.ptr_to([b + 1]), 1)


@clean_on(*BOTH)
def the_last_block(A: T.Buffer((4, 32), "int32"), B: T.Buffer((32,), "int32"), F: T.Buffer((1,), "uint32")):
    T.device_entry()
    b = T.cta_id([4])
    t = T.thread_id([32])
    s = T.alloc_shared((1,), "uint32")
    A[b, t] = A[b, t] * 2
    T.cuda.thread_fence()
    T.cuda.cta_sync()
    if t == 0:
        s[0] = T.cuda.atomic_add(F.ptr_to([0]), 1)
    T.cuda.cta_sync()
    if s[0] == 3:
        T.cuda.thread_fence()
        B[t] = 0


@clean_on(*BOTH)
def a_barrier_of_the_grid(A: T.Buffer((4, 32), "int32"), B: T.Buffer((4, 32), "int32"), F: T.Buffer((1,), "uint32")):
    T.device_entry()
    b = T.cta_id([4])
    t = T.thread_id([32])
    A[b, t] = b * 32 + t
    T.cuda.cta_sync()
    if t == 0:
        T.ptx.red.release.gpu.global_.add.u32(F.ptr_to([0]), 1)
        come: T.uint32 = 0
        while come < 4:
            T.ptx.ld.acquire.gpu.global_.u32(come, F.ptr_to([0]))
    T.cuda.cta_sync()
    B[b, t] = A[3 - b, 31 - t]


@clean_on(*BOTH)
def a_lock(A: T.Buffer((4,), "int32"), F: T.Buffer((1,), "uint32")):
    T.device_entry()
    T.cta_id([4])
    t = T.thread_id([64])
    if t % 32 == 0:
        old: T.uint32 = 1
        while old != 0:
            T.ptx.atom.acquire.gpu.global_.cas.b32(old, F.ptr_to([0]), 0, 1)
        A[0] = A[0] + 1
        T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 0)


@clean_on(*BOTH)
def a_lock_by_exchange(A: T.Buffer((4,), "int32"), F: T.Buffer((1,), "uint32")):
    T.device_entry()
    T.cta_id([3])
    t = T.thread_id([32])
    if t == 0:
        old: T.uint32 = 1
        while old == 1:
            T.ptx.atom.acquire.gpu.global_.exch.b32(old, F.ptr_to([0]), 1)
        A[0] = A[0] * 3 + 1
        T.ptx.atom.release.gpu.global_.exch.b32(old, F.ptr_to([0]), 0)


@clean_on(*BOTH)
def tickets(A: T.Buffer((64,), "int32"), F: T.Buffer((1,), "int32")):
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([64])
    if t % 32 == 0:
        mine: T.int32 = 0
        while mine < 64:
            mine = T.cuda.atomic_add(F.ptr_to([0]), 1)
            if mine < 64:
                A[mine] = A[mine] + 1


@clean_on(*BOTH)
def a_histogram(A: T.Buffer((64,), "int32"), F: T.Buffer((8,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    i: T.int32 = 0
    while i < 5:
        T.cuda.atomic_add(F.ptr_to([(A[t] + i) % 8]), 1)
        i = i + 1


@clean_on(*BOTH)
def a_maximum_by_swapping(A: T.Buffer((64,), "int32"), F: T.Buffer((1,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    seen: T.int32 = 0
    while seen < A[t]:
        before: T.int32 = T.cuda.atomic_cas(F.ptr_to([0]), seen, A[t])
        seen = A[t] if before == seen else before


@clean_on(*BOTH)
def asking_without_waiting(A: T.Buffer((64,), "int32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    f: T.uint32 = 0
    tries: T.int32 = 0
    while f == 0 and tries < 20:
        T.ptx.ld.relaxed.gpu.global_.u32(f, F.ptr_to([0]))
        tries = tries + 1
    A[t] = tries


@clean_on(*BOTH)
def an_assertion_that_holds(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    assert 0 <= A[t] < 50, "numbers from 0 to 49"
    A[t] = 1


@clean_on(*BOTH)
def a_cluster(A: T.Buffer((6, 64), "int32"), B: T.Buffer((6, 64), "int32")):
    T.device_entry()
    b = T.cta_id([6])
    rank = T.cta_id_in_cluster([3])
    first = T.cluster_id([2]) * 3
    t = T.thread_id([64])
    n: T.int32 = 0
    while n < 2:
        A[b, t] = b * 64 + t + n
        T.cuda.cluster_sync()
        B[b, t] = A[first + (rank + 1) % 3, 63 - t]
        T.cuda.cluster_sync()
        n = n + 1


@clean
def warps_that_meet_their_cluster_apart(A: T.Buffer((4, 64), "int32"), B: T.Buffer((4, 64), "int32")):
    T.device_entry()
    b = T.cta_id([4])
    T.cta_id_in_cluster([2])
    pair = T.cta_id_in_pair()
    t = T.thread_id([64])
    if t < 32:
        A[b, t] = t
        T.cuda.warp_sync()
    else:
        A[b, t] = 2 * t
    T.cuda.cluster_sync()
    B[b, t] = A[b + 1 - 2 * pair, 63 - t]


@clean_on(*BOTH)
def sums_in_shared_memory_of_the_first_block(A: T.Buffer((4, 32), "int32"), B: T.Buffer((4,), "int32")):
    T.device_entry()
    b = T.cta_id([4])
    rank = T.cta_id_in_cluster([4])
    t = T.thread_id([32])
    s = T.alloc_shared((1,), "int32")
    if t == 0:
        s[0] = 0
    T.cuda.cluster_sync()
    T.cuda.atomic_add(T.ptx.mapa.u64(s.ptr_to([0]), 0), A[b, t])
    T.cuda.cluster_sync()
    first = T.ptx.mapa(s, 0)
    if t == 0:
        B[rank] = first[0]
    T.cuda.cluster_sync()
