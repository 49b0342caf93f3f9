"""What is worked out of a polynomial does not depend on the names of its variables, but on their order alone."""

from __future__ import annotations

from random import Random

import pytest
from number_trees import VARIABLES, numbers

from tilewright.ir.core.formula import divisors, formula
from tilewright.ir.core.naming import placed, renamed
from tilewright.ir.core.operations import Apply, Formula
from tilewright.layout.symbolic.expression import as_polynomial
from tilewright.layout.symbolic.polynomial import Nameless, Variable, variables
from tilewright.layout.symbolic.symint import SymInt


def nameless(number: SymInt) -> Variable:
    (named,) = variables(number.polynomial)
    return Variable(Nameless(str(named)), named.width, named.step, named.lower, named.upper)


def anew() -> dict[Variable, Variable]:
    """Every named variable, and one like it without a name, made in the order of the names."""
    return {next(iter(variables(x.polynomial))): nameless(x) for x in sorted(VARIABLES, key=lambda x: x.expression)}


def text(tree: Formula) -> str:
    return f"{tree.op}({', '.join(map(text, tree.args))})" if isinstance(tree, Apply) else str(tree)


@pytest.mark.parametrize("seed", range(4))
def test_formulas_of_polynomials_that_differ_in_names_differ_in_names(seed: int) -> None:
    for number in numbers(Random(seed), 40):
        named = as_polynomial(number)
        first, second = renamed(named, anew()), renamed(named, anew())
        assert text(formula(first)) == text(formula(second)) == text(formula(named))
        assert placed(first)[0] == placed(second)[0]
        assert renamed(*placed(first)) == first
        assert placed(named) == (named, {})


def test_divisors_of_polynomials_that_differ_in_names_differ_in_names() -> None:
    z = SymInt("z", lower=-8)  # behind the others
    (last,) = variables(z.polynomial)
    for number in numbers(Random(1), 40):
        named, names = as_polynomial(number // z + z * (number % z)), {**anew(), last: nameless(z)}
        assert any(last in variables(q) for q in divisors(named))
        assert divisors(renamed(named, names)) == tuple(renamed(q, names) for q in divisors(named))


def test_a_variable_has_no_place_beside_a_name_or_beyond_the_last_place() -> None:
    p = (SymInt() + SymInt("n")).polynomial
    assert placed(p) == (p, {})
    many = sum(SymInt() for _ in range(65))
    assert placed(as_polynomial(many)) == (as_polynomial(many), {})
