"""Kernels of elements, transposes, top k and small GEMMs equal numpy, on waves of 64 and of 32 lanes."""

from __future__ import annotations

import fx_elements as elements
import ml_dtypes
import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target

ARCHS = ("gfx942", "gfx1201")
NEAR = {"float32": 1e-5, "float16": 1e-2, "bfloat16": 5e-2}


def of(dtype: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, dtype, dtype))


def normal(dtype: str, *shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape).astype(of(dtype))


def wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64)


def silu(x: np.ndarray) -> np.ndarray:
    return wide(x) / (1 + np.exp(-wide(x)))


@pytest.mark.parametrize(("dtype", "n"), [("float32", 1000), ("float16", 4096), ("bfloat16", 808)])
def test_silu_and_mul(dtype: str, n: int) -> None:
    gate, up, out = normal(dtype, n), normal(dtype, n, 1)[:, 0].copy(), np.zeros(n, of(dtype))
    element = elements.TYPES[dtype]
    pointers = [flyc.from_c_void_p(element, x.ctypes) for x in (gate, up, out)]
    elements.build_silu_mul(dtype)(*pointers, n, 1, fx.Stream(None))
    assert np.allclose(wide(out), silu(gate) * wide(up), atol=NEAR[dtype])


def test_silu_and_mul_of_halves() -> None:
    x, out = normal("float16", 5, 48), np.zeros((5, 24), np.float16)
    elements.build_silu_mul("float16", chunked=True)(x, x, out, 120, 24, fx.Stream(None))
    assert np.allclose(wide(out), silu(x[:, :24]) * wide(x[:, 24:]), atol=1e-2)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_rope(dtype: str) -> None:
    tokens, heads, pairs = 5, 3, 7
    x, angle = normal(dtype, tokens, heads, 2 * pairs), normal("float32", tokens, pairs)
    turn = np.stack([np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)], axis=-1).astype(np.float32)
    out = np.zeros_like(x)
    elements.build_rope(dtype)(x, turn, out, tokens * heads * pairs, pairs, heads)
    even, odd = wide(x)[..., 0::2], wide(x)[..., 1::2]
    cosine, sine = wide(np.cos(angle))[:, None], wide(np.sin(angle))[:, None]
    assert np.allclose(wide(out)[..., 0::2], even * cosine - odd * sine, atol=NEAR[dtype])
    assert np.allclose(wide(out)[..., 1::2], even * sine + odd * cosine, atol=NEAR[dtype])


@pytest.mark.parametrize(("m", "n"), [(64, 32), (45, 70), (1, 33)])
def test_transpose(m: int, n: int) -> None:
    a, b = np.arange(m * n, dtype=np.float32).reshape(m, n), np.zeros((n, m), np.float32)
    elements.transpose(a, b)
    assert (b == a.T).all()


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize(("k", "dtype"), [(1024, "float16"), (520, "float32"), (203, "bfloat16")])
def test_quantise_rows(k: int, dtype: str, arch: str) -> None:
    x, q, scale = normal(dtype, 3, k), np.zeros((3, k), np.int8), np.zeros(3, np.float32)
    with Target(f"simulator:{arch}"):
        elements.build_quantise(k, dtype)(x, q, scale, 3)
    wanted = np.abs(wide(x)).max(axis=1) / 127
    assert np.allclose(scale, wanted, rtol=1e-6)
    assert (np.abs(q - wide(x) / wanted[:, None]) <= 0.5 + 1e-4).all()


def test_quantise_rows_to_8_bit_floats() -> None:
    x, scale = normal("float32", 2, 256), np.zeros(2, np.float32)
    q = np.zeros((2, 256), ml_dtypes.float8_e4m3fn)
    elements.build_quantise(256, "float32", to=fx.Float8E4M3FN)(x, q, scale, 2)
    exact = x * (np.float32(1) / scale)[:, None]
    assert (q == np.clip(exact, -448, 448).astype(q.dtype)).all()


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize(("n", "dtype", "fused"), [(1000, "bfloat16", True), (64, "float32", False)])
def test_rmsnorm(n: int, dtype: str, fused: bool, arch: str) -> None:
    x, residual, gamma = normal(dtype, 2, n), normal(dtype, n, 2).T.copy(), normal(dtype, n)
    y, before = np.zeros_like(x), residual.copy()
    with Target(f"simulator:{arch}"):
        elements.build_rmsnorm(n, dtype, fused)(x, residual, gamma, y)
    total = wide(x) + wide(before) * fused
    wanted = total / np.sqrt((total**2).mean(axis=1, keepdims=True) + 1e-6) * wide(gamma)
    assert np.allclose(wide(y), wanted, atol=NEAR[dtype], rtol=NEAR[dtype])
    assert np.allclose(wide(residual), total if fused else wide(before), atol=NEAR[dtype])


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("n", [1, 50, 200])
def test_moments(n: int, arch: str) -> None:
    a, r = normal("float32", 3, n), np.zeros((3, 2), np.float32)
    with Target(f"simulator:{arch}"):
        elements.moments(a, r, n)
    assert np.allclose(r, np.stack([a.mean(axis=1), a.var(axis=1)], axis=1), atol=1e-5)


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize(("experts", "topk", "tokens"), [(128, 4, 37), (8, 2, 5)])
def test_top_k(experts: int, topk: int, tokens: int, arch: str) -> None:
    logits = normal("float32", tokens, experts)
    weights, indices = np.zeros((tokens, topk), np.float32), np.zeros((tokens, topk), np.int32)
    counts = np.zeros(experts, np.int32)
    with Target(f"simulator:{arch}"):
        elements.build_topk(experts, topk)(logits, weights, indices, counts, tokens)
    order = np.argsort(-logits, axis=1)[:, :topk]
    powers = np.exp(wide(np.take_along_axis(logits, order, axis=1)))
    assert (indices == order).all()
    assert np.allclose(weights, powers / powers.sum(axis=1, keepdims=True), atol=1e-5)
    assert (counts == np.bincount(order.reshape(-1), minlength=experts)).all()


@pytest.mark.parametrize("arch", ["gfx942", "gfx1100", "gfx1201"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_small_gemms(dtype: str, arch: str) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 5, shape).astype(of(dtype)) for shape in ((64, 48), (32, 48)))
    c = np.zeros((64, 32), np.float32)
    with Target(f"simulator:{arch}"):
        elements.build_gemm(elements.TYPES[dtype])(a, b, c)
    assert (c == a.astype(np.float32) @ b.astype(np.float32).T).all()
