"""Numbers of the algebra as ops of `arith`: the ops compute the polynomial, of either sign and rounding."""

from __future__ import annotations

from random import Random

import pytest
from number_trees import VARIABLES, computed, emitted, numbers, point
from xdsl.dialects.builtin import IntegerType

from tilewright.ir.core.formula import divisors, formula
from tilewright.ir.core.operations import Apply, Formula
from tilewright.layout.arithmetic import quotient, remainder
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt

C, D, E, N, W = VARIABLES
M = SymInt("m", lower=-100000, upper=100000)


@pytest.mark.parametrize("seed", range(8))
def test_ops_compute_the_number(seed: int) -> None:
    random = Random(seed)
    for number in numbers(random, 40):
        block, places, result = emitted(number)
        for _ in range(4):
            values = point(random)
            given = {place: values[str(variable)] for variable, place in places.items()}
            wide = computed(block, given, result)
            expected = number.substitute(values)
            assert wide == expected, (number.expression, values)


def _text(tree: Formula) -> str:
    return f"{tree.op}({', '.join(map(_text, tree.args))})" if isinstance(tree, Apply) else str(tree)


@pytest.mark.parametrize(
    ("number", "ops"),
    [
        (C + 4 * D, "addi(c, muli(d, 4))"),
        (remainder(C, N) * W + quotient(C, N), "addi(muli(remsi(c, n), w), divsi(c, n))"),
        (quotient(C, 4) * 16 + remainder(C, 4) * 4, "muli(c, 4)"),
        (D // 4 * 16 + D % 4 * 4, "muli(d, 4)"),
        (D % 32 + D // 32 * 32, "d"),
        (D // 32, "shrui(d, 5)"),
        (C // 32, "shrsi(c, 5)"),
        (C % 32, "andi(c, 31)"),
        (D % 5, "remui(d, 5)"),
        ((C + 3) // 4, "ceildivsi(c, 4)"),
        ((C - 1) // N + 1, "ceildivsi(c, n)"),
        (3 // N * W + W, "muli(w, ceildivui(4, n))"),
        (4 * (1 // N) + 4, "muli(ceildivui(2, n), 4)"),
        (144 * C * W + D + 144 * N, "addi(muli(addi(muli(c, w), n), 144), d)"),
        (3 * C * N + D + 3 * W, "addi(muli(addi(muli(c, n), w), 3), d)"),
        (E // 16, "shrsi(e, 4)"),
        (E % 16, "andi(e, 15)"),
        (E * 8 // 8, "e"),
        (N * W - W, "subi(muli(n, w), w)"),
        (C * N + D * N, "muli(addi(c, d), n)"),
        (Swizzle(2, 0, 3)(8 * C + 3), "xori(addi(muli(c, 8), 3), shrui(andi(addi(muli(c, 8), 3), 24), 3))"),
        (Swizzle(2, 1, 3)(2 * M), "xori(muli(m, 2), shrui(andi(muli(m, 2), 48), 3))"),
        (Swizzle(3, 3, 3)(M), "xori(m, shrui(andi(m, 448), 3))"),
        (Swizzle(3, 3, 3)(64 * D + N), "xori(addi(muli(d, 64), n), shrui(andi(addi(muli(d, 64), n), 448), 3))"),
    ],
)
def test_by_the_fewest_ops(number: SymInt, ops: str) -> None:
    assert _text(formula(number.polynomial)) == ops


def test_an_op_is_emitted_once() -> None:
    block, _, _ = emitted((C // N) * (C // N + 1) + (C // N) * W)
    assert [op.name for op in block.ops].count("arith.floordivsi") == 1


def test_divisors_that_may_not_be_positive() -> None:
    assert list(divisors((C // N).polynomial)) == []
    assert list(divisors(quotient(C, M).polynomial)) == [M.polynomial]
    assert list(divisors((D // (N + 1)).polynomial)) == []


def test_quotients_are_narrow_and_sums_wide() -> None:
    block, _, result = emitted(D // N + W)
    kinds = {op.name: op.results[0].type for op in block.ops}
    assert kinds["arith.divui"] == IntegerType(32)
    assert result.type == IntegerType(64)
