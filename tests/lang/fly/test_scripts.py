"""Functions of fx as scripts of `T`: these read back, and their kernels do the same."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import CompileError
from tilewright.script.tirx import from_source

SHAPE = (6, 40)


@flyc.kernel
def tiled_kernel(A: fx.Tensor, B: fx.Tensor, factor: fx.Float32, n: fx.Int32):
    tid, bid = fx.thread_idx.x, fx.block_idx.x
    shared = fx.SharedAllocator().allocate(fx.Array[fx.Float32, 40]).peek().ptr
    shared[tid] = A[bid, tid] * factor
    fx.barrier()
    total = fx.Float32(0)
    for i in range(n):
        total = total + shared[(tid + i) % 40]
    B[bid, tid] = fx.exp(-total) if total > 0.0 else total / 3.0


@flyc.kernel
def counted_kernel(B: fx.Tensor, n: fx.Int32):
    at = fx.thread_idx.x - n
    B[0, fx.thread_idx.x] = (at // 3 + at % 5 + n % 4).to(fx.Float32)


@flyc.jit
def both(A: fx.Tensor, B: fx.Tensor, factor: fx.Float32, n: fx.Int32):
    tiled_kernel(A, B, factor, n).launch(grid=6, block=40)
    counted_kernel(B, n).launch(grid=1, block=40)


def test_scripts_read_back_and_do_the_same() -> None:
    a, b = np.random.default_rng(0).normal(size=SHAPE).astype(np.float32), np.zeros(SHAPE, np.float32)
    made = tw.compile(both, a, b, fx.Float32, fx.Int32)
    made(a, b, 1.5, 7)
    texts = made.script().split("@T.prim_func")[1:]
    first, second = (from_source(text, "final") for text in texts)
    layout = (*SHAPE, SHAPE[1])
    found = np.zeros_like(b.reshape(-1))
    tw.compile(first)(a.reshape(-1), *layout, found, *layout, 1.5, 7)
    tw.compile(second)(found, *layout, 7)
    assert found.tobytes() == b.tobytes()
    assert [kernel.name for kernel in (first, second)] == ["tiled_kernel_0", "counted_kernel_1"]


@flyc.kernel
def least_kernel(A: fx.Tensor):
    fx.atomic_fmin(fx.get_iter(A), fx.Float32(1))


@flyc.jit
def least(A: fx.Tensor):
    least_kernel(A).launch(grid=1, block=1)


def test_what_scripts_have_no_words_for() -> None:
    made = tw.compile(least, np.zeros(1, np.float32))
    with pytest.raises(CompileError, match=r"T has no words for a kernel of least: .*fmin"):
        made.script()
    with pytest.raises(CompileError, match=r"scripts are of stage 'flat', ir\('lowered'\) is MLIR text"):
        made.script("lowered")
