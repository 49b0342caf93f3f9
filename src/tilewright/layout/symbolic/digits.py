"""Digits of a dividend: the remainders that a polynomial holds beside the quotients that they leave.

floor(a/n) and floor(a/(n*m)) are two quotients of one dividend, and a - n*floor(a/n) and floor(a/n) - m*floor(a/(n*m))
its digits. A sum of digits and quotients is one polynomial, in which a digit's quotient stands with what is its own and
what the digit takes from it; its dividend stands as often as the digit does. By that a digit is found again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tilewright.layout.symbolic.polynomial import (
    ONE,
    Call,
    Polynomial,
    atoms,
    collect,
    contains,
    multiple,
    multiply,
    of_atom,
    order,
    scale,
    subtract,
    without,
)


class Digit(NamedTuple):
    """dividend - divisor * quotient, which lies in [0, divisor - 1]."""

    dividend: Polynomial
    divisor: Polynomial
    quotient: Call

    @property
    def value(self) -> Polynomial:
        """The digit as a polynomial."""
        return subtract(self.dividend, multiply(self.divisor, of_atom(self.quotient)))

    def times(self, p: Polynomial) -> int:
        """How often the dividend stands in p; 0 where its parts stand there unequally often."""
        counts = dict(p)
        mono, c = next((term for term in self.dividend if term[0]), (ONE, 1))
        times, rest = divmod(counts.get(mono, 0), c)
        alike = all(counts.get(m, 0) == times * k for m, k in self.dividend if m)
        return times if mono and not rest and alike else 0


def remainders(p: Polynomial) -> Iterator[tuple[int, Call, Polynomial]]:
    """Every k, floor(a/b), rest with p == k * (a - b*floor(a/b)) + rest: k times a remainder, and what is left."""
    for atom in set(atoms(p)):
        if isinstance(atom, Call) and atom.op == "floor":
            mono = frozenset({(atom, 1)})
            factor = collect((without(m, mono), c) for m, c in p if contains(m, mono))
            a, b = atom.args
            k = multiple(factor, scale(b, -1))
            if k:
                yield k, atom, subtract(p, scale(subtract(a, multiply(b, of_atom(atom))), k))


def digits(p: Polynomial) -> Iterator[Digit]:
    """The digit below every quotient in p, each dividend before those that are quotients of it."""
    calls = [atom for atom in set(atoms(p)) if isinstance(atom, Call) and atom.op == "floor"]
    below = {call: [(one, over) for one in calls if (over := _over(call, one))] for call in calls}
    for call in sorted(calls, key=lambda each: (each.nesting, len(below[each]), order(each))):
        if below[call]:
            one, over = max(below[call], key=lambda each: (len(below[each[0]]), order(each[0])))
            yield Digit(of_atom(one), over, call)
        else:
            yield Digit(*call.args, call)


def take(found: Iterable[Digit], p: Polynomial) -> tuple[list[tuple[int, Digit]], Polynomial]:
    """How often each digit stands in what those before it have left of p, unless never; and what all leave."""
    taken = []
    for digit in found:
        times = digit.times(p)
        if times:
            taken.append((times, digit))
            p = subtract(p, scale(digit.value, times))
    return taken, p


def _over(call: Call, one: Call) -> Polynomial | None:
    """By what the quotient `one` is divided again to give `call`, if it is."""
    (dividend, divisor), (same, first) = call.args, one.args
    if call == one or dividend != same or len(first) != 1:
        return None
    ((mono, c),) = first
    if not all(contains(m, mono) and k % c == 0 for m, k in divisor):
        return None
    return frozenset((without(m, mono), k // c) for m, k in divisor)
