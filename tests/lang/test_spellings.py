"""Other names for what signs say mean what the signs do."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import KernelError
from tilewright.script import tirx as T


@T.prim_func
def named(A: T.Buffer((64,), "int32"), H: T.Buffer((64,), "float16"), B: T.Buffer((4, 64), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.cuda.ldg(A.ptr_to([t]), "int32")
    B[0, t] = T.Select(T.And(a > 0, t < 40), a, -a)
    B[1, t] = T.Select(T.Or(a > 0, t < 40), 1, 0)
    B[2, t] = T.ceildiv(a, 7)
    B[3, t] = T.cast(T.cuda.half2float(H[t]) * 8.0, "int32") + T.ceildiv(t, 5) + T.ceildiv(13, 4)


def test_they_mean_what_signs_do() -> None:
    rng = np.random.default_rng(2)
    a, h, t = rng.integers(-90, 90, 64).astype(np.int32), rng.integers(-9, 9, 64).astype(np.float16), np.arange(64)
    for target in ("simulator", "host"):
        b = np.zeros((4, 64), np.int32)
        tw.compile(named, target=target)(a, h, b)
        assert (b[0] == np.where((a > 0) & (t < 40), a, -a)).all()
        assert (b[1] == ((a > 0) | (t < 40))).all()
        assert (b[2] == -(-a // 7)).all()
        assert (b[3] == h * 8 + -(-t // 5) + 4).all()


def test_wrong_types_are_refused() -> None:
    with pytest.raises(KernelError, match=r"T\.cuda\.ldg of a float32 at int32s"):

        @T.prim_func
        def one(A: T.Buffer((64,), "int32")):
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([64])
            A[t] = T.cuda.ldg(A.ptr_to([t]), "float32")

    with pytest.raises(KernelError, match="takes a float16"):

        @T.prim_func
        def two(A: T.Buffer((64,), "float32")):
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([64])
            A[t] = T.cuda.half2float(A[t])
