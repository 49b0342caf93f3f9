"""Shuffles and votes of some lanes of a warp: those that a mask names, who all come with it, and read of each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from translation import literally

import tilewright as tw
from tilewright.errors import BarrierError, KernelError, SimulationError
from tilewright.ir.stages import STAGES
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

THREADS = 96


def parted(low: int, high: int, below: int) -> PrimFunc:
    """The lanes below a number and the others do different things, each with their own mask."""

    @T.prim_func
    def kernel(A: T.Buffer((THREADS,), "int32"), B: T.Buffer((THREADS, 3), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([THREADS])
        lane = t % T.warp_size()
        if lane < below:
            B[t, 0] = T.cuda.__shfl_sync(low, A[t], lane // 2, T.warp_size())
            B[t, 1] = T.if_then_else(T.cuda.any_sync(low, A[t] > 10), 1, 0)
            B[t, 2] = T.if_then_else(T.cuda.all_sync(low, A[t] > 10), 1, 0)
        else:
            B[t, 0] = T.cuda.__shfl_sync(high, A[t], lane, T.warp_size())
            B[t, 1] = T.cast(T.popcount(T.cuda.ballot_sync(high, A[t] % 2 == 0)), "int32")
            B[t, 2] = T.tvm_warp_shuffle_xor(high, A[t], 1, 32, 32)

    return kernel


def expected(a: Any, below: int, warp: int) -> Any:
    b = np.zeros((THREADS, 3), np.int32)
    for t in range(THREADS):
        lane, first = t % warp, t // warp * warp
        mine = a[first : first + below] if lane < below else a[first + below : first + warp]
        if lane < below:
            b[t] = a[first + lane // 2], (mine > 10).any(), (mine > 10).all()
        else:
            b[t] = a[t], (mine % 2 == 0).sum(), a[t ^ 1]
    return b


def numbers() -> Any:
    return np.random.default_rng(5).integers(0, 40, THREADS).astype(np.int32)


@pytest.mark.parametrize("stage", STAGES)
def test_each_part_has_its_own(stage: str) -> None:
    a, b = numbers(), np.zeros((THREADS, 3), np.int32)
    tw.compile(parted(0xFF, 0xFFFFFF00, 8)).simulate(a, b, stage=stage)
    assert (b == expected(a, 8, 32)).all()


def test_warps_of_64_lanes_have_masks_of_64_bits() -> None:
    a, b = numbers(), np.zeros((THREADS, 3), np.int32)
    low = (1 << 40) - 1
    tw.compile(parted(low, (1 << 64) - 1 - low, 40), target="simulator:gfx942")(a, b)
    assert (b == expected(a, 40, 64)).all()


def test_the_text_runs_on_the_cpu() -> None:
    kernel = parted(0xFF, 0xFFFFFF00, 8)
    a, b, c = numbers(), np.zeros((THREADS, 3), np.int32), np.zeros((THREADS, 3), np.int32)
    literally(kernel, a, b)
    tw.compile(kernel, target="host")(a, c)
    assert b.tobytes() == c.tobytes() == expected(a, 8, 32).astype(np.int32).tobytes()
    assert "__shfl_sync(255u" in tw.compile(kernel).source.replace("(unsigned int)", "")


@pytest.mark.parametrize("stage", STAGES)
def test_a_script_keeps_the_masks(stage: str) -> None:
    again = T.from_source(tw.compile(parted(0xFF, 0xFFFFFF00, 8)).script(stage), stage)
    a, b = numbers(), np.zeros((THREADS, 3), np.int32)
    tw.compile(again)(a.reshape(-1), b.reshape(-1))
    assert (b == expected(a, 8, 32)).all()


def branching(mask: Any, by: int = 0, of_run_time: bool = False) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        here = T.cuda.ballot_sync(0xFFFFFFFF, A[t] < 16)
        if A[t] < 16:
            B[t] = T.cuda.__shfl_sync(here if of_run_time else mask, A[t], by)

    return kernel


def test_a_mask_may_be_of_run_time() -> None:
    a, b = np.arange(32, dtype=np.int32)[::-1].copy(), np.zeros(32, np.int32)
    tw.compile(branching(None, 20, of_run_time=True))(a, b)
    assert (b == np.where(a < 16, a[20], 0)).all()
    with pytest.raises(SimulationError, match="reads of a lane that its mask 0xffff0000 leaves out"):
        tw.compile(branching(None, 3, of_run_time=True))(a, b)


def together(low: int, high: int) -> PrimFunc:
    """Both parts come to one vote, each with its own mask."""

    @T.prim_func
    def kernel(B: T.Buffer((32,), "uint32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        mask = T.if_then_else(t < 16, T.uint32(low), T.uint32(high))
        B[t] = T.cuda.ballot_sync(mask, t % 2 == 0)

    return kernel


def test_parts_may_come_to_one_vote() -> None:
    b = np.zeros(32, np.uint32)
    tw.compile(together(0xFFFF, 0xFFFF0000))(b)
    assert (b == np.where(np.arange(32) < 16, 0x5555, 0x55550000)).all()
    with pytest.raises(BarrierError, match="names lane 16, and that does not come with the same mask"):
        tw.compile(together(0x1FFFF, 0xFFFF0000))(b)


WRONG = {
    0xFFFF: "",
    0x1FFFF: "names lane 16, and that does not come with the same mask",
    0x7FFF: r"thread \(15,0,0\) comes with the mask 0x7fff, which leaves it out",
}


@pytest.mark.parametrize("mask", WRONG)
def test_who_is_named_comes(mask: int) -> None:
    a, b = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
    for stage in STAGES:
        kernel = tw.compile(branching(mask))
        if not WRONG[mask]:
            kernel.simulate(a, b, stage=stage)
            continue
        with pytest.raises(BarrierError, match=WRONG[mask]):
            kernel.simulate(a, b, stage=stage)


@pytest.mark.parametrize("mask", [0, -2, 1 << 64, 0.5])
def test_what_is_no_mask(mask: Any) -> None:
    with pytest.raises(
        KernelError, match=r"the mask of T.cuda.__shfl_sync is 0xFFFFFFFF, of all lanes, or|64 bits|2\^"
    ):
        branching(mask)
