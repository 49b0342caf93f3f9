"""What the lanes of a warp do together waits for those that still wait elsewhere, and says who never comes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright.errors import BarrierError
from tilewright.runtime.kernel import CompiledKernel
from tilewright.script import tirx as T
from tilewright.targets.simulator.agents.gathering import whole_groups
from tilewright.targets.simulator.order.gathering import Gathering

ALL = 0xFFFFFFFF
SHUFFLE, VOTE, MATRIX, NUMBERED, BRANCH = range(5)
SEEDS = (None, *range(4))


def late(what: int, polls: bool, comes: bool) -> CompiledKernel:
    """Lane 0 waits for what warp 1 tells last, the others for nothing; then the warp does something together."""

    @T.prim_func
    def kernel(B: T.Buffer((64,), "int32"), F: T.Buffer((1,), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        told = T.alloc_shared((2,), "uint64")
        s = T.alloc_shared((8, 8), "float16")
        r = T.alloc_local((1,), "uint32")
        if t < 8:
            for i in T.serial(8):
                s[t, i] = T.cast(t + i, "float16")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(told.ptr_to([0]), 1)
            T.ptx.mbarrier.init.shared.b64(told.ptr_to([1]), 64)
        T.cuda.cta_sync()
        x: T.int32 = T.cast(t, "int32")
        if t < 32:
            if t == 0:
                if polls:
                    flag: T.int32 = 0
                    while flag == 0:
                        T.ptx.ld.acquire.gpu.global_.b32(flag, F.ptr_to([0]))
                else:
                    T.cuda.mbarrier_wait(told.ptr_to([0]), 0)
            if what == SHUFFLE:
                x = T.cuda.__shfl_xor_sync(ALL, x, 1)
            elif what == VOTE:
                x = T.cast(T.cuda.ballot_sync(ALL, x > 29), "int32")
            elif what == MATRIX:
                T.ptx.ldmatrix.sync.aligned.m8n8.x1.shared.b16(r[0], s.ptr_to([t % 8, 0]))
                x = T.cast(r[0], "int32")
            elif what == NUMBERED:
                T.ptx.bar.sync(1, 32)
            else:
                for _ in T.serial(2):
                    x = x + T.cuda.warp_sum(x)
        elif t == 32:
            if polls and comes:
                T.ptx.st.release.gpu.global_.b32(F.ptr_to([0]), 1)
            elif comes:
                T.ptx.mbarrier.arrive.shared.b64(told.ptr_to([0]))
        B[t] = x

    return tw.compile(kernel)


def expected(what: int) -> list[int]:
    """What the lanes of warp 0 hold behind it."""
    t = np.arange(32)
    bits = np.arange(8)[:, None] + np.arange(8)
    pairs = bits.astype(np.float16).reshape(-1).view(np.uint32).astype(int)
    once = t + t.sum()
    found = (t ^ 1, np.full(32, 3 << 30).astype(np.uint32).view(np.int32), pairs, t, once + once.sum())
    return np.asarray(found[what]).tolist()


@pytest.mark.parametrize("polls", [False, True])
@pytest.mark.parametrize("what", range(5))
def test_a_warp_waits_for_a_lane_that_still_waits(what: int, polls: bool) -> None:
    kernel = late(what, polls, comes=True)
    for seed in SEEDS:
        found = np.zeros(64, np.int32)
        given = {} if seed is None else {"schedule": "random", "seed": seed}
        kernel(found, np.zeros(1, np.int32), **given)
        assert found.tolist() == [*expected(what), *range(32, 64)], seed


@pytest.mark.parametrize("polls", [False, True])
@pytest.mark.parametrize("what", range(5))
def test_a_lane_that_never_comes_is_told(what: int, polls: bool) -> None:
    kernel = late(what, polls, comes=False)
    for seed in SEEDS:
        given = {} if seed is None else {"schedule": "random", "seed": seed}
        with pytest.raises(BarrierError, match=r"thread \(0,0,0\) does not reach"):
            kernel(np.zeros(64, np.int32), np.zeros(1, np.int32), **given)


@T.prim_func
def alone(B: T.Buffer((64,), "int32"), F: T.Buffer((1,), "int32")) -> None:
    """Lane 0 goes round a shuffle that it does not take part in, and tells the others to go on."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.int32 = T.cast(t, "int32")
    if t > 0:
        flag: T.int32 = 0
        while flag == 0:
            T.ptx.ld.acquire.gpu.global_.b32(flag, F.ptr_to([0]))
    else:
        for _ in T.serial(T.cast(F[0], "int32")):
            x = T.cuda.warp_sum(x)
        T.ptx.st.release.gpu.global_.b32(F.ptr_to([0]), 1)
    B[t] = x


def test_who_does_not_take_part_goes_on_alone() -> None:
    found = np.zeros(64, np.int32)
    tw.compile(alone)(found, np.zeros(1, np.int32))
    assert found.tolist() == list(range(64))


@settings(max_examples=150)
@given(st.sets(st.integers(0, 9), min_size=1), st.sampled_from([2, 4, 8]), st.integers(1, 10))
def test_whole_groups_have_every_thread_of_the_block(chosen: set[int], size: int, total: int) -> None:
    threads = sorted(one for one in chosen if one < total) or [0]
    whole = {one for mine in threads for one in range(mine // size * size, mine // size * size + size) if one < total}
    assert whole_groups(np.array(threads), size, total) == (whole == set(threads))


@settings(max_examples=40)
@given(st.lists(st.sets(st.integers(0, 9), min_size=1), max_size=6), st.sampled_from([2, 4, 8]))
def test_a_group_goes_on_when_all_of_it_have_come(turns: list[set[int]], size: int) -> None:
    gathering, row = Gathering.of(1, 10, size), np.array([0])
    waiting: dict[int, np.ndarray] = {}
    for turn in turns:
        coming = np.array(sorted(turn - waiting.keys()), int)
        goal = gathering.arrive(row, coming)
        waiting |= dict.fromkeys(coming.tolist(), goal)
        groups = [{one for one in range(start, start + size) if one < 10} for start in range(0, 10, size)]
        complete = set().union(*(group for group in groups if group <= waiting.keys()))
        over = {one for one, goal in waiting.items() if gathering.over(goal, row, np.array([one])).all()}
        assert over == complete
        waiting = {one: goal for one, goal in waiting.items() if one not in over}
    gathering.leave(row, np.array(sorted(waiting), int))
    assert not gathering.come.any()
