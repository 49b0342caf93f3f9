"""Run-time leaves of types: nameless in the text, named while an operation is inferred, erased by what is printed.

A leaf of a type is its width and divisor. Each leaf of each operand becomes a variable of its own, so that two
operands that print alike are two numbers; the divisor travels by fly's lattice alone (+ - % min max take the greatest
common one, * multiplies, / forgets it), never by what the expression would prove.
"""

from __future__ import annotations

from itertools import islice
from math import gcd
from typing import Self, TypeGuard

from tilewright.ir.fly.settled import key_of
from tilewright.layout.symbolic.expression import Expression, as_polynomial, div_of, filled, width_of
from tilewright.layout.symbolic.polynomial import Call, Nameless, Polynomial, Variable, atoms, of_atom
from tilewright.layout.symbolic.symint import SymInt

MOST = 16  # variables of an expression, beyond which a type forgets how it came about


class Leaf(SymInt):
    """A run-time integer of which types tell the width and the divisor alone.

    Sums and products stay expressions, so that n - n is 0; a quotient, remainder or minimum that is not known becomes
    a leaf of its own, as a type forgets how it came about. Modes of such extents are never merged.
    """

    __slots__ = ()
    stays_apart = True

    @classmethod
    def of_result(cls, polynomial: Polynomial, width: int, div: int) -> Leaf:
        """The result, as a leaf of its own where it is more than a few sums and products."""
        found = list(islice(atoms(polynomial), MOST + 1))
        if len(found) > MOST or any(isinstance(atom, Call) for atom in found):
            return cls.forgotten(polynomial, width, div)
        return filled(object.__new__(cls), polynomial, width, div)

    @classmethod
    def forgotten(cls, polynomial: Polynomial, width: int, div: int) -> Leaf:
        """A leaf of its own for the number."""
        return leaf(key_of((polynomial, width, div), Nameless), width, div)

    @classmethod
    def truncated(cls, a: int | Expression, b: int | Expression) -> int | Self:
        """a / b rounded towards 0."""
        return cls._own(cls._quotient(a, b, super().truncated(a, b), 1))

    @classmethod
    def truncated_rest(cls, a: int | Expression, b: int | Expression) -> int | Self:
        """a - b * (a / b)."""
        return cls._own(cls._quotient(a, b, super().truncated_rest(a, b), gcd(div_of(a), div_of(b))))

    @classmethod
    def extremum(cls, which: str, a: int | Expression, b: int | Expression) -> int | Self:
        """The least or greatest: never one known integer, which a type does not know to be it."""
        found = super().extremum(which, a, b)
        if isinstance(found, cls):
            return found
        return cls._own(cls.forgotten(as_polynomial(found), max(width_of(a), width_of(b)), gcd(div_of(a), div_of(b))))

    @classmethod
    def _own(cls, found: int | Leaf) -> int | Self:
        assert isinstance(found, int | cls)  # as every leaf that the class makes
        return found

    @classmethod
    def _quotient(cls, a: int | Expression, b: int | Expression, found: int | Expression, div: int) -> int | Leaf:
        # What a run-time leaf divides, a type does not know, but for 0 and for the leaf itself.
        if found.__class__ is int and (b.__class__ is int or as_polynomial(a) in (as_polynomial(0), as_polynomial(b))):
            return found
        return cls.forgotten(as_polynomial(found), max(width_of(a), width_of(b)), div)

    def __floordiv__(self, other: int | Expression) -> int | Leaf:
        found = super().__floordiv__(other)
        return found if found is NotImplemented else self._quotient(self, other, found, 1)

    def __rfloordiv__(self, other: int | Expression) -> int | Leaf:
        return self._quotient(other, self, super().__rfloordiv__(other), 1)

    def __mod__(self, other: int | Expression) -> int | Leaf:
        found = super().__mod__(other)
        return found if found is NotImplemented else self._quotient(self, other, found, gcd(self.div, div_of(other)))

    def __rmod__(self, other: int | Expression) -> int | Leaf:
        return self._quotient(other, self, super().__rmod__(other), gcd(div_of(other), self.div))


def is_leaf(value: object) -> TypeGuard[Leaf]:
    """Is it a run-time integer of a type?"""
    return isinstance(value, Leaf)


def leaf(key: str | Nameless, width: int, div: int) -> Leaf:
    """A new leaf: nothing is known of its value but that it is positive and, by `div`, what divides it."""
    variable = Variable(key, width, 1, 1, (1 << width - 1) - 1)
    return filled(object.__new__(Leaf), of_atom(variable, 1), width, div)
