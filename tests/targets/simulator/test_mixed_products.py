"""Products of 8, 6 and 4 bits in a byte each: rows widened by ldmatrix, then multiplied, equal numpy's product."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tilewright as tw
from tilewright.dtypes import dtype
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.arguments import bind
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.host.compiler import WARNINGS, compile_together, literal
from tilewright.targets.launch import kernel_of

ARCH = "sm_120a"
TYPES = {"e3m2": "b6x16_p32", "e2m3": "b6x16_p32", "e2m1": "b4x16_p64"}
PAIRS = [(a, b) for a in TYPES for b in TYPES]


def widened(a: str, b: str) -> PrimFunc:
    """A (16, 32) and B (8, 32) as rows of 16 packed elements go to shared memory, to registers, and are multiplied."""
    load = "ldmatrix.sync.aligned.m8n16.x{}.shared.b8x16.{}"
    load_a, load_b = load.format(4, TYPES[a]), load.format(2, TYPES[b])
    product = f"mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.{a}.{b}.f32"
    shift_a, shift_b = (2 * (kind == "e2m1") for kind in (a, b))

    @T.prim_func
    def one(A: T.Buffer((32, 16), "uint8"), B: T.Buffer((16, 16), "uint8"), D: T.Buffer((32, 4), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        s = T.alloc_buffer((32, 16), "uint8", scope="shared", align=16)
        u = T.alloc_buffer((16, 16), "uint8", scope="shared", align=16)
        for i in T.serial(16):
            s[t, i] = A[t, i]
            u[t % 16, i] = B[t % 16, i]
        T.cuda.warp_sync()
        x = T.alloc_local((4,), "uint32")
        y = T.alloc_local((2,), "uint32")
        d = T.alloc_local((4,), "float32")
        T.ptx[load_a](x[0], x[1], x[2], x[3], s.ptr_to([t, 0]))
        T.ptx[load_b](y[0], y[1], u.ptr_to([t % 16, 0]))
        for i in T.serial(4):
            x[i] = x[i] << T.uint32(shift_a)
            d[i] = D[t, i]
        for i in T.serial(2):
            y[i] = y[i] << T.uint32(shift_b)
        T.ptx[product](d[0], d[1], d[2], d[3], x[0], x[1], x[2], x[3], y[0], y[1], d[0], d[1], d[2], d[3])
        for i in T.serial(4):
            D[t, i] = d[i]

    return one


def packed(codes: NDArray[np.uint8], bits: int) -> NDArray[np.uint8]:
    """Rows of 16 bytes, which begin with as many elements, of matrices of 8 rows: down, then along K."""
    halves = codes.reshape(len(codes) // 8, 8, 2, 16).swapaxes(1, 2)  # (rows / 8, K / 16, 8, 16)
    rows = halves.swapaxes(0, 1).reshape(-1, 16)
    one = np.unpackbits(rows[..., None], axis=-1, bitorder="little")[..., :bits].reshape(len(rows), -1)
    found = np.full((len(rows), 16), 0xA5, np.uint8)
    found[:, : 2 * bits] = np.packbits(one, axis=-1, bitorder="little")
    return found


def spread(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """What lanes hold of D (16, 8): two neighbours, and those 8 rows below."""
    return np.ascontiguousarray(matrix.reshape(2, 8, 4, 2).transpose(1, 2, 0, 3).reshape(32, 4))


def drawn(a: str, b: str) -> tuple[list[Any], NDArray[np.float32]]:
    """Any elements as arguments, and what the last of them is to become."""
    rng = np.random.default_rng(len(a + b))
    codes = [rng.integers(0, 1 << dtype(kind).bits, (rows, 32), np.uint8) for kind, rows in ((a, 16), (b, 8))]
    left, right = (x.view(dtype(kind).numpy()).astype(np.float64) for x, kind in zip(codes, (a, b), strict=True))
    start = rng.integers(-9, 9, (16, 8)).astype(np.float32)
    expected = spread((left @ right.T + start).astype(np.float32))
    given = [packed(x, dtype(kind).bits) for x, kind in zip(codes, (a, b), strict=True)]
    return [*given, spread(start)], expected


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_rows_that_are_widened_are_multiplied(a: str, b: str) -> None:
    compiled = tw.compile(widened(a, b), target=f"simulator:{ARCH}")
    for stage in compiled.stages:
        given, expected = drawn(a, b)
        compiled.simulate(*given, stage=stage)
        assert (given[-1] == expected).all()


def test_the_literal_text_does_so_on_the_cpu() -> None:
    modules = [tw.compile(widened(a, b)).lowered().module for a, b in PAIRS]
    made = compile_together([literal(module) for module in modules], (*WARNINGS, "-O0"))
    for pair, module, one in zip(PAIRS, modules, made, strict=True):
        given, expected = drawn(*pair)
        one.run(bind(kernel_of(module), given))
        assert (given[-1] == expected).all()


def test_each_of_mixed_types_takes_a_byte_of_a_register() -> None:
    """NVRTC takes four words of A and two of B whatever the types."""
    for a, b in PAIRS:
        text = tw.compile(widened(a, b), target=f"cuda:{ARCH}").source
        assert f".row.col.f32.{a}.{b}.f32 {{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, {{%8, %9}}" in text
    compile_cubin(text, ARCH)
