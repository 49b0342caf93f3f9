"""The kernels that the benchmarks time."""

from __future__ import annotations

from typing import Any

from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, TileLayout

PADDED = TileLayout(S[(32, 32) : (33, 1)])


def document(pipe: int, blk: int, dtype: str = "float32") -> Any:
    """Document 000's kernel."""
    shape = (pipe, 1, 4, 32)
    pre = TileLayout(S[shape : (blk, 128, 32, 1)])
    post = TileLayout(S[shape : (blk, 128, 1, 4)])

    @T.prim_func
    def f(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, shape, dtype, layout=pre)
        B_buf = T.match_buffer(B, shape, dtype, layout=post)
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        for s in T.serial(0, pipe):
            Tx.warp.permute_layout(B_buf[s, 0:1, 0:4, 0:32], A_buf[s, 0:1, 0:4, 0:32])

    return f


def batched(warps: int) -> Any:
    """The same 4 x 32 transpose, one tile for each warp of as many blocks."""
    shape = (warps, 4, 32)
    pre = TileLayout(S[shape])
    post = TileLayout(S[shape : (128, 1, 4)])

    @T.prim_func
    def permute(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, shape, "float32", layout=pre)
        B_buf = T.match_buffer(B, shape, "float32", layout=post)
        T.device_entry()
        b = T.cta_id([warps])
        T.thread_id([32])
        Tx.warp.permute_layout(B_buf[b, 0:4, 0:32], A_buf[b, 0:4, 0:32])

    return permute


def transposed(size: int, dtype: str = "float32", layout: Any = PADDED) -> Any:
    """B = A transposed, by 32 x 32 tiles through shared memory; their rows are padded where no layout says else."""
    tiles = size // 32

    @T.prim_func
    def transpose(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, (size, size), dtype)
        B_buf = T.match_buffer(B, (size, size), dtype)
        T.device_entry()
        bx, by = T.cta_id([tiles, tiles])
        tx, ty = T.thread_id([32, 8])
        tile = T.alloc_shared((32, 32), dtype, layout=layout)
        for i in T.unroll(4):
            tile[ty + i * 8, tx] = A_buf[by * 32 + ty + i * 8, bx * 32 + tx]
        T.cuda.cta_sync()
        for i in T.unroll(4):
            B_buf[bx * 32 + ty + i * 8, by * 32 + tx] = tile[tx, ty + i * 8]

    return transpose


def permuted(blocks: int, warps: int, stages: int, dtype: str) -> Any:
    """Transposes of 4 x 32, `stages` tiles for each of `warps` warps of as many blocks."""
    shape = (blocks, warps, stages, 4, 32)
    columns = TileLayout(S[shape : (warps * stages * 128, stages * 128, 128, 1, 4)])

    @T.prim_func
    def permute(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, shape, dtype)
        B_buf = T.match_buffer(B, shape, dtype, layout=columns)
        T.device_entry()
        b = T.cta_id([blocks])
        w = T.warp_id([warps])
        for s in T.serial(stages):
            Tx.warp.permute_layout(B_buf[b, w, s, 0:4, 0:32], A_buf[b, w, s, 0:4, 0:32])

    return permute


def gathered(size: int) -> Any:
    """B = A transposed as `transposed` does it, but each row of A is looked up in an array: nothing can be proved."""
    tiles = size // 32

    @T.prim_func
    def gather(A: T.handle, B: T.handle, rows: T.handle):
        A_buf = T.match_buffer(A, (size, size), "float32")
        B_buf = T.match_buffer(B, (size, size), "float32")
        R_buf = T.match_buffer(rows, (size,), "int32")
        T.device_entry()
        bx, by = T.cta_id([tiles, tiles])
        tx, ty = T.thread_id([32, 8])
        tile = T.alloc_shared((32, 32), "float32", layout=PADDED)
        for i in T.unroll(4):
            tile[ty + i * 8, tx] = A_buf[R_buf[by * 32 + ty + i * 8], bx * 32 + tx]
        T.cuda.cta_sync()
        for i in T.unroll(4):
            B_buf[bx * 32 + ty + i * 8, by * 32 + tx] = tile[tx, ty + i * 8]

    return gather


def multiplied(size: int, rows: int = 64, columns: int = 64, depth: int = 8) -> Any:
    """C = A times B by scalar multiply-add: blocks of rows x columns, an 8 x 8 tile in the registers of each thread."""
    across = columns // 8
    threads = rows // 8 * across
    a_each, b_each = rows * depth // threads, columns * depth // threads

    @T.prim_func
    def multiply(A: T.handle, B: T.handle, C: T.handle):
        A_buf = T.match_buffer(A, (size, size), "float32")
        B_buf = T.match_buffer(B, (size, size), "float32")
        C_buf = T.match_buffer(C, (size, size), "float32")
        T.device_entry()
        bx, by = T.cta_id([size // columns, size // rows])
        t = T.thread_id([threads])
        a_tile = T.alloc_shared((rows, depth), "float32")
        b_tile = T.alloc_shared((depth, columns), "float32")
        a = T.alloc_local((8,), "float32")
        b = T.alloc_local((8,), "float32")
        c = T.alloc_local((8, 8), "float32")
        for i in T.unroll(8):
            for j in T.unroll(8):
                c[i, j] = T.float32(0)
        for s in T.serial(0, size // depth):
            for i in T.unroll(a_each):
                at = t + i * threads
                a_tile[at // depth, at % depth] = A_buf[by * rows + at // depth, s * depth + at % depth]
            for i in T.unroll(b_each):
                at = t + i * threads
                b_tile[at // columns, at % columns] = B_buf[s * depth + at // columns, bx * columns + at % columns]
            T.cuda.cta_sync()
            for k in T.serial(0, depth):
                for i in T.unroll(8):
                    a[i] = a_tile[t // across * 8 + i, k]
                for j in T.unroll(8):
                    b[j] = b_tile[k, t % across * 8 + j]
                for i in T.unroll(8):
                    for j in T.unroll(8):
                        c[i, j] = c[i, j] + a[i] * b[j]
            T.cuda.cta_sync()
        for i in T.unroll(8):
            for j in T.unroll(8):
                C_buf[by * rows + t // across * 8 + i, bx * columns + t % across * 8 + j] = c[i, j]

    return multiply


def ringed(blocks: int, turns: int, stages: int = 3, width: int = 256) -> Any:
    """Rows that pass through a ring of stages in shared memory, fetched ahead; each thread reads its neighbour's."""

    @T.prim_func
    def ring(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, (blocks, turns, width), "float32")
        B_buf = T.match_buffer(B, (blocks, turns, width), "float32")
        T.device_entry()
        b = T.cta_id([blocks])
        t = T.thread_id([width])
        stage = T.alloc_shared((stages, width), "float32")
        for k in T.serial(0, stages - 1):
            if k < turns:
                stage[k, t] = A_buf[b, k, t]
        for k in T.serial(0, turns):
            T.cuda.cta_sync()
            if k + stages - 1 < turns:
                stage[(k + stages - 1) % stages, t] = A_buf[b, k + stages - 1, t]
            B_buf[b, k, t] = stage[k % stages, (t + 1) % width]

    return ring


def tensor_gemm(size: int) -> Any:
    """C = A B^T of f16 by mma.sync: blocks of 128 x 128 x 32, four warps of 64 x 64, rows of shared memory padded."""
    rows = TileLayout(S[(128, 32) : (40, 1)])
    tiles = size // 128

    @T.prim_func
    def g(A: T.handle, B: T.handle, C: T.handle):
        a = T.match_buffer(A, (size, size), "float16")
        b = T.match_buffer(B, (size, size), "float16")
        c = T.match_buffer(C, (size, size), "float32")
        T.device_entry()
        bx, by = T.cta_id([tiles, tiles])
        t = T.thread_id([128])
        sa = T.alloc_shared((128, 32), "float16", layout=rows)
        sb = T.alloc_shared((128, 32), "float16", layout=rows)
        moved = T.alloc_local((2, 4, 8), "float16")
        fa = T.alloc_local((4, 8), "float16")
        fb = T.alloc_local((4, 2, 4), "float16")
        acc = T.alloc_local((4, 8, 4), "float32")
        lane = t % 32
        wm = t // 32 % 2 * 64
        wn = t // 64 * 64
        for i in T.unroll(4):
            for j in T.unroll(8):
                for r in T.unroll(4):
                    acc[i, j, r] = 0.0
        for k in T.serial(size // 32):
            for i in T.unroll(4):
                T.copy_atom("UniversalCopy128b", moved[0, i, 0], a[by * 128 + i * 32 + t // 4, k * 32 + t % 4 * 8])
                T.copy_atom("UniversalCopy128b", moved[1, i, 0], b[bx * 128 + i * 32 + t // 4, k * 32 + t % 4 * 8])
            T.cuda.cta_sync()
            for i in T.unroll(4):
                T.copy_atom("UniversalCopy128b", sa[i * 32 + t // 4, t % 4 * 8], moved[0, i, 0])
                T.copy_atom("UniversalCopy128b", sb[i * 32 + t // 4, t % 4 * 8], moved[1, i, 0])
            T.cuda.cta_sync()
            for s in T.unroll(2):
                for i in T.unroll(4):
                    T.copy_atom("SM75_U32x4_LDSM_N", fa[i, 0], sa[wm + i * 16 + lane % 16, s * 16 + lane // 16 * 8])
                for j in T.unroll(4):
                    T.copy_atom(
                        "SM75_U32x4_LDSM_N",
                        fb[j, 0, 0],
                        sb[wn + j * 16 + lane % 8 + lane // 16 * 8, s * 16 + lane // 8 % 2 * 8],
                    )
                for i in T.unroll(4):
                    for j in T.unroll(8):
                        T.mma_atom(
                            "SM80_16x8x16_F32F16F16F32_TN", acc[i, j, 0], fa[i, 0], fb[j // 2, j % 2, 0], acc[i, j, 0]
                        )
        for i in T.unroll(4):
            for j in T.unroll(8):
                for r in T.unroll(4):
                    c[by * 128 + wm + i * 16 + lane // 4 + r // 2 * 8, bx * 128 + wn + j * 8 + lane % 4 * 2 + r % 2] = (
                        acc[i, j, r]
                    )

    return g


def staged_gemm(size: int, stages: int = 4) -> Any:
    """As `tensor_gemm`, but tiles of 128 x 128 x 64 go through a ring of stages by cp.async; rows are padded."""
    rows = TileLayout(S[(stages, 128, 64) : (128 * 72, 72, 1)])
    tiles, turns = size // 128, size // 64

    @T.prim_func
    def g(A: T.handle, B: T.handle, C: T.handle):
        a = T.match_buffer(A, (size, size), "float16")
        b = T.match_buffer(B, (size, size), "float16")
        c = T.match_buffer(C, (size, size), "float32")
        T.device_entry()
        bx, by = T.cta_id([tiles, tiles])
        t = T.thread_id([128])
        sa = T.alloc_shared((stages, 128, 64), "float16", layout=rows)
        sb = T.alloc_shared((stages, 128, 64), "float16", layout=rows)
        fa = T.alloc_local((4, 8), "float16")
        fb = T.alloc_local((4, 2, 4), "float16")
        acc = T.alloc_local((4, 8, 4), "float32")
        lane = t % 32
        wm = t // 32 % 2 * 64
        wn = t // 64 * 64
        for i in T.unroll(4):
            for j in T.unroll(8):
                for r in T.unroll(4):
                    acc[i, j, r] = 0.0
        for k in T.unroll(stages - 1):
            if k < turns:
                for i in T.unroll(8):
                    T.ptx.cp.async_.cg.shared.global_(
                        sa.ptr_to([k, i * 16 + t // 8, t % 8 * 8]),
                        a.ptr_to([by * 128 + i * 16 + t // 8, k * 64 + t % 8 * 8]),
                        16,
                    )
                    T.ptx.cp.async_.cg.shared.global_(
                        sb.ptr_to([k, i * 16 + t // 8, t % 8 * 8]),
                        b.ptr_to([bx * 128 + i * 16 + t // 8, k * 64 + t % 8 * 8]),
                        16,
                    )
            T.ptx.cp.async_.commit_group()
        for k in T.serial(turns):
            T.ptx.cp.async_.wait_group(stages - 2)
            T.cuda.cta_sync()
            if k + stages - 1 < turns:
                n = k + stages - 1
                for i in T.unroll(8):
                    T.ptx.cp.async_.cg.shared.global_(
                        sa.ptr_to([n % stages, i * 16 + t // 8, t % 8 * 8]),
                        a.ptr_to([by * 128 + i * 16 + t // 8, n * 64 + t % 8 * 8]),
                        16,
                    )
                    T.ptx.cp.async_.cg.shared.global_(
                        sb.ptr_to([n % stages, i * 16 + t // 8, t % 8 * 8]),
                        b.ptr_to([bx * 128 + i * 16 + t // 8, n * 64 + t % 8 * 8]),
                        16,
                    )
            T.ptx.cp.async_.commit_group()
            for s in T.unroll(4):
                for i in T.unroll(4):
                    T.copy_atom(
                        "SM75_U32x4_LDSM_N",
                        fa[i, 0],
                        sa[k % stages, wm + i * 16 + lane % 16, s * 16 + lane // 16 * 8],
                    )
                for j in T.unroll(4):
                    T.copy_atom(
                        "SM75_U32x4_LDSM_N",
                        fb[j, 0, 0],
                        sb[k % stages, wn + j * 16 + lane % 8 + lane // 16 * 8, s * 16 + lane // 8 % 2 * 8],
                    )
                for i in T.unroll(4):
                    for j in T.unroll(8):
                        T.mma_atom(
                            "SM80_16x8x16_F32F16F16F32_TN", acc[i, j, 0], fa[i, 0], fb[j // 2, j % 2, 0], acc[i, j, 0]
                        )
        for i in T.unroll(4):
            for j in T.unroll(8):
                for r in T.unroll(4):
                    c[by * 128 + wm + i * 16 + lane // 4 + r // 2 * 8, bx * 128 + wn + j * 8 + lane % 4 * 2 + r % 2] = (
                        acc[i, j, r]
                    )

    return g
