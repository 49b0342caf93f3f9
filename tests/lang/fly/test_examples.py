"""The kinds of FlyDSL's five examples equal numpy, at every stage, of sizes that fill no tile too."""

from __future__ import annotations

import fx_examples as examples
import numpy as np
import pytest

import tilewright.compiler as flyc
from tilewright.arch import Target
from tilewright.errors import KernelError

pytestmark = pytest.mark.usefixtures("every_stage")


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize(("n", "vector"), [(1024, 4), (1000, 4), (3, 2), (259, 1)])
def test_predicated_add(n: int, vector: int) -> None:
    a, b, c = normal(n), normal(n, 1)[:, 0].copy(), np.zeros(n, np.float32)
    examples.build_add(vector)(a, b, c, n)
    assert (c == a + b).all()


def test_add_in_chunks() -> None:
    a, b, c = normal(4096), normal(4096, 1)[:, 0].copy(), np.zeros(4096, np.float32)
    known = flyc.from_dlpack(a).mark_layout_dynamic(leading_dim=0, divisibility=4)
    examples.chunk_add(known, b, c, 4096, 4097, 64, 4)
    assert (c == a + b).all()


def test_tiled_copy() -> None:
    a = np.arange(24 * 120, dtype=np.float32).reshape(24, 120)
    b = np.zeros_like(a)
    examples.tiledCopy(a, b)
    assert (a == b).all()


def test_tiled_mma() -> None:
    a, b, c = normal(64, 8), normal(8, 64).T.copy(), np.zeros((64, 64), np.float32)
    examples.tiledMma(a, b, c)
    assert np.allclose(c, a @ b.T, atol=1e-5)
    with Target("simulator:gfx1201"), pytest.raises(KernelError, match="WMMA is RDNA's") as refused:
        examples.tiledMma(a, b, c)
    assert "fx_examples.py" in str(refused.value)


def test_preshuffled_gemm() -> None:
    m, n, k = 64, 128, 256
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, size=shape).astype(np.float16) for shape in ((m, k), (n, k)))
    shuffled = b.reshape(n // 16, 16, k // 32, 4, 8).transpose(0, 2, 3, 1, 4).reshape(n, k)
    c = np.zeros((m, n), np.float16)
    examples.build_preshuffled(m, n, k)(a, shuffled.copy(), c)
    assert (c == a.astype(np.float32) @ b.astype(np.float32).T).all()


def test_rows_gathered_and_scattered() -> None:
    source, order = normal(40, 64), np.random.default_rng(1).permutation(40)[:24].astype(np.int32)
    found = np.zeros((24, 64), np.float32)
    examples.gather_jit(source, found, order)
    assert (found == source[order]).all()
    rows, spread, wanted = normal(24, 64), np.zeros((40, 64), np.float32), np.zeros((40, 64), np.float32)
    examples.scatter_jit(rows, spread, order)
    wanted[order] = rows
    assert (spread == wanted).all()


@pytest.mark.parametrize("relu", [True, False])
def test_structures_as_arguments(relu: bool) -> None:
    x, y = normal(100), np.zeros(100, np.float32)
    examples.affine(x, y, examples.Affine(2.0, -0.5, 100, relu))
    wanted = 2 * x - np.float32(0.5)
    assert np.allclose(y, np.maximum(wanted, 0) if relu else wanted)
