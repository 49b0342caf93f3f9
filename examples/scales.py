"""Permutes e8m0 and e4m3 scale factors, one byte each, in 4x32 tiles in shared memory: free of bank conflicts."""

import numpy as np

import tilewright as tw
from tilewright.dtypes import dtype as element_type
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, TileLayout

pipe, shape = 2, (4, 32)
rows, columns = TileLayout(S[shape : (32, 1)]), TileLayout(S[shape : (1, 4)])


def staged(dtype):
    """A kernel that brings each stage to shared memory, permutes it there, and takes it back."""

    @T.prim_func
    def permute(A: T.Buffer((pipe, 4, 32), dtype), B: T.Buffer((pipe, 32, 4), dtype)):
        T.device_entry()
        T.cta_id([1])
        lane = T.thread_id([32])
        given = T.alloc_shared(shape, dtype, layout=rows)
        made = T.alloc_shared(shape, dtype, layout=columns)
        for s in T.serial(pipe):
            for i in T.unroll(4):
                given[i, lane] = A[s, i, lane]
            T.cuda.warp_sync()
            Tx.warp.permute_layout(made, given)
            for i in T.unroll(4):
                B[s, lane, i] = made[i, lane]
            T.cuda.warp_sync()

    return permute


if __name__ == "__main__":
    for dtype in ("float8_e8m0fnu", "float8_e4m3fn"):
        compiled = tw.compile(staged(dtype))  # for the simulator; target="cuda:sm_100a" emits for a GPU
        exponents = np.arange(pipe * 128, dtype=np.uint8).reshape(pipe, *shape)
        result = np.zeros((pipe, 32, 4), element_type(dtype).numpy())
        compiled(exponents.view(result.dtype), result)
        assert (result.view(np.uint8) == exponents.transpose(0, 2, 1)).all()
        print(compiled.report, "\n")
