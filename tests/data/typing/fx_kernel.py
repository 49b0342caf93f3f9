"""A kernel of `fx` as users write it: type checkers know every name and member in it."""

from __future__ import annotations

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.expr import arith, const_expr, gpu, range_constexpr, rocdl
from tilewright.expr.rocdl.universal import make_buffer_tensor
from tilewright.expr.typing import Vector as Vec

THREADS = 64


@fx.struct
class Scale:
    """By how much, and how far."""

    factor: fx.Float32
    shift: fx.Int32

    def of(self, x: fx.Numeric) -> fx.Numeric:
        """A number scaled."""
        return x * self.factor + self.shift.to(fx.Float32)


def warp_sum(x: fx.Numeric, width: int) -> fx.Numeric:
    """What the lanes have, added."""
    step = width // 2
    while const_expr(step > 0):
        x = x + x.shuffle_xor(step, width)
        step //= 2
    return x


@flyc.kernel(known_block_size=[THREADS, 1, 1])
def kernel(A: fx.Tensor, B: fx.Tensor, scale: Scale, n: fx.Int32, vec: fx.Constexpr[int], tiled: fx.TiledCopy) -> None:
    """Rows' sums, scaled."""
    tid, (bid, _, _) = fx.thread_idx.x, fx.block_idx
    shared = fx.SharedAllocator().allocate(fx.Array[fx.Float32, THREADS]).peek()
    row = fx.zipped_divide(make_buffer_tensor(A), fx.make_tile(1, THREADS * vec))[None, (0, bid)]
    mine = tiled.get_slice(tid)
    held = fx.make_fragment_like(mine.partition_S(row))
    fx.copy(fx.make_copy_atom(rocdl.BufferCopy128b(), fx.Float32), mine.partition_S(row), held)
    v = held.load()
    total: fx.Numeric = fx.Float32(0.0)
    for i in range_constexpr(vec):
        total = total + v[i]
    shared[tid] = fx.exp2(total) if vec > 8 else total
    gpu.barrier()
    summed = warp_sum(shared[tid], 32)
    if tid < n:
        B[tid] = arith.maxnumf(scale.of(summed), 0.0)
    if tid == 0:
        fx.atomic_add(fx.get_iter(B) + (THREADS + bid), fx.Float32(1.0))
        fx.ptr_store(Vec.filled(4, 1.0, fx.Float32) + fx.Float32x4(0.0), fx.get_iter(B) + 2 * THREADS)
        fx.printf("{}", v.reduce(fx.ReductionOp.ADD))


@flyc.jit
def run(A: fx.Tensor, B: fx.Tensor, n: fx.Int32, stream: fx.Stream = fx.Stream(None)) -> None:  # noqa: B008  # as FlyDSL
    """Launches it."""
    atom = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float32)
    tile, tv = fx.make_layout_tv(fx.make_layout((1, THREADS), (THREADS, 1)), fx.make_layout((1, 4), (4, 1)))
    launched = kernel(A, B, Scale(fx.Float32(2.0), fx.Int32(1)), n, 4, fx.make_tiled_copy(atom, tv, tile))
    launched.launch(grid=fx.ceildiv(n, 256), block=(THREADS, 1, 1), stream=stream)


a, b = np.zeros((1, 256), np.float32), np.zeros(256, np.float32)
run(flyc.from_dlpack(a).mark_layout_dynamic(), b, 4)
