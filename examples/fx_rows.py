"""softmax, layernorm and rmsnorm of rows of any length, on waves of 64 and of 32 lanes from one source."""

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.expr import range_constexpr
from tilewright.runtime.session import Session

THREADS = 256


def block_reduced(x, joined, shared):
    """A number of all threads of a block: within waves by shuffles, then one a wave through shared memory."""
    lanes = fx.num_warp_threads()
    x = fx.coop.warp_reduce(x, joined)
    if fx.thread_idx.x % lanes == 0:
        shared[fx.thread_idx.x // lanes] = x
    fx.barrier()
    found = shared[0]
    for wave in range_constexpr(1, THREADS // lanes):
        found = joined(found, shared[wave])
    fx.barrier()
    return found


def added(a, b):
    return a + b


class Row:
    """The row of a block: each thread holds every 256th element of it."""

    def __init__(self, X, n, parts, other):
        self.row, self.n, self.parts = fx.block_idx.x, n, parts
        self.held = []
        for part in range_constexpr(parts):
            column = self.column(part)
            self.held.append(X[self.row, column].to(fx.Float32) if column < n else fx.Float32(other))

    def column(self, part):
        return fx.thread_idx.x + part * THREADS

    def write(self, Y, values):
        for part in range_constexpr(self.parts):
            column = self.column(part)
            if column < self.n:
                Y[self.row, column] = values[part].to(Y.dtype)


def scratch():
    return fx.SharedAllocator().allocate(fx.Array[fx.Float32, THREADS // 32, 16]).peek()


@flyc.kernel
def softmax_kernel(X: fx.Tensor, Y: fx.Tensor, n: fx.Int32, parts: fx.Constexpr[int]):
    shared, row = scratch(), Row(X, n, parts, float("-inf"))
    top = block_reduced(fx.max(row.held), fx.max, shared)
    powers = [fx.exp(x - top) for x in row.held]
    total = block_reduced(sum(powers, fx.Float32(0.0)), added, shared)
    row.write(Y, [power / total for power in powers])


@flyc.kernel
def layernorm_kernel(X: fx.Tensor, G: fx.Tensor, B: fx.Tensor, Y: fx.Tensor, n: fx.Int32, parts: fx.Constexpr[int]):
    shared, row = scratch(), Row(X, n, parts, 0.0)
    mean = block_reduced(sum(row.held, fx.Float32(0.0)), added, shared) / n.to(fx.Float32)
    away = [(row.column(i) < n).select(x - mean, 0.0) for i, x in enumerate(row.held)]
    variance = block_reduced(sum([d * d for d in away], fx.Float32(0.0)), added, shared) / n.to(fx.Float32)
    scale = fx.rsqrt(variance + 1e-5)
    found = []
    for part in range_constexpr(parts):
        column = fx.min(row.column(part), n - 1)
        found.append(away[part] * scale * G[column].to(fx.Float32) + B[column].to(fx.Float32))
    row.write(Y, found)


@flyc.kernel
def rmsnorm_kernel(X: fx.Tensor, G: fx.Tensor, Y: fx.Tensor, n: fx.Int32, parts: fx.Constexpr[int]):
    shared, row = scratch(), Row(X, n, parts, 0.0)
    squares = block_reduced(sum([x * x for x in row.held], fx.Float32(0.0)), added, shared)
    scale = fx.rsqrt(squares / n.to(fx.Float32) + 1e-6)
    row.write(Y, [x * scale * G[fx.min(row.column(i), n - 1)].to(fx.Float32) for i, x in enumerate(row.held)])


@flyc.jit
def softmax(X: fx.Tensor, Y: fx.Tensor, n: fx.Int32, parts: fx.Constexpr[int]):
    softmax_kernel(X, Y, n, parts).launch(grid=X.shape[0], block=THREADS)


@flyc.jit
def layernorm(X: fx.Tensor, G: fx.Tensor, B: fx.Tensor, Y: fx.Tensor, n: fx.Int32, parts: fx.Constexpr[int]):
    layernorm_kernel(X, G, B, Y, n, parts).launch(grid=X.shape[0], block=THREADS)


@flyc.jit
def rmsnorm(X: fx.Tensor, G: fx.Tensor, Y: fx.Tensor, n: fx.Int32, parts: fx.Constexpr[int]):
    rmsnorm_kernel(X, G, Y, n, parts).launch(grid=X.shape[0], block=THREADS)


rng = np.random.default_rng(0)
reports = {}
for arch in ("gfx942", "gfx1201", "sm_90"):
    for n in (256, 1, 700):
        x, y = rng.normal(size=(3, n)).astype(np.float16), np.zeros((3, n), np.float16)
        g, b = rng.normal(size=(2, n)).astype(np.float16)
        wide, parts = x.astype(np.float64), -(-n // THREADS)
        with Target(f"simulator:{arch}"), Session() as session:
            softmax(x, y, n, parts)
            powers = np.exp(wide - wide.max(axis=1, keepdims=True))
            assert np.allclose(y, powers / powers.sum(axis=1, keepdims=True), atol=1e-3)
            layernorm(x, g, b, y, n, parts)
            away = wide - wide.mean(axis=1, keepdims=True)
            assert np.allclose(y, away / np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5) * g + b, atol=2e-2)
            rmsnorm(x, g, y, n, parts)
            assert np.allclose(y, wide / np.sqrt((wide**2).mean(axis=1, keepdims=True) + 1e-6) * g, atol=2e-2)
    reports[arch] = [launched.report for launched in session.launches]
print("softmax, layernorm and rmsnorm equal numpy")
