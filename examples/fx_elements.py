"""axpy, and the sum of two matrices of any strides: elements by a predicate where vectors do not fit."""

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.runtime.session import Session

THREADS, VECTOR = 128, 4


@flyc.kernel
def axpy_kernel(alpha: fx.Float32, X: fx.Tensor, Y: fx.Tensor):
    n = fx.get_scalar(X.shape)
    first = (fx.block_idx.x * THREADS + fx.thread_idx.x) * VECTOR
    if first + VECTOR <= n:
        x, y = (fx.ptr_load(fx.get_iter(t) + first, fx.Float32x4) for t in (X, Y))
        fx.ptr_store(alpha * x + y, fx.get_iter(Y) + first)
    else:
        for i in range(first, n):
            Y[i] = alpha * X[i] + Y[i]


@flyc.jit
def axpy(alpha: fx.Float32, X: fx.Tensor, Y: fx.Tensor, n: fx.Int32):
    axpy_kernel(alpha, X, Y).launch(grid=fx.ceildiv(n, THREADS * VECTOR), block=THREADS)


TILE_M, TILE_N = 16, 64


@flyc.kernel
def add_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, tiled: fx.TiledCopy):
    tid, (bx, by, _) = fx.thread_idx.x, fx.block_idx
    mine = tiled.get_slice(tid)
    places = fx.flat_divide(fx.make_identity_tensor(C.shape), (TILE_M, TILE_N))[None, None, by, bx]
    a, b, c = (
        mine.partition_S(fx.flat_divide(fx.rocdl.make_buffer_tensor(x), (TILE_M, TILE_N))[None, None, by, bx])
        for x in (A, B, C)
    )
    at, ra, rb = mine.partition_S(places), fx.make_fragment_like(a), fx.make_fragment_like(b)
    inside = fx.make_rmem_tensor(a.shape.to_py_value(), fx.Boolean)
    for i in fx.range_constexpr(fx.size(a).to_py_value()):
        inside[i] = fx.elem_less(at[i], C.shape)
    atom = fx.make_copy_atom(fx.rocdl.BufferCopy32b(), fx.Float32)
    ra.fill(0.0)
    rb.fill(0.0)
    fx.copy(atom, a, ra, pred=inside)
    fx.copy(atom, b, rb, pred=inside)
    ra.store(ra.load() + rb.load())
    fx.copy(atom, ra, c, pred=inside)


@flyc.jit
def add(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
    atom = fx.make_copy_atom(fx.rocdl.BufferCopy32b(), fx.Float32)
    tiled = fx.make_tiled_copy_tv(atom, fx.make_layout((2, 64), (64, 1)), fx.make_layout((1, 1), (1, 1)))
    (m, n) = C.shape
    add_kernel(A, B, C, tiled).launch(grid=(fx.ceildiv(n, TILE_N), fx.ceildiv(m, TILE_M)), block=THREADS)


rng = np.random.default_rng(0)
for n in (1024, 3, 1001):
    x, y = rng.normal(size=(2, n)).astype(np.float32)
    wanted = np.float32(2.5) * x + y
    with Session() as session:
        axpy(2.5, x, y, n)
    assert np.array_equal(y, wanted)
axpy_report = session.launches[-1].report

for m, n in ((32, 128), (1, 1), (33, 70)):
    a, b = rng.normal(size=(2, 2 * m, 2 * n)).astype(np.float32)[:, ::2, :n]  # every other row of larger matrices
    c = np.zeros((m, n), np.float32)
    with Session() as session:
        add(a, b, c)
    assert np.array_equal(c, a + b)
report = session.launches[-1].report
print("axpy and the sum of matrices equal numpy")
