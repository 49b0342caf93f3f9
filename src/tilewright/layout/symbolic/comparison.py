"""Comparisons of run-time integers: true, false, or a condition that guards a result."""

from __future__ import annotations

from tilewright.layout.symbolic import polynomial as poly
from tilewright.layout.symbolic.conditions import Truth, decide
from tilewright.layout.symbolic.expression import Expression, as_polynomial
from tilewright.layout.symbolic.operators import remainder


class Ordered(Expression):
    """Expressions in an order that may be decided at run time only."""

    __slots__ = ()

    def __lt__(self, other: int | Expression) -> Truth:
        return _ordered(self, "<", other)

    def __le__(self, other: int | Expression) -> Truth:
        return _ordered(self, "<=", other)

    def __gt__(self, other: int | Expression) -> Truth:
        return _ordered(self, ">", other)

    def __ge__(self, other: int | Expression) -> Truth:
        return _ordered(self, ">=", other)

    def __bool__(self) -> bool:
        return bool(differs(self, 0))


def equals(a: int | Expression, b: int | Expression) -> Truth:
    """Is a == b at run time: true, false, or a condition. (`==` asks for one and the same expression.)

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> n = SymInt("n", div=4)
    >>> equals(n, n + 4), str(equals(n, 8))
    (False, 'n == 8')
    """
    if _apart(a, b) or _apart(b, a):
        return False
    left, right = as_polynomial(a), as_polynomial(b)
    return decide(poly.subtract(left, right), "==", ((left,), "==", right))


def _apart(a: object, b: object) -> bool:
    """Is b an integer that a's divisor does not divide?"""
    return isinstance(a, Expression) and type(b) is int and b % a.div != 0


def differs(a: int | Expression, b: int | Expression) -> Truth:
    """Is a != b at run time: true, false, or a condition."""
    left, right = as_polynomial(a), as_polynomial(b)
    return decide(poly.subtract(left, right), "!=", ((left,), "!=", right))


def divides(d: int | Expression, a: int | Expression) -> Truth:
    """Is a a multiple of d at run time: true, false, or a condition.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> n = SymInt("n", div=8)
    >>> divides(4, n), str(divides(3, n)), divides(n, 6 * n)
    (True, 'n % 3 == 0', True)
    """
    left, divisor = as_polynomial(a), as_polynomial(d)
    return decide(remainder(left, divisor), "==", ((left, divisor), "==", poly.constant(0)))


def _ordered(a: Expression, relation: str, b: int | Expression) -> Truth:
    try:
        difference = poly.subtract(a.polynomial, as_polynomial(b))
    except TypeError:
        return NotImplemented  # type: ignore[no-any-return]  # operators are made of this
    if relation in ("<", "<="):
        difference = poly.scale(difference, -1)
    if relation in ("<", ">"):
        difference = poly.add(difference, poly.constant(-1))
    return decide(difference, ">=", ((a.polynomial,), relation, as_polynomial(b)))
