"""Floats of 16 bits: simulator, literal text, loops of C and of LLVM's text give the same, right numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mma_oracle
import numpy as np
import pytest
from final_kernels import kernel
from translation import run_both

from tilewright.dtypes import dtype

Array = np.ndarray[Any, np.dtype[Any]]
KINDS = ("f16", "bf16")
LANES, ROWS = 32, 8
COUNT = LANES * ROWS
SPECIAL = (0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x7F, 0x80, 0x7BFF, 0x7F7F, 0x3C00, 0x3F80, 0x7C00, 0xFF80)
ARITHMETIC: dict[str, Callable[[Array, Array], Array]] = {
    "addf": operator.add,
    "subf": operator.sub,
    "mulf": operator.mul,
    "divf": operator.truediv,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
}
PREDICATES: dict[str, Callable[[Array, Array], Array]] = {
    "oeq": operator.eq,
    "une": operator.ne,
    "olt": operator.lt,
    "oge": operator.ge,
    "ult": lambda a, b: ~(a >= b),
    "ord": lambda a, b: (a == a) & (b == b),
}


def numbers(kind: str, seed: int, near: bool = False) -> Array:
    """Bits drawn at random, so that all sizes are there, and special ones; no NaN. `near`: all of about one size."""
    element, rng = dtype(kind), np.random.default_rng(seed)
    bits = rng.integers(0, 1 << 16, COUNT).astype(np.uint16)
    if near:
        bits = (0x3C00 + rng.integers(0, 1 << 9, COUNT) | rng.integers(0, 2, COUNT) << 15).astype(np.uint16)
    else:
        places = rng.permutation(COUNT)[: len(SPECIAL)]
        bits[places] = SPECIAL
    found = bits.view(element.numpy())
    return np.where(np.isnan(found.astype(np.float32)), np.ones(1, element.numpy()), found)


def computed(ops: list[tuple[str, str]], given: list[tuple[str, Array]]) -> list[Array]:
    """What each op, a text of %a, %b and so on with the type that it gives, makes of the elements of the arrays."""
    sources = [f"%S{i}: memref<{COUNT}x{kind}>" for i, (kind, _) in enumerate(given)]
    results = [f"%R{i}: memref<{COUNT}x{kind}>" for i, (_, kind) in enumerate(ops)]
    lines = ["%row = arith.muli %i, %lanes : index", "%at = arith.addi %row, %tx : index"]
    lines += [f"%{'abcde'[i]} = memref.load %S{i}[%at] : memref<{COUNT}x{kind}>" for i, (kind, _) in enumerate(given)]
    for i, (text, kind) in enumerate(ops):
        lines += [f"%r{i} = {text}", f"memref.store %r{i}, %R{i}[%at] : memref<{COUNT}x{kind}>"]
    head = f"""%zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %rows = arith.constant {ROWS} : index
        %lanes = arith.constant {LANES} : index"""
    body = f"{head}\nscf.for %i = %zero to %rows step %one {{\n" + "\n".join(lines) + "\n}"
    arrays = [array for _, array in given] + [np.zeros(COUNT, dtype(kind).numpy()) for _, kind in ops]
    return run_both(kernel(body, ", ".join(sources + results)), arrays)[len(given) :]


def rounded(values: Array, kind: str) -> Array:
    """One rounding, of numbers that binary64 holds."""
    return np.array([mma_oracle.nearest(value, dtype(kind)) for value in values.tolist()])


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_arithmetic(kind: str, near: bool) -> None:
    a, b = (numbers(kind, seed, near) for seed in (1, 2))
    ops = [(f"arith.{op} %a, %b : {kind}", kind) for op in ARITHMETIC]
    ops += [(f"arith.cmpf {predicate}, %a, %b : {kind}", "i1") for predicate in PREDICATES]
    ops.append((f"arith.negf %a : {kind}", kind))
    found = [array.astype(np.float64) for array in computed(ops, [(kind, a), (kind, b)])]
    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        wanted = [rounded(f(x, y), kind) for f in ARITHMETIC.values()]
    wanted += [f(x, y).astype(np.float64) for f in PREDICATES.values()]
    for name, got, right in zip((*ARITHMETIC, *PREDICATES, "neg"), found, [*wanted, -x], strict=True):
        assert np.array_equal(got, right, equal_nan=True), name


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_multiply_and_add_rounds_once(kind: str, near: bool) -> None:
    given = [numbers(kind, seed, near) for seed in (3, 4, 5)]
    (got,) = computed([(f"math.fma %a, %b, %c : {kind}", kind)], [(kind, array) for array in given])
    for *terms, found in zip(*(array.astype(np.float64).tolist() for array in (*given, got)), strict=True):
        a, b, c = terms
        if not all(map(math.isfinite, terms)):
            assert np.array_equal(found, a * b + c, equal_nan=True)
            continue
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        assert found == nearest(exact, kind)


def nearest(exact: Fraction, kind: str) -> float:
    """The exact number rounded once."""
    return mma_oracle.nearest(exact, dtype(kind)) if exact else 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_conversions(kind: str) -> None:
    """From and to binary32, binary64 and integers: rounded once."""
    rng = np.random.default_rng(6)
    a = numbers(kind, 7)
    ties = np.ldexp(1 + (2 * rng.integers(0, 1 << 8, COUNT) + 1) / 2.0**11, rng.integers(-20, 15, COUNT))
    doubles = ties * rng.choice([1, 1 + 2.0**-52, 1 - 2.0**-53], COUNT)
    singles = doubles.astype(np.float32)
    whole = rng.integers(-(2**18), 2**18, COUNT).astype(np.int32)
    small = np.clip(a.astype(np.float64), -1000, 1000).astype(a.dtype)
    ops = [
        (f"arith.extf %a : {kind} to f32", "f32"),
        (f"arith.extf %a : {kind} to f64", "f64"),
        (f"arith.truncf %b : f32 to {kind}", kind),
        (f"arith.truncf %c : f64 to {kind}", kind),
        (f"arith.sitofp %d : i32 to {kind}", kind),
        (f"arith.fptosi %e : {kind} to i32", "i32"),
    ]
    single, double, *narrowed, back = computed(
        ops, [(kind, a), ("f32", singles), ("f64", doubles), ("i32", whole), (kind, small)]
    )
    assert (single == a.astype(np.float32)).all()
    assert (double == a.astype(np.float64)).all()
    for got, given in zip(narrowed, (singles, doubles, whole), strict=True):
        assert [float(x) for x in got] == [nearest(Fraction(x), kind) for x in given.tolist()]
    assert back.tolist() == [math.trunc(x) for x in small.astype(np.float64).tolist()]
