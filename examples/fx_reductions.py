"""The sum of an array in one launch, and a histogram that each block counts in shared memory first."""

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.runtime.session import Session

THREADS, BLOCKS, BINS = 256, 4, 16


@flyc.kernel
def sum_kernel(A: fx.Tensor, R: fx.Tensor, n: fx.Int32):
    reduce = fx.coop.BlockReduce[fx.Float32, THREADS]
    storage = fx.SharedAllocator().allocate(reduce.SharedStorage).peek()
    total = fx.Float32(0.0)
    for i in range(fx.block_idx.x * THREADS + fx.thread_idx.x, n, THREADS * BLOCKS):
        total += A[i]
    total = reduce(total, fx.ReductionOp.ADD, storage=storage)
    if fx.thread_idx.x == 0:
        fx.atomic_add(fx.get_iter(R), total)


@flyc.jit
def array_sum(A: fx.Tensor, R: fx.Tensor, n: fx.Int32):
    sum_kernel(A, R, n).launch(grid=BLOCKS, block=THREADS)


@flyc.kernel
def histogram_kernel(keys: fx.Tensor, counts: fx.Tensor, n: fx.Int32):
    tid = fx.thread_idx.x
    own = fx.SharedAllocator().allocate(fx.Array[fx.Int32, BINS]).peek()
    if tid < BINS:
        own[tid] = 0
    fx.barrier()
    for i in range(fx.block_idx.x * THREADS + tid, n, THREADS * BLOCKS):
        fx.atomic_add(own.ptr + keys[i], fx.Int32(1))
    fx.barrier()
    if tid < BINS:
        fx.atomic_add(fx.get_iter(counts) + tid, own[tid])


@flyc.jit
def histogram(keys: fx.Tensor, counts: fx.Tensor, n: fx.Int32):
    histogram_kernel(keys, counts, n).launch(grid=BLOCKS, block=THREADS)


rng = np.random.default_rng(0)
for n in (4096, 1, 1001):
    a, r = rng.integers(-9, 10, n).astype(np.float32), np.zeros(1, np.float32)
    keys, counts = rng.integers(0, BINS, n).astype(np.int32), np.zeros(BINS, np.int32)
    with Session() as session:
        array_sum(a, r, n)
        histogram(keys, counts, n)
    assert r[0] == a.sum()
    assert np.array_equal(counts, np.bincount(keys, minlength=BINS))
sum_report, report = (launched.report for launched in session.launches)
print("the sum and the histogram equal numpy")
