"""ldmatrix of elements of 4 and 6 bits: each becomes the lower bits of a byte, where lanes hold bytes of a matrix."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import tilewright as tw
from tilewright.errors import MisalignedError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T


@T.prim_func
def fours(A: T.Buffer((32, 16), "uint8"), B: T.Buffer((32, 4), "uint32"), N: T.int32):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_buffer((32, 16), "uint8", scope="shared", align=16)
    for i in T.serial(8):
        s[t, i] = A[t, i]
    T.cuda.warp_sync()
    r = T.alloc_local((4,), "uint32")
    T.ptx.ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64(r[0], r[1], r[2], r[3], s.ptr_to([t, N]))
    for i in T.serial(4):
        B[t, i] = r[i]


@T.prim_func
def sixes(A: T.Buffer((32, 16), "uint8"), B: T.Buffer((32, 4), "uint32"), N: T.int32):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_buffer((32, 16), "uint8", scope="shared", align=16)
    for i in T.serial(12 - N):
        s[t, i] = A[t, i]
    T.cuda.warp_sync()
    r = T.alloc_local((4,), "uint32")
    T.ptx.ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32(r[0], r[1], s.ptr_to([t % 16, 0]))
    T.ptx.ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32(r[2], s.ptr_to([16 + t % 8, 0]))
    r[3] = 0
    for i in T.serial(4):
        B[t, i] = r[i]


def expected(rows: NDArray[np.uint8], bits: int, matrices: int) -> NDArray[np.uint32]:
    """By definition: lane 4 i + j has bytes 4 j to 4 j + 3 of row i of each matrix."""
    numbers = [int.from_bytes(row.tobytes(), "little") for row in rows]
    wide = np.array([[number >> bits * i & (1 << bits) - 1 for i in range(16)] for number in numbers], np.uint8)
    made = np.zeros((32, 4), np.uint32)
    for matrix in range(matrices):
        made[:, matrix] = wide[8 * matrix : 8 * matrix + 8].reshape(32, 4).view(np.uint32)[:, 0]
    return made


@pytest.mark.parametrize(("kernel", "bits", "matrices"), [(fours, 4, 4), (sixes, 6, 3)])
def test_each_element_is_the_lower_bits_of_its_byte(kernel: PrimFunc, bits: int, matrices: int) -> None:
    a = np.random.default_rng(bits).integers(0, 256, (32, 16), dtype=np.uint8)
    compiled = tw.compile(kernel, target="simulator:sm_100a")
    for stage in compiled.stages:
        b = np.zeros((32, 4), np.uint32)
        compiled.simulate(a, b, 0, stage=stage)
        assert (b == expected(a, bits, matrices)).all()
    on_cuda = tw.compile(kernel, target="cuda:sm_100a")
    assert on_cuda.cubin.startswith(b"\x7fELF")


def test_rows_are_aligned_and_what_they_pack_is_written() -> None:
    a, b = np.zeros((32, 16), np.uint8), np.zeros((32, 4), np.uint32)
    with pytest.raises(MisalignedError, match="no multiple of 16"):
        tw.compile(fours, target="simulator:sm_100a")(a, b, 4)
    with pytest.raises(UninitializedError, match="element 11 of s"):
        tw.compile(sixes, target="simulator:sm_100a")(a, b, 1)
