"""The operators of run-time integers: exact values in normal form; width and divisor follow the lattice of fly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd
from typing import Self, TypeVar

from tilewright.errors import LayoutError, shown
from tilewright.layout.symbolic import polynomial as poly
from tilewright.layout.symbolic import quotient
from tilewright.layout.symbolic.expression import Expression, as_polynomial, div_of, filled, width_of
from tilewright.layout.symbolic.polynomial import Polynomial, Variable
from tilewright.layout.symbolic.text import text
from tilewright.layout.symbolic.work import spend

K = TypeVar("K", bound="Arithmetic")
Fold = Callable[[Polynomial, Polynomial], Polynomial]
Divisor = Callable[[int, int], int]


class Arithmetic(Expression):
    """Expressions with the operators of integers."""

    __slots__ = ()

    @classmethod
    def of_result(cls, polynomial: Polynomial, width: int, div: int) -> Self:
        """What an operation on integers of this class gives."""
        if polynomial.__class__ is not frozenset:
            raise LayoutError(f"a run-time integer is a polynomial, got {shown(polynomial)}")
        return filled(object.__new__(cls), polynomial, width, div)

    @classmethod
    def of_variable(cls, variable: Variable) -> Self:
        """The integer that is one variable."""
        if not isinstance(variable, Variable):
            raise LayoutError(f"a run-time integer is made of a `Variable` here, got {shown(variable)}")
        return cls.of_result(poly.of_atom(variable, variable.step), variable.width, variable.step)

    @classmethod
    def truncated(cls, a: int | Expression, b: int | Expression) -> int | Self:
        """a / b rounded towards 0."""
        return _combine(cls, a, b, _truncate_divide, _forget)

    @classmethod
    def truncated_rest(cls, a: int | Expression, b: int | Expression) -> int | Self:
        """a - b * (a / b), with the sign of a."""
        return _combine(cls, a, b, _truncated_rest, gcd)

    @classmethod
    def extremum(cls, which: str, a: int | Expression, b: int | Expression) -> int | Self:
        """The "min" or "max" of two integers, decided where that is proved."""
        return _combine(cls, a, b, lambda p, q: quotient.extremum(which, p, q), gcd)

    def __add__(self, other: int | Expression) -> int | Self:
        return _combine(type(self), self, other, poly.add, gcd)

    __radd__ = __add__

    def __sub__(self, other: int | Expression) -> int | Self:
        return _combine(type(self), self, other, poly.subtract, gcd)

    def __rsub__(self, other: int | Expression) -> int | Self:
        return _combine(type(self), other, self, poly.subtract, gcd)

    def __neg__(self) -> int | Self:
        return 0 - self

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> int | Self:
        return self.extremum("max", self, -self)

    def __mul__(self, other: int | Expression) -> int | Self:
        return _combine(type(self), self, other, poly.multiply, _times)

    __rmul__ = __mul__

    def __floordiv__(self, other: int | Expression) -> int | Self:
        return _combine(type(self), self, other, _floor_divide, _forget)

    def __rfloordiv__(self, other: int | Expression) -> int | Self:
        return _combine(type(self), other, self, _floor_divide, _forget)

    def __mod__(self, other: int | Expression) -> int | Self:
        return _combine(type(self), self, other, remainder, gcd)

    def __rmod__(self, other: int | Expression) -> int | Self:
        return _combine(type(self), other, self, remainder, gcd)

    def __divmod__(self, other: int | Expression) -> tuple[int | Self, int | Self]:
        return self // other, self % other

    def __lshift__(self, other: int) -> int | Self:
        return self * (1 << _shift(other))

    def __rshift__(self, other: int) -> int | Self:
        step = 1 << _shift(other)
        return _combine(
            type(self), self, step, quotient.floor_divide, lambda div, _: div // step if div % step == 0 else 1
        )

    def __and__(self, mask: int) -> int | Self:
        """The bits that an integer selects, as remainders and quotients by powers of two.

        >>> from tilewright.layout.symbolic.symint import SymInt
        >>> n = SymInt("n", div=8)
        >>> n & 7, n & -8 == n, (n & 24) == n % 32
        (0, True, True)
        """
        if not isinstance(mask, int):
            return NotImplemented
        if mask < 0:
            return self - (self & ~mask)
        return sum((self >> low) % (1 << count) << low for low, count in _runs(mask))

    __rand__ = __and__

    def __xor__(self, other: int | Expression) -> int | Self:
        return _combine(type(self), self, other, quotient.exclusive_or, _low_bits)

    __rxor__ = __xor__

    def __or__(self, other: int) -> int | Self:
        """The sum where the set bits are apart; by an integer, else refused."""
        if not isinstance(other, int):
            return NotImplemented
        return self - (self & other) + other

    __ror__ = __or__


def minimum(a: int | Expression, b: int | Expression) -> int:
    """The smaller of two integers, decided where that is proved.

    Raises:
        LayoutError: no integers, or of run time with no proof of either.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> n = SymInt("n", lower=4)
    >>> minimum(n, 4), print(minimum(n, 8))
    ?
    (4, None)
    """
    if a.__class__ is int and b.__class__ is int:
        return min(a, b)
    return as_int(_run_time(a, b).extremum("min", a, b))


def maximum(a: int | Expression, b: int | Expression) -> int:
    """The larger of two integers, decided where that is proved.

    Raises:
        LayoutError: no integers, or of run time with no proof of either.

    >>> maximum(3, 5)
    5
    """
    if a.__class__ is int and b.__class__ is int:
        return max(a, b)
    return as_int(_run_time(a, b).extremum("max", a, b))


def truncated_quotient(a: int | Expression, b: int | Expression) -> int:
    """a / b rounded towards 0, of which at least one is known at run time only.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> offset = SymInt("offset", lower=-100)
    >>> truncated_quotient(offset, 4).expression, truncated_quotient(offset, 4).substitute({"offset": -5})
    ('trunc(offset, 4)', -1)
    """
    return as_int(_run_time(a, b).truncated(a, b))


def truncated_remainder(a: int | Expression, b: int | Expression) -> int:
    """What `truncated_quotient` leaves: it has the sign of a."""
    return as_int(_run_time(a, b).truncated_rest(a, b))


def remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    """p - q * floor(p / q)."""
    return poly.subtract(p, poly.multiply(q, _floor_divide(p, q)))


def _combine(kind: type[K], a: int | Expression, b: int | Expression, fold: Fold, divisor: Divisor) -> int | K:
    try:
        left, right = as_polynomial(a), as_polynomial(b)
    except TypeError:
        return NotImplemented  # type: ignore[no-any-return]  # operators are made of this
    found = fold(left, right)
    spend(1 + len(left) + len(right) + len(found))
    known = poly.value_of(found)
    if known is not None:
        return known
    return kind.of_result(found, max(width_of(a), width_of(b)), divisor(div_of(a), div_of(b)))


def as_int(value: int | Arithmetic) -> int:
    """The integer itself."""
    return value  # type: ignore[return-value]  # `int` stands for a run-time integer, which has its operators


def _times(a: int, b: int) -> int:
    return a * b


def _forget(a: int, b: int) -> int:
    return 1


def _low_bits(a: int, b: int) -> int:
    return gcd(a & -a, b & -b)


def _floor_divide(p: Polynomial, q: Polynomial) -> Polynomial:
    if not q:
        raise LayoutError(f"division of {text(p)} by zero")
    return quotient.floor_divide(p, q)


def _run_time(a: object, b: object) -> type[Arithmetic]:
    """The class of the run-time integer among two integers."""
    for value in (a, b):
        if not hasattr(type(value), "__index__"):
            raise LayoutError(f"expected an integer, got {shown(value)}")
    return next((type(value) for value in (a, b) if isinstance(value, Arithmetic)), Arithmetic)


def _truncate_divide(p: Polynomial, q: Polynomial) -> Polynomial:
    if not q:
        raise LayoutError(f"division of {text(p)} by zero")
    return quotient.truncate_divide(p, q)


def _truncated_rest(p: Polynomial, q: Polynomial) -> Polynomial:
    return poly.subtract(p, poly.multiply(q, _truncate_divide(p, q)))


def _shift(count: object) -> int:
    if not isinstance(count, int) or not 0 <= count < 64:
        raise LayoutError(f"a run-time integer is shifted by 0 .. 63 bits, got {shown(count)}")
    return count


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    # The runs of set bits, as (lowest bit, length).
    low = 0
    while mask:
        skip = (mask & -mask).bit_length() - 1
        mask, low = mask >> skip, low + skip
        count = (~mask & (mask + 1)).bit_length() - 1
        yield low, count
        mask, low = mask >> count, low + count
