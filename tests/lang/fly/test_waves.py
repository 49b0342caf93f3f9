"""What lanes tell each other against numpy: votes, values of one lane, permutes; on waves of 32 and 64 lanes."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.errors import KernelError

pytestmark = pytest.mark.usefixtures("every_stage")
LANES = 128
ARCHS = {"gfx942": 64, "gfx1201": 32}


@flyc.kernel
def told_kernel(A: fx.Tensor, V: fx.Tensor, R: fx.Tensor, low: fx.Int32):
    tid = fx.thread_idx.x
    x = A[tid]
    if tid >= low:
        V[tid] = fx.rocdl.ballot(fx.Int64, x > 0)
        R[0, tid] = fx.rocdl.readfirstlane(fx.Int32, x)
    R[1, tid] = fx.rocdl.readlane(fx.Int32, x, low % 32)
    R[2, tid] = fx.rocdl.ds_bpermute(fx.T.i32, (tid ^ 5) * 4, x)


@flyc.jit
def told(A: fx.Tensor, V: fx.Tensor, R: fx.Tensor, low: fx.Int32):
    told_kernel(A, V, R, low).launch(grid=1, block=LANES)


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("low", [0, 7, 71])
def test_votes_and_values_of_lanes(arch: str, low: int) -> None:
    size = ARCHS[arch]
    a = np.random.default_rng(low).integers(-9, 9, LANES).astype(np.int32)
    v, r = np.zeros(LANES, np.int64), np.zeros((3, LANES), np.int32)
    with Target(f"simulator:{arch}"):
        told(a, v, r, low)
    for lane in range(LANES):
        wave = range(lane // size * size, lane // size * size + size)
        there = [other for other in wave if other >= low]
        if lane >= low:
            bits = sum(1 << other % size for other in there if a[other] > 0)
            assert int(v[lane]) & (1 << 64) - 1 == bits
            assert r[0, lane] == a[there[0]]
        assert r[1, lane] == a[wave[0] + low % 32]
        assert r[2, lane] == a[lane ^ 5]


@flyc.kernel
def narrow_kernel(A: fx.Tensor):
    A[0] = fx.rocdl.ballot(fx.Int32, A[0] > 0)


@flyc.jit
def narrow(A: fx.Tensor):
    narrow_kernel(A).launch(grid=1, block=1)


def test_a_ballot_has_a_bit_for_each_lane() -> None:
    with pytest.raises(KernelError, match="a ballot of 64 lanes has 64 bits, which Int32 has not"):
        narrow(np.zeros(1, np.int32))
