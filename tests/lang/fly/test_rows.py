"""Kernels of rows equal numpy on waves of 64 and of 32 lanes from one source, in vectors and by elements."""

from __future__ import annotations

import fx_rows as rows
import ml_dtypes
import numpy as np
import pytest

from tilewright.arch import Target

ARCHS = ("gfx942", "gfx1201")
TYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
NEAR = {"f32": 2e-5, "f16": 1e-2, "bf16": 1e-1}


def normal(dtype: str, *shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape).astype(TYPES[dtype])


def wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64)


def softmax_of(x: np.ndarray) -> np.ndarray:
    powers = np.exp(wide(x) - wide(x).max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize(
    ("n", "dtype", "threads"), [(2048, "f16", 256), (1024, "f32", 256), (777, "bf16", 256), (5, "f32", 64)]
)
def test_softmax(n: int, dtype: str, threads: int, arch: str) -> None:
    x = normal(dtype, 3, n)
    y = np.zeros_like(x)
    with Target(f"simulator:{arch}"):
        rows.build_softmax(n, dtype, threads)(x, y, 3)
    assert np.allclose(wide(y), softmax_of(x), atol=NEAR[dtype] / 10)


def test_builders_within_a_jit() -> None:
    x = normal("f32", 2, 300)
    y = np.zeros_like(x)
    with Target("simulator:gfx950"):
        rows.softmax_direct(x, y, 2, 300, "f32", 256)
    assert np.allclose(y, softmax_of(x), atol=1e-6)


CASES = [
    ("gfx942", 2048, "f16", False),
    ("gfx942", 2056, "bf16", True),
    ("gfx950", 264, "bf16", False),
    ("gfx1201", 333, "f32", True),
    ("gfx1201", 100, "f16", False),
]


@pytest.mark.parametrize(("arch", "n", "dtype", "stats"), CASES)
def test_layernorm(arch: str, n: int, dtype: str, stats: bool) -> None:
    """Its parameters are pointers: arrays begin where they point."""
    x, gamma, beta = normal(dtype, 3, n), normal(dtype, n), normal(dtype, n, 1)[:, 0].copy()
    y, mean, rstd = np.zeros_like(x), np.zeros(3, np.float32), np.zeros(3, np.float32)
    with Target(f"simulator:{arch}"):
        rows.build_layernorm(n, dtype, stats)(x, gamma, beta, y, *((mean, rstd) if stats else ()), 3)
    mu, deviation = wide(x).mean(axis=1, keepdims=True), wide(x).std(axis=1, keepdims=True)
    wanted = (wide(x) - mu) / np.sqrt(deviation**2 + 1e-5) * wide(gamma) + wide(beta)
    assert np.allclose(wide(y), wanted, atol=NEAR[dtype] * 2)
    if stats:
        assert np.allclose(mean, mu[:, 0], atol=1e-5)
        assert np.allclose(rstd, 1 / np.sqrt(deviation[:, 0] ** 2 + 1e-5), rtol=1e-4)
