"""`contract`: what is fused is rounded once, alike on every target; what is not allowed to be stays as it is."""

from __future__ import annotations

import re
import struct
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from final_kernels import kernel as final_kernel
from hypothesis import given
from hypothesis import strategies as st
from translation import run_both
from xdsl.context import Context

import tilewright as tw
from tilewright.errors import KernelError
from tilewright.ir.text import parse_module, print_module
from tilewright.passes.contract import Contract
from tilewright.passes.pipeline import STAGES
from tilewright.script import tirx as T
from tilewright.targets.cuda.cubin import section
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.simulator.ops.fused import fma

KINDS: dict[type[np.floating[Any]], int] = {np.float64: 53, np.float32: 24, np.float16: 11}


def once(kind: type[np.floating[Any]], exact: Fraction) -> np.floating[Any]:
    """The exact value rounded to nearest, ties to even: by the neighbours of any number close by."""
    largest = Fraction(float(np.finfo(kind).max))
    near = kind(float(max(-largest, min(exact, largest))))
    with np.errstate(over="ignore"):
        beside = [np.nextafter(near, kind(-np.inf)), near, np.nextafter(near, kind(np.inf))]
    finite = [number for number in beside if np.isfinite(number)]
    bits = {8: np.int64, 4: np.int32, 2: np.int16}[near.itemsize]
    return min(finite, key=lambda number: (abs(Fraction(float(number)) - exact), int(number.view(bits)) & 1))


def numbers(kind: type[np.floating[Any]]) -> st.SearchStrategy[float]:
    """Any finite number; often one with few digits, so that much cancels and ties are met."""
    width = {np.float64: 64, np.float32: 32, np.float16: 16}[kind]
    few = st.builds(lambda m, e: float(kind(np.ldexp(m, e))), st.integers(-4099, 4099), st.integers(-30, 2))
    return few | st.floats(width=width, allow_nan=False, allow_infinity=False)  # type: ignore[arg-type]  # a literal


@given(st.data(), st.sampled_from(sorted(KINDS, key=str)))
def test_one_rounding_of_the_exact_value(data: st.DataObject, kind: type[np.floating[Any]]) -> None:
    a, b = (kind(data.draw(numbers(kind))) for _ in range(2))
    with np.errstate(all="ignore"):
        c = data.draw(st.sampled_from((kind(-(a * b)), kind(data.draw(numbers(kind))))))
    if not np.isfinite(c):
        return
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    found = fma(a, b, c)
    assert isinstance(found, kind)
    limit = Fraction(float(np.finfo(kind).max)) * (1 + Fraction(1, 2 ** (KINDS[kind] + 1)))
    if abs(exact) >= limit:
        assert np.isinf(found)
    elif abs(exact) <= Fraction(float(np.finfo(kind).max)):
        assert found == once(kind, exact)
        assert exact == 0 or bool(np.signbit(found)) == (exact < 0)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_zeros_infinities_and_nans_are_those_of_ieee(kind: Any) -> None:
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -2.0, 5e-324, -5e-324]
    for a in special:
        for b in special:
            for c in special:
                with np.errstate(all="ignore"):
                    x, y, z = kind(a), kind(b), kind(c)
                    found, plain = fma(x, y, z), x * y + z
                if not np.isfinite([a, b, c]).all() or x == 0 or y == 0:
                    assert np.array_equal(found, plain, equal_nan=True)
                    assert np.isnan(plain) or np.signbit(found) == np.signbit(plain)


SUMS = """
%x = memref.load %A[%tx] : memref<32x{t}>
%y = memref.load %B[%tx] : memref<32x{t}>
%z = memref.load %C[%tx] : memref<32x{t}>
%p = arith.mulf %x, %y{f} : {t}
%q = arith.{op} {operands}{g} : {t}
memref.store %q, %C[%tx] : memref<32x{t}>"""


@pytest.mark.parametrize("t", ["f32", "f64"])
@pytest.mark.parametrize(
    ("op", "operands"), [("addf", "%p, %z"), ("addf", "%z, %p"), ("subf", "%p, %z"), ("subf", "%z, %p")]
)
def test_every_form_is_the_same_on_every_target(op: str, operands: str, t: str) -> None:
    """Numbers with many digits: the two roundings of the text would give other bits."""
    flags = " fastmath<contract>"
    body = SUMS.format(op=op, operands=operands, f=flags, g=flags, t=t)
    parameters = ", ".join(f"%{name}: memref<32x{t}>" for name in "ABC")
    module = parse_module(final_kernel(body, parameters))
    Contract().apply(Context(), module)
    text = print_module(module)
    assert text.count("math.fma") == 1
    assert "mulf" not in text
    kind = {"f32": np.float32, "f64": np.float64}[t]
    rng = np.random.default_rng(1)
    a, b = (rng.normal(size=32).astype(kind) for _ in range(2))
    c = (-a * b + rng.choice([0, 1e-9], 32)).astype(kind)
    *_, found = run_both(text, [a, b, c])
    sign = {"addf": (1, 1), "subf": (1, -1) if operands.startswith("%p") else (-1, 1)}[op]
    exact = [
        sign[0] * Fraction(float(x)) * Fraction(float(y)) + sign[1] * Fraction(float(z))
        for x, y, z in zip(a, b, c, strict=True)
    ]
    assert [once(kind, value) for value in exact] == found.tolist()


@pytest.mark.parametrize(
    ("first", "second", "fused"),
    [
        ("", "", 0),
        (" fastmath<contract>", "", 0),
        ("", " fastmath<fast>", 0),
        (" fastmath<fast>", " fastmath<contract>", 1),
    ],
)
def test_both_ops_must_allow_it(first: str, second: str, fused: int) -> None:
    body = SUMS.format(op="addf", operands="%p, %z", f=first, g=second, t="f32")
    text = final_kernel(body, ", ".join(f"%{name}: memref<32xf32>" for name in "ABC"))
    for all_, expected in ((False, fused), (True, 1)):
        module = parse_module(text)
        Contract(all_).apply(Context(), module)
        assert print_module(module).count("math.fma") == expected


def test_a_product_that_is_used_elsewhere_stays() -> None:
    body = SUMS.format(op="addf", operands="%p, %p", f="", g="", t="f32")
    module = parse_module(final_kernel(body, ", ".join(f"%{name}: memref<32xf32>" for name in "ABC")))
    Contract(True).apply(Context(), module)
    assert "math.fma" not in print_module(module)


def test_of_two_products_the_left_one_is_taken_in() -> None:
    body = SUMS.format(op="addf", operands="%r, %p", f="", g="", t="f32")
    both = body.replace("%p =", "%r = arith.mulf %y, %z : f32\n%p =")
    module = parse_module(final_kernel(both, ", ".join(f"%{name}: memref<32xf32>" for name in "ABC")))
    Contract(True).apply(Context(), module)
    assert "math.fma %y, %z, %p : f32" in print_module(module)


@T.prim_func
def polynomial(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = (A[t] * 3.0 + 0.1) * A[t] - 0.7


def test_compile_contracts_where_it_is_asked_to() -> None:
    a = np.random.default_rng(0).normal(size=64).astype(np.float32)
    results = []
    for target in ("simulator", "host"):
        b = np.zeros_like(a)
        kernel = tw.compile(polynomial, target=target, contract=True)
        kernel(a, b)
        results.append(b)
        assert kernel.ir().count("math.fma") == 2
        assert all("math.fma" not in kernel.ir(stage) for stage in STAGES[:-1])
    assert results[0].tobytes() == results[1].tobytes()
    plain = np.zeros_like(a)
    tw.compile(polynomial)(a, plain)
    assert plain.tobytes() != results[0].tobytes()
    assert "fma" not in tw.compile(polynomial).source


# The lowest nine bits of an instruction of Volta and later, whatever its operands.
OPCODES = {0x20: "FMUL", 0x21: "FADD", 0x23: "FFMA", 0x28: "DMUL", 0x29: "DADD", 0x2B: "DFMA"}


def arithmetic(source: str, arch: str) -> Counter[str]:
    """The instructions that ptxas has made of the kernel's arithmetic, of 16 bytes each."""
    code = section(compile_cubin(source, arch), b".text.polynomial_kernel")
    found = (struct.unpack_from("<H", code, at)[0] & 0x1FF for at in range(0, len(code), 16))
    return Counter(OPCODES[opcode] for opcode in found if opcode in OPCODES)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90a", "sm_100a"])
def test_machine_code_has_the_instructions_of_the_text(arch: str) -> None:
    """One for both where the kernel is contracted, and never where it is not: no compiler chooses."""
    plain, contracted = (tw.compile(polynomial, target=f"cuda:{arch}", contract=c).source for c in (False, True))
    assert contracted.count("fmaf(") == 2
    assert arithmetic(plain, arch) == {"FMUL": 2, "FADD": 2}
    assert arithmetic(contracted, arch) == {"FFMA": 2}
    wide = [text.replace("fmaf(", "fma(").replace("float", "double") for text in (plain, contracted)]
    wide = [re.sub(r"([0-9]\.[0-9]+)f", r"\1", text) for text in wide]
    assert [arithmetic(text, arch) for text in wide] == [{"DMUL": 2, "DADD": 2}, {"DFMA": 2}]


@T.prim_func
def written(A: T.Buffer((32,), "float64"), B: T.Buffer((32,), "float64")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    B[t] = T.fma(A[t], 1.5, T.fma(2.0, 0.1, A[t]))


def test_a_kernel_may_write_it_itself() -> None:
    a, b = np.linspace(-1, 1, 32), np.zeros(32)
    tw.compile(written)(a, b)
    x = [Fraction(value) for value in a.tolist()]
    inner = [once(np.float64, 2 * Fraction(0.1) + value) for value in x]
    outer = [once(np.float64, value * 3 / 2 + Fraction(float(more))) for value, more in zip(x, inner, strict=True)]
    assert b.tolist() == outer
    assert "T.fma(" in tw.compile(written).script()
    with pytest.raises(KernelError, match="fma is not defined on"):

        @T.prim_func
        def whole(A: T.Buffer((32,), "int32")) -> None:
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([32])
            A[t] = T.fma(A[t], A[t], 1)
