"""The rows of facts keep their laws: intervals hold every result, predicates have MLIR's numbers, rows are unique."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, f32, i32

from tilewright.ir.core.facts import (
    BINARY,
    BINARY_OF,
    CONVERSIONS,
    FLOAT_PREDICATES,
    INTEGER_PREDICATES,
    UNSIGNED,
    Binary,
    predicate_of,
)
from tilewright.ir.core.intervals import Range

NUMBERS = range(-4, 10)
ENDS: list[Range] = [(a, b) for a in (-4, -1, 0, 3, None) for b in (-1, 0, 3, 9, None) if None in (a, b) or a <= b]
SINGLE: list[Range] = [(n, n) for n in NUMBERS]
RULES = [(row, rule) for row in BINARY for rule in (row.rule, row.tight) if rule is not None]


def holds(found: Range, value: int) -> bool:
    low, high = found
    return (low is None or low <= value) and (high is None or value <= high)


def result(row: Binary, a: int, b: int) -> int:
    assert row.meaning is not None
    bits = 1 << 64
    if row.reads == UNSIGNED:
        return (int(row.meaning(a % bits, b % bits)) + bits // 2) % bits - bits // 2
    return int(row.meaning(a, b))


@pytest.mark.parametrize(("row", "rule"), RULES, ids=[f"{row.op.name} {rule.__name__}" for row, rule in RULES])
def test_an_interval_holds_every_result(row: Binary, rule) -> None:
    for left, right in product(ENDS, ENDS + SINGLE):
        found = rule(left, right)
        for a, b in product(NUMBERS, NUMBERS):
            if holds(left, a) and holds(right, b) and not row.undefined(b):
                assert holds(found, result(row, a, b)), (left, right, a, b)


@pytest.mark.parametrize("row", [row for row in BINARY if row.commutes and row.meaning], ids=lambda row: row.op.name)
def test_what_commutes_commutes(row: Binary) -> None:
    assert all(result(row, a, b) == result(row, b, a) for a, b in product(NUMBERS, NUMBERS))


def test_predicates_have_the_numbers_of_mlir() -> None:
    whole = arith.ConstantOp(IntegerAttr(1, i32)).result
    real = arith.ConstantOp.create(result_types=[f32]).results[0]
    for row in INTEGER_PREDICATES:
        assert predicate_of(arith.CmpiOp(whole, whole, row.name)) is row
    for row in FLOAT_PREDICATES:
        assert predicate_of(arith.CmpfOp(real, real, row.name)) is row


def test_a_row_an_op_and_a_sign_one_op_on_each_kind() -> None:
    ops = [row.op for row in (*BINARY, *CONVERSIONS)]
    assert len(set(ops)) == len(ops) == len(BINARY_OF) + len(CONVERSIONS)
    signs = [(kind, row.sign) for row in BINARY for kind in row.kinds]
    assert len(set(signs)) == len(signs)
