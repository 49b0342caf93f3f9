"""Quantising in blocks of 32: 8-bit floats with a power of two as scale, in the order in which tensor cores read them.

The scales of 128 rows and 4 blocks are 512 bytes, in which row r and block c lie at 16 (r mod 32) + 4 (r / 32) + c:
the layout ((32,4),4):((16,4),1). A thread quantises a block of a row; the scales go through shared memory, where they
are put in their order, and leave it as words.
"""

import ml_dtypes
import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.runtime.session import Session

ROWS, BLOCKS, BLOCK = 128, 4, 32
THREADS = ROWS * BLOCKS
LARGEST = 448.0


@flyc.kernel
def quantise_kernel(X: fx.Tensor, Q: fx.Tensor, S: fx.Tensor):
    tid, (bx, by, _) = fx.thread_idx.x, fx.block_idx
    (m, k) = X.shape
    order = fx.make_layout(((32, 4), BLOCKS), ((16, 4), 1))
    held = fx.SharedAllocator().allocate(fx.Array[fx.Int8, THREADS, 16]).peek()
    scales = held.view(order)
    row, block = tid // BLOCKS, tid % BLOCKS
    at, first = by * ROWS + row, (bx * BLOCKS + block) * BLOCK
    exponent = fx.Int32(0)
    if at < m and first < k:
        values = [X[at, first + i] for i in range(BLOCK)]
        top = fx.max([fx.absf(x) for x in values])
        # The least power of two by which the largest value fits: its exponent counts from -127.
        bits = (top / LARGEST).bitcast(fx.Uint32)
        up = fx.Uint32((bits & 0x7FFFFF) != 0)
        exponent = fx.max(((bits >> 23) + up).bitcast(fx.Int32), 1)
        scale = ((254 - exponent) << 23).bitcast(fx.Float32)
        for i in fx.range_constexpr(BLOCK):
            Q[at, first + i] = (values[i] * scale).to(fx.Float8E4M3FN)
    scales[row, block] = exponent.to(fx.Int8)
    fx.barrier()
    if tid < THREADS // 4:
        word = fx.ptr_load(held.ptr + tid * 4, fx.Int8x4)
        fx.ptr_store(word, fx.get_iter(S) + ((by * fx.grid_dim.x + bx) * THREADS + tid * 4))


@flyc.jit
def quantise(X: fx.Tensor, Q: fx.Tensor, S: fx.Tensor):
    (m, k) = X.shape
    quantise_kernel(X, Q, S).launch(grid=(fx.ceildiv(k, BLOCKS * BLOCK), fx.ceildiv(m, ROWS)), block=THREADS)


def unpermuted(scales, m, k):
    """The exponents by row and block: what a reader of the tiles does."""
    tiles = scales.reshape(-(-m // ROWS), -(-k // (BLOCKS * BLOCK)), 32, 4, BLOCKS)
    return tiles.transpose(0, 3, 2, 1, 4).reshape(tiles.shape[0] * ROWS, -1)[:m, : k // BLOCK]


rng = np.random.default_rng(0)
for m, k in ((128, 128), (1, 32), (130, 160)):
    x = (rng.normal(size=(m, k)) * np.exp2(rng.integers(-20, 20, (m, 1)))).astype(np.float32)
    q = np.zeros((m, k), ml_dtypes.float8_e4m3fn)
    tiles = -(-m // ROWS) * -(-k // (BLOCKS * BLOCK))
    s = np.zeros(tiles * THREADS, np.int8)
    with Session() as session:
        quantise(x, q, s)
    exponent = unpermuted(s.view(np.uint8), m, k).astype(np.int32)
    top = np.abs(x).reshape(m, -1, BLOCK).max(axis=2)
    assert np.array_equal(exponent, np.ceil(np.log2(top / 448)).astype(np.int32) + 127)
    scaled = x.reshape(m, -1, BLOCK) * np.exp2(127.0 - exponent)[..., None]
    assert np.array_equal(q.reshape(m, -1, BLOCK), scaled.astype(np.float32).astype(q.dtype))
report = session.launches[-1].report
print("the quantised numbers and their scales equal numpy")
