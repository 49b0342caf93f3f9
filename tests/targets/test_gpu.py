"""What a GPU must run as the simulator does. Where there is none, the cases are checked on the simulator alone."""

from __future__ import annotations

import random
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from on_gpu import GPU, same
from permute_programs import DTYPES, program
from permutes import BIT_LINEAR, TABLE, Permute, scale_factors, transpose

import tilewright as tw
from tilewright.dtypes import dtype as find_dtype
from tilewright.runtime.compile import ENVIRONMENT
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import ComposeLayout, S, SwizzleLayout, TileLayout

TARGETS = ("simulator", *GPU)
EXAMPLES = Path(__file__).parents[2] / "examples"
WIDTHS = ("uint8", "float8_e8m0fnu", "float8_e4m3fn", "float16", "float32", "float64", "complex128", "uint8x16")


def check(kernel: Any, arrays: list[Any], expected: list[Any]) -> None:
    """Every target makes these of the arrays."""
    for target in TARGETS:
        found = [array.copy() for array in arrays]
        tw.compile(kernel, target=target)(*found)
        assert [array.tobytes() for array in found] == [array.tobytes() for array in expected], target


def check_permute(permute: Permute) -> None:
    source, result = permute.arrays()
    check(permute.kernel(), [source, result], [source, permute.expected(source, result)])


@pytest.mark.parametrize("dtype", WIDTHS)
@pytest.mark.parametrize("rows", [3, 4, 8, 32])
def test_transposes_of_every_width(rows: int, dtype: str) -> None:
    check_permute(transpose(rows, 32, dtype))


@pytest.mark.parametrize("dtype", WIDTHS)
def test_document_000(dtype: str) -> None:
    check_permute(scale_factors(2, 128, dtype))
    check_permute(scale_factors(3, 256, dtype, threads=64))


@pytest.mark.parametrize("permute", [BIT_LINEAR, TABLE], ids=["bits", "table"])
def test_every_form_of_a_schedule(permute: Permute) -> None:
    for dtype in WIDTHS:
        check_permute(Permute(permute.shape, permute.src, permute.dst, dtype))


@pytest.mark.parametrize("seed", range(24))
def test_random_permutes(seed: int) -> None:
    made = program(random.Random(seed))
    arrays = made.arrays()
    check(made.kernel(), arrays, made.expected(arrays))


def test_in_place() -> None:
    permute = scale_factors()
    for target in TARGETS:
        array, _ = permute.arrays()
        expected = permute.expected(array, array)
        tw.compile(permute.kernel(), target=target)(array, array)
        assert array.tobytes() == expected.tobytes()


@pytest.mark.parametrize("warps", [1, 4])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_many_blocks(dtype: str, warps: int) -> None:
    """More blocks than a grid may have in y; each warp has its tile."""
    tiles = 65_540
    kernel, kind = batched(tiles, warps, dtype), find_dtype(dtype).numpy()
    source = np.random.default_rng(0).integers(0, 256, tiles * 128 * kind.itemsize, np.uint8).view(kind)
    expected = source.reshape(tiles, 4, 32).transpose(0, 2, 1).reshape(-1)
    check(kernel, [source, np.zeros_like(source)], [source, np.ascontiguousarray(expected)])


def batched(tiles: int, warps: int, dtype: str) -> T.PrimFunc:
    """A transpose of 4 x 32 for each warp."""
    shape = (tiles // warps, warps, 4, 32)
    columns = TileLayout(S[shape : (warps * 128, 128, 1, 4)])

    @T.prim_func
    def permute(A: T.Buffer(shape, dtype), B: T.Buffer(shape, dtype, layout=columns)):
        T.device_entry()
        b = T.cta_id([tiles // warps])
        w = T.warp_id([warps])
        Tx.warp.permute_layout(B[b, w, 0:4, 0:32], A[b, w, 0:4, 0:32])

    return permute


# ---- through shared memory

TILES: dict[str, Callable[[], Any]] = {
    "plain": lambda: TileLayout(S[32, 32]),
    "padded": lambda: TileLayout(S[(32, 32) : (33, 1)]),
    "swizzled": lambda: ComposeLayout(SwizzleLayout(per_element=0, swizzle_len=5, atom_len=5), TileLayout(S[32, 32])),
}


@pytest.mark.parametrize("scope", ["shared", "shared.dyn"])
@pytest.mark.parametrize("layout", TILES)
@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "float64", "complex128"])
def test_transposes_through_shared_memory(dtype: str, layout: str, scope: str) -> None:
    kernel, kind = shared_transpose(96, TILES[layout](), dtype, scope), find_dtype(dtype).numpy()
    source = np.random.default_rng(0).integers(0, 256, 96 * 96 * kind.itemsize, np.uint8).view(kind).reshape(96, 96)
    check(kernel, [source, np.zeros_like(source)], [source, np.ascontiguousarray(source.T)])


def shared_transpose(size: int, layout: Any, dtype: str, scope: str) -> T.PrimFunc:
    """B = A transposed, by tiles of 32 x 32."""

    @T.prim_func
    def transpose(A: T.Buffer((size, size), dtype), B: T.Buffer((size, size), dtype)):
        T.device_entry()
        bx, by = T.cta_id([size // 32, size // 32])
        tx, ty = T.thread_id([32, 8])
        tile = T.alloc_buffer((32, 32), dtype, scope=scope, layout=layout)
        for i in T.unroll(4):
            tile[ty + i * 8, tx] = A[by * 32 + ty + i * 8, bx * 32 + tx]
        T.cuda.cta_sync()
        for i in T.unroll(4):
            B[bx * 32 + ty + i * 8, by * 32 + tx] = tile[tx, ty + i * 8]

    return transpose


@pytest.mark.parametrize("kib", [64, 200])
def test_pools_of_more_than_48_kib(kib: int) -> None:
    """The launch must ask for them; the last bytes of the pool are used."""
    words = kib * 256

    @T.prim_func
    def turned(A: T.Buffer((words,), "float32"), B: T.Buffer((words,), "float32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([256])
        held = T.alloc_buffer((words,), "float32", scope="shared.dyn")
        for i in T.serial(words // 256):
            held[i * 256 + t] = A[i * 256 + t]
        T.cuda.cta_sync()
        for i in T.serial(words // 256):
            B[i * 256 + t] = held[words - 1 - (i * 256 + t)]

    source = np.arange(words, dtype=np.float32)
    check(turned, [source, np.zeros_like(source)], [source, source[::-1].copy()])


# ---- numbers


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_arithmetic_rounds_after_every_operation(dtype: str) -> None:
    """A product and a sum are two roundings, no fused multiply-add. Operands are random bits; a NaN is any NaN."""
    count, kind = 1 << 14, find_dtype(dtype).numpy()

    @T.prim_func
    def computed(A: T.Buffer((count,), dtype), B: T.Buffer((count,), dtype), C: T.Buffer((5, count), dtype)):
        T.device_entry()
        b = T.cta_id([count // 256])
        i = b * 256 + T.thread_id([256])
        C[0, i] = A[i] + B[i]
        C[1, i] = A[i] - B[i]
        C[2, i] = A[i] * B[i]
        C[3, i] = A[i] / B[i]
        C[4, i] = A[i] * B[i] + A[i]

    rng = np.random.default_rng(0)
    a, b = (np.frombuffer(rng.bytes(count * kind.itemsize), kind) for _ in range(2))
    with np.errstate(all="ignore"):
        expected = np.stack([a + b, a - b, a * b, a / b, a * b + a])
    for target in TARGETS:
        found = np.zeros_like(expected)
        tw.compile(computed, target=target)(a.copy(), b.copy(), found)
        assert same(found, expected), target


@pytest.mark.parametrize("example", ["permute.py", "scales.py"])
def test_examples(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for target in TARGETS:
        monkeypatch.setenv(ENVIRONMENT, target)
        runpy.run_path(str(EXAMPLES / example), run_name="__main__")


# ---- how results are compared


@given(st.sampled_from([d for d in DTYPES if d != "bool"]), st.integers(0, 63), st.integers(0, 7))
def test_every_bit_counts_but_those_of_a_nan(dtype: str, byte: int, bit: int) -> None:
    kind = find_dtype(dtype).numpy()
    ours = np.random.default_rng(0).integers(0, 256, 64 // kind.itemsize * kind.itemsize, np.uint8).view(kind)
    theirs = ours.copy()
    theirs.view(np.uint8)[byte % ours.nbytes] ^= 1 << bit
    at = byte % ours.nbytes // kind.itemsize
    assert same(ours, ours)
    element = find_dtype(dtype)
    with np.errstate(invalid="ignore"):
        numbers = element.lanes == 1 and (element.is_float or kind.kind == "c")
        assert same(ours, theirs) == bool(numbers and np.isnan(ours[at]) and np.isnan(theirs[at]))
