"""Control flow: what is traced computes what Python computes, for every thread."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fx_programs import Program, loaded

KERNEL = """
import tilewright.compiler as flyc
import tilewright.expr as fx


@flyc.kernel
def kernel(A: fx.Tensor, B: fx.Tensor):
    tid = fx.thread_idx.x
    row = fx.Int32(3) * tid
    result = program(A[row], A[row + 1], A[row + 2])
    for i in fx.range_constexpr(5):
        B[fx.Int32(5) * tid + i] = result[i]


@flyc.jit
def run(A: fx.Tensor, B: fx.Tensor):
    kernel(A, B).launch(grid=1, block=64)
"""


def traced_and_plain(path: Path, text: str, seed: int = 0) -> tuple[list[list[int]], list[list[int]]]:
    module = loaded(path, text + KERNEL)
    given = np.random.default_rng(seed).integers(-20, 100, (64, 3)).astype(np.int32)
    found = np.zeros(64 * 5, np.int32)
    module.run(given.reshape(-1), found)
    return found.reshape(64, 5).tolist(), [list(module.program(*map(int, row))) for row in given]


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    found, wanted = traced_and_plain(tmp_path / f"program{seed}.py", Program(seed).text, seed)
    assert found == wanted
