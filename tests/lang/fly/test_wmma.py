"""Matrix products of waves of 32 lanes, RDNA's, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.errors import KernelError


@flyc.kernel
def product_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, kind: fx.Constexpr):
    tid = fx.thread_idx.x
    atom = fx.make_mma_atom(fx.rocdl.WMMA(16, 16, 16, kind))
    thr = fx.make_tiled_mma(atom, fx.make_layout((1, 1, 1), (0, 0, 0))).get_slice(tid)
    a, b, c = thr.partition_A(A), thr.partition_B(B), thr.partition_C(C)
    held_a, held_b, held_c = thr.make_fragment_A(A), thr.make_fragment_B(B), thr.make_fragment_C(C)
    held_a.store(a.load())
    held_b.store(b.load())
    held_c.fill(0.0)
    fx.gemm(atom, held_c, held_a, held_b, held_c)
    c.store(held_c.load())


@flyc.jit
def product(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, kind: fx.Constexpr):
    product_kernel(A, B, C, kind).launch(grid=1, block=32)


@pytest.mark.parametrize("arch", ["gfx1100", "gfx1201"])
def test_a_product_is_numpys(arch: str) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 5, (16, 16)).astype(np.float16) for _ in range(2))
    c = np.zeros((16, 16), np.float32)
    with Target(f"simulator:{arch}"):
        product(*map(flyc.from_dlpack, (a, b, c)), fx.Float16)
    assert c.tolist() == (a.astype(np.float32) @ b.astype(np.float32).T).tolist()


def test_other_targets_have_none() -> None:
    with Target("simulator:gfx942"), pytest.raises(KernelError, match="WMMA is of gfx11 and gfx12"):
        fx.rocdl.WMMA(16, 16, 16, fx.Float16)
