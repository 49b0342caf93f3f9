"""Every op of `arith` means the same in the simulator, in the emitted text and in plain Python."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from final_kernels import kernel
from translation import run_both
from xdsl.dialects import arith

from tilewright.dtypes import dtype
from tilewright.errors import CompileError
from tilewright.ir.core.functions import FUNCTION_OF
from tilewright.ir.text import parse_module
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.simulator.ops.arithmetic import ARITHMETIC
from tilewright.targets.simulator.simulate import Simulator

# The definitions, on Python integers: of signed value, wrapped afterwards; `u` gives the bits as unsigned.
Meaning = Callable[[int, int, int], Any]


def u(x: int, bits: int) -> int:
    return x % (1 << bits)


def trunc(a: int, b: int) -> int:
    return math.trunc(Fraction(a, b))


INTEGERS: dict[str, Meaning] = {
    "addi": lambda a, b, n: a + b,
    "subi": lambda a, b, n: a - b,
    "muli": lambda a, b, n: a * b,
    "andi": lambda a, b, n: a & b,
    "ori": lambda a, b, n: a | b,
    "xori": lambda a, b, n: a ^ b,
    "minsi": lambda a, b, n: min(a, b),
    "maxsi": lambda a, b, n: max(a, b),
    "minui": lambda a, b, n: min(u(a, n), u(b, n)),
    "maxui": lambda a, b, n: max(u(a, n), u(b, n)),
}
DIVISIONS: dict[str, Meaning] = {
    "divsi": lambda a, b, n: trunc(a, b),
    "remsi": lambda a, b, n: a - b * trunc(a, b),
    "floordivsi": lambda a, b, n: a // b,
    "ceildivsi": lambda a, b, n: -(-a // b),
    "divui": lambda a, b, n: u(a, n) // u(b, n),
    "remui": lambda a, b, n: u(a, n) % u(b, n),
    "ceildivui": lambda a, b, n: -(-u(a, n) // u(b, n)),
}
SHIFTS: dict[str, Meaning] = {
    "shli": lambda a, b, n: a << b,
    "shrsi": lambda a, b, n: a >> b,
    "shrui": lambda a, b, n: u(a, n) >> b,
}
COMPARISONS: dict[str, Meaning] = {
    "eq": lambda a, b, n: a == b,
    "ne": lambda a, b, n: a != b,
    "slt": lambda a, b, n: a < b,
    "sle": lambda a, b, n: a <= b,
    "sgt": lambda a, b, n: a > b,
    "sge": lambda a, b, n: a >= b,
    "ult": lambda a, b, n: u(a, n) < u(b, n),
    "ule": lambda a, b, n: u(a, n) <= u(b, n),
    "ugt": lambda a, b, n: u(a, n) > u(b, n),
    "uge": lambda a, b, n: u(a, n) >= u(b, n),
}
ROWS = 32


def signed(value: int, bits: int) -> int:
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def operands(bits: int, divisors: bool = False, shifts: bool = False) -> tuple[list[int], list[int]]:
    top = 1 << (bits - 1)
    left = [0, 1, -1, 2, -2, 7, -7, top - 1, -top + 1, 100 % top, -100 % top - top, 3, 5, -5, 6, 0] * 2
    if shifts:
        return left, [i % bits for i in range(ROWS)]
    right = [3, -3, 1, -1, 2, -2, 7, -7, top - 1, 5, -5, 4, -4, 8, 6, 9]
    return left, (right if divisors else [0, *right[:15]]) + right[::-1]


def binary_kernel(ops: list[str], kind: str, result: str = "") -> str:
    """C[i * 32 + t] = A[t] op_i B[t]."""
    memory, out = f"memref<{ROWS}x{kind}>", f"memref<{ROWS * len(ops)}x{result or kind}>"
    lines = [f"%a = memref.load %A[%tx] : {memory}", f"%b = memref.load %B[%tx] : {memory}"]
    for i, op in enumerate(ops):
        lines += [
            f"%r{i} = arith.{op} %a, %b : {kind}",
            f"%o{i} = arith.constant {i * ROWS} : index",
            f"%p{i} = arith.addi %o{i}, %tx : index",
            f"memref.store %r{i}, %C[%p{i}] : {out}",
        ]
    return kernel("\n".join(lines), f"%A: {memory}, %B: {memory}, %C: {out}")


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("table", [INTEGERS, DIVISIONS, SHIFTS], ids=["rings", "divisions", "shifts"])
def test_integer_ops(table: dict[str, Meaning], bits: int) -> None:
    kind = np.dtype(f"int{bits}")
    left, right = operands(bits, table is DIVISIONS, table is SHIFTS)
    out = np.zeros(ROWS * len(table), kind)
    *_, got = run_both(binary_kernel(list(table), f"i{bits}"), [np.array(left, kind), np.array(right, kind), out])
    expected = [signed(f(a, b, bits), bits) for f in table.values() for a, b in zip(left, right, strict=True)]
    assert got.tolist() == expected


@pytest.mark.parametrize("bits", [8, 32, 64])
def test_integer_comparisons(bits: int) -> None:
    kind = np.dtype(f"int{bits}")
    left, right = operands(bits)
    ops = [f"cmpi {predicate}," for predicate in COMPARISONS]
    out = np.zeros(ROWS * len(ops), bool)
    text = binary_kernel(ops, f"i{bits}", "i1")
    *_, got = run_both(text, [np.array(left, kind), np.array(right, kind), out])
    assert got.tolist() == [f(a, b, bits) for f in COMPARISONS.values() for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize("table", [INTEGERS, DIVISIONS, SHIFTS], ids=["rings", "divisions", "shifts"])
@pytest.mark.parametrize("shape", ["lanes", "signed lanes", "wide"])
def test_index_ops(table: dict[str, Meaning], shape: str) -> None:
    """Indices are 64-bit integers, in whatever C type the emitter computes them."""
    base, factor = {"lanes": (0, 1), "signed lanes": (-15, 1), "wide": (-(1 << 40), 1 << 36)}[shape]
    right = 3
    lines = [
        f"%factor = arith.constant {factor} : index",
        f"%base = arith.constant {base} : index",
        f"%right = arith.constant {right} : index",
        "%scaled = arith.muli %tx, %factor : index",
        "%a = arith.addi %scaled, %base : index",
    ]
    for i, op in enumerate(table):
        lines += [
            f"%r{i} = arith.{op} %a, %right : index",
            f"%v{i} = arith.index_cast %r{i} : index to i64",
            f"%o{i} = arith.constant {i * ROWS} : index",
            f"%p{i} = arith.addi %o{i}, %tx : index",
            f"memref.store %v{i}, %C[%p{i}] : memref<{ROWS * len(table)}xi64>",
        ]
    text = kernel("\n".join(lines), f"%C: memref<{ROWS * len(table)}xi64>")
    (got,) = run_both(text, [np.zeros(ROWS * len(table), np.int64)])
    expected = [signed(f(base + factor * t, right, 64), 64) for f in table.values() for t in range(ROWS)]
    assert got.tolist() == expected


def test_index_comparisons_and_choices() -> None:
    """(t - 5) predicate (t - 2t): a signed index against the lanes, negative against unsigned ones too."""
    lines = ["%a = arith.subi %tx, %c5 : index", "%d = arith.addi %tx, %tx : index", "%b = arith.subi %tx, %d : index"]
    for i, predicate in enumerate(COMPARISONS):
        lines += [
            f"%f{i} = arith.cmpi {predicate}, %a, %b : index",
            f"%g{i} = arith.cmpi {predicate}, %tx, %c7 : index",
            f"%x{i} = arith.select %f{i}, %a, %tx : index",
            f"%y{i} = arith.select %g{i}, %x{i}, %c1 : index",
            f"%v{i} = arith.index_cast %y{i} : index to i32",
            f"%o{i} = arith.constant {i * ROWS} : index",
            f"%p{i} = arith.addi %o{i}, %tx : index",
            f"memref.store %v{i}, %C[%p{i}] : memref<{ROWS * 10}xi32>",
        ]
    (got,) = run_both(kernel("\n".join(lines), "%C: memref<320xi32>"), [np.zeros(320, np.int32)])
    expected = [
        ((t - 5) if f(t - 5, -t, 64) else t) if f(t, 7, 64) else 1 for f in COMPARISONS.values() for t in range(ROWS)
    ]
    assert got.tolist() == expected


NAN, INF = math.nan, math.inf
LEFT = [0.0, -0.0, 1.5, -1.5, 3.0, NAN, 2.0, NAN, INF, -INF, 1e30, 0.1, 7.0, INF, 1e-40, 5.0] * 2
RIGHT = [1.0, 2.0, 1.5, 3.0, NAN, NAN, -2.0, 4.0, 1.0, INF, 1e30, 0.2, 2.0, -INF, 3.0, 5.0] * 2


def maximum(a: float, b: float) -> float:
    return NAN if a != a or b != b else max(a, b)


def minimum(a: float, b: float) -> float:
    return NAN if a != a or b != b else min(a, b)


FLOATS: dict[str, Callable[[float, float], Any]] = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": lambda a, b: a / b,
    "maximumf": maximum,
    "minimumf": minimum,
    "maxnumf": lambda a, b: a if b != b else b if a != a else max(a, b),
    "minnumf": lambda a, b: a if b != b else b if a != a else min(a, b),
}


def unordered(a: float, b: float) -> bool:
    return a != a or b != b


FLOAT_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "false": lambda a, b: False,
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "one": lambda a, b: a < b or a > b,
    "ord": lambda a, b: not unordered(a, b),
    "ueq": lambda a, b: a == b or unordered(a, b),
    "ugt": lambda a, b: a > b or unordered(a, b),
    "uge": lambda a, b: a >= b or unordered(a, b),
    "ult": lambda a, b: a < b or unordered(a, b),
    "ule": lambda a, b: a <= b or unordered(a, b),
    "une": lambda a, b: a != b,
    "uno": unordered,
    "true": lambda a, b: True,
}


@pytest.mark.parametrize("bits", [32, 64])
def test_float_ops(bits: int) -> None:
    kind = np.dtype(f"float{bits}")
    left, right = np.array(LEFT, kind), np.array(RIGHT, kind)
    *_, got = run_both(binary_kernel(list(FLOATS), f"f{bits}"), [left, right, np.zeros(ROWS * len(FLOATS), kind)])
    with np.errstate(all="ignore"):
        pairs = [(a, b) for a, b in zip(left, right, strict=True)]
        expected = np.array([f(a, b) for f in FLOATS.values() for a, b in pairs], kind)
    assert np.array_equal(got, expected, equal_nan=True)


def test_float_comparisons() -> None:
    left, right = np.array(LEFT, np.float32), np.array(RIGHT, np.float32)
    ops = [f"cmpf {predicate}," for predicate in FLOAT_COMPARISONS]
    *_, got = run_both(binary_kernel(ops, "f32", "i1"), [left, right, np.zeros(ROWS * len(ops), bool)])
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    assert got.tolist() == [f(a, b) for f in FLOAT_COMPARISONS.values() for a, b in pairs]


def cast_kernel(op: str, source: str, target: str) -> str:
    return kernel(
        f"""%a = memref.load %A[%tx] : memref<{ROWS}x{source}>
        %r = {op} %a : {source} to {target}
        memref.store %r, %C[%tx] : memref<{ROWS}x{target}>""",
        f"%A: memref<{ROWS}x{source}>, %C: memref<{ROWS}x{target}>",
    )


CASTS: list[tuple[str, str, str, Callable[[Any], Any]]] = [
    ("arith.extsi", "i8", "i32", lambda a: a),
    ("arith.extui", "i8", "i32", lambda a: u(a, 8)),
    ("arith.extui", "i1", "i32", int),
    ("arith.extsi", "i1", "i32", lambda a: -int(a)),
    ("arith.trunci", "i32", "i8", lambda a: signed(a, 8)),
    ("arith.trunci", "i32", "i1", lambda a: bool(a & 1)),
    ("arith.sitofp", "i32", "f32", float),
    ("arith.uitofp", "i32", "f64", lambda a: float(u(a, 32))),
    ("arith.sitofp", "i1", "f32", lambda a: float(-int(a))),
    ("arith.fptosi", "f32", "i32", math.trunc),
    ("arith.fptoui", "f32", "i32", lambda a: signed(math.trunc(abs(a)), 32)),
    ("arith.extf", "f32", "f64", float),
    ("arith.truncf", "f64", "f32", float),
    ("arith.bitcast", "f32", "i32", lambda a: struct.unpack("<i", struct.pack("<f", a))[0]),
    ("arith.bitcast", "i32", "f32", lambda a: struct.unpack("<f", struct.pack("<i", a))[0]),
    ("builtin.unrealized_conversion_cast", "ui32", "i32", lambda a: signed(a, 32)),
    ("builtin.unrealized_conversion_cast", "i32", "ui32", lambda a: u(a, 32)),
]


@pytest.mark.parametrize(("op", "source", "target", "meaning"), CASTS)
def test_casts(op: str, source: str, target: str, meaning: Callable[[Any], Any]) -> None:
    kind, out = dtype(source), dtype(target)
    values: Any = operands(8)[0]
    if kind.is_float:
        values = [abs(v) + 0.75 if "ui" in op else v + 0.25 for v in values]
    elif kind.kind == "bool":
        values = [bool(v & 1) for v in values]
    elif kind.kind == "uint" or kind.bits > 8:
        values = [u(v * 123457, 31) for v in values] if kind.kind == "uint" else [v * 12345 for v in values]
    a = np.array(values).astype(kind.numpy())
    _, got = run_both(cast_kernel(op, source, target), [a, np.zeros(ROWS, out.numpy())])
    assert got.tobytes() == np.array([meaning(v) for v in a.tolist()]).astype(out.numpy()).tobytes()


CONSTANTS: list[tuple[str, str, Any]] = [
    ("f32", "0.1", 0.1),
    ("f32", "-1.5e-20", -1.5e-20),
    ("f32", "0x7F800000", INF),
    ("f32", "0xFF800000", -INF),
    ("f32", "-0.0", -0.0),
    ("f64", "0.1", 0.1),
    ("f64", "0x7FF0000000000000", INF),
    ("i32", "-2147483648", -(2**31)),
    ("i64", "-9223372036854775808", -(2**63)),
    ("i64", "81985529216486895", 81985529216486895),
    ("i8", "-128", -128),
    ("i1", "true", True),
    ("i1", "false", False),
]


@pytest.mark.parametrize(("kind", "text", "value"), CONSTANTS)
def test_constants(kind: str, text: str, value: Any) -> None:
    shown = f"arith.constant {text}" + ("" if kind == "i1" else f" : {kind}")
    source = kernel(f"%v = {shown}\nmemref.store %v, %C[%tx] : memref<32x{kind}>", f"%C: memref<32x{kind}>")
    (got,) = run_both(source, [np.zeros(32, dtype(kind).numpy())])
    assert got.tobytes() == np.full(32, value, dtype(kind).numpy()).tobytes()


def test_nan_constants() -> None:
    source = kernel(
        "%v = arith.constant 0x7FC00000 : f32\nmemref.store %v, %C[%tx] : memref<32xf32>", "%C: memref<32xf32>"
    )
    (got,) = run_both(source, [np.zeros(32, np.float32)])
    assert np.isnan(got).all()


def test_every_op_of_arith_is_tested_here_or_known_to_be_missing() -> None:
    """Ops with two results are no part of the IR."""
    missing = {"arith.addui_extended", "arith.mului_extended", "arith.mulsi_extended", "arith.constant"}
    names = {op.name for op in arith.Arith.operations}
    assert names - {op.name for op in ARITHMETIC} == missing
    tested = {f"arith.{name}" for name in (*INTEGERS, *DIVISIONS, *SHIFTS, *FLOATS, "cmpi", "cmpf", "select", "negf")}
    tested |= {op for op, *_ in CASTS} | {"arith.index_cast", "arith.index_castui"}
    elsewhere = {"math.fma", "tile.bits", *(op.name for op in FUNCTION_OF)}  # in files of their own
    assert {op.name for op in ARITHMETIC} - elsewhere <= tested


BOOLS: dict[str, Callable[[bool, bool], bool]] = {
    "andi": lambda a, b: a and b,
    "ori": lambda a, b: a or b,
    "xori": lambda a, b: a != b,
    "cmpi eq,": lambda a, b: a == b,
    "cmpi ult,": lambda a, b: b and not a,
    "cmpi uge,": lambda a, b: a or not b,
}


def test_bools() -> None:
    left, right = [True, False] * 16, [True, True, False, False] * 8
    out = np.zeros(ROWS * len(BOOLS), bool)
    *_, got = run_both(binary_kernel(list(BOOLS), "i1"), [np.array(left), np.array(right), out])
    assert got.tolist() == [f(a, b) for f in BOOLS.values() for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize("op", ["addi", "muli", "maxsi", "divui", "shli", "cmpi slt,"])
def test_arithmetic_on_bools_is_refused(op: str) -> None:
    """MLIR's true is -1, C's is 1: no program should find out."""
    module = parse_module(binary_kernel([op], "i1"))
    for refuse in (Simulator, emit):
        with pytest.raises(CompileError, match="is not defined on bool"):
            refuse(module)


def test_negation() -> None:
    text = kernel(
        """%a = memref.load %A[%tx] : memref<32xf32>
        %r = arith.negf %a : f32
        memref.store %r, %A[%tx] : memref<32xf32>""",
        "%A: memref<32xf32>",
    )
    (got,) = run_both(text, [np.array(LEFT, np.float32)])
    assert got.tobytes() == (-np.array(LEFT, np.float32)).tobytes()
