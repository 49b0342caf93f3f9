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
    left = [0, 1, -1, -top, -2, 7, -7, top - 1, -top + 1, 100 % top, -100 % top - top, 3, 5, -5, 6, 0] * 2
    if shifts:
        return left, [i % bits for i in range(ROWS)]
    right = [3, -3, 1, -1, 2, -2, 7, -7, top - 1, 5, -5, 4, -4, 8, 6, 9]
    return left, (right if divisors else [0, *right[:15]]) + right[::-1]


def binary_kernel(ops: list[str], kinds: list[str], results: list[str]) -> str:
    """Ck[i * 32 + t] = Ak[t] op_i Bk[t], for each kind k."""
    lines, parameters = [], []
    for k, (kind, result) in enumerate(zip(kinds, results, strict=True)):
        memory, out = f"memref<{ROWS}x{kind}>", f"memref<{ROWS * len(ops)}x{result}>"
        parameters += [f"%A{k}: {memory}, %B{k}: {memory}, %C{k}: {out}"]
        lines += [f"%{x}{k} = memref.load %{x.upper()}{k}[%tx] : {memory}" for x in "ab"]
        for i, op in enumerate(ops):
            at = f"{k}_{i}"
            lines += [
                f"%r{at} = arith.{op} %a{k}, %b{k} : {kind}",
                f"%o{at} = arith.constant {i * ROWS} : index",
                f"%p{at} = arith.addi %o{at}, %tx : index",
                f"memref.store %r{at}, %C{k}[%p{at}] : {out}",
            ]
    return kernel("\n".join(lines), ", ".join(parameters))


def computed(ops: list[str], kinds: list[str], results: list[str], given: list[tuple[list[Any], list[Any]]]) -> Any:
    """What the ops make of the operands of each kind."""
    arrays: list[Any] = []
    for kind, result, pair in zip(kinds, results, given, strict=True):
        arrays += [np.array(side, dtype(kind).numpy()) for side in pair]
        arrays.append(np.zeros(ROWS * len(ops), dtype(result).numpy()))
    return run_both(binary_kernel(ops, kinds, results), arrays)[2::3]


WIDTHS = (8, 16, 32, 64)
TABLES = pytest.mark.parametrize("table", [INTEGERS, DIVISIONS, SHIFTS], ids=["rings", "divisions", "shifts"])


@TABLES
def test_integer_ops(table: dict[str, Meaning]) -> None:
    given = [operands(bits, table is DIVISIONS, table is SHIFTS) for bits in WIDTHS]
    kinds = [f"i{bits}" for bits in WIDTHS]
    for bits, got, (left, right) in zip(WIDTHS, computed(list(table), kinds, kinds, given), given, strict=True):
        expected = [signed(f(a, b, bits), bits) for f in table.values() for a, b in zip(left, right, strict=True)]
        assert got.tolist() == expected, bits


def test_integer_comparisons() -> None:
    ops, given = [f"cmpi {predicate}," for predicate in COMPARISONS], [operands(bits) for bits in WIDTHS]
    made = computed(ops, [f"i{bits}" for bits in WIDTHS], ["i1"] * len(WIDTHS), given)
    for bits, got, (left, right) in zip(WIDTHS, made, given, strict=True):
        expected = [f(a, b, bits) for f in COMPARISONS.values() for a, b in zip(left, right, strict=True)]
        assert got.tolist() == expected, bits


@TABLES
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
LEFT = [0.0, -0.0, 1.5, -1.5, 3.0, NAN, 2.0, NAN, INF, -INF, 1e30, 0.1, 7.0, INF, 1e-40, 5.0]
LEFT += [0.0, -0.0, 0.0, -0.0, NAN, -0.0, -0.0, 1.0, 0.0, -2.0, *LEFT[10:]]
RIGHT = [1.0, 2.0, 1.5, 3.0, NAN, NAN, -2.0, 4.0, 1.0, INF, 1e30, 0.2, 2.0, -INF, 3.0, 5.0]
RIGHT += [-0.0, 0.0, 0.0, -0.0, -0.0, NAN, 1.0, -0.0, -1.0, 0.0, *RIGHT[10:]]


def higher(a: float, b: float) -> float:
    return max(a, b, key=lambda x: (x, math.copysign(1, x)))


def lower(a: float, b: float) -> float:
    return -higher(-a, -b)


def maximum(a: float, b: float) -> float:
    return NAN if a != a or b != b else higher(a, b)


def minimum(a: float, b: float) -> float:
    return NAN if a != a or b != b else lower(a, b)


FLOATS: dict[str, Callable[[float, float], Any]] = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": lambda a, b: a / b,
    "maximumf": maximum,
    "minimumf": minimum,
    "maxnumf": lambda a, b: a if b != b else b if a != a else higher(a, b),
    "minnumf": lambda a, b: a if b != b else b if a != a else lower(a, b),
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


def test_float_ops() -> None:
    kinds = ["f32", "f64"]
    for kind, got in zip(kinds, computed(list(FLOATS), kinds, kinds, [(LEFT, RIGHT)] * 2), strict=True):
        numbers = dtype(kind).numpy()
        with np.errstate(all="ignore"):
            pairs = list(zip(np.array(LEFT, numbers), np.array(RIGHT, numbers), strict=True))
            expected = np.array([f(a, b) for f in FLOATS.values() for a, b in pairs], numbers)
        assert np.array_equal(got, expected, equal_nan=True), kind
        assert (np.signbit(got) == np.signbit(expected))[~np.isnan(expected)].all(), kind


def test_float_comparisons() -> None:
    (got,) = computed([f"cmpf {predicate}," for predicate in FLOAT_COMPARISONS], ["f32"], ["i1"], [(LEFT, RIGHT)])
    pairs = list(zip(*np.array([LEFT, RIGHT], np.float32).tolist(), strict=True))
    assert got.tolist() == [f(a, b) for f in FLOAT_COMPARISONS.values() for a, b in pairs]


# The others have a law of their own, `test_casts`.
CASTS: list[tuple[str, str, str, Callable[[Any], Any]]] = [
    ("arith.bitcast", "f32", "i32", lambda a: struct.unpack("<i", struct.pack("<f", a))[0]),
    ("arith.bitcast", "i32", "f32", lambda a: struct.unpack("<f", struct.pack("<i", a))[0]),
    ("builtin.unrealized_conversion_cast", "ui32", "i32", lambda a: signed(a, 32)),
    ("builtin.unrealized_conversion_cast", "i32", "ui32", lambda a: u(a, 32)),
]


def test_casts_that_keep_the_bits() -> None:
    lines, parameters, arrays, expected = [], [], [], []
    for i, (op, source, target, meaning) in enumerate(CASTS):
        taken, given = f"memref<{ROWS}x{source}>", f"memref<{ROWS}x{target}>"
        lines += [f"%a{i} = memref.load %A{i}[%tx] : {taken}", f"%r{i} = {op} %a{i} : {source} to {target}"]
        lines += [f"memref.store %r{i}, %C{i}[%tx] : {given}"]
        parameters += [f"%A{i}: {taken}", f"%C{i}: {given}"]
        values = [v + 0.25 if source == "f32" else v * 12345 for v in operands(8)[0]]
        kind, result = dtype(source).numpy(), dtype(target).numpy()
        a = np.array([u(v, 32) for v in values] if source == "ui32" else values, kind)
        arrays += [a, np.zeros(ROWS, result)]
        expected.append(np.array([meaning(v) for v in a.tolist()]).astype(result))
    got = run_both(kernel("\n".join(lines), ", ".join(parameters)), arrays)[1::2]
    for row, ours, theirs in zip(CASTS, got, expected, strict=True):
        assert ours.tobytes() == theirs.tobytes(), row[:3]


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


def test_constants() -> None:
    lines = []
    for i, (kind, text, _) in enumerate(CONSTANTS):
        shown = f"arith.constant {text}" + ("" if kind == "i1" else f" : {kind}")
        lines += [f"%v{i} = {shown}", f"memref.store %v{i}, %C{i}[%tx] : memref<{ROWS}x{kind}>"]
    parameters = ", ".join(f"%C{i}: memref<{ROWS}x{kind}>" for i, (kind, _, _) in enumerate(CONSTANTS))
    kinds = [dtype(kind).numpy() for kind, _, _ in CONSTANTS]
    got = run_both(kernel("\n".join(lines), parameters), [np.zeros(ROWS, kind) for kind in kinds])
    for (_, text, value), kind, array in zip(CONSTANTS, kinds, got, strict=True):
        assert array.tobytes() == np.full(ROWS, value, kind).tobytes(), text


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
    tested = {op for op, *_ in CASTS} | {
        f"arith.{name}" for name in (*INTEGERS, *DIVISIONS, *SHIFTS, *FLOATS, "cmpi", "cmpf", "select", "negf")
    }
    casts = {op.name for op in ARITHMETIC if len(op.get_irdl_definition().operands) == 1}
    elsewhere = {"math.fma", "tile.bits", *casts, *(op.name for op in FUNCTION_OF)}  # in files of their own
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
    (got,) = computed(list(BOOLS), ["i1"], ["i1"], [(left, right)])
    assert got.tolist() == [f(a, b) for f in BOOLS.values() for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize("op", ["addi", "muli", "maxsi", "divui", "shli", "cmpi slt,"])
def test_arithmetic_on_bools_is_refused(op: str) -> None:
    """MLIR's true is -1, C's is 1: no program should find out."""
    module = parse_module(binary_kernel([op], ["i1"], ["i1"]))
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
