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
