"""Law: a fragment of a kernel does to eager tensors, thread after thread, what it does in the kernel."""

from __future__ import annotations

import numpy
import pytest
from tensor_fragments import FRAGMENTS, SHAPE, THREADS

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx


@flyc.kernel
def kernel(x: fx.Tensor, y: fx.Tensor, name: fx.Constexpr[str]) -> None:
    FRAGMENTS[name](fx, x, y, fx.thread_idx.x)


@flyc.jit
def run(x: fx.Tensor, y: fx.Tensor, name: fx.Constexpr[str]) -> None:
    kernel(x, y, name).launch(grid=1, block=THREADS)


@pytest.mark.parametrize("name", FRAGMENTS)
def test_a_fragment_does_eagerly_what_it_does_in_a_kernel(name: str) -> None:
    x = numpy.random.default_rng(14).normal(size=SHAPE).astype("float32")
    traced, eager = (numpy.full(SHAPE, -1, "float32") for _ in range(2))
    run(x, traced, name)
    for thread in range(THREADS):
        FRAGMENTS[name](tw, tw.Tensor(x), tw.Tensor(eager), thread)
    assert (traced == eager).all()
    assert (eager != -1).any()
