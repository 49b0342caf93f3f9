"""Lists that are written out are Python's: the same values in the same order, in a tuple or spread in a call."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright.errors import KernelError
from tilewright.script import tirx as T

PAIRS = ((3, 1), (4, 1), (5, 9))


@given(st.integers(-3, 5), st.integers(-3, 9), st.integers(1, 3), st.integers(1, 4))
def test_as_in_python(start: int, stop: int, step: int, modulus: int) -> None:
    wanted = [i * 10 + a - b for i in range(start, stop, step) if i % modulus == 0 for a, b in PAIRS if a > 3]

    @T.prim_func
    def kernel(A: T.Buffer((64,), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([1])
        found = (7, *[i * 10 + a - b for i in range(start, stop, step) if i % modulus == 0 for a, b in PAIRS if a > 3])
        for n in T.unroll(len(found)):
            A[n] = found[n]

    array = np.zeros(64, np.int32)
    tw.compile(kernel)(array)
    assert array.tolist() == [7, *wanted, *[0] * (63 - len(wanted))]


def test_registers_one_by_one() -> None:
    @T.prim_func
    def kernel(A: T.Buffer((32, 4), "uint32"), B: T.Buffer((32, 4), "uint32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        r = T.alloc_local((4,), "uint32")
        T.ptx.ld.global_.v4.u32(*[r[i] for i in range(4)], A.ptr_to([t, 0]))
        T.ptx.st.global_.v4.b32(B.ptr_to([t, 0]), *[r[3 - i] for i in range(4)])

    given_, found = np.arange(128, dtype=np.uint32).reshape(32, 4), np.zeros((32, 4), np.uint32)
    tw.compile(kernel)(given_, found)
    assert (found == given_[:, ::-1]).all()


def test_pairs_are_taken_apart_evenly() -> None:
    with pytest.raises(KernelError, match=r"\(a, b, c\) does not take"):

        @T.prim_func
        def kernel(A: T.Buffer((4,), "int32")) -> None:
            T.device_entry()
            A[0] = len([a for a, b, c in PAIRS])
