"""Control flow: what is traced computes what Python computes, for every thread."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fx_programs import Program, traced_and_plain

import tilewright.compiler as flyc
import tilewright.expr as fx


@pytest.mark.parametrize("seed", range(14))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    found, wanted = traced_and_plain(tmp_path / f"program{seed}.py", Program(seed).text, seed)
    assert found == wanted


@flyc.kernel
def shares_kernel(A: fx.Tensor, n: fx.Int32):
    tid = fx.thread_idx.x
    A[tid] = 100 // (tid - n) if tid != n else 7


@flyc.jit
def shares(A: fx.Tensor, n: fx.Int32):
    shares_kernel(A, n).launch(grid=1, block=8)


def test_a_choice_does_not_work_out_what_is_undefined() -> None:
    """The way that is not taken divides by 0."""
    a = np.zeros(8, np.int32)
    shares(a, 3)
    assert a.tolist() == [7 if i == 3 else 100 // (i - 3) for i in range(8)]
