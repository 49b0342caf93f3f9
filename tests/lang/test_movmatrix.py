"""`movmatrix` transposes each warp's matrix; twice is nothing; who is missing, and what is no register, is told."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import BarrierError, KernelError
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate

MATRICES = np.random.default_rng(2).integers(0, 1 << 16, (2, 8, 8)).astype(np.uint16)


@T.prim_func
def kernel(A: T.Buffer((64,), "uint32"), B: T.Buffer((64,), "uint32"), C: T.Buffer((64,), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.uint32 = A[t]
    y: T.uint32 = 0
    T.ptx.movmatrix.sync.aligned.m8n8.trans.b16(y, x)
    B[t] = y
    T.ptx.movmatrix.sync.aligned.m8n8.trans.b16(x, y)
    C[t] = x


@pytest.mark.parametrize("stage", ["tile", "final", "host"])
def test_it_transposes_and_twice_is_nothing(stage: str) -> None:
    a = np.ascontiguousarray(MATRICES).view(np.uint32).reshape(64)
    b, c = np.zeros_like(a), np.zeros_like(a)
    if stage == "host":
        tw.compile(kernel, target="host")(a, b, c)
    else:
        simulate(run(kernel.module, stage).module, [a, b, c])
    assert (b.view(np.uint16).reshape(2, 8, 8) == MATRICES.transpose(0, 2, 1)).all()
    assert (a == c).all()


def test_missing_lanes_are_told() -> None:
    @T.prim_func
    def torn(A: T.Buffer((32,), "uint32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        x: T.uint32 = A[t]
        if t < 16:
            T.ptx.movmatrix.sync.aligned.m8n8.trans.b16(x, A[t])
        A[t] = x

    with pytest.raises(BarrierError, match=r"(?s)warp.*test_movmatrix\.py"):
        tw.compile(torn)(np.zeros(32, np.uint32))


def test_a_float_is_refused() -> None:
    with pytest.raises(KernelError, match="takes a uint32 register"):

        @T.prim_func
        def wrong(A: T.Buffer((32,), "float32")) -> None:
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([32])
            x: T.float32 = A[t]
            T.ptx.movmatrix.sync.aligned.m8n8.trans.b16(x, A[t])
