"""Floats as integers: cut, saturating, and 0 of what is no number, on every target alike, whatever the types are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from final_kernels import kernel
from translation import run_both

import tilewright as tw
from tilewright.dtypes import dtype
from tilewright.script import tirx as T

FLOATS, BITS = ("f16", "bf16", "f32", "f64"), (8, 16, 32, 64)
SPECIAL = [0.0, -0.0, 0.99, -0.99, 1.5, -1.5, math.nan, math.inf, -math.inf, 1e20, -1e20, 127.5, 128.0, -128.9, -129.0]
NEAR = [255.9, 256.0, 32767.5, 32768.0, 65535.0, 65536.0, 2.0**31, -(2.0**31), 2.0**32, 2.0**63, -(2.0**63), 2.0**64]
EDGES = [-1.0, -32769.0, 2147483647.0, 9.2e18, -9.3e18]


def nearest(x: float, bits: int, signed: bool) -> int:
    """The integer of the type that is nearest to the number without its fraction."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if math.isnan(x):
        return 0
    return (low if x < 0 else high) if math.isinf(x) else min(max(math.trunc(x), low), high)


@pytest.mark.parametrize("source", FLOATS)
def test_every_target_saturates(source: str) -> None:
    with np.errstate(over="ignore"):
        numbers = np.array([*SPECIAL, *NEAR, *EDGES], np.float64).astype(dtype(source).numpy())
    assert len(numbers) == 32
    lines, parameters, arrays, wanted = [f"%a = memref.load %A[%tx] : memref<32x{source}>"], [], [numbers], []
    for bits in BITS:
        for signed in (True, False):
            name = f"{'si' if signed else 'ui'}{bits}"
            lines.append(f"%r{name} = arith.fpto{name[:2]} %a : {source} to i{bits}")
            lines.append(f"memref.store %r{name}, %C{name}[%tx] : memref<32xi{bits}>")
            parameters.append(f"%C{name}: memref<32xi{bits}>")
            arrays.append(np.zeros(32, f"int{bits}"))
            wanted.append([nearest(float(x), bits, signed) for x in numbers])
    body = kernel("\n".join(lines), ", ".join([f"%A: memref<32x{source}>", *parameters]))
    _, *found = run_both(body, arrays)
    for array, right, number in zip(found, wanted, range(8), strict=True):
        assert (array.view(f"u{array.itemsize}") if number % 2 else array).tolist() == right


@T.prim_func
def quantised(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "uint8"), C: T.Buffer((8,), "int16")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([8])
    B[t] = T.cast(A[t], "uint8")
    C[t] = T.cast(A[t], "int16")


@pytest.mark.parametrize("target", ["simulator", "simulator:gfx942", "host"])
def test_kernels_quantise_alike(target: str) -> None:
    a = np.array([1e20, -1e20, np.nan, -1, np.inf, 255.5, 256, 40000], np.float32)
    b, c = np.zeros(8, np.uint8), np.zeros(8, np.int16)
    tw.compile(quantised, target=target)(a, b, c)
    assert b.tolist() == [255, 0, 0, 0, 255, 255, 255, 255]
    assert c.tolist() == [32767, -32768, 0, -1, 32767, 255, 256, 32767]
