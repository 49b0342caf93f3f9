"""A GEMM without matrix instructions: 256 threads by a tiled MMA, whose permutation gives each thread neighbours.

Without it a thread's two rows lie 16 apart, and each is read by itself; with it they are one vector. Columns of the
tiles in shared memory lie 36 apart, so that threads of a row of A write different banks.
"""

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.runtime.session import Session

BM, BN, BK, PAD, THREADS = 32, 32, 8, 4, 256


@flyc.kernel
def gemm_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, mma: fx.TiledMma, vector: fx.Constexpr[int]):
    tid, (bx, by, _) = fx.thread_idx.x, fx.block_idx
    (m, k), (n, _) = A.shape, B.shape
    memory = fx.SharedAllocator()
    layout = fx.make_layout((BM, BK), (1, BM + PAD))
    sA, sB = (memory.allocate(fx.Array[fx.Float32, (BM + PAD) * BK, 16]).peek().view(layout) for _ in range(2))
    mine = mma.thr_slice(tid)
    atom = fx.make_copy_atom(fx.UniversalCopy(32 * vector), fx.Float32)
    cA, cB = (make(atom, mma).get_slice(tid) for make in (fx.make_tiled_copy_A, fx.make_tiled_copy_B))
    fA, fB = mine.make_fragment_A(sA), mine.make_fragment_B(sB)
    fC = fx.make_fragment_like(mine.partition_C(fx.make_view(fx.get_iter(C), fx.make_layout((BM, BN), (BN, 1)))))
    fC.fill(0.0)
    row, column = tid // BK, tid % BK
    for k0 in range(0, k, BK):
        inside = k0 + column < k
        sA[row, column] = A[bx * BM + row, k0 + column] if inside and bx * BM + row < m else fx.Float32(0.0)
        sB[row, column] = B[by * BN + row, k0 + column] if inside and by * BN + row < n else fx.Float32(0.0)
        fx.barrier()
        fx.copy(atom, cA.partition_S(sA), cA.retile(fA))
        fx.copy(atom, cB.partition_S(sB), cB.retile(fB))
        fx.gemm(mma, fC, fA, fB, fC)
        fx.barrier()
    places = mine.partition_C(fx.make_identity_tensor((BM, BN)))
    for i in fx.range_constexpr(fx.size(fC).to_py_value()):
        (x, y) = places[i]
        if bx * BM + x < m and by * BN + y < n:
            C[bx * BM + x, by * BN + y] = fC[i]


@flyc.jit
def gemm(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, permuted: fx.Constexpr[bool] = True):
    atom, threads = fx.make_mma_atom(fx.UniversalFMA(fx.Float32)), fx.make_layout((16, 16, 1), (1, 16, 0))
    neighbours = fx.make_layout((16, 2), (2, 1))
    mma = fx.make_tiled_mma(atom, threads, fx.make_tile(neighbours, neighbours, None) if permuted else None)
    (m, _), (n, _) = A.shape, B.shape
    gemm_kernel(A, B, C, mma, 2 if permuted else 1).launch(grid=(fx.ceildiv(m, BM), fx.ceildiv(n, BN)), block=THREADS)


rng = np.random.default_rng(0)
for m, n, k in ((64, 64, 24), (1, 1, 1), (45, 33, 21)):
    a, b = rng.integers(-4, 5, (m, k)).astype(np.float32), rng.integers(-4, 5, (n, k)).astype(np.float32)
    c = np.zeros((m, n), np.float32)
    for permuted in (False, True):
        c[:] = 0
        with Session() as session:
            gemm(a, b, c, permuted)
        assert np.array_equal(c, a @ b.T)
report = session.launches[-1].report
print("the GEMM equals numpy")
