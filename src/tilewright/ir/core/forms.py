"""Other forms of a polynomial, which writes remainders and ceilings with a floor."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.ir.core.division import in_whole_variables, ratio
from tilewright.ir.core.term_order import atom_order, term_order
from tilewright.layout.symbolic.polynomial import (
    Atom,
    Call,
    Monomial,
    Polynomial,
    add,
    atoms,
    collect,
    constant,
    contains,
    content,
    multiply,
    of_atom,
    scale,
    subtract,
    value_of,
    without,
)

FORMS = 24  # of a polynomial, among which the cheapest is taken


def forms(p: Polynomial) -> list[Polynomial]:
    """The polynomial, and forms with remainders and ceilings as calls of their own, as far as none has more terms."""
    found = {p: None}
    waiting = [p]
    while waiting and len(found) < FORMS:
        form = waiting.pop()
        fresh = [q for q in dict.fromkeys(_rewritten(form)) if len(q) <= len(form) and q not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return list(found)


def _rewritten(p: Polynomial) -> Iterator[Polynomial]:
    for atom in sorted(set(atoms(p)), key=atom_order):
        if isinstance(atom, Call) and atom.op in ("floor", "trunc"):
            yield from _remainder_forms(p, atom)
            if atom.op == "floor":
                yield from _ceiling_forms(p, atom)
                yield from _joined_forms(p, atom)


def _remainder_forms(p: Polynomial, quotient: Call) -> Iterator[Polynomial]:
    # p = k*(a - b*quotient) + left, and the remainder becomes an atom.
    a, b = quotient.args
    op, whole = "mod" if quotient.op == "floor" else "rem", in_whole_variables(a, b)
    times = ratio(whole[1], b)
    for k in _factors(p, quotient, b):
        left = subtract(p, multiply(k, subtract(a, multiply(b, of_atom(quotient)))))
        if content(k) % times == 0:
            yield add(left, multiply(frozenset((m, c // times) for m, c in k), of_atom(Call(op, whole))))


def _factors(p: Polynomial, quotient: Call, b: Polynomial) -> Iterator[Polynomial]:
    factor = _coefficient(p, quotient)
    lead, scaled = min(b, key=lambda term: (len(term[0]), abs(term[1]), term_order(term)))
    terms = sorted(factor, key=term_order)
    parts = [(without(m, lead), -c // scaled) for m, c in terms if contains(m, lead) and c % scaled == 0]
    yield from (frozenset({part}) for part in parts)
    if len(parts) > 1:
        yield collect(parts)


def _ceiling_forms(p: Polynomial, quotient: Call) -> Iterator[Polynomial]:
    # floor(a/b) = ceil((a - b + 1)/b) = ceil((a + 1)/b) - 1.
    a, b = quotient.args
    below = add(subtract(a, b), constant(1))
    above = add(a, constant(1))
    for numerator, less in ((below, 0), (above, 1)):
        form = _exchanged(p, quotient, subtract(of_atom(Call("ceil", (numerator, b))), constant(less)))
        if len(numerator) < len(a) or len(form) < len(p):
            yield form


def _joined_forms(p: Polynomial, quotient: Call) -> Iterator[Polynomial]:
    # k*floor(a/b) + k*w = k*floor((a + b*w)/b).
    a, b = quotient.args
    k = value_of(_coefficient(p, quotient)) or 0
    for mono, c in sorted(p, key=term_order) if k else ():
        whole = frozenset({(mono, c // k)})
        numerator = add(a, multiply(b, whole))
        if c % k == 0 and mono and not contains(mono, _alone(quotient)) and len(numerator) <= len(a):
            yield _exchanged(subtract(p, scale(whole, k)), quotient, of_atom(Call("floor", (numerator, b))))


def _exchanged(p: Polynomial, atom: Atom, other: Polynomial) -> Polynomial:
    kept = collect((m, c) for m, c in p if not contains(m, _alone(atom)))
    return add(kept, multiply(_coefficient(p, atom), other))


def _coefficient(p: Polynomial, atom: Atom) -> Polynomial:
    mono = _alone(atom)
    return collect((without(m, mono), c) for m, c in p if contains(m, mono))


def _alone(atom: Atom) -> Monomial:
    return frozenset({(atom, 1)})
