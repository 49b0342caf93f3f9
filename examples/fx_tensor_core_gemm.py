"""A GEMM by tensor cores (sm_80 and later): m16n8k16, ldmatrix from swizzled shared memory, three stages of cp.async.

Where a matrix fills no whole tile, elements behind its end are copied as zeros, and nothing is written there.
"""

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.runtime.session import Session

BM, BN, BK, STAGES, THREADS = 64, 64, 32, 3, 128


@flyc.kernel
def gemm_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, mma: fx.TiledMma, load: fx.TiledCopy, k: fx.Int32):
    tid, (bx, by, _) = fx.thread_idx.x, fx.block_idx
    (m, _), (n, _) = A.shape, B.shape
    places = fx.make_identity_tensor((BM, BK))

    def tiles_of(x, block, rows):
        return fx.flat_divide(x, (rows, BK))[None, None, block, None]

    gA, gB = tiles_of(A, bx, BM), tiles_of(B, by, BN)
    swizzle = fx.static(fx.SwizzleType.get(2, 3, 3))
    memory = fx.SharedAllocator()

    def staged(rows):
        layout = fx.make_composed_layout(swizzle, fx.make_ordered_layout((rows, BK, STAGES), (1, 0, 2)))
        return memory.allocate(fx.Array[fx.Float16, rows * BK * STAGES, 128]).peek().view(layout)

    sA, sB = staged(BM), staged(BN)
    mine, taken = mma.thr_slice(tid), load.get_slice(tid)
    cp_async = fx.make_copy_atom(fx.nvvm.CpAsync128b(), fx.Float16)
    zero = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float16)
    at = taken.partition_S(places)
    nothing = fx.make_fragment_like(taken.partition_D(sA)[None, None, None, 0])
    nothing.fill(0.0)
    count = (k + BK - 1) // BK

    def fetch(tile, stage):
        """Vectors of 8 halves, which lie wholly inside of k or wholly outside of it, as k is a multiple of 8."""
        for source, target, rows in ((gA, sA, m - bx * BM), (gB, sB, n - by * BN)):
            src = taken.partition_S(source)[None, None, None, tile]
            dst = taken.partition_D(target)[None, None, None, stage]
            for i in fx.range_constexpr(BM * BK // 8 // THREADS):
                (row, column) = at[0, i, 0]
                part = (None, i, 0)
                if row < rows and tile * BK + column < k:
                    fx.copy(cp_async, src[part], dst[part])
                else:
                    fx.copy(zero, nothing[part], dst[part])
        fx.nvvm.commit_group()

    ldmatrix = fx.make_copy_atom(fx.nvvm.LdMatrixX4(), fx.Float16)
    read_A = fx.make_tiled_copy_A(ldmatrix, mma).get_slice(tid)
    read_B = fx.make_tiled_copy_B(ldmatrix, mma).get_slice(tid)
    fA, fB = mine.make_fragment_A(sA[None, None, 0]), mine.make_fragment_B(sB[None, None, 0])
    whole = fx.make_view(fx.get_iter(C), fx.make_layout((BM, BN), (BN, 1)))
    fC = mine.make_fragment_C(whole)
    fC.fill(0.0)
    for stage in fx.range_constexpr(STAGES - 1):
        fetch(stage, stage)
    for tile in range(count):
        fx.nvvm.wait_group(STAGES - 2)
        fx.barrier()
        fetch(tile + STAGES - 1, (tile + STAGES - 1) % STAGES)
        stage = tile % STAGES
        fx.copy(ldmatrix, read_A.partition_S(sA)[None, None, None, stage], read_A.retile(fA))
        fx.copy(ldmatrix, read_B.partition_S(sB)[None, None, None, stage], read_B.retile(fB))
        fx.gemm(mma, fC, fA, fB, fC)
    fx.nvvm.wait_group(0)
    found = mine.partition_C(fx.make_identity_tensor((BM, BN)))
    for i in fx.range_constexpr(fx.size(fC).to_py_value()):
        (row, column) = found[i]
        if bx * BM + row < m and by * BN + column < n:
            C[bx * BM + row, by * BN + column] = fC[i]


@flyc.jit
def gemm(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, k: fx.Int32):
    atom = fx.make_mma_atom(fx.nvvm.MmaSync(16, 8, 16, fx.Float16))
    mma = fx.make_tiled_mma(atom, fx.make_layout((2, 2, 1), (1, 2, 0)), fx.make_tile(32, 32, 16))
    copy = fx.make_copy_atom(fx.nvvm.CpAsync128b(), fx.Float16)
    load = fx.make_tiled_copy_tv(copy, fx.make_layout((32, 4), (4, 1)), fx.make_layout((1, 8), (0, 1)))
    (m, _), (n, _) = A.shape, B.shape
    gemm_kernel(A, B, C, mma, load, k).launch(grid=(fx.ceildiv(m, BM), fx.ceildiv(n, BN)), block=THREADS)


rng = np.random.default_rng(0)
for m, n, k in ((64, 128, 96), (1, 5, 8), (70, 33, 104)):
    a, b = rng.integers(-3, 4, (m, k)).astype(np.float16), rng.integers(-3, 4, (n, k)).astype(np.float16)
    c = np.zeros((m, n), np.float32)
    with Target("simulator:sm_80"), Session() as session:
        gemm(a, b, c, k)
    assert np.array_equal(c, a.astype(np.float32) @ b.astype(np.float32).T)
report = session.launches[-1].report
print("the GEMM by tensor cores equals numpy")
