"""The 16x16 tile of halves of half_tile.py in `fx`: global memory, registers, swizzled shared memory, global memory.

32 threads, laid out by columns (16,2):(1,16) or by rows (16,2):(2,1), with vectors of 64 or 128 bits: four movers from
one source. The swizzle <2,3,3> leaves vectors of 8 halves whole, and spreads those of one column over all banks.
"""

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.runtime.session import Session

TILE, THREADS = 16, 32
COLUMNS, ROWS = (1, 16), (2, 1)


@flyc.kernel
def move_kernel(A: fx.Tensor, B: fx.Tensor, threads: fx.Constexpr, bits: fx.Constexpr, swizzled: fx.Constexpr):
    tid, (bx, by, _) = fx.thread_idx.x, fx.block_idx

    def tile_of(x):
        return fx.flat_divide(x, (TILE, TILE))[None, None, by, bx]

    source, target, places = tile_of(A), tile_of(B), tile_of(fx.make_identity_tensor(A.shape))
    layout = fx.make_layout((TILE, TILE), (TILE, 1))
    if fx.const_expr(swizzled):
        layout = fx.make_composed_layout(fx.static(fx.SwizzleType.get(2, 3, 3)), layout)
    tile = fx.SharedAllocator().allocate(fx.Array[fx.Float16, TILE * TILE, 128]).peek().view(layout)

    def part(threads, bits, width):
        """The atom of `width` bits, a thread's part in vectors of `bits`, and which of its copies lie in the matrix."""
        atom = fx.make_copy_atom(fx.UniversalCopy(width), fx.Float16)
        values = fx.make_layout((1, bits // 16), (1, 1))
        mine = fx.make_tiled_copy_tv(atom, fx.make_layout((TILE, 2), threads), values).get_slice(tid)
        at, copies, count = mine.partition_S(places), bits // width, TILE // 2 // (bits // 16)
        inside = fx.make_rmem_tensor((copies, 1, count), fx.Boolean)
        for i in fx.range_constexpr(count):
            for j in fx.range_constexpr(copies):
                inside[j, 0, i] = fx.elem_less(at[(0, j), 0, i], A.shape)
        return atom, mine, inside

    def vectors(bits):
        """How the matrix is read and written: in whole vectors where its rows have such, else by halves."""
        whole = fx.get_scalar(A.shape[1]) % (bits // 16) == 0
        return (bits, whole), (16, not whole)

    atom, mine, _ = part(threads, bits, bits)
    into = fx.make_fragment_like(mine.partition_S(source))
    into.fill(0.0)
    for width, chosen in vectors(bits):
        if chosen:
            by, own, inside = part(threads, bits, width)
            fx.copy(by, own.partition_S(source), own.retile(into), pred=inside)
    fx.copy(atom, into, mine.partition_D(tile))
    fx.barrier()
    # Back in vectors of 128 bits, by rows: each thread reads what another one wrote.
    atom, mine, _ = part(ROWS, 128, 128)
    out = fx.make_fragment_like(mine.partition_S(tile))
    fx.copy(atom, mine.partition_S(tile), out)
    for width, chosen in vectors(128):
        if chosen:
            by, own, inside = part(ROWS, 128, width)
            fx.copy(by, own.retile(out), own.partition_D(target), pred=inside)


@flyc.jit
def move(A: fx.Tensor, B: fx.Tensor, threads: fx.Constexpr, bits: fx.Constexpr, swizzled: fx.Constexpr = True):
    (m, n) = A.shape
    blocks = fx.ceildiv(n, TILE), fx.ceildiv(m, TILE)
    move_kernel(A, B, threads, bits, swizzled).launch(grid=blocks, block=THREADS)


reports = {}
with Target("simulator:sm_80"):
    for name, threads in (("columns", COLUMNS), ("rows", ROWS)):
        for bits in (64, 128):
            for swizzled in (True, False):
                # No whole tiles; rows of an odd number of halves, and of whole vectors.
                for width in (41, 40) if swizzled else (40,):
                    a = np.arange(37 * width, dtype=np.float16).reshape(37, width)
                    b = np.zeros_like(a)
                    with Session() as session:
                        move(a, b, threads, bits, swizzled)
                    assert np.array_equal(a, b)
                reports[name, bits, swizzled] = session.launches[-1].report
print("four movers of 16x16 tiles leave every half in its place")
