"""Two numbers in a word, and further names of TIRx: each means what numpy says, on the simulator and in all texts."""

from __future__ import annotations

import runpy
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from translation import literally

import tilewright as tw
from tilewright.errors import KernelError
from tilewright.script import tirx as T
from tilewright.targets.cuda.nvrtc import compile_cubin


@T.prim_func
def numbers(a_: T.handle, b_: T.handle, w_: T.handle, h_: T.handle, i_: T.handle) -> None:
    A = T.match_buffer(a_, (64, 4), "float32")
    B = T.match_buffer(b_, (64, 9), "float32")
    W = T.match_buffer(w_, (64, 3), "uint32")
    H = T.match_buffer(h_, (64, 2), "uint32")
    I = T.match_buffer(i_, (64, 6), "int32")  # as kernels name it
    T.device_entry()
    T.cta_id([1])
    t, u = T.thread_id([32, 2])
    r = T.cuda.thread_rank()
    T.static_assert(4 > 3, "four is more")
    x = T.cuda.make_float2(A[r, 0], A[r, 1])
    y = T.cuda.make_float2(A[r, 2], A[r, 3])
    both: T.uint64 = 0
    one: T.float32 = 0.0
    half: T.uint32 = 0
    T.ptx.fma.rn.ftz.f32x2(both, x, y, T.cuda.fadd2_rn(x, y))
    B[r, 0] = T.cuda.float2_x(both)
    B[r, 1] = T.cuda.float2_y(both)
    T.ptx.sub.rn.f32x2(both, T.cuda.fmul2_rn(x, y), y)
    B[r, 2] = T.cuda.float2_x(both)
    B[r, 3] = T.cuda.float2_y(both)
    T.ptx.mul.f32(one, A[r, 0], 3.0)
    T.ptx.neg.f32(one, one)
    B[r, 4] = one
    W[r, 0] = T.cuda.float22bfloat162_rn(A[r, 0], A[r, 1])
    W[r, 1] = T.cuda.fp8x4_e4m3_from_float4(A[r, 0], A[r, 1], A[r, 2], A[r, 3])
    W[r, 2] = T.cuda.float22bfloat162_rn_from_float2(x)
    B[r, 5] = T.cuda.float2_y(T.cuda.bfloat1622float2(W[r, 2]))
    T.ptx.fma.rn.f16x2(half, H[r, 0], H[r, 1], H[r, 0])
    W[r, 0] = W[r, 0] ^ half
    B[r, 6] = T.abs(A[r, 3])
    B[r, 7] = T.if_then_else(T.Not(T.isnan(A[r, 0])), T.float32(1.0), T.float32(0.0))
    B[r, 8] = T.cuda._shfl_xor_sync(0xFFFFFFFF, A[r, 0], 1, 32)
    n = T.int32(t) - 16
    I[r, 0] = T.truncdiv(n, 5)
    I[r, 1] = T.truncmod(n, 5)
    I[r, 2] = T.bitwise_not(n)
    I[r, 3] = T.abs(n)
    I[r, 4] = T.int32(r) * 10 + T.int32(u)
    I[r, 5] = T.truncdiv(-7, 2)
    T.evaluate(n)


def given() -> list[Any]:
    rng = np.random.default_rng(4)
    a = rng.normal(size=(64, 4)).astype(np.float32)
    a[5, 0] = np.nan
    halves = rng.normal(size=(64, 4)).astype(np.float16).view(np.uint32)
    return [a, np.zeros((64, 9), np.float32), np.zeros((64, 3), np.uint32), halves, np.zeros((64, 6), np.int32)]


def check(arrays: list[Any]) -> None:
    a, b, words, h, whole = arrays
    (x0, x1, y0, y1), wide = a.T, a.astype(np.float64).T
    sums = [(x + y).astype(np.float64) for x, y in ((x0, y0), (x1, y1))]
    fused = [(wide[i] * wide[i + 2] + sums[i]).astype(np.float32) for i in (0, 1)]
    narrow = a[:, :2].astype(ml_dtypes.bfloat16)
    wanted = [*fused, x0 * y0 - y0, x1 * y1 - y1, -(x0 * np.float32(3)), narrow[:, 1].astype(np.float32), np.abs(y1)]
    shuffled = x0.reshape(-1, 2)[:, ::-1].reshape(-1)
    for number, right in enumerate([*wanted, ~np.isnan(x0) * np.float32(1), shuffled]):
        assert np.array_equal(b[:, number], right, equal_nan=True), number
    f = h.view(np.float16).astype(np.float64).reshape(64, 2, 2)
    product = (f[:, 0] * f[:, 1] + f[:, 0]).astype(np.float16).view(np.uint32)[:, 0]
    known = ~np.isnan(x0)
    assert (words[known, 0] == narrow.view(np.uint32)[known, 0] ^ product[known]).all()
    assert (words[known, 1] == a.astype(ml_dtypes.float8_e4m3fn).view(np.uint32)[known, 0]).all()
    assert (words[known, 2] == narrow.view(np.uint32)[known, 0]).all()
    n, r = np.tile(np.arange(32) - 16, 2), np.arange(64)
    quotient = np.trunc(n / 5).astype(int)
    for number, right in enumerate([quotient, n - 5 * quotient, ~n, np.abs(n), r * 10 + r // 32, np.full(64, -3)]):
        assert (whole[:, number] == right).all(), number


@pytest.mark.parametrize("target", ["simulator", "host", "text"])
def test_they_mean_what_numpy_says(target: str) -> None:
    arrays = given()
    if target == "text":
        literally(numbers, *arrays)
    else:
        tw.compile(numbers, target=f"{target}:sm_100a")(*arrays)
    check(arrays)


def test_nvrtc_takes_them() -> None:
    text = tw.compile(numbers, target="cuda:sm_100a").source
    assert "cvt.rn.bf16x2.f32" in text
    assert compile_cubin(text, "sm_100a").startswith(b"\x7fELF")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("T.cuda.func_call('f')", "write the function in the language"),
        ("T.cuda.clock64()", "nothing in a kernel tells the time"),
        ("T.call_extern('f')", "write the function in the language"),
        ("T.cuda.float2_x(1.5)", "is no uint64"),
        ("T.static_assert(1 > 2, 'too few')", "T.static_assert: too few"),
    ],
)
def test_what_is_refused_says_why(name: str, reason: str, tmp_path: Any) -> None:
    text = f"""from tilewright.script import tirx as T
@T.prim_func
def one(A: T.Buffer((32,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    {name}
"""
    path = tmp_path / "one.py"
    path.write_text(text)
    with pytest.raises(KernelError, match=reason):
        runpy.run_path(str(path))
