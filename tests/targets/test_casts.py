"""Every cast of `arith` between every two types gives the number that MLIR says, in the simulator, text and host."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mma_oracle
import numpy as np
import pytest
from final_kernels import kernel
from translation import run_both
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block

from tilewright.dtypes import dtype
from tilewright.ir.core.evaluate import evaluated
from tilewright.ir.mlir.arith import ARITH

INTEGERS, FLOATS = ("i1", "i8", "i16", "i32", "i64"), ("f16", "bf16", "f32", "f64")
BITS = {name: dtype(name).bits for name in (*INTEGERS[1:], *FLOATS)} | {"i1": 1, "index": 64}
ROWS = 32
CASTS: dict[str, list[tuple[str, str]]] = {
    "extsi": [(a, b) for a in INTEGERS for b in INTEGERS if BITS[a] < BITS[b]],
    "extui": [(a, b) for a in INTEGERS for b in INTEGERS if BITS[a] < BITS[b]],
    "trunci": [(a, b) for a in INTEGERS for b in INTEGERS if BITS[a] > BITS[b]],
    "index_cast": [pair for a in INTEGERS for pair in ((a, "index"), ("index", a))],
    "index_castui": [pair for a in INTEGERS for pair in ((a, "index"), ("index", a))],
    "sitofp": [(a, b) for a in INTEGERS for b in FLOATS],
    "uitofp": [(a, b) for a in INTEGERS for b in FLOATS],
    "fptosi": [(a, b) for a in FLOATS for b in INTEGERS],
    "fptoui": [(a, b) for a in FLOATS for b in INTEGERS],
    "extf": [(a, b) for a in FLOATS for b in FLOATS if BITS[a] < BITS[b]],
    "truncf": [(a, b) for a in FLOATS for b in FLOATS if BITS[a] > BITS[b]],
}


def number(bits: int, width: int, signed: bool) -> int:
    """The number that so many low bits are."""
    low = bits % (1 << width)
    return low - (1 << width) if signed and low >> (width - 1) else low


def meant(op: str, value: Any, source: str, target: str) -> Any:
    """The result, by what MLIR says of the op: integers as the signed number of their bits, floats as they are."""
    if target in FLOATS:
        exact = Fraction(value) if source in FLOATS else Fraction(number(value, BITS[source], op != "uitofp"))
        return float(mma_oracle.nearest(exact, dtype(target))) if exact else 0.0
    whole = math.trunc(value) if source in FLOATS else number(value, BITS[source], not op.endswith("ui"))
    return number(whole, BITS[target], True)


def given(op: str, source: str, target: str) -> list[Any]:
    """Numbers of the source type of which the target's holds what the op makes of them."""
    if source not in FLOATS:
        width = BITS[source]
        near = [0, 1, -1, 2, 3, 7, 100, -100, 1 << (width - 1), (1 << (width - 1)) - 1, 0x5A5A5A5A5A5A5A5A, 0x01010081]
        ties = [(1 << k) + (1 << k - j) + 1 for k in (24, 40, 60) for j in (8, 11, 24)]  # rounding twice shows
        return [
            number(x, width, True) for x in (*near, *ties, -2, 1 << 53, 255, 254, -128, 65535, 32768, 12, 1 << 31, 0, 1)
        ]
    if target in FLOATS:
        steps = [
            0.0,
            1.5,
            -2.25,
            3.0,
            1 + 2.0**-8,
            1 + 2.0**-11,
            1 + 2.0**-8 + 2.0**-40,
            1 + 2.0**-24,
            2.0**-30,
            1e30,
            7e4,
        ]
        known = [
            float(mma_oracle.nearest(Fraction(x), dtype(source))) if x else 0.0 for x in (*steps, *(-x for x in steps))
        ]
        exact = [x for x in known if math.isfinite(x)]
        return (exact * 3)[:ROWS]
    low, high = (-(1 << BITS[target] - 1), (1 << BITS[target] - 1) - 1)
    if op == "fptoui" or target == "i1":
        low, high = (-1 if op == "fptosi" else 0), (0 if op == "fptosi" else (1 << BITS[target]) - 1)
    halves = [
        0.0,
        0.5,
        -0.5,
        0.99,
        -0.99,
        1.0,
        1.5,
        -1.0,
        -1.5,
        2.75,
        100.5,
        -100.5,
        127.5,
        200.0,
        3e4,
        -3e4,
        6e4,
        2.0**31,
    ]
    held = [float(mma_oracle.nearest(Fraction(x), dtype(source))) if x else x for x in halves]
    fits = [x for x in held if math.isfinite(x) and low <= math.trunc(x) <= high]
    return (fits * ROWS)[:ROWS]


def test_there_is_a_row_for_every_cast() -> None:
    others = {"arith.bitcast", "arith.negf", "arith.constant"}  # of one operand too, and no casts to other numbers
    ones = {op.name for op in ARITH.operations if len(op.get_irdl_definition().operands) == 1}
    assert ones - others == {f"arith.{name}" for name in CASTS}


@pytest.mark.parametrize("op", [op for op in CASTS if "fp" not in op and op[-1] != "f"])
def test_integers_are_cast_alike_where_no_simulator_is(op: str) -> None:
    kinds = {kind.name: kind for kind in ARITH.operations}
    for source, target in CASTS[op]:
        ends = [IndexType() if kind == "index" else IntegerType(BITS[kind]) for kind in (source, target)]
        made = kinds[f"arith.{op}"].create(operands=Block(arg_types=ends[:1]).args, result_types=ends[1:])
        for x in given(op, source, target):
            wanted = meant(op, x, source, target)
            assert evaluated(made, [abs(x) if source == "i1" else x]) == (abs(wanted) if target == "i1" else wanted)


@pytest.mark.parametrize("source", [*INTEGERS, "index", *FLOATS])
def test_casts_give_the_number_that_they_mean(source: str) -> None:
    cases = [(op, target) for op, pairs in CASTS.items() for start, target in pairs if start == source]
    lines, arrays, parameters, wanted = [], [], [], []
    for i, (op, target) in enumerate(cases):
        kept, stored = ("i64" if kind == "index" else kind for kind in (source, target))
        numbers = given(op, source, target)
        arrays += [np.array(numbers).astype(dtype(kept).numpy()), np.zeros(ROWS, dtype(stored).numpy())]
        parameters += [f"%A{i}: memref<{ROWS}x{kept}>", f"%C{i}: memref<{ROWS}x{stored}>"]
        lines.append(f"%a{i} = memref.load %A{i}[%tx] : memref<{ROWS}x{kept}>")
        lines.append(f"%b{i} = arith.index_cast %a{i} : i64 to index" if source == "index" else "")
        lines.append(f"%r{i} = arith.{op} %{'b' if source == 'index' else 'a'}{i} : {source} to {target}")
        lines.append(f"%s{i} = arith.index_cast %r{i} : index to i64" if target == "index" else "")
        lines.append(f"memref.store %{'s' if target == 'index' else 'r'}{i}, %C{i}[%tx] : memref<{ROWS}x{stored}>")
        wanted.append([meant(op, x, source, target) for x in numbers])
    got = run_both(kernel("\n".join(lines), ", ".join(parameters)), arrays)[1::2]
    for (op, target), found, right in zip(cases, got, wanted, strict=True):
        values = found.astype(float) if target in FLOATS else found
        assert values.tolist() == [abs(x) if target == "i1" else x for x in right], (op, target)
