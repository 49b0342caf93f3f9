"""`SymInt`: an integer that is known at run time only, as a leaf of layouts.

A `SymInt` is an expression in variables; what is known folds at once, so `n - n` is the int 0. Equality is identity
of expressions in normal form and never raises; an order that is not proved is a `Condition`, which has no truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import gcd
from operator import index
from typing import Any

from tilewright.errors import LayoutError, shown
from tilewright.layout.symbolic import polynomial as poly
from tilewright.layout.symbolic import quotient
from tilewright.layout.symbolic.conditions import Truth, decide
from tilewright.layout.symbolic.polynomial import Nameless, Polynomial, Variable
from tilewright.layout.symbolic.ranges import bounds

Fold = Callable[[Polynomial, Polynomial], Polynomial]
Divisor = Callable[[int, int], int]


class SymInt:
    """A run-time integer of `width` bits, a multiple of `div`, in [lower, upper]; prints as `?`, `?{i64 div=8}`.

    Arithmetic with integers and other `SymInt`s gives an int as soon as the value is known, else a `SymInt` whose
    width is the larger one and whose `div` follows the lattice of fly: + - % min max keep the greatest common
    divisor, * multiplies, // forgets. Folding uses all that the expression tells, not only `div`. Values are exact
    integers: they never wrap.

    Args:
        name: two `SymInt`s of one name and the same facts are the same number; without a name it is a new number.
        width: 32 or 64 bits.
        div: an integer that is known to divide the value.
        lower: the least value; 1 without it, as extents and strides are. A coordinate starts at 0.
        upper: the largest value; the largest of that width without it.

    Raises:
        LayoutError: another width, a divisor below 1, an empty range.

    Source: the run-time leaves of FlyDSL's int tuples.

    >>> n = SymInt("n", div=8)
    >>> print(n, n + 4, n * n, n % 4, n * 8 // 8 - n, n // 4 * 4 == n)
    ?{div=8} ?{div=4} ?{div=64} 0 0 True
    """

    __slots__ = ("div", "polynomial", "width")
    is_layout_leaf = True
    width: int
    div: int
    polynomial: Polynomial

    def __init__(
        self, name: str = "", *, width: int = 32, div: int = 1, lower: int | None = None, upper: int | None = None
    ) -> None:
        if not isinstance(name, str):
            raise LayoutError(f"the name of a run-time integer is a text, got {shown(name)}")
        if type(width) is not int or width not in (32, 64):
            raise LayoutError(f"a run-time integer has 32 or 64 bits, got {shown(width)}")
        if type(div) is not int or div < 1:
            raise LayoutError(f"a divisor is an integer of at least 1, got {shown(div)}")
        least = 1 if lower is None else _integer(lower)
        most = (1 << width - 1) - 1 if upper is None else _integer(upper)
        if -(-least // div) > most // div:
            raise LayoutError(f"no multiple of {shown(div)} lies in [{shown(least)}, {shown(most)}]")
        variable = Variable(name or Nameless(), width, div, least, most)
        _fill(self, poly.of_atom(variable, div), width, div)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"SymInt is frozen; cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"SymInt is frozen; cannot delete {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return derived, (self.polynomial, self.width, self.div)

    # ---- what is known

    @property
    def lower(self) -> int | None:
        """The least value, as far as it is proved.

        >>> n = SymInt("n", lower=1, upper=100)
        >>> (n * 4 - 1).lower, (n // 3).upper, (n % 8).upper
        (3, 33, 7)
        """
        return bounds(self.polynomial)[0]

    @property
    def upper(self) -> int | None:
        """The largest value, as far as it is proved."""
        return bounds(self.polynomial)[1]

    @property
    def divisor(self) -> int:
        """The greatest integer that is known to divide the value: a multiple of `div`, often more.

        >>> n = SymInt("n")
        >>> (n + n).div, (n + n).divisor
        (1, 2)
        """
        return poly.content(self.polynomial)

    @property
    def variables(self) -> frozenset[SymInt]:
        """The variables that occur in the expression."""
        return frozenset(of_variable(v) for v in poly.variables(self.polynomial))

    @property
    def expression(self) -> str:
        """The expression in the variables' names.

        >>> m, n = SymInt("m"), SymInt("n")
        >>> (4 * m + n // 2 - 1).expression
        '4*m + n//2 - 1'
        """
        return poly.text(self.polynomial)

    def substitute(self, values: Mapping[Any, Any]) -> Any:
        """The value where the variables have the given ones; variables are named by `SymInt` or by name.

        Raises:
            LayoutError: a value outside the facts of its variable, a division by what is not positive.

        >>> m, n = SymInt("m"), SymInt("n", div=8)
        >>> (m * n // 16).substitute({m: 3, "n": 16}), print((m * n // 16).substitute({n: 16}))
        ?
        (3, None)
        """
        from tilewright.layout.symbolic.evaluation import evaluate

        return evaluate(self, values)

    # ---- arithmetic

    def __add__(self, other: Any) -> Any:
        return _combine(self, other, poly.add, gcd)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _combine(self, other, poly.subtract, gcd)

    def __rsub__(self, other: Any) -> Any:
        return _combine(other, self, poly.subtract, gcd)

    def __neg__(self) -> Any:
        return 0 - self

    def __pos__(self) -> SymInt:
        return self

    def __abs__(self) -> Any:
        return maximum(self, -self)

    def __mul__(self, other: Any) -> Any:
        return _combine(self, other, poly.multiply, _times)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return _combine(self, other, _floor_divide, _forget)

    def __rfloordiv__(self, other: Any) -> Any:
        return _combine(other, self, _floor_divide, _forget)

    def __mod__(self, other: Any) -> Any:
        return _combine(self, other, _remainder, gcd)

    def __rmod__(self, other: Any) -> Any:
        return _combine(other, self, _remainder, gcd)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __lshift__(self, other: Any) -> Any:
        return self * (1 << _shift(other))

    def __rshift__(self, other: Any) -> Any:
        step = 1 << _shift(other)
        return _combine(self, step, quotient.floor_divide, lambda div, _: div // step if div % step == 0 else 1)

    def __and__(self, mask: Any) -> Any:
        """The bits that an integer selects, as remainders and quotients by powers of two.

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

    def __xor__(self, other: Any) -> Any:
        return _combine(self, other, quotient.exclusive_or, _low_bits)

    __rxor__ = __xor__

    def __or__(self, other: Any) -> Any:
        """The sum where the set bits are apart; by an integer, else refused."""
        if not isinstance(other, int):
            return NotImplemented
        return self - (self & other) + other

    __ror__ = __or__

    # ---- comparison

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SymInt) and self.polynomial == other.polynomial

    def __hash__(self) -> int:
        return hash(self.polynomial)

    def __lt__(self, other: Any) -> Any:
        return _ordered(self, "<", other)

    def __le__(self, other: Any) -> Any:
        return _ordered(self, "<=", other)

    def __gt__(self, other: Any) -> Any:
        return _ordered(self, ">", other)

    def __ge__(self, other: Any) -> Any:
        return _ordered(self, ">=", other)

    def __bool__(self) -> bool:
        return bool(differs(self, 0))

    def __index__(self) -> int:
        raise LayoutError(f"{self.expression} is known at run time only; an integer is needed here")

    # ---- text

    def __str__(self) -> str:
        facts = ["i64"] * (self.width == 64) + [f"div={self.div}"] * (self.div > 1)
        return "?{" + " ".join(facts) + "}" if facts else "?"

    def __repr__(self) -> str:
        return f"<SymInt {self.expression}: {self}>"


Integer = int | SymInt


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two integers, decided where that is proved.

    >>> n = SymInt("n", lower=4)
    >>> minimum(n, 4), print(minimum(n, 8))
    ?
    (4, None)
    """
    if a.__class__ is int and b.__class__ is int:
        return min(a, b)
    return _combine(a, b, lambda p, q: quotient.extremum("min", p, q), gcd)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two integers, decided where that is proved."""
    if a.__class__ is int and b.__class__ is int:
        return max(a, b)
    return _combine(a, b, lambda p, q: quotient.extremum("max", p, q), gcd)


def equals(a: Any, b: Any) -> Truth:
    """Is a == b at run time: true, false, or a condition. (`==` asks for one and the same expression.)

    >>> n = SymInt("n", div=4)
    >>> equals(n, n + 4), str(equals(n, 8))
    (False, 'n == 8')
    """
    left, right = as_polynomial(a), as_polynomial(b)
    return decide(poly.subtract(left, right), "==", ((left,), "==", right))


def differs(a: Any, b: Any) -> Truth:
    """Is a != b at run time: true, false, or a condition."""
    left, right = as_polynomial(a), as_polynomial(b)
    return decide(poly.subtract(left, right), "!=", ((left,), "!=", right))


def divides(d: Any, a: Any) -> Truth:
    """Is a a multiple of d at run time: true, false, or a condition.

    >>> n = SymInt("n", div=8)
    >>> divides(4, n), str(divides(3, n)), divides(n, 6 * n)
    (True, 'n % 3 == 0', True)
    """
    left, divisor = as_polynomial(a), as_polynomial(d)
    return decide(_remainder(left, divisor), "==", ((left, divisor), "==", poly.constant(0)))


def is_symbolic(value: object) -> bool:
    """Is the leaf known at run time only?"""
    return isinstance(value, SymInt)


def _combine(a: Any, b: Any, fold: Fold, divisor: Divisor) -> Any:
    try:
        left, right = as_polynomial(a), as_polynomial(b)
    except TypeError:
        return NotImplemented
    found = fold(left, right)
    known = poly.value_of(found)
    if known is not None:
        return known
    return derived(found, max(_width(a), _width(b)), divisor(_div(a), _div(b)))


def derived(polynomial: Polynomial, width: int, div: int) -> SymInt:
    """The `SymInt` of an expression that is no integer."""
    return _fill(object.__new__(SymInt), polynomial, width, div)


def _fill(symbol: SymInt, polynomial: Polynomial, width: int, div: int) -> SymInt:
    object.__setattr__(symbol, "polynomial", polynomial)
    object.__setattr__(symbol, "width", width)
    object.__setattr__(symbol, "div", div)
    return symbol


def of_variable(variable: Variable) -> SymInt:
    """The `SymInt` that is one variable."""
    return derived(poly.of_atom(variable, variable.step), variable.width, variable.step)


def as_polynomial(value: Any) -> Polynomial:
    """The normal form of an integer or a `SymInt`; a TypeError for anything else."""
    return value.polynomial if isinstance(value, SymInt) else poly.constant(index(value))


def _width(value: Any) -> int:
    return value.width if isinstance(value, SymInt) else 32


def _div(value: Any) -> int:
    return value.div if isinstance(value, SymInt) else abs(index(value))


def _ordered(a: SymInt, relation: str, b: Any) -> Any:
    try:
        difference = poly.subtract(a.polynomial, as_polynomial(b))
    except TypeError:
        return NotImplemented
    if relation in ("<", "<="):
        difference = poly.scale(difference, -1)
    if relation in ("<", ">"):
        difference = poly.add(difference, poly.constant(-1))
    return decide(difference, ">=", ((a.polynomial,), relation, as_polynomial(b)))


def value_text(value: Any) -> str:
    """The expression of a `SymInt`, the digits of an integer."""
    return value.expression if isinstance(value, SymInt) else str(value)


def _times(a: int, b: int) -> int:
    return a * b


def _forget(a: int, b: int) -> int:
    return 1


def _low_bits(a: int, b: int) -> int:
    return gcd(a & -a, b & -b)


def _floor_divide(p: Polynomial, q: Polynomial) -> Polynomial:
    if not q:
        raise LayoutError(f"division of {poly.text(p)} by zero")
    return quotient.floor_divide(p, q)


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    return poly.subtract(p, poly.multiply(q, _floor_divide(p, q)))


def _integer(value: Any) -> int:
    try:
        return index(value)
    except TypeError:
        raise LayoutError(f"the bounds of a run-time integer are integers, got {shown(value)}") from None


def _shift(count: Any) -> int:
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
