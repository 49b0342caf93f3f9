"""Random numbers against the generator's definition in whole numbers: the same known and of run time."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import KernelError

LANES = 64


def philox(seed: int, offset: int, rounds: int) -> list[int]:
    word = (1 << 32) - 1
    c, k = [offset & word, offset >> 32 & word, 0, 0], [seed & word, seed >> 32 & word]
    for _ in range(rounds):
        a, b = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [b >> 32 ^ c[1] ^ k[0], b & word, a >> 32 ^ c[3] ^ k[1], a & word]
        k = [k[0] + 0x9E3779B9 & word, k[1] + 0xBB67AE85 & word]
    return c


@flyc.kernel
def random_kernel(W: fx.Tensor, R: fx.Tensor, seed: fx.Int64, base: fx.Int64):
    tid = fx.thread_idx.x
    words = fx.random.randint4x(seed, base + tid)
    real, normal = fx.random.rand4x(seed, base + tid), fx.random.randn4x(seed, base + tid)
    for i in fx.range_constexpr(4):
        W[i, tid] = words[i].to(fx.Int64)
        R[i, tid] = real[i]
        R[4 + i, tid] = normal[i]


@flyc.jit
def random(W: fx.Tensor, R: fx.Tensor, seed: fx.Int64, base: fx.Int64):
    random_kernel(W, R, seed, base).launch(grid=1, block=LANES)


@pytest.mark.parametrize(("seed", "base"), [(0, 0), (-3, 1 << 40), ((1 << 63) - 1, (1 << 32) - 5)])
def test_numbers_of_run_time_are_the_generators(seed: int, base: int) -> None:
    words, real = np.zeros((4, LANES), np.int64), np.zeros((8, LANES), np.float32)
    random(words, real, seed, base)
    wanted = np.array([philox(seed, base + lane, 10) for lane in range(LANES)], np.int64).T
    assert words.tolist() == wanted.tolist()
    signed = wanted.astype(np.uint32).view(np.int32)
    uniform = np.where(signed < 0, -(signed + 1), signed).astype(np.float32) * np.float32(4.6566127342e-10)
    assert real[:4].tolist() == uniform.tolist()
    assert real[:4].min() >= 0
    assert real[:4].max() < 1
    radius = np.sqrt(-2 * np.log(np.maximum(uniform[::2].astype(np.float64), 1e-7)))
    angle = 2 * np.pi * uniform[1::2].astype(np.float64)
    normal = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(4, LANES)
    assert np.allclose(real[4:], normal, atol=2e-5)


@pytest.mark.parametrize("rounds", [1, 7, 10])
def test_known_numbers_are_the_same(rounds: int) -> None:
    for seed, offset in ((0, 0), (1 << 45, 12345), (7, -1)):
        wanted = philox(seed, offset & (1 << 32) - 1, rounds)
        assert [int(x) for x in fx.random.randint4x(seed, offset, rounds)] == wanted
        assert int(fx.random.randint(seed, offset, rounds)) == wanted[0]
        assert 0 <= float(fx.random.rand(seed, offset, rounds)) < 1


def test_rounds_are_a_positive_number() -> None:
    with pytest.raises(KernelError, match="n_rounds is an integer from 1 to 64, got 0"):
        fx.random.randint4x(0, 0, 0)
