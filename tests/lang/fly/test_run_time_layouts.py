"""Laws 72 and 73: layouts of which run time knows some leaves give the indices of the known ones, or are refused."""

from __future__ import annotations

from collections import Counter

import fx_layouts
import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.passes.fly.pipeline import STAGES


@pytest.mark.parametrize("wide", [False, True], ids=["narrow", "wide"])
def test_indices_are_those_of_the_known_layout(wide: bool) -> None:
    """Far beyond 32 bits, too; where a kernel runs, it runs at every stage."""
    found = Counter(fx_layouts.verdict(fx_layouts.drawn(seed, wide)) for seed in range(12))
    assert found["equal"] >= 7
    assert set(found) <= {"equal", "refused", "none"}


def test_other_functions_agree_with_the_known_layout() -> None:
    """Divides, products, complements, recasts, slices and what joins layouts."""
    found = Counter(fx_layouts.verdict(fx_layouts.drawn(seed, seed % 3 == 0, more=True)) for seed in range(16))
    assert found["equal"] >= 9
    assert set(found) <= {"equal", "refused", "none"}


@flyc.kernel
def inverse_kernel(R: fx.Tensor, case: fx.Constexpr, leaves: tuple):
    layout = case.layout(leaves)
    inverse = fx.right_inverse(layout)
    tid = fx.thread_idx.x
    R[tid] = fx.get_scalar(fx.crd2idx(fx.get_scalar(fx.crd2idx(tid, inverse)), layout)).to(fx.Int64)
    R[fx.block_dim.x] = fx.Int64(fx.size(inverse))


@flyc.jit
def inverse(R: fx.Tensor, case: fx.Constexpr, leaves: tuple):
    inverse_kernel(R, case, leaves).launch(grid=1, block=32)


@pytest.mark.parametrize("seed", range(6))
def test_a_right_inverse_goes_as_far_as_is_known(seed: int) -> None:
    case = fx_layouts.drawn(seed)
    r = np.zeros(33, np.int64)
    inverse(r, case, case.given)
    size = min(int(r[-1]), 32)
    assert size >= 1
    assert r[:size].tolist() == list(range(size))


@flyc.kernel
def far_kernel(R: fx.Tensor, n: fx.Int32):
    tid = fx.thread_idx.x
    rows = fx.make_layout((1 << 20, 1 << 20, 4), (1, 1 << 20, 1 << 40))
    R[tid, 0] = fx.get_scalar(fx.crd2idx((tid, tid * n, 1), rows)).to(fx.Int64)
    R[tid, 1] = fx.get_scalar(rows(tid + n, n, 3)).to(fx.Int64)
    R[tid, 2] = fx.get_scalar(fx.crd2idx(tid, fx.make_layout(8, 1 << 59))).to(fx.Int64)


@flyc.jit
def far(R: fx.Tensor, n: fx.Int32):
    far_kernel(R, n).launch(grid=1, block=8)


def test_indices_of_known_layouts_have_the_bits_that_they_need() -> None:
    """Threads count in 32 bits; what a known layout makes of them has 64 where it reaches that far."""
    r, n = np.zeros((8, 3), np.int64), 1000
    far(r, n)
    for tid, row in enumerate(r.tolist()):
        assert row == [tid + (tid * n << 20) + (1 << 40), tid + n + (n << 20) + (3 << 40), tid << 59]


@flyc.kernel
def halves_kernel(R: fx.Tensor, n: fx.Int32):
    rows = fx.logical_divide(fx.make_layout((70000, (n, 3)), (1, (70000, 4900000000))), fx.make_layout(2, 1))
    tid = fx.thread_idx.x
    R[tid] = fx.get_scalar(fx.crd2idx((tid % 2, tid // 2), rows)).to(fx.Int64)


@flyc.jit
def halves(R: fx.Tensor, n: fx.Int32):
    halves_kernel(R, n).launch(grid=1, block=8)


@pytest.mark.parametrize("stage", STAGES)
def test_the_smaller_of_two_extents_is_found_in_the_bits_of_the_larger(stage: str) -> None:
    """35000 * 3n is more than 32 bits, and the smaller one, by which the coordinate is divided, is not."""
    r = np.zeros(8, np.int64)
    halves.simulate(stage, r, 70000)
    assert r.tolist() == list(range(8))
