"""The kernels of the permute demo: TIRx's program, and the same with its data staged in shared memory."""

from __future__ import annotations

from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, TileLayout


def layouts(pipe: int, blk: int) -> tuple[TileLayout, TileLayout]:
    """The layouts of source and destination over (pipe, blk / 128, 4, 32): rows of 32, and their transposes."""
    shape = (pipe, blk // 128, 4, 32)
    return TileLayout(S[shape : (blk, 128, 32, 1)]), TileLayout(S[shape : (blk, 128, 1, 4)])


def in_global(pipe: int, blk: int, dtype: str) -> T.PrimFunc:
    """The kernel that permutes each of `pipe` stages of `blk` elements in global memory."""
    pre, post = layouts(pipe, blk)
    shape = pre.shape
    high = blk // 128

    @T.prim_func
    def permute(A: T.handle, B: T.handle) -> None:
        A_buf = T.match_buffer(A, shape, dtype, layout=pre)
        B_buf = T.match_buffer(B, shape, dtype, layout=post)
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        for s in T.serial(0, pipe):
            Tx.warp.permute_layout(B_buf[s, 0:high, 0:4, 0:32], A_buf[s, 0:high, 0:4, 0:32])

    return permute


def in_shared(pipe: int, blk: int, dtype: str) -> T.PrimFunc:
    """The same, with each stage brought to shared memory, permuted there, and taken back; all in memory order."""
    pre, post = layouts(pipe, blk)
    stage_pre, stage_post = layouts(1, blk)
    shape, stage_shape = pre.shape, stage_pre.shape
    high = blk // 128

    @T.prim_func
    def permute(A: T.handle, B: T.handle) -> None:
        A_buf = T.match_buffer(A, shape, dtype, layout=pre)
        B_buf = T.match_buffer(B, shape, dtype, layout=post)
        T.device_entry()
        T.cta_id([1])
        tx = T.thread_id([32])
        A_stage = T.alloc_buffer(stage_shape, dtype, scope="shared", layout=stage_pre)
        B_stage = T.alloc_buffer(stage_shape, dtype, scope="shared", layout=stage_post)
        for s in T.serial(0, pipe):
            for h in T.serial(0, high):
                for i in T.unroll(0, 4):
                    A_stage[0, h, i, tx] = A_buf[s, h, i, tx]
            T.cuda.warp_sync()
            Tx.warp.permute_layout(B_stage[0, 0:high, 0:4, 0:32], A_stage[0, 0:high, 0:4, 0:32])
            for h in T.serial(0, high):
                for i in T.unroll(0, 4):
                    B_buf[s, h, tx % 4, i * 8 + tx // 4] = B_stage[0, h, tx % 4, i * 8 + tx // 4]
            T.cuda.warp_sync()

    return permute
