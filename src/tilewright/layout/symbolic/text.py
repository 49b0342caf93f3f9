"""Polynomials for a person: `4*n - m//2 + 1`, `n % 4`, `8*(i % 4) + i//4`. Equal polynomials have one text."""

from __future__ import annotations

from math import lcm

from tilewright.errors import shown
from tilewright.layout.symbolic.digits import Digit, digits, remainders, take
from tilewright.layout.symbolic.polynomial import (
    Atom,
    Call,
    Monomial,
    Polynomial,
    Variable,
    atoms,
    is_split,
    only_atom,
    scale,
    steps,
)
from tilewright.numerals import is_digits

Part = tuple[int, Polynomial, Polynomial]


def text(p: Polynomial) -> str:
    """The polynomial for a person: `4*n - m//2 + 1`, `n % 4`."""
    out = ""
    for name, c in sorted(_terms(p), key=lambda term: (is_digits(term[0]), term[0])):
        sign = "-" if c < 0 else "+"
        out += f" {sign} {name}" if out else name if c > 0 else f"-{name}"
    return out or "0"


def operand_text(p: Polynomial) -> str:
    """The polynomial as an operand of `//` and `%`: in brackets where it is more than one name, number or call."""
    name, atom = text(p), only_atom(p)
    is_call = isinstance(atom, Call) and atom.op != "floor"
    return name if is_call or name == "?" or name.replace("_", "a").isalnum() else f"({name})"


def _call_text(call: Call) -> str:
    if call.op == "trunc":
        return f"trunc({', '.join(map(text, call.args))})"
    if call.op != "floor":
        return f"{call.op}({', '.join(sorted(map(text, call.args)))})"
    every = lcm(*(atom.step for p in call.args for atom in atoms(p) if isinstance(atom, Variable)))
    whole = every if any(is_split(term) for p in call.args for term in p) else 1
    return "//".join(operand_text(scale(p, whole)) for p in call.args)


def _terms(p: Polynomial) -> list[tuple[str, int]]:
    # The terms without their signs, and their coefficients; remainders are put together again.
    taken, rest = _remainders(p)
    alone = len(taken) == 1 and not rest
    return [_modulo(*part, alone) for part in taken] + _terms(rest) if taken else [_term(term) for term in p]


def _modulo(k: int, dividend: Polynomial, divisor: Polynomial, alone: bool) -> tuple[str, int]:
    modulo = f"{operand_text(dividend)} % {operand_text(divisor)}"
    return f"{shown(abs(k))}*({modulo})" if abs(k) > 1 else modulo if alone and k > 0 else f"({modulo})", k


def _remainders(p: Polynomial) -> tuple[list[Part], Polynomial]:
    """Remainders in p, and what is left: the one that leaves the fewest terms, if its quotient stands nowhere else.

    Else the digits of one dividend, if fewer parts are left then, or as many with smaller factors.
    """
    found = [(len(rest), _call_text(call), k, call, rest) for k, call, rest in remainders(p) if len(rest) < len(p)]
    if found:
        _, _, k, call, rest = min(found, key=lambda each: each[:3])
        return [(k, *call.args)], rest
    dividends: dict[Polynomial, list[Digit]] = {}
    for digit in digits(p):
        dividends.setdefault(digit.quotient.args[0], []).append(digit)
    for chain in dividends.values():
        taken, rest = take(chain, p)
        factors = [*(k for k, _ in taken), *(c for _, c in rest)]
        if (len(factors), sum(map(abs, factors))) < (len(p), sum(abs(c) for _, c in p)):
            return [(k, digit.dividend, digit.divisor) for k, digit in taken], rest
    return [], p


def _term(term: tuple[Monomial, int]) -> tuple[str, int]:
    # The term without its sign, and its coefficient. A variable's atom is the variable divided by its step.
    mono, c = term
    factors = [atom for atom, power in mono for _ in range(power)]
    every, whole = steps(mono), not is_split(term)
    count = abs(c) // every if whole else abs(c)
    alone = len(factors) == 1 and count == 1 and c > 0
    names = sorted(_factor(atom, whole, alone) for atom in factors)
    return "*".join(names if names and count == 1 else [shown(count), *names]), c


def _factor(atom: Atom, whole: bool, alone: bool) -> str:
    # A quotient is bracketed beside anything else, a sign too.
    if isinstance(atom, Variable):
        name, is_quotient = (str(atom), False) if whole or atom.step == 1 else (f"{atom}/{atom.step}", True)
    else:
        name, is_quotient = _call_text(atom), atom.op == "floor"
    return f"({name})" if is_quotient and not alone else name
