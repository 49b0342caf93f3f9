"""The rule of matrix products: exact sums rounded twice, to binary64 and to the accumulator, whatever the order."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import mma_oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright.dtypes import dtype
from tilewright.script import tirx as T
from tilewright.targets.simulator.collective.rounding import rounded
from tilewright.targets.simulator.collective.rule import fast, multiply_add

Array = np.ndarray[Any, np.dtype[Any]]
TYPES = (
    ("float32", "float16"), ("float16", "float16"), ("float32", "bfloat16"), ("bfloat16", "bfloat16"),
    ("float32", "float8_e4m3fn"), ("float16", "float8_e5m2"), ("float32", "float32"), ("float64", "float64"),
)  # fmt: skip


def matrix(element: str, shape: tuple[int, ...], seed: int, spread: int, special: bool) -> Array:
    """Numbers with exponents that differ, zeros, powers of two that cancel, and where asked for what is not finite."""
    rng = np.random.default_rng(seed)
    values = np.ldexp(rng.integers(-9, 10, shape).astype(np.float64), rng.integers(-spread, spread + 1, shape))
    if special:
        odd = rng.choice([np.inf, -np.inf, np.nan, 0.0], shape)
        values = np.where(rng.random(shape) < 0.05, odd, values)
    return values.astype(np.float32 if element != "float64" else np.float64).astype(dtype(element).numpy())


@pytest.mark.hypothesis
@given(st.sampled_from(TYPES), st.integers(0, 2**31), st.integers(0, 60), st.integers(1, 20), st.booleans())
@settings(max_examples=60)
def test_sums_are_exact_then_rounded(types: tuple[str, str], seed: int, spread: int, k: int, special: bool) -> None:
    d, ab = types
    limit = {"float16": 9, "float8_e4m3fn": 4, "float8_e5m2": 8}.get(ab, spread)
    a, b = (matrix(ab, (2, 3, k), seed + i, min(spread, limit), special) for i in (0, 1))
    c = matrix(d, (2, 3, 3), seed + 2, min(spread, 9), special)
    kinds = (dtype(d), dtype(ab), dtype(ab), dtype(d))
    with np.errstate(all="ignore"):
        found = multiply_add(a, b, c, kinds, "").astype(np.float64)
    for w, m, n in np.ndindex(2, 3, 3):
        row, column = (x.astype(np.float64).tolist() for x in (a[w, m], b[w, n]))
        exact = mma_oracle.total(row, column, float(c[w, m, n]), ab != "float64")
        wanted = mma_oracle.nearest(exact, dtype(d))
        if math.isnan(wanted):
            assert math.isnan(found[w, m, n])
        else:
            assert math.copysign(1, found[w, m, n]) == math.copysign(1, wanted)
            assert found[w, m, n] == wanted


@pytest.mark.hypothesis
@given(st.integers(0, 2**31))
def test_the_order_of_the_terms_has_no_say(seed: int) -> None:
    a, b = (matrix("float16", (1, 4, 16), seed + i, 9, False) for i in (0, 1))
    c = matrix("float32", (1, 4, 4), seed + 2, 20, False)
    kinds = (dtype("float32"), dtype("float16"), dtype("float16"), dtype("float32"))
    order = np.random.default_rng(seed).permutation(16)
    assert (multiply_add(a, b, c, kinds, "") == multiply_add(a[..., order], b[..., order], c, kinds, "")).all()


@pytest.mark.hypothesis
@given(st.lists(st.floats(width=64), min_size=1, max_size=8))
def test_every_type_is_rounded_to_once(values: list[float]) -> None:
    given_ = np.array(values)
    with np.errstate(all="ignore"):
        single = given_.astype(np.float32)
        near = np.concatenate([given_, single, np.nextafter(single, np.float32(9))]).astype(np.float64)
    for name in ("float32", "float16", "bfloat16"):
        with np.errstate(all="ignore"):
            found = rounded(near, dtype(name)).astype(np.float64)
        wanted = np.array([mma_oracle.nearest(float(x), dtype(name)) for x in near])
        assert np.array_equal(found, wanted, equal_nan=True)


def test_integers_wrap_or_stay_at_their_limits() -> None:
    a = np.full((1, 1, 4), 127, np.int8)
    c = np.full((1, 1, 1), 2**31 - 5, np.int32)
    kinds = (dtype("int32"), dtype("int8"), dtype("int8"), dtype("int32"))
    assert multiply_add(a, a, c, kinds, "").item() == -(2**31) - 5 + 4 * 127**2
    assert multiply_add(a, a, c, kinds, "mma.satfinite").item() == 2**31 - 1
    assert fast(a, a, c, kinds, "mma.satfinite").item() == 2**31 - 1


# ---- a kernel whose products wait for each other


def test_products_that_wait_are_products_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tile of 128 x 128: 32 accumulators of each warp over eight k, in whatever order it runs."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "benchmarks"))
    from kernel_sources import tensor_gemm

    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal((128, 128)).astype(np.float16) for _ in range(2))
    kernel = tw.compile(tensor_gemm(128))
    found = []
    for options in ({}, {"check": "off"}, {"schedule": "random", "seed": 4}):
        c = np.zeros((128, 128), np.float32)
        kernel.simulate(a, b, c, **options)
        found.append(c)
    assert all((c == found[0]).all() for c in found)
    for m, n in rng.integers(0, 128, (300, 2)).tolist():
        total = 0.0
        for k in range(0, 128, 16):
            row, column = (x[i, k : k + 16].astype(float).tolist() for x, i in ((a, m), (b, n)))
            total = mma_oracle.nearest(mma_oracle.total(row, column, total, True), dtype("float32"))
        assert found[0][m, n] == total
    c = np.zeros((128, 128), np.float32)
    kernel.simulate(a, b, c, mma="fast")
    assert np.abs(c - found[0]).max() < 1e-4


# ---- loops of products, which are one step where that changes nothing

SMALL = "SM80_16x8x16_F16F16F16F16_TN"


@T.prim_func
def over_its_own_factors(A: T.Buffer((32, 12), "float16"), F: T.Buffer((32, 12), "float16")) -> None:
    """Each result is a factor of the next product."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((12,), "float16")
    for i in T.serial(12):
        a[i] = A[t, i]
    for i in T.serial(3):
        T.mma_atom(SMALL, a[i * 4], a[i * 2], a[8 - i * 4], a[i * 4])
    for i in T.serial(12):
        F[t, i] = a[i]


@T.prim_func
def over_its_own_factors_written_out(A: T.Buffer((32, 12), "float16"), F: T.Buffer((32, 12), "float16")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((12,), "float16")
    for i in T.serial(12):
        a[i] = A[t, i]
    T.mma_atom(SMALL, a[0], a[0], a[8], a[0])
    T.mma_atom(SMALL, a[4], a[2], a[4], a[4])
    T.mma_atom(SMALL, a[8], a[4], a[0], a[8])
    for i in T.serial(12):
        F[t, i] = a[i]


@T.prim_func
def over_each_other(A: T.Buffer((32, 12), "float16"), F: T.Buffer((32, 12), "float16")) -> None:
    """Results that share registers, and start from others."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((12,), "float16")
    d = T.alloc_local((12,), "float16")
    for i in T.serial(12):
        a[i] = A[t, i]
        d[i] = A[t, 11 - i]
    for i in T.serial(2):
        for j in T.serial(2):
            T.mma_atom(SMALL, d[i * 2 + j * 4], a[0], a[8], d[8 - i * 4])
    for i in T.serial(12):
        F[t, i] = d[i]


@T.prim_func
def over_each_other_written_out(A: T.Buffer((32, 12), "float16"), F: T.Buffer((32, 12), "float16")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((12,), "float16")
    d = T.alloc_local((12,), "float16")
    for i in T.serial(12):
        a[i] = A[t, i]
        d[i] = A[t, 11 - i]
    T.mma_atom(SMALL, d[0], a[0], a[8], d[8])
    T.mma_atom(SMALL, d[4], a[0], a[8], d[8])
    T.mma_atom(SMALL, d[2], a[0], a[8], d[4])
    T.mma_atom(SMALL, d[6], a[0], a[8], d[4])
    for i in T.serial(12):
        F[t, i] = d[i]


@pytest.mark.parametrize(
    ("looped", "written_out"),
    [(over_its_own_factors, over_its_own_factors_written_out), (over_each_other, over_each_other_written_out)],
    ids=["factors", "results"],
)
def test_loops_of_products_are_what_they_are_written_out(looped: Any, written_out: Any) -> None:
    a = matrix("float16", (32, 12), 5, 3, False) / np.float16(64)
    found = []
    for kernel in (looped, written_out):
        for stage in ("tile", "final"):
            f = np.zeros_like(a)
            tw.compile(kernel).simulate(a, f, stage=stage)
            found.append(f)
    assert np.isfinite(found[0]).all()
    assert all((f == found[0]).all() for f in found)
