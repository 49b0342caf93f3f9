"""What is proved about the range of a polynomial."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from tilewright.layout.symbolic.digits import digits, remainders, take
from tilewright.layout.symbolic.polynomial import (
    MAX_TERMS,
    ONE,
    Atom,
    Polynomial,
    Variable,
    add,
    atoms,
    constant,
    contains,
    multiply,
    of_atom,
    order,
    scale,
    subtract,
)

Range = tuple[int | None, int | None]

MANY = 5  # remainders of an expression, beyond which they are taken one after the other


def bounds(p: Polynomial) -> Range:
    """The range of p as far as it is proved; None where there is no bound."""
    return lower_bound(p), upper_bound(p)


def upper_bound(p: Polynomial) -> int | None:
    """The upper end alone."""
    high = lower_bound(scale(p, -1))
    return None if high is None else -high


@lru_cache(maxsize=4096)
def lower_bound(p: Polynomial) -> int | None:
    """The lower end of the range alone."""
    found = [_by_intervals(p), _by_shifting(p), *_by_remainders(p), *_by_digits(p)]
    return max((low for low in found if low is not None), default=None)


def _by_intervals(p: Polynomial) -> int | None:
    total = 0
    for mono, c in p:
        low, high = 1, 1
        for atom, power in mono:
            a, b = _range(atom)
            if a is None or b is None:
                return None
            for _ in range(power):
                ends = (low * a, low * b, high * a, high * b)
                low, high = min(ends), max(ends)
        total += c * (low if c > 0 else high)
    return total


def _by_shifting(p: Polynomial) -> int | None:
    # With every atom written lower + x, x >= 0: no negative coefficient means that the constant is the least value.
    if sum(2 ** sum(power for _, power in mono) for mono, _ in p) > MAX_TERMS:
        return None
    if any(c < 0 and mono and not any(contains(other, mono) for other, _ in p if other != mono) for mono, c in p):
        return None  # no other term adds to this one
    lows = {atom: _range(atom)[0] for atom in set(atoms(p))}
    if not any(low != 0 for low in lows.values()):
        return _least(p)
    shifted: Polynomial = frozenset()
    for mono, c in p:
        product = constant(c)
        for atom, power in mono:
            low = lows[atom]
            if low is None:
                return None
            for _ in range(power):
                product = multiply(product, add(of_atom(atom), constant(low)))
        shifted = add(shifted, product)
    return _least(shifted)


def _least(p: Polynomial) -> int | None:
    # Of atoms that are natural, if no coefficient is negative.
    return dict(p).get(ONE, 0) if all(c > 0 for mono, c in p if mono) else None


def _by_remainders(p: Polynomial) -> Iterator[int | None]:
    # A part k*(a - b*floor(a/b)) lies in [0, k*(b-1)]; what is left is simpler. Each may be taken or left: of many
    # only the first is tried, since the choices double with every one.
    found = sorted(remainders(p), key=lambda each: (each[0], order(each[1])))
    for k, call, rest in found if len(found) <= MANY else found[:1]:
        most = constant(0) if k > 0 else scale(subtract(call.args[1], constant(1)), k)
        yield lower_bound(add(rest, most))


def _by_digits(p: Polynomial) -> Iterator[int | None]:
    # All digits are taken: apart from one another they have no more room than they need.
    taken, rest = take(digits(p), p)
    for times, digit in taken:
        if times < 0:
            rest = add(rest, scale(subtract(digit.divisor, constant(1)), times))
    if taken:
        yield from (_by_intervals(rest), _by_shifting(rest))


@lru_cache(maxsize=4096)
def _range(atom: Atom) -> Range:
    if isinstance(atom, Variable):
        return -(-atom.lower // atom.step), atom.upper // atom.step
    return _CALL_RANGES[atom.op](*atom.args)


def _floor_range(p: Polynomial, q: Polynomial) -> Range:
    (low, high), (least, most) = bounds(p), bounds(q)
    least = max(least or 1, 1)
    lower = None if low is None else low // least if low < 0 else 0 if most is None else low // most
    upper = None if high is None else high // least if high >= 0 else -1 if most is None else high // most
    return lower, upper


def _trunc_range(p: Polynomial, q: Polynomial) -> Range:
    below, above = _floor_range(scale(p, -1), q), _floor_range(p, q)
    lower, upper = below[1], above[1]
    return None if lower is None else -max(lower, 0), None if upper is None else max(upper, 0)


def _min_range(p: Polynomial, q: Polynomial) -> Range:
    (a, b), (c, d) = bounds(p), bounds(q)
    highs = [high for high in (b, d) if high is not None]
    return None if a is None or c is None else min(a, c), min(highs, default=None)


def _max_range(p: Polynomial, q: Polynomial) -> Range:
    low, high = _min_range(scale(p, -1), scale(q, -1))
    return None if high is None else -high, None if low is None else -low


def _xor_range(p: Polynomial, q: Polynomial) -> Range:
    (a, b), (c, d) = bounds(p), bounds(q)
    if a is None or c is None or a < 0 or c < 0:
        return None, None
    return 0, None if b is None or d is None else (1 << max(b, d).bit_length()) - 1


_CALL_RANGES: dict[str, Callable[[Polynomial, Polynomial], Range]] = {
    "floor": _floor_range,
    "trunc": _trunc_range,
    "min": _min_range,
    "max": _max_range,
    "xor": _xor_range,
}
