"""Reductions and scans of warps and blocks against numpy, by sums, extremes, and a function that does not commute."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.errors import KernelError

THREADS = 128
OPS = {
    fx.ReductionOp.ADD: lambda a, b: a + b,
    fx.ReductionOp.MUL: lambda a, b: (a * b + 2**31) % 2**32 - 2**31,
    fx.ReductionOp.MAX: max,
    fx.ReductionOp.MIN: min,
}


def affine(a, b):
    """First x -> x * (a's high half) + (a's low half), then b's, modulo 2^15: associative, and does not commute."""
    high, low = (a >> 16) * (b >> 16), (a & 0x7FFF) * (b >> 16) + (b & 0x7FFF)
    return ((high & 0x7FFF) << 16) | (low & 0x7FFF)


def on_host(a: int, b: int) -> int:
    high, low = (a >> 16) * (b >> 16), (a & 0x7FFF) * (b >> 16) + (b & 0x7FFF)
    return ((high & 0x7FFF) << 16) | (low & 0x7FFF)


@flyc.kernel
def warp_kernel(A: fx.Tensor, R: fx.Tensor, op: fx.Constexpr, width: fx.Constexpr):
    tid = fx.thread_idx.x
    x = A[tid]
    R[0, tid] = fx.coop.warp_reduce(x, op, width=width)
    R[1, tid], R[2, tid], R[3, tid] = fx.coop.warp_scan_with_aggregate(x, op, width=width)
    R[4, tid] = fx.coop.warp_inclusive_scan(x, op, width=width, init=3)
    R[5, tid] = fx.coop.warp_exclusive_scan(x, op, width=width, init=3)


@flyc.jit
def warp(A: fx.Tensor, R: fx.Tensor, op: fx.Constexpr, width: fx.Constexpr):
    warp_kernel(A, R, op, width).launch(grid=1, block=THREADS)


def values(op: object) -> np.ndarray:
    rng = np.random.default_rng(1)
    high = 1 << 30 if op is affine else 50
    found = rng.integers(0 if op is affine else -high, high, THREADS).astype(np.int32)
    return found & 0x7FFF7FFF if op is affine else found


def named(op: object) -> str:
    """The id of a test, the same in every process."""
    return str(getattr(op, "__name__", op))


@pytest.mark.parametrize("op", [*OPS, affine], ids=named)
@pytest.mark.parametrize(("arch", "width"), [("gfx942", None), ("gfx942", 8), ("gfx1201", None), ("gfx1201", 1)])
def test_of_a_warp(op: object, arch: str, width: int | None) -> None:
    a, r, join = values(op), np.zeros((6, THREADS), np.int32), OPS.get(op, on_host)
    with Target(f"simulator:{arch}"):
        warp(a, r, op, width)
    size = width or {"gfx942": 64, "gfx1201": 32}[arch]
    for begin in range(0, THREADS, size):
        group, found = a[begin : begin + size].tolist(), r[:, begin : begin + size].tolist()
        scan, seeded = (list(itertools.accumulate(x, join)) for x in (group, [3, *group]))
        assert found[0] == found[3] == [scan[-1]] * size
        assert found[1] == scan
        assert found[2][1:] == scan[:-1]
        assert (found[4], found[5]) == (seeded[1:], seeded[:-1])
    if op is fx.ReductionOp.ADD:
        assert not r[2, ::size].any()


@flyc.kernel
def block_kernel(A: fx.Tensor, R: fx.Tensor, op: fx.Constexpr, init: fx.Constexpr):
    tid = fx.thread_idx.x
    reduce, scan = fx.coop.BlockReduce[fx.Int32, THREADS], fx.coop.BlockScan[fx.Int32, (THREADS, 1, 1)]
    memory = fx.SharedAllocator()
    x = A[tid]
    R[0, tid] = reduce(x, op, storage=memory.allocate(reduce.SharedStorage).peek())
    storage = memory.allocate(scan.SharedStorage).peek()
    R[1, tid], R[2, tid] = scan.inclusive_with_aggregate(x, op, storage=storage, init=init)
    fx.barrier()
    R[3, tid] = scan.exclusive(x, op, storage=storage, init=init)


@flyc.jit
def block(A: fx.Tensor, R: fx.Tensor, op: fx.Constexpr, init: fx.Constexpr):
    block_kernel(A, R, op, init).launch(grid=1, block=THREADS)


@pytest.mark.parametrize("op", [*OPS, affine], ids=named)
@pytest.mark.parametrize("init", [None, 5])
def test_of_a_block(op: object, init: int | None) -> None:
    a, r, join = values(op), np.zeros((4, THREADS), np.int32), OPS.get(op, on_host)
    block(a, r, op, init)
    scan = list(itertools.accumulate(a.tolist(), join))
    seeded = scan if init is None else list(itertools.accumulate([init, *a.tolist()], join))[1:]
    assert r[0].tolist() == r[2].tolist() == [scan[-1]] * THREADS
    assert r[1].tolist() == seeded
    assert r[3, 1:].tolist() == seeded[:-1]
    if init is not None:
        assert r[3, 0] == init


@flyc.kernel
def wrong_kernel(A: fx.Tensor, width: fx.Constexpr, op: fx.Constexpr):
    A[fx.thread_idx.x] = fx.coop.warp_reduce(A[fx.thread_idx.x], op, width=width)


@flyc.jit
def wrong(A: fx.Tensor, width: fx.Constexpr, op: fx.Constexpr):
    wrong_kernel(A, width, op).launch(grid=1, block=64)


def test_what_is_refused() -> None:
    a = np.zeros(64, np.int32)
    with pytest.raises(KernelError, match="a width is a power of two up to the warp's 64 lanes, got 48"):
        wrong(a, 48, fx.ReductionOp.ADD)
    with pytest.raises(KernelError, match="op gives Float32 for two Int32s"):
        wrong(a, 8, lambda a, b: a.to(fx.Float32) + b.to(fx.Float32))
    with pytest.raises(KernelError, match=r"op is a fx\.ReductionOp or a function"):
        wrong(a, 8, "add")
