"""Which operation divides: shifts and masks by powers of two, unsigned ops where both sides are natural."""

from __future__ import annotations

from collections.abc import Callable
from math import lcm, prod
from typing import TypeAlias

from tilewright.ir.core.operations import Apply, Formula
from tilewright.ir.core.term_order import atom_order
from tilewright.layout.symbolic.polynomial import (
    Monomial,
    Polynomial,
    Variable,
    atoms,
    constant,
    content,
    of_atom,
    scale,
    value_of,
)
from tilewright.layout.symbolic.ranges import bounds

Number: TypeAlias = Callable[[Polynomial], Formula]

_BY_SIGN = {
    "floor": ("divui", "floordivsi"),
    "trunc": ("divui", "divsi"),
    "ceil": ("ceildivui", "ceildivsi"),
    "rem": ("remui", "remsi"),
}


def divided(op: str, a: Polynomial, b: Polynomial, number: Number) -> Formula:
    """a by b, or what is left: `floor`, `trunc` or `ceil`, `mod` by the floor, `rem` by the truncated quotient.

    `number` gives the formula of a polynomial.
    """
    known, low = value_of(b), bounds(a)[0]
    natural = low is not None and low >= 0
    power = known is not None and known > 0 and known & known - 1 == 0
    if power and known is not None and (natural or op in ("floor", "mod")):
        if op in ("mod", "rem"):
            return Apply("andi", (number(a), known - 1))
        if op in ("floor", "trunc"):
            return Apply("shrui" if natural else "shrsi", (number(a), known.bit_length() - 1))
    if (op == "mod" and not natural) or (op in ("mod", "rem") and _may_be_too_large(b, number)):
        quotient = divided("floor" if op == "mod" else "trunc", a, b, number)
        return Apply("subi", (number(a), Apply("muli", (quotient, number(b)))))
    least = bounds(b)[0]
    unsigned = natural and least is not None and least >= 0
    name = _BY_SIGN["rem" if op == "mod" else op][not unsigned]
    if op in ("mod", "rem") or len(b) != 1:
        return Apply(name, (number(a), number(b)))
    # By one factor after the other: their product may be too large for its bits.
    first, *others = _factored(b)
    if not others:
        return Apply(name, (number(a), number(b)))
    total = _by_a_number(op, a, first, number)
    for factor in others:
        total = Apply(name, (total, number(factor)))
    return total


def _may_be_too_large(p: Polynomial, number: Number) -> bool:
    """May a product of several factors leave its bits?"""
    if len(p) != 1 or len(_factored(p)) == 1:
        return False
    most, whole = bounds(p)[1], number(p)
    return most is None or most >= 1 << (31 if isinstance(whole, int) else whole.width - 1)


def _by_a_number(op: str, a: Polynomial, b: Polynomial, number: Number) -> Formula:
    known, by = value_of(a), value_of(b)
    if known is None or by is None or op != "floor":
        return divided(op, a, b, number)
    return known // by


def _factored(p: Polynomial) -> list[Polynomial]:
    """The factors of a product of whole variables, a number first."""
    ((mono, c),) = p
    steps = step_of(mono)
    if c % steps:
        return [p]
    factors = sorted(mono, key=lambda factor: atom_order(factor[0]))
    whole = [of_atom(atom, step_of(frozenset({(atom, 1)}))) for atom, power in factors for _ in range(power)]
    return [constant(c // steps)] * (c != steps) + whole


def in_whole_variables(a: Polynomial, b: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Both sides by one number, so that a quotient of parts of variables is one of the variables themselves."""
    steps = lcm(*(atom.step for p in (a, b) for atom in atoms(p) if isinstance(atom, Variable)))
    split = any(c % step_of(mono) for p in (a, b) for mono, c in p)
    return (scale(a, steps), scale(b, steps)) if split else (a, b)


def ratio(scaled: Polynomial, p: Polynomial) -> int:
    """How many times p the other is."""
    return content(scaled) // content(p)


def step_of(mono: Monomial) -> int:
    """What the product's variables are multiples of."""
    return prod(atom.step**power for atom, power in mono if isinstance(atom, Variable))
