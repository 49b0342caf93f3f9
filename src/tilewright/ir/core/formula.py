"""From polynomials to integer operations: the fewest that are found for a number, as a tree without places.

Of the forms of a polynomial (`forms`) the cheapest is taken; what its sums share is taken out; `division` divides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import gcd

from tilewright.ir.core.division import divided, in_whole_variables, ratio, step_of
from tilewright.ir.core.forms import forms
from tilewright.ir.core.naming import placed, renamed
from tilewright.ir.core.operations import Apply, Formula, count
from tilewright.ir.core.swizzled_bits import swizzle_bits
from tilewright.ir.core.term_order import atom_order, factors, polynomial_order, term_order
from tilewright.layout.symbolic.polynomial import (
    Atom,
    Call,
    Monomial,
    Polynomial,
    Variable,
    atoms,
    collect,
    constant,
    contains,
    of_atom,
    value_of,
    without,
)
from tilewright.layout.symbolic.ranges import bounds

MOST = 24  # terms of a sum among which common factors are looked for
LONG = 96  # factors of a sum together, of which what is shared is taken out without asking what it saves


@lru_cache(8192)
def formula(p: Polynomial) -> Formula:
    """The number by the fewest operations found.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> i, n = SymInt("i", lower=0), SymInt("n")
    >>> (i % n * 4 + i // n).expression, count(formula((i % n * 4 + i // n).polynomial))
    ('4*(i % n) + i//n', 4)
    """
    known = value_of(p)
    if known is not None:
        return known
    at_places, names = placed(p)
    return with_names(_cheapest(at_places), dict[Formula, Formula](names.items()))


@lru_cache(8192)
def _cheapest(p: Polynomial) -> Formula:
    return min(map(_sum, forms(p)), key=count)


def with_names(tree: Formula, known: dict[Formula, Formula]) -> Formula:
    """The tree with other variables; what it is made of is added to what is known."""
    if not isinstance(tree, Apply):
        return known.get(tree, tree)
    found = known.get(tree)
    if found is None:
        left, right = tree.args
        found = known[tree] = Apply(tree.op, (with_names(left, known), with_names(right, known)), tree.needs)
    return found


def divisors(p: Polynomial) -> tuple[Polynomial, ...]:
    """What the number divides by, where it is not known to be positive."""
    at_places, names = placed(p)
    found, atoms_of_places = _divisors(at_places), dict[Atom, Atom](names.items())
    return tuple(renamed(q, atoms_of_places) for q in found) if names else found


@lru_cache(8192)
def _divisors(p: Polynomial) -> tuple[Polynomial, ...]:
    return tuple(_each_divisor(p))


def _each_divisor(p: Polynomial) -> Iterator[Polynomial]:
    for atom in sorted(set(atoms(p)), key=atom_order):
        if isinstance(atom, Call):
            for inner in atom.args:
                yield from _divisors(inner)
            low = bounds(atom.args[1])[0]
            if atom.op in ("floor", "trunc") and (low is None or low < 1):
                yield atom.args[1]


# ---- sums of products


@lru_cache(8192)
def _sum(p: Polynomial) -> Formula:
    """The sum, with the factor that most terms share taken out where that saves operations."""
    known = value_of(p)
    if known is not None:
        return known
    terms = sorted(p, key=term_order)
    factor = _most_shared(terms) if 1 < len(terms) <= MOST else None
    if factor is None:
        return _added(terms)
    shorter = _taken_out(p, factor)
    return shorter if sum(len(mono) for mono, _ in p) > LONG else min(_added(terms), shorter, key=count)


def _taken_out(p: Polynomial, factor: Atom | int) -> Formula:
    if isinstance(factor, int):
        inside = collect((m, c // factor) for m, c in p if c % factor == 0)
        rest = collect((m, c) for m, c in p if c % factor)
        product: Formula = Apply("muli", (_sum(inside), factor))
    else:
        mono = frozenset({(factor, 1)})
        inside = collect((without(m, mono), c) for m, c in p if contains(m, mono))
        rest = collect((m, c) for m, c in p if not contains(m, mono))
        product = Apply("muli", (_sum(inside), _atom(factor)))
    return _plus(product, _sum(rest)) if rest else product


def _plus(a: Formula, b: Formula) -> Formula:
    return Apply("subi", (a, -b)) if isinstance(b, int) and b < 0 else Apply("addi", (a, b))


def _most_shared(terms: list[tuple[Monomial, int]]) -> Atom | int | None:
    """The atom, or else the coefficient, that stands in most terms, if that is more than one."""
    seen = Counter(atom for mono, _ in terms for atom, _ in mono)
    shared = [atom for atom, times in seen.items() if times > 1 and not _split_step(atom)]
    if shared:
        return min(shared, key=lambda atom: (-seen[atom], atom_order(atom)))
    if any(map(_split_step, seen)):
        return None
    common = {gcd(a, b) for (m, a), (n, b) in combinations(terms, 2) if m and n} - {1}
    return max(common, key=lambda c: (sum(k % c == 0 for m, k in terms if m), c), default=None)


def _split_step(atom: Atom) -> bool:
    return isinstance(atom, Variable) and atom.step > 1


def _added(terms: list[tuple[Monomial, int]]) -> Formula:
    # What is subtracted comes after the first term that is not; an integer comes last.
    first = next((i for i, (mono, c) in enumerate(terms) if c > 0 and mono), None)
    if first is None and len(terms) > 1 and terms[-1][1] > 0:
        first = len(terms) - 1
    if first is None:
        return _negated(terms)
    total = _product(*terms[first])
    for mono, c in terms[:first] + terms[first + 1 :]:
        total = Apply("addi" if c > 0 else "subi", (total, _product(mono, abs(c))))
    return total


def _negated(terms: list[tuple[Monomial, int]]) -> Formula:
    if len(terms) == 1 and abs(terms[0][1]) > 1:
        return _product(*terms[0])
    return Apply("subi", (0, _added([(mono, -c) for mono, c in terms])))


def _product(mono: Monomial, coefficient: int) -> Formula:
    steps = step_of(mono)
    whole = coefficient % steps == 0
    number = coefficient // steps if whole else coefficient
    found = [_atom(atom, whole) for atom, power in factors(mono) for _ in range(power)]
    if not found:
        return number
    total = found[0]
    for factor in found[1:]:
        total = Apply("muli", (total, factor))
    return total if number == 1 else Apply("muli", (total, number))


# ---- atoms


@lru_cache(8192)
def _atom(atom: Atom, whole: bool = True) -> Formula:
    if isinstance(atom, Variable):
        whole = whole or atom.step == 1
        return atom if whole else divided("floor", of_atom(atom, atom.step), constant(atom.step), formula)
    if atom.op in ("min", "max"):
        first, second = sorted(atom.args, key=polynomial_order)
        needs = 64 if any(map(_may_leave_32_bits, atom.args)) else 32
        return Apply(f"{atom.op}si", (formula(first), formula(second)), needs)
    if atom.op == "xor":
        return _exclusive(*sorted(atom.args, key=polynomial_order))
    a, b = in_whole_variables(*atom.args)
    if atom.op in ("mod", "rem") and (times := ratio(b, atom.args[1])) > 1:
        return Apply("divsi", (divided(atom.op, a, b, formula), times))  # (k*a) mod (k*b) is k * (a mod b)
    return divided(atom.op, a, b, formula)


def _may_leave_32_bits(p: Polynomial) -> bool:
    """May it, where each of its variables does not? A comparison of it asks for more bits."""
    low, high = bounds(p)
    return not _is_a_variable(p) and (low is None or high is None or low < -(1 << 31) or high >= 1 << 31)


def _is_a_variable(p: Polynomial) -> bool:
    return len(p) == 1 and all(sum(k for _, k in mono) == 1 and c == step_of(mono) for mono, c in p)


def _exclusive(p: Polynomial, q: Polynomial) -> Formula:
    for moved, of in ((q, p), (p, q)):
        swizzle = swizzle_bits(of, moved)
        if swizzle:
            mask, shift = swizzle
            x = formula(of)
            masked = Apply("andi", (x, mask))
            moved_bits = Apply("shrui", (masked, shift)) if shift >= 0 else Apply("shli", (masked, -shift))
            return Apply("xori", (x, moved_bits))
    return Apply("xori", (formula(p), formula(q)))
