"""Arithmetic on int tuples: element by element, and the two divisions that walk a tuple from its fastest mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import AxisSum, from_terms
from tilewright.layout.indexing import keeps
from tilewright.layout.inttuple import IntTuple, as_int_tuple, in_64_bits, modes, product, to_text
from tilewright.layout.symbolic.comparison import divides, equals
from tilewright.layout.symbolic.expression import Expression
from tilewright.layout.symbolic.operators import truncated_quotient, truncated_remainder

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element, IntTupleLike, Leaf
    from tilewright.layout.symbolic.conditions import Truth

Operation: TypeAlias = Callable[[int, int], int]
# One step of a division: the quotient, and the divisor that is left.
Step: TypeAlias = Callable[[int, int], tuple[int, int]]


def int_tuple_add(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs + rhs mode by mode; surplus modes of the longer tuple are copied, an integer rhs acts on the first mode.

    Raises:
        LayoutError: no int tuples of integers.

    >>> int_tuple_add((1, (2, 3)), (10, (20, 30))), int_tuple_add((1, 2), (1, 2, 3)), int_tuple_add((1, 2), 5)
    ((11, (22, 33)), (2, 4, 3), (6, 2))
    """
    return _by_mode(lambda x, y: x + y, "+", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_sub(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs - rhs mode by mode; the surplus modes of the longer tuple are copied.

    Raises:
        LayoutError: no int tuples of integers.

    >>> int_tuple_sub((13, 10), (5, 8))
    (8, 2)
    """
    return _by_mode(lambda x, y: x - y, "-", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_mul(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs * rhs mode by mode; the surplus modes of the longer tuple are copied.

    Raises:
        LayoutError: no int tuples of integers.

    >>> int_tuple_mul((3, (4, 5)), (2, (2, 2)))
    (6, (8, 10))
    """
    return _by_mode(lambda x, y: x * y, "*", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs // rhs mode by mode, rounded towards zero as in C; the surplus modes of the longer tuple are copied.

    Raises:
        LayoutError: no int tuples of integers, or a divisor of 0.

    >>> int_tuple_div((18, 17), (5, 12))
    (3, 1)
    """
    return _by_mode(quotient, "/", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_mod(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs - rhs * (lhs / rhs) mode by mode, with the sign of lhs as in C; surplus modes of the longer tuple are copied.

    Raises:
        LayoutError: no int tuples of integers, or a divisor of 0.

    >>> int_tuple_mod((16, 10), (3, 10))
    (1, 0)
    """
    return _by_mode(remainder, "%", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_product(int_tuple: IntTupleLike) -> int:
    """The product of all leaves.

    Raises:
        LayoutError: no int tuple of integers.

    >>> int_tuple_product((8, (2, 8)))
    128
    """
    return product(as_int_tuple(int_tuple))


def int_tuple_product_each(int_tuple: IntTupleLike) -> IntTuple:
    """The product of each top-level mode.

    Raises:
        LayoutError: no int tuple of integers.

    >>> int_tuple_product_each((8, (2, 8)))
    (8, 16)
    """
    tree = as_int_tuple(int_tuple)
    return tuple(map(product, tree)) if isinstance(tree, tuple) else tree


def int_tuple_product_like(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The products of the subtrees of `lhs` that stand at the leaves of `rhs`; modes beyond `rhs` are dropped.

    Raises:
        LayoutError: `rhs` goes deeper than `lhs`, or has more modes.

    >>> int_tuple_product_like((2, (3, 4), (5, 6)), (0, 0, (0, 0)))
    (2, 12, (5, 6))
    """
    t, guide = as_int_tuple(lhs), as_int_tuple(rhs)

    def walk(node: IntTuple, like: IntTuple) -> IntTuple:
        if not isinstance(like, tuple):
            return product(node)
        parts = modes(node)
        if len(parts) < len(like):
            raise LayoutError(f"product_like: {to_text(guide)} has more modes than {to_text(t)}")
        return tuple(map(walk, parts, like))

    return walk(t, guide)


def ceil_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The least c with c * rhs >= lhs, mode by mode; an integer divisor is used up from the first mode on.

    Where one of them is shorter its missing modes are 1; a tuple divides an integer by its product.

    >>> ceil_div((7, 9), (2, 4)), ceil_div((2, (4, 4, 2)), 16)
    ((4, 3), (1, (1, 2, 2)))
    """
    return _divide(as_int_tuple(lhs), as_int_tuple(rhs), _ceil_step)


def shape_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """`ceil_div` of shapes where every step must divide: lhs % rhs == 0 or rhs % lhs == 0.

    Raises:
        LayoutError: a step does not divide.

    >>> shape_div((12, 4), (4, 8)), shape_div((3, 4), 6)
    ((3, 1), (1, 2))
    """
    return _divide(as_int_tuple(lhs), as_int_tuple(rhs), _exact_step)


@overload
def quotient(a: int, b: int) -> int: ...
@overload
def quotient(a: Element, b: Element) -> Element: ...
def quotient(a: Element, b: Element) -> Element:
    """a / b, towards zero; of a module element each coefficient by itself.

    >>> from tilewright.layout.axes import term
    >>> quotient(-7, 2), quotient(term(8, (1,)), 4)
    (-3, 2@1)
    """
    if isinstance(b, AxisSum):
        raise _no_division(a, b)
    if isinstance(a, AxisSum):
        return from_terms((axis, quotient(value, b)) for axis, value in a.terms)
    _refuse_zero(a, b)
    if type(a) is int and type(b) is int:
        return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
    if isinstance(a, Expression) or isinstance(b, Expression):
        return truncated_quotient(a, b)
    return a // b + ((a % b != 0) & ((a < 0) != (b < 0)))  # of arrays, whose `//` rounds down


def remainder(a: int, b: int) -> int:
    """a modulo b, with the sign of a."""
    _refuse_zero(a, b)
    if type(a) is int and type(b) is int:
        return a - b * quotient(a, b)
    if isinstance(a, Expression) or isinstance(b, Expression):
        return truncated_remainder(a, b)
    return a - b * quotient(a, b)


def ceiling(a: int | None, b: int | None) -> int:
    """The least c with c * b >= a, for b > 0."""
    if type(a) is int and type(b) is int:
        return -(-a // b)
    if a is None or b is None:
        raise LayoutError("None is no extent to divide, or to divide by")
    return (a + b - 1) // b


def is_multiple(a: int, b: int) -> Truth:
    """Is a a multiple of b? Of run-time integers perhaps a condition, which becomes a guard where its truth is asked.

    >>> is_multiple(12, 4), is_multiple(0, 4), is_multiple(2, 4)
    (True, True, False)
    """
    if type(a) is int and type(b) is int:
        return a % b == 0
    return divides(b, a)


def is_equal(a: Element, b: Element) -> Truth:
    """Are both the same integer? Of run-time integers perhaps a condition, as with `is_multiple`.

    `==` asks for one and the same expression: it says no where the values may agree all the same. What depends on
    the values asks here; above all whether an extent is 1, so that its mode disappears.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> is_equal(4, 4), print(is_equal(SymInt("n"), 1))
    n == 1
    (True, None)
    """
    if (a.__class__ is int and b.__class__ is int) or isinstance(a, AxisSum) or isinstance(b, AxisSum):
        return a == b
    return equals(a, b)


def _refuse_zero(a: Element, b: Element) -> None:
    if isinstance(a, AxisSum) or isinstance(b, AxisSum):
        raise _no_division(a, b)
    if type(b) is int and b == 0:
        raise LayoutError(f"division of {a} by zero")


def _no_division(a: Element, b: Element) -> LayoutError:
    return LayoutError(f"cannot divide {shown(a)} by {shown(b)}: division is for integers, not for value@axis")


def _by_mode(op: Operation, sign: str, a: IntTuple, b: IntTuple) -> IntTuple:
    def walk(x: IntTuple, y: IntTuple) -> IntTuple:
        if isinstance(x, tuple) and x:
            others = modes(y)
            common = min(len(x), len(others))
            return (*map(walk, x, others), *x[common:], *others[common:])
        if isinstance(x, tuple) or isinstance(y, tuple):
            raise LayoutError(f"{to_text(a)} {sign} {to_text(b)}: the profiles differ at {to_text(x)} and {to_text(y)}")
        if keeps(x) or keeps(y):
            raise LayoutError(f"{to_text(a)} {sign} {to_text(b)}: there is no arithmetic on `_`")
        try:
            return in_64_bits(op(x, y))
        except TypeError:
            raise LayoutError(f"{x} {sign} {y} is not defined") from None

    return walk(a, b)


def _divide(a: IntTuple, b: IntTuple, step: Step) -> IntTuple:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return (*(_divide(x, y, step) for x, y in zip(a, b, strict=False)), *a[len(b) :])
    return _consume(a, product(b), step)[0]


def _consume(a: IntTuple, divisor: int, step: Step) -> tuple[IntTuple, int]:
    if isinstance(a, tuple):
        out: list[IntTuple] = []
        for item in a:
            item, divisor = _consume(item, divisor, step)
            out.append(item)
        return tuple(out), divisor
    _require_natural(a, divisor)
    _refuse_zero(a, divisor)
    return step(a, divisor)


def _require_natural(*values: Leaf) -> None:
    for value in values:
        if value is None or isinstance(value, AxisSum) or (type(value) is int and value < 0):
            raise LayoutError(f"cannot divide {' by '.join(map(str, values))}: shapes are positive integers")


def _ceil_step(a: int, divisor: int) -> tuple[int, int]:
    return ceiling(a, divisor), ceiling(divisor, a) if not (type(a) is int and a == 0) else divisor


def _exact_step(a: int, divisor: int) -> tuple[int, int]:
    if type(a) is int and type(divisor) is int and a % divisor and (a == 0 or divisor % a):
        raise LayoutError(f"shape_div: neither of {a} and {divisor} divides the other")
    return _ceil_step(a, divisor)
