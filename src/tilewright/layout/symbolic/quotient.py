"""Operations on polynomials that leave them: quotients, minima, maxima and XOR, as calls in normal form."""

from __future__ import annotations

from math import gcd

from tilewright.layout.symbolic.polynomial import (
    ONE,
    Call,
    Polynomial,
    add,
    collect,
    constant,
    contains,
    content,
    in_order,
    multiple,
    multiply,
    of_atom,
    only_atom,
    scale,
    subtract,
    value_of,
    without,
)
from tilewright.layout.symbolic.ranges import bounds, lower_bound, upper_bound
from tilewright.layout.symbolic.work import spend


def floor_divide(p: Polynomial, q: Polynomial) -> Polynomial:
    """floor(p / q) for q that is not 0; a symbolic q is taken to be positive."""
    _spend_on_bounds(p, q)
    divisor = value_of(q)
    if divisor is not None:
        return _divide_by_integer(scale(p, -1), -divisor) if divisor < 0 else _divide_by_integer(p, divisor)
    whole, rest = _divide_terms(p, q)
    common = gcd(content(rest), content(q))
    if not rest or _within(rest, q):
        return whole
    call = of_atom(Call("floor", (_shrink(rest, common), _shrink(q, common))))
    low, high = bounds(call)
    return add(whole, call if low is None or low != high else constant(low))


def truncate_divide(p: Polynomial, q: Polynomial) -> Polynomial:
    """p / q rounded towards 0, for q that is not 0; a symbolic q is taken to be positive."""
    divisor = value_of(q)
    if divisor is not None and divisor < 0:
        return truncate_divide(scale(p, -1), constant(-divisor))
    low = lower_bound(p)
    if low is not None and low >= 0:
        return floor_divide(p, q)
    high = upper_bound(p)
    if high is not None and high <= 0:
        return scale(floor_divide(scale(p, -1), q), -1)
    common = gcd(content(p), content(q))
    over = _shrink(q, common)
    return _shrink(p, common) if over == constant(1) else of_atom(Call("trunc", (_shrink(p, common), over)))


def extremum(op: str, p: Polynomial, q: Polynomial) -> Polynomial:
    """`min` or `max` of two polynomials, decided where their difference has a sign."""
    _spend_on_bounds(p, q)
    difference = subtract(p, q)
    low = lower_bound(difference)
    if low is not None and low >= 0:
        return q if op == "min" else p
    high = upper_bound(difference)
    if high is not None and high <= 0:
        return p if op == "min" else q
    return of_atom(Call(op, _ordered(p, q)))


def exclusive_or(p: Polynomial, q: Polynomial) -> Polynomial:
    """p ^ q: their sum where the set bits are known to be apart."""
    if p == q:
        return constant(0)
    for a, b in ((p, q), (q, p)):
        low, high = bounds(a)
        if low is not None and high is not None and low >= 0 and high < _low_bit(content(b)):
            return add(p, q)
    return of_atom(Call("xor", _ordered(p, q)))


def _spend_on_bounds(p: Polynomial, q: Polynomial) -> None:
    spend(4 * (2 + len(p) + len(q)))  # bounds take several sums of each


def _divide_by_integer(p: Polynomial, divisor: int) -> Polynomial:
    # Whole multiples of the divisor go out; what is left is divided in lowest terms.
    whole = collect((mono, _truncate(c, divisor) if mono else c // divisor) for mono, c in p)
    rest = subtract(p, scale(whole, divisor))
    offset = dict(rest).get(ONE, 0)
    moving = frozenset(term for term in rest if term[0])
    common = gcd(content(moving), divisor)
    rest, divisor = add(_shrink(moving, common), constant(offset // common)), divisor // common
    low, high = bounds(rest)
    if low is not None and high is not None and low // divisor == high // divisor:
        return add(whole, constant(low // divisor))
    if moving and all(c < 0 for _, c in moving):
        # floor(-x/d) = -floor((x + d - 1)/d): one form for both spellings of a ceiling.
        flipped = add(scale(rest, -1), constant(divisor - 1))
        return subtract(whole, _floor_call(flipped, divisor))
    return add(whole, _floor_call(rest, divisor))


def _floor_call(p: Polynomial, divisor: int) -> Polynomial:
    inner = only_atom(p)
    if isinstance(inner, Call) and inner.op == "floor":
        return floor_divide(inner.args[0], scale(inner.args[1], divisor))
    return of_atom(Call("floor", (p, constant(divisor))))


def _divide_terms(p: Polynomial, q: Polynomial) -> tuple[Polynomial, Polynomial]:
    # p = whole * q + rest, dividing term by term when q is one term.
    if len(q) == 1:
        ((mono, c),) = q
        whole = collect((without(m, mono), _truncate(k, c)) for m, k in p if contains(m, mono))
    else:
        factor = multiple(p, q)
        whole = constant(factor) if factor is not None else constant(0)
    return whole, subtract(p, multiply(whole, q))


def _within(p: Polynomial, q: Polynomial) -> bool:
    low = lower_bound(p)
    if low is None or low < 0:
        return False
    room = lower_bound(subtract(q, p))
    return room is not None and room > 0


def _shrink(p: Polynomial, factor: int) -> Polynomial:
    return frozenset((mono, c // factor) for mono, c in p) if factor > 1 else p


def _truncate(a: int, b: int) -> int:
    return -(-a // b) if (a < 0) != (b < 0) else a // b


def _ordered(p: Polynomial, q: Polynomial) -> tuple[Polynomial, Polynomial]:
    return (p, q) if in_order(p) <= in_order(q) else (q, p)


def _low_bit(value: int) -> int:
    return value & -value
