"""Integer polynomials over run-time atoms, in one normal form: equal forms are equal numbers.

A monomial is a multiset of atoms, a polynomial maps monomials to integer coefficients that are not 0. An atom is a
variable, or a call whose value is no polynomial: `floor(a/b)`, `trunc(a/b)`, `min`, `max`, `xor`. Remainders are
written a - b*floor(a/b), so that splitting an index and joining it again is the index itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, count
from math import gcd, lcm, prod
from typing import TypeAlias

from tilewright.errors import LayoutError

MAX_TERMS = 256
MAX_NESTING = 12


class Nameless:
    """The key of a variable without a name: equal to itself alone, and ordered by creation; shown as its `label`."""

    __slots__ = ("label", "serial")
    _serials = count()

    def __init__(self, label: str = "?") -> None:
        self.serial = next(self._serials)
        self.label = label


@dataclass(frozen=True, slots=True)
class Variable:
    """The number `step * atom`: a run-time integer of `width` bits, a multiple of `step`, in [lower, upper].

    `key` tells variables apart: the name, or an object of its own.
    """

    key: str | Nameless
    width: int
    step: int
    lower: int
    upper: int

    def __str__(self) -> str:
        return self.key if isinstance(self.key, str) else self.key.label

    def __lt__(self, other: Variable) -> bool:
        return self.order() < other.order()

    def order(self) -> tuple[object, ...]:
        """The place in the order of variables."""
        place = (self.key, 0) if isinstance(self.key, str) else ("?", self.key.serial)
        return (*place, self.width, self.step, self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class Call:
    """`floor(a/b)`, `trunc(a/b)`, `min(a,b)`, `max(a,b)` or `xor(a,b)`; `nesting` counts calls within calls."""

    op: str
    args: tuple[Polynomial, Polynomial]
    nesting: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        inner = (atom.nesting for p in self.args for atom in atoms(p) if isinstance(atom, Call))
        object.__setattr__(self, "nesting", 1 + max(inner, default=0))
        if self.nesting > MAX_NESTING:
            raise LayoutError(f"a run-time expression is nested deeper than {MAX_NESTING}")


Atom: TypeAlias = Variable | Call
Monomial: TypeAlias = frozenset[tuple[Atom, int]]
Polynomial: TypeAlias = frozenset[tuple[Monomial, int]]

ONE: Monomial = frozenset()


def constant(value: int) -> Polynomial:
    """The polynomial that is an integer."""
    return frozenset({(ONE, value)}) if value else frozenset()


def of_atom(atom: Atom, coefficient: int = 1) -> Polynomial:
    """`coefficient * atom`."""
    return frozenset({(frozenset({(atom, 1)}), coefficient)})


def value_of(p: Polynomial) -> int | None:
    """The integer that the polynomial is, or None."""
    if not p:
        return 0
    ((mono, coefficient), *more) = p
    return coefficient if not more and not mono else None


def collect(terms: Iterable[tuple[Monomial, int]]) -> Polynomial:
    """The sum of the terms."""
    total: dict[Monomial, int] = {}
    for mono, coefficient in terms:
        total[mono] = total.get(mono, 0) + coefficient
    if len(total) > MAX_TERMS:
        raise LayoutError(f"a run-time expression has more than {MAX_TERMS} terms")
    return frozenset((mono, coefficient) for mono, coefficient in total.items() if coefficient)


def add(p: Polynomial, q: Polynomial) -> Polynomial:
    """p + q."""
    return collect(chain(p, q)) if p and q else p or q


def scale(p: Polynomial, factor: int) -> Polynomial:
    """factor * p."""
    if factor in (0, 1):
        return p if factor else constant(0)
    return frozenset([(mono, factor * c) for mono, c in p])


def subtract(p: Polynomial, q: Polynomial) -> Polynomial:
    """p - q."""
    return add(p, scale(q, -1))


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """p * q."""
    if len(p) * len(q) > MAX_TERMS**2 // 4:
        raise LayoutError(f"a run-time expression has more than {MAX_TERMS} terms")
    for a, b in ((p, q), (q, p)):
        factor = value_of(a)
        if factor is not None:
            return scale(b, factor)
    return collect([(_join(a, b), c * d) for a, c in p for b, d in q])


def content(p: Polynomial) -> int:
    """The greatest integer that is known to divide p."""
    return gcd(*(c for _, c in p))


def without_content(p: Polynomial) -> Polynomial:
    """p divided by what divides it as a sum of products of whole variables; it has the sign of p."""
    whole = lcm(*(steps(mono) for mono, _ in p))
    factor = content(p) // whole if content(p) % whole == 0 else 1
    return frozenset((mono, c // factor) for mono, c in p) if factor > 1 else p


def atoms(p: Polynomial) -> Iterator[Atom]:
    """The atoms that occur outside of calls."""
    for mono, _ in p:
        for atom, _ in mono:
            yield atom


@lru_cache(1 << 14)
def variables(p: Polynomial) -> frozenset[Variable]:
    """Every variable, those inside of calls too."""
    inner = [q for atom in atoms(p) if isinstance(atom, Call) for q in atom.args]
    return frozenset(a for a in atoms(p) if isinstance(a, Variable)).union(*map(variables, inner))


# ---- monomials, and terms of a polynomial


def _join(a: Monomial, b: Monomial) -> Monomial:
    if not a or not b:
        return a or b
    powers = dict(a)
    for atom, power in b:
        powers[atom] = powers.get(atom, 0) + power
    return frozenset(powers.items())


def contains(a: Monomial, b: Monomial) -> bool:
    """Is b a factor of a?"""
    powers = dict(a)
    return all(powers.get(atom, 0) >= power for atom, power in b)


def without(a: Monomial, b: Monomial) -> Monomial:
    """The monomial a / b."""
    powers = dict(a)
    for atom, power in b:
        powers[atom] -= power
    return frozenset((atom, power) for atom, power in powers.items() if power)


def only_atom(p: Polynomial) -> Atom | None:
    """The atom that the polynomial is, or None."""
    if len(p) != 1:
        return None
    ((mono, c),) = p
    return next(iter(mono))[0] if c == 1 and len(mono) == 1 and next(iter(mono))[1] == 1 else None


def multiple(p: Polynomial, q: Polynomial) -> int | None:
    """The integer k that is not 0 with p == k * q, or None; 0 for p == 0."""
    if not p:
        return 0
    mono, c = next(iter(q))
    k, rest = divmod(dict(p).get(mono, 0), c)
    return k if k and not rest and scale(q, k) == p else None


def steps(mono: Monomial) -> int:
    """The product of the steps of the variables: how often the monomial holds the product of the variables' atoms."""
    return prod(atom.step**power for atom, power in mono if isinstance(atom, Variable))


def is_split(term: tuple[Monomial, int]) -> bool:
    """Does the term hold a part of a variable?"""
    return term[1] % steps(term[0]) != 0


@lru_cache(4096)
def order(atom: Atom) -> tuple[object, ...]:
    """The place of an atom in a total order, in which variables come first."""
    if isinstance(atom, Variable):
        return (0, *atom.order())
    return (1, atom.nesting, atom.op, *map(in_order, atom.args))


def in_order(p: Polynomial) -> list[tuple[object, ...]]:
    """The terms in an order that their structure alone tells; of such lists the order of polynomials."""
    return sorted((sorted((order(atom), power) for atom, power in mono), c) for mono, c in p)
