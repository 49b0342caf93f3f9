"""Transposes the inner 4x32 block of two stages of scale factors: one warp, in registers, free of bank conflicts."""

import numpy as np

import tilewright as tw
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, TileLayout

pipe, blk, dtype = 2, 128, "float32"
shape = (pipe, 1, 4, 32)
pre = TileLayout(S[shape : (blk, 128, 32, 1)])  # source
post = TileLayout(S[shape : (blk, 128, 1, 4)])  # destination, 4 and 32 transposed


@T.prim_func
def f(A: T.handle, B: T.handle):
    A_buf = T.match_buffer(A, shape, dtype, layout=pre)
    B_buf = T.match_buffer(B, shape, dtype, layout=post)
    T.device_entry()
    T.cta_id([1])
    T.thread_id([32])
    for s in T.serial(0, pipe):
        Tx.warp.permute_layout(B_buf[s, 0:1, 0:4, 0:32], A_buf[s, 0:1, 0:4, 0:32])


if __name__ == "__main__":
    compiled = tw.compile(f)  # for the simulator; target="cuda:sm_90a" emits for a GPU
    source = np.arange(pipe * blk, dtype=dtype)
    result = np.zeros_like(source)
    compiled(source, result)
    assert (result.reshape(pipe, 32, 4) == source.reshape(pipe, 4, 32).transpose(0, 2, 1)).all()
    print(compiled.script("final"))
