"""A transpose through shared memory: a tile is written by rows and read by columns, without bank conflicts."""

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.runtime.session import Session

TILE, ROWS = 32, 8


@flyc.kernel
def transpose_kernel(A: fx.Tensor, B: fx.Tensor, swizzled: fx.Constexpr[bool]):
    (tx, ty, _), (bx, by, _) = fx.thread_idx, fx.block_idx
    (m, n) = A.shape
    layout = fx.make_layout((TILE, TILE), (TILE, 1))
    if fx.const_expr(swizzled):
        layout = fx.make_composed_layout(fx.static(fx.SwizzleType.get(5, 0, 5)), layout)
    tile = fx.SharedAllocator().allocate(fx.Array[fx.Float32, TILE * TILE, 128]).peek().view(layout)
    for i in fx.range_constexpr(0, TILE, ROWS):
        row, column = by * TILE + ty + i, bx * TILE + tx
        if row < m and column < n:
            tile[ty + i, tx] = A[row, column]
    fx.barrier()
    for i in fx.range_constexpr(0, TILE, ROWS):
        row, column = bx * TILE + ty + i, by * TILE + tx
        if row < n and column < m:
            B[row, column] = tile[tx, ty + i]


@flyc.jit
def transpose(A: fx.Tensor, B: fx.Tensor, swizzled: fx.Constexpr[bool] = True):
    (m, n) = A.shape
    blocks = fx.ceildiv(n, TILE), fx.ceildiv(m, TILE)
    transpose_kernel(A, B, swizzled).launch(grid=blocks, block=(TILE, ROWS))


for m, n in ((64, 64), (1, 5), (33, 70)):
    a, b = np.arange(m * n, dtype=np.float32).reshape(m, n), np.zeros((n, m), np.float32)
    with Session() as session:
        transpose(a, b)
        transpose(a, b, swizzled=False)
    assert np.array_equal(b, a.T)
report, plain = (launched.report for launched in session.launches)
print("the transpose equals numpy")
