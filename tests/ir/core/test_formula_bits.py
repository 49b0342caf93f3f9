"""Formulas of 32 bits are exact where the result and the variables fit, however large products of divisors are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tilewright.ir.core.formula import formula
from tilewright.ir.core.operations import Apply, Formula
from tilewright.layout.symbolic.polynomial import Variable
from tilewright.layout.symbolic.symint import SymInt

X, N, M = SymInt("x"), SymInt("n"), SymInt("m", div=4)
LARGE = st.one_of(st.integers(1, 9), st.integers(2**15, 2**17), st.integers(2**29, 2**31 - 1))
FORMS = [X // (N * M), X % (N * M), X // N % M, X // (8 * N) % M]
FORMS += [6 // N % 4, X % (12 * N), X // N // M // 3, X % (N * N)]


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "shrui": lambda a, b: (a % 2**32) >> b,
    "shrsi": lambda a, b: a >> b,
    "divui": lambda a, b: (a % 2**32) // (b % 2**32),
    "remui": lambda a, b: (a % 2**32) % (b % 2**32),
    "divsi": truncated,
    "remsi": lambda a, b: a - b * truncated(a, b),
    "floordivsi": lambda a, b: a // b,
}


def executed(tree: Formula, values: dict[object, int]) -> int:
    """In 32 bits that wrap."""
    if isinstance(tree, Apply):
        left, right = (executed(arg, values) for arg in tree.args)
        return (OPS[tree.op](left, right) + 2**31) % 2**32 - 2**31
    return values[tree.key] if isinstance(tree, Variable) else tree


@given(st.sampled_from(FORMS), LARGE, LARGE, LARGE)
def test_products_of_divisors_do_not_wrap(form: SymInt, x: int, n: int, quarter: int) -> None:
    values: dict[object, int] = {"x": x, "n": n, "m": max(4, quarter // 4 * 4)}
    wanted = form.substitute({str(name): value for name, value in values.items()})
    assert executed(formula(form.polynomial), values) == wanted
