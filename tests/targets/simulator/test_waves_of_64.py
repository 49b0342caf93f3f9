"""What warps of 64 lanes do together: every lane takes part, and masks have a bit for each."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import CompileError, KernelError
from tilewright.script import tirx as T

ALL = 0xFFFFFFFFFFFFFFFF
NUMBERS = np.random.default_rng(1).integers(0, 6, 128, dtype=np.uint32)


@T.prim_func
def masks(A: T.Buffer((128,), "uint32"), B: T.Buffer((5, 128), "uint64")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    B[0, t] = T.cuda.ballot_sync(ALL, A[t] > 2)
    B[1, t] = T.cuda.__match_any_sync(ALL, A[t])
    B[2, t] = T.cuda.__match_all_sync(ALL, A[t])
    B[3, t] = T.cuda.__match_all_sync(ALL, A[t] * 0)
    B[4, t] = T.uint64(ALL)


@T.prim_func
def reductions(A: T.Buffer((128,), "uint32"), B: T.Buffer((10, 128), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    B[0, t] = T.cuda.__reduce_add_sync(ALL, A[t])
    B[1, t] = T.cuda.__reduce_min_sync(0xFFFFFFFF, A[t])
    B[2, t] = T.cuda.__reduce_max_sync(ALL, A[t])
    B[3, t] = T.cuda.__reduce_and_sync(ALL, A[t])
    B[4, t] = T.cuda.__reduce_or_sync(ALL, A[t])
    B[5, t] = T.cuda.__reduce_xor_sync(ALL, A[t])
    B[6, t] = T.cuda.warp_sum(A[t], T.warp_size())
    B[7, t] = T.cuda.warp_sum(A[t])
    B[8, t] = T.cuda.warp_reduce(A[t], "max", T.warp_size())
    B[9, t] = T.cuda.__shfl_down_sync(ALL, A[t], T.warp_size() // 2, T.warp_size())


TARGETS = [("simulator", 32), ("simulator:gfx942", 64), ("host", 32), ("host:gfx942", 64)]


@pytest.mark.parametrize(("target", "lanes"), TARGETS)
def test_masks_have_a_bit_for_every_lane(target: str, lanes: int) -> None:
    got = np.zeros((5, 128), np.uint64)
    tw.compile(masks, target=target)(NUMBERS, got)
    for t in range(128):
        warp = NUMBERS[t // lanes * lanes :][:lanes].tolist()

        def bits(holds: Any, of: list[int] = warp) -> int:
            return sum(1 << lane for lane, x in enumerate(of) if holds(x))

        same = bits(lambda x, mine=NUMBERS[t]: x == mine)
        every = (1 << lanes) - 1
        assert got[:, t].tolist() == [bits(lambda x: x > 2), same, 0, every, ALL]


@pytest.mark.parametrize(("target", "lanes"), TARGETS)
def test_reductions_take_the_whole_warp(target: str, lanes: int) -> None:
    got = np.zeros((10, 128), np.uint32)
    tw.compile(reductions, target=target)(NUMBERS, got)
    signs = [operator.add, min, max, operator.and_, operator.or_, operator.xor, operator.add, operator.add, max]
    for t in range(128):
        warp = NUMBERS[t // lanes * lanes :][:lanes].tolist()
        assert got[:9, t].tolist() == [functools.reduce(sign, warp) for sign in signs]
        lane = t % lanes
        assert got[9, t] == warp[lane + lanes // 2 if lane < lanes // 2 else lane]


@T.prim_func
def short(A: T.Buffer((64,), "uint32"), B: T.Buffer((64,), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = T.cuda.ballot_sync(0xFFFFFFFF, A[t] > 2)


@T.prim_func
def active(B: T.Buffer((64,), "uint64")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    if t % 2 == 1:
        B[t] = T.cuda.__activemask(64)


def test_a_mask_too_short_is_refused() -> None:
    a, b = np.zeros(64, np.uint32), np.zeros(64, np.uint32)
    with pytest.raises(CompileError, match="32 bits for 64 lanes"):
        tw.compile(short, target="simulator:gfx942")(a, b)
    tw.compile(short)(a, b)


def test_active_lanes_of_a_wave() -> None:
    b = np.zeros(64, np.uint64)
    tw.compile(active, target="simulator:gfx942")(b)
    assert set(b[1::2].tolist()) == {0xAAAAAAAAAAAAAAAA}


def place() -> None:
    @T.prim_func
    def kernel(B: T.Buffer((64,), "uint64")) -> None:
        T.device_entry()
        T.cta_id([1])
        B[T.thread_id([64]) + ALL] = 0


def beyond() -> None:
    @T.prim_func
    def kernel(B: T.Buffer((64,), "uint64")) -> None:
        T.device_entry()
        T.cta_id([1])
        B[T.thread_id([64])] = 0x10000000000000000


REFUSED = [(place, "64 bits"), (beyond, "an integer of the kernel is outside")]


@pytest.mark.parametrize(("made", "said"), REFUSED)
def test_what_no_machine_has_is_refused(made: Callable[[], None], said: str) -> None:
    with pytest.raises(KernelError, match=said):
        made()
