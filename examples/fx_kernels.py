"""Three kernels as FlyDSL programs: a softmax of rows, a GEMM without matrix instructions, a histogram by atomics."""

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.expr import range_constexpr

THREADS, WAVES = 256, 4


def block_reduced(x, joined, shared):
    """A number of all threads of a block: within waves by shuffles, then one a wave through shared memory."""
    for step in range_constexpr(6):
        x = joined(x, x.shuffle_xor(32 >> step, 64))
    if fx.thread_idx.x % 64 == 0:
        shared[fx.thread_idx.x // 64] = x
    fx.gpu.barrier()
    found = shared[0]
    for wave in range_constexpr(1, WAVES):
        found = joined(found, shared[wave])
    fx.gpu.barrier()
    return found


@flyc.kernel
def softmax_kernel(X: fx.Tensor, Y: fx.Tensor, n: fx.Int32, parts: fx.Constexpr[int]):
    row, tid = fx.block_idx.x, fx.thread_idx.x
    shared = fx.SharedAllocator().allocate(fx.Array[fx.Float32, WAVES, 16]).peek()
    held = []
    for part in range_constexpr(parts):
        column = tid + part * THREADS
        held.append(X[row, column].to(fx.Float32) if column < n else fx.Float32(float("-inf")))
    top = block_reduced(fx.max(held), fx.max, shared)
    powers = [fx.exp(x - top) for x in held]
    total = block_reduced(sum(powers, fx.Float32(0.0)), lambda a, b: a + b, shared)
    for part in range_constexpr(parts):
        column = tid + part * THREADS
        if column < n:
            Y[row, column] = (powers[part] / total).to(Y.dtype)


@flyc.jit
def softmax(X: fx.Tensor, Y: fx.Tensor, n: fx.Int32, parts: fx.Constexpr[int]):
    softmax_kernel(X, Y, n, parts).launch(grid=X.shape[0], block=THREADS)


@flyc.kernel
def gemm_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, tiled: fx.TiledMma):
    bx, by, _ = fx.block_idx
    a = fx.flat_divide(A, fx.make_tile(32, 8))[None, None, bx, None]
    b = fx.flat_divide(B, fx.make_tile(32, 8))[None, None, by, None]
    c = fx.flat_divide(C, fx.make_tile(32, 32))[None, None, bx, by]
    mine = tiled.thr_slice(fx.thread_idx.x)
    from_a, from_b = mine.partition_A(a), mine.partition_B(b)
    ra, rb = mine.make_fragment_A(a[None, None, 0]), mine.make_fragment_B(b[None, None, 0])
    rc = mine.make_fragment_C(c)
    rc.fill(0.0)
    atom = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    for k in range(A.shape[1] // 8):
        fx.copy(atom, from_a[None, None, None, k], ra)
        fx.copy(atom, from_b[None, None, None, k], rb)
        fx.gemm(tiled, rc, ra, rb, rc)
    fx.copy(atom, rc, mine.partition_C(c))


@flyc.jit
def gemm(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
    tiled = fx.make_tiled_mma(fx.make_mma_atom(fx.UniversalFMA(fx.Float32)), fx.make_layout((16, 16, 1), (1, 16, 0)))
    gemm_kernel(A, B, C, tiled).launch(grid=(A.shape[0] // 32, B.shape[0] // 32), block=THREADS)


@flyc.kernel
def histogram_kernel(keys: fx.Tensor, counts: fx.Tensor, n: fx.Int32):
    add = fx.make_copy_atom(fx.UniversalAtomicAdd(fx.Int32), fx.Int32)
    one = fx.make_rmem_tensor(1, fx.Int32)
    one.fill(1)
    at = fx.block_idx.x * THREADS + fx.thread_idx.x
    if at < n:
        fx.copy(add, one, (fx.get_iter(counts) + keys[at]).view(fx.make_layout(1, 1)))


@flyc.jit
def histogram(keys: fx.Tensor, counts: fx.Tensor, n: fx.Int32):
    histogram_kernel(keys, counts, n).launch(grid=(n + THREADS - 1) // THREADS, block=THREADS)


rng = np.random.default_rng(0)
x = rng.normal(size=(3, 700)).astype(np.float16)
y = np.zeros_like(x)
softmax(x, y, 700, 3)
wanted = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
assert np.allclose(y, wanted / wanted.sum(axis=1, keepdims=True), atol=1e-3)

a, b = (rng.integers(-4, 5, (64, 24)).astype(np.float32) for _ in range(2))
c = np.zeros((64, 64), np.float32)
gemm(a, b, c)
assert np.array_equal(c, a @ b.T)

keys, counts = rng.integers(0, 10, 1000).astype(np.int32), np.zeros(10, np.int32)
histogram(keys, counts, 1000)
assert counts.tolist() == np.bincount(keys, minlength=10).tolist()
print("softmax, gemm and histogram equal numpy")
