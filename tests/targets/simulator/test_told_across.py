"""What blocks leave for blocks that run later, and barriers whose number is the warp's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import BarrierError, RaceError, UninitializedError
from tilewright.script import tirx as T

MANY = 200  # blocks of 256 threads: more than run at once


def last_block(blocks: int, fences: bool) -> Any:
    """The block that counts last sums what the others wrote."""

    @T.prim_func
    def kernel(A: T.Buffer((blocks,), "int32"), W: T.Buffer((blocks,), "int32"), B: T.Buffer((1,), "int32")):
        T.device_entry()
        b = T.cta_id([blocks])
        t = T.thread_id([256])
        if t == 0:
            W[b] = A[b] + 1
            if fences:
                T.cuda.thread_fence()
            n: T.int32 = T.cuda.atomic_add(B.ptr_to([0]), 1)
            T.cuda.thread_fence()
            if n == blocks - 1:
                total: T.int32 = 0
                for i in T.serial(blocks):
                    total = total + W[i]
                T.cuda.atomic_add(B.ptr_to([0]), total)

    return tw.compile(kernel)


SCHEDULES: tuple[dict[str, Any], ...] = ({}, *({"schedule": "random", "seed": seed} for seed in range(3)))


@pytest.mark.parametrize("switches", SCHEDULES)
@pytest.mark.parametrize("blocks", [2, MANY])
def test_the_last_block_may_read_what_others_released_before_they_counted(
    blocks: int, switches: dict[str, Any]
) -> None:
    a, b = np.arange(blocks, dtype=np.int32), np.zeros(1, np.int32)
    last_block(blocks, True)(a, np.zeros(blocks, np.int32), b, **switches)
    assert b[0] == blocks + (a + 1).sum()
    with pytest.raises(RaceError):
        last_block(blocks, False)(a, np.zeros(blocks, np.int32), np.zeros(1, np.int32), **switches)


def exchanged(distance: int) -> Any:
    """Two warpgroups go through shared memory, each at a barrier of its own number."""

    @T.prim_func
    def kernel(A: T.Buffer((2, 256), "int32"), B: T.Buffer((2, 256), "int32")):
        T.device_entry()
        b = T.cta_id([2])
        t = T.thread_id([256])
        s = T.alloc_shared((256,), "int32")
        for k in T.serial(3):
            s[t] = A[b, t] + k
            T.ptx.bar.sync(1 + t // 128, 128)
            B[b, t] = s[t ^ distance]
            T.ptx.bar.sync(1 + t // 128, 128)

    return tw.compile(kernel)


@pytest.mark.parametrize("switches", SCHEDULES)
def test_warps_may_come_to_barriers_of_different_numbers(switches: dict[str, Any]) -> None:
    a, b = np.arange(512, dtype=np.int32).reshape(2, 256), np.zeros((2, 256), np.int32)
    exchanged(64)(a, b, **switches)
    assert (b == a[:, np.arange(256) ^ 64] + 2).all()
    with pytest.raises((RaceError, UninitializedError)):  # whoever comes first
        exchanged(128)(a, b, **switches)


@T.prim_func
def torn(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    T.ptx.bar.sync(1 + t % 2, 32)
    A[t] = t


@pytest.mark.parametrize("switches", SCHEDULES)
def test_lanes_of_one_warp_come_to_one_barrier(switches: dict[str, Any]) -> None:
    with pytest.raises(BarrierError):
        tw.compile(torn)(np.zeros(64, np.int32), **switches)
