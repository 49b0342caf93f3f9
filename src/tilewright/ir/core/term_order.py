"""The order of a polynomial's terms and atoms: variables as they were made, integers last.

It is total, so that the text is always the same.
"""

from __future__ import annotations

from functools import lru_cache

from tilewright.layout.symbolic.polynomial import Atom, Monomial, Polynomial, Variable, atoms

_COMMUTATIVE = ("min", "max", "xor")


@lru_cache(8192)
def atom_order(atom: Atom) -> tuple[object, ...]:
    """Where an atom stands among others."""
    if isinstance(atom, Variable):
        return (0, *_key(atom))
    args = tuple(map(polynomial_order, atom.args))
    if atom.op in _COMMUTATIVE:  # whose arguments stand as they came
        args = tuple(sorted(args))
        return (*min(map(_first, atom.args)), 1, atom.op, args)
    return (*_first(atom.args[0] or atom.args[1]), 1, atom.op, args)


def polynomial_order(p: Polynomial) -> tuple[object, ...]:
    """Where a polynomial stands among others."""
    return _first(p), sorted(map(term_order, p))


def _key(variable: Variable) -> tuple[object, ...]:
    key = variable.key
    return (0, 0, key) if isinstance(key, str) else (1, key.serial, "")


def _first(p: Polynomial) -> tuple[object, ...]:
    found = [atom_order(atom) for atom in set(atoms(p))]
    return min(found, default=(2,))


def term_order(term: tuple[Monomial, int]) -> tuple[object, ...]:
    """Where a term stands in its sum."""
    mono, c = term
    orders, powers = _orders(mono)
    return (not mono, orders, len(mono), c, powers)


@lru_cache(8192)
def _orders(mono: Monomial) -> tuple[tuple[object, ...], tuple[int, ...]]:
    found = factors(mono)
    return tuple([atom_order(atom) for atom, _ in found]), tuple([power for _, power in found])


@lru_cache(8192)
def factors(mono: Monomial) -> tuple[tuple[Atom, int], ...]:
    """The factors of a product, in the order of its atoms, with their powers."""
    return tuple(sorted(mono, key=lambda factor: atom_order(factor[0])))
