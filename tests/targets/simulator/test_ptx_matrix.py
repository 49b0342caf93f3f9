"""PTX's matrix instructions by their names, on fragments as the PTX manual draws them, written out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright.script import tirx as T

Array = np.ndarray[Any, np.dtype[Any]]
LANES = range(32)


def numbers(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> Array:
    return np.random.default_rng(seed).integers(-8, 8, shape).astype(dtype)


@T.prim_func
def half(A: T.Buffer((16, 16), "float16"), B: T.Buffer((16, 8), "float16"), D: T.Buffer((16, 8), "float32")) -> None:
    """m16n8k16: a0 a1 in row g, columns 2q, 2q + 1; a2 a3 eight rows down; a4 .. a7 eight columns on."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    g = T.meta_var(t // 4)
    q = T.meta_var(t % 4)
    a = T.alloc_local((8,), "float16")
    b = T.alloc_local((4,), "float16")
    d = T.alloc_local((4,), "float32")
    a[0] = A[g, q * 2]
    a[1] = A[g, q * 2 + 1]
    a[2] = A[g + 8, q * 2]
    a[3] = A[g + 8, q * 2 + 1]
    a[4] = A[g, q * 2 + 8]
    a[5] = A[g, q * 2 + 9]
    a[6] = A[g + 8, q * 2 + 8]
    a[7] = A[g + 8, q * 2 + 9]
    b[0] = B[q * 2, g]
    b[1] = B[q * 2 + 1, g]
    b[2] = B[q * 2 + 8, g]
    b[3] = B[q * 2 + 9, g]
    T.mma_atom("SM80_16x8x16_F32F16F16F32_TN", d, a, b)
    D[g, q * 2] = d[0]
    D[g, q * 2 + 1] = d[1]
    D[g + 8, q * 2] = d[2]
    D[g + 8, q * 2 + 1] = d[3]


@T.prim_func
def single(A: T.Buffer((16, 8), "float32"), B: T.Buffer((8, 8), "float32"), D: T.Buffer((16, 8), "float32")) -> None:
    """m16n8k8 of tf32, each register an operand of its own, C four zeros."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    g = T.meta_var(t // 4)
    q = T.meta_var(t % 4)
    a = T.alloc_local((4,), "float32")
    b = T.alloc_local((2,), "float32")
    d = T.alloc_local((4,), "float32")
    a[0] = A[g, q]
    a[1] = A[g + 8, q]
    a[2] = A[g, q + 4]
    a[3] = A[g + 8, q + 4]
    b[0] = B[q, g]
    b[1] = B[q + 4, g]
    T.ptx.mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32(
        d[0], d[1], d[2], d[3], a[0], a[1], a[2], a[3], b[0], b[1], 0.0, 0.0, 0.0, 0.0
    )
    D[g, q * 2] = d[0]
    D[g, q * 2 + 1] = d[1]
    D[g + 8, q * 2] = d[2]
    D[g + 8, q * 2 + 1] = d[3]


@T.prim_func
def bytes_(A: T.Buffer((16, 8), "uint32"), B: T.Buffer((8, 8), "uint32"), D: T.Buffer((16, 8), "int32")) -> None:
    """m16n8k32 of s8 and u8, four elements a register; D and C one accumulator, filled from the end."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    g = T.meta_var(t // 4)
    q = T.meta_var(t % 4)
    a = T.alloc_local((2, 2), "uint32")
    b = T.alloc_local((2,), "uint32")
    d = T.alloc_local((4,), "int32")
    for i in T.unroll(4):
        d[i] = D[g + i // 2 * 8, q * 2 + i % 2]
    a[0, 0] = A[g, q]
    a[0, 1] = A[g + 8, q]
    a[1, 0] = A[g, q + 4]
    a[1, 1] = A[g + 8, q + 4]
    b[0] = B[g, q]
    b[1] = B[g, q + 4]
    for _again in T.serial(2):
        T.ptx["mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32"](
            d[0], d[1], d[2], d[3], a[0, 0], a[0, 1], a[1, 0], a[1, 1], b[0], b[1], d[0], d[1], d[2], d[3]
        )
    for i in T.unroll(4):
        D[g + i // 2 * 8, q * 2 + i % 2] = d[i]


@T.prim_func
def double(A: T.Buffer((8, 4), "float64"), B: T.Buffer((4, 8), "float64"), D: T.Buffer((8, 8), "float64")) -> None:
    """m8n8k4 of f64; the accumulators lie the wrong way round in their buffer."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((1,), "float64")
    b = T.alloc_local((1,), "float64")
    d = T.alloc_local((2,), "float64")
    a[0] = A[t // 4, t % 4]
    b[0] = B[t % 4, t // 4]
    T.ptx.mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64(d[1], d[0], a[0], b[0], 0.0, 0.0)
    D[t // 4, t % 4 * 2] = d[1]
    D[t // 4, t % 4 * 2 + 1] = d[0]


@pytest.mark.parametrize("stage", ["tile", "lowered", "final"])
def test_documented_fragments(stage: str) -> None:
    a, b, d = numbers((16, 16), np.float16), numbers((16, 8), np.float16, 1), np.zeros((16, 8), np.float32)
    tw.compile(half).simulate(a, b, d, stage=stage)
    assert (d == a.astype(int) @ b.astype(int)).all()
    x, y, d = numbers((16, 8), np.float32), numbers((8, 8), np.float32, 1), np.zeros((16, 8), np.float32)
    tw.compile(single).simulate(x, y, d, stage=stage)
    assert (d == x @ y).all()
    i, u, s = numbers((16, 32), np.int8), numbers((8, 32), np.uint8, 1), numbers((16, 8), np.int32, 2)
    wanted = s + 2 * (i.astype(int) @ u.astype(int).T)
    tw.compile(bytes_).simulate(i.view(np.uint32), u.view(np.uint32), s, stage=stage)
    assert (s == wanted).all()
    p, q, r = numbers((8, 4), np.float64), numbers((4, 8), np.float64, 1), np.zeros((8, 8))
    tw.compile(double).simulate(p, q, r, stage=stage)
    assert (r == p @ q).all()


@T.prim_func
def through_matrices(A: T.Buffer((16, 16), "uint16"), B: T.Buffer((16, 16), "uint16")) -> None:
    """ld, st, ldmatrix.x4 and stmatrix.x4: the 16 x 16 tile, transposed by 8 x 8 matrices."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((2, 16, 16), "uint16")
    words = T.alloc_local((4,), "uint32")
    r = T.alloc_local((4,), "uint32")
    row = T.meta_var(t // 2)
    column = T.meta_var(t % 2 * 8)
    T.ptx.ld.global_.v4.u32(words[0], words[1], words[2], words[3], A.ptr_to([row, column]))
    T.ptx.st.shared.v4.b32(s.ptr_to([0, row, column]), words[0], words[1], words[2], words[3])
    T.cuda.warp_sync()
    T.ptx.ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16(
        r[0], r[1], r[2], r[3], T.address_of(s[0, t % 16, t // 16 * 8])
    )
    T.ptx.stmatrix.sync.aligned.m8n8.x4.shared.b16(s.ptr_to([1, t % 16, t // 16 * 8]), r[0], r[1], r[2], r[3])
    T.cuda.warp_sync()
    T.ptx.ld.shared.v4.b32(words[0], words[1], words[2], words[3], s.ptr_to([1, row, column]))
    T.ptx.st.global_.v4.b32(B.ptr_to([row, column]), words[0], words[1], words[2], words[3])


@pytest.mark.parametrize("stage", ["tile", "final"])
def test_matrices_come_back_transposed(stage: str) -> None:
    a, b = numbers((16, 16), np.uint16), np.zeros((16, 16), np.uint16)
    report = tw.compile(through_matrices).simulate(a, b, stage=stage)
    blocks = a.reshape(2, 8, 2, 8)
    assert (b.reshape(2, 8, 2, 8) == blocks.transpose(0, 3, 2, 1)).all()
    # rows of 32 bytes: four of eight lie on the same banks
    assert [(x.kind, x.wavefronts, x.ideal) for x in report.select(space="shared")] == [
        ("store", 4, 4), ("load", 8, 4), ("store", 8, 4), ("load", 4, 4),
    ]  # fmt: skip
