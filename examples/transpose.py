"""Transposes 8x32 floats through shared memory; columns of the tile meet four banks, as a profile or a trace shows."""

import numpy as np

import tilewright as tw
from tilewright.script import tirx as T


@T.prim_func
def transpose(A: T.Buffer((8, 32), "float32"), B: T.Buffer((32, 8), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((256,), "float32")
    for i in T.serial(8):
        s[8 * t + i] = A[i, t]
    T.cuda.cta_sync()
    for i in T.serial(8):
        B[4 * i + t // 8, t % 8] = s[32 * i + t]


if __name__ == "__main__":
    a, b = np.arange(256, dtype=np.float32).reshape(8, 32), np.zeros((32, 8), np.float32)
    tw.compile(transpose)(a, b)
    assert (b == a.T).all()
