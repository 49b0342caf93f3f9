"""Arithmetic on int tuples: element by element, and the two divisions that walk a tuple from its fastest mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import AxisSum, from_terms
from tilewright.layout.inttuple import IntTuple, as_int_tuple, product, to_text
from tilewright.layout.symbolic.comparison import divides, equals
from tilewright.layout.symbolic.expression import Expression
from tilewright.layout.symbolic.operators import truncated_quotient, truncated_remainder

if TYPE_CHECKING:
    from tilewright.layout.inttuple import IntTupleLike

Operation = Callable[[Any, Any], Any]


def int_tuple_add(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs + rhs mode by mode; surplus modes of the longer tuple are copied, an integer rhs acts on the first mode.

    >>> int_tuple_add((1, (2, 3)), (10, (20, 30))), int_tuple_add((1, 2), (1, 2, 3)), int_tuple_add((1, 2), 5)
    ((11, (22, 33)), (2, 4, 3), (6, 2))
    """
    return _by_mode(lambda x, y: x + y, "+", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_sub(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs - rhs mode by mode; the surplus modes of the longer tuple are copied.

    >>> int_tuple_sub((13, 10), (5, 8))
    (8, 2)
    """
    return _by_mode(lambda x, y: x - y, "-", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_mul(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs * rhs mode by mode; the surplus modes of the longer tuple are copied.

    >>> int_tuple_mul((3, (4, 5)), (2, (2, 2)))
    (6, (8, 10))
    """
    return _by_mode(lambda x, y: x * y, "*", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs // rhs mode by mode, rounded towards zero as in C; the surplus modes of the longer tuple are copied.

    >>> int_tuple_div((18, 17), (5, 12))
    (3, 1)
    """
    return _by_mode(quotient, "/", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_mod(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """lhs - rhs * (lhs / rhs) mode by mode, with the sign of lhs as in C; surplus modes of the longer tuple are copied.

    >>> int_tuple_mod((16, 10), (3, 10))
    (1, 0)
    """
    return _by_mode(remainder, "%", as_int_tuple(lhs), as_int_tuple(rhs))


def int_tuple_product(t: IntTupleLike) -> int:
    """The product of all leaves.

    >>> int_tuple_product((8, (2, 8)))
    128
    """
    total: int = product(as_int_tuple(t))
    return total


def int_tuple_product_each(t: IntTupleLike) -> IntTuple:
    """The product of each top-level mode.

    >>> int_tuple_product_each((8, (2, 8)))
    (8, 16)
    """
    t = as_int_tuple(t)
    return tuple(map(product, t)) if isinstance(t, tuple) else t


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
            total: int = product(node)
            return total
        modes = node if isinstance(node, tuple) else (node,)
        if len(modes) < len(like):
            raise LayoutError(f"product_like: {to_text(guide)} has more modes than {to_text(t)}")
        return tuple(map(walk, modes, like))

    return walk(t, guide)


def ceil_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The least c with c * rhs >= lhs, mode by mode; an integer divisor is used up from the first mode on.

    Where one of them is shorter its missing modes are 1; a tuple divides an integer by its product.

    >>> ceil_div((7, 9), (2, 4)), ceil_div((2, (4, 4, 2)), 16)
    ((4, 3), (1, (1, 2, 2)))
    """
    return _divide(as_int_tuple(lhs), as_int_tuple(rhs), _ceil_step)


def shape_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """`ceil_div` where every step must divide: lhs % rhs == 0 or rhs % lhs == 0.

    Raises:
        LayoutError: a step does not divide.

    >>> shape_div((12, 4), (4, 8)), shape_div((3, 4), 6)
    ((3, 1), (1, 2))
    """
    return _divide(as_int_tuple(lhs), as_int_tuple(rhs), _exact_step)


def quotient(a: Any, b: Any) -> Any:
    """a / b, towards zero; of a module element each coefficient by itself.

    >>> from tilewright.layout.axes import term
    >>> quotient(-7, 2), quotient(term(8, (1,)), 4)
    (-3, 2@1)
    """
    if isinstance(a, AxisSum) and not isinstance(b, AxisSum):
        return from_terms((axis, quotient(value, b)) for axis, value in a.terms)
    _refuse_zero(a, b)
    if type(a) is int and type(b) is int:
        return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
    return truncated_quotient(a, b) if isinstance(a, Expression) or isinstance(b, Expression) else a // b


def remainder(a: Any, b: Any) -> Any:
    """a modulo b, with the sign of a."""
    _refuse_zero(a, b)
    if type(a) is int and type(b) is int:
        return a - b * quotient(a, b)
    return truncated_remainder(a, b) if isinstance(a, Expression) or isinstance(b, Expression) else a % b


def ceiling(a: Any, b: Any) -> Any:
    """The least c with c * b >= a, for b > 0."""
    if type(a) is int and type(b) is int:
        return -(-a // b)
    if a is None or b is None:
        raise LayoutError("None is no extent to divide, or to divide by")
    return (a + b - 1) // b


def is_multiple(a: Any, b: Any) -> Any:
    """Is a a multiple of b? Of run-time integers perhaps a condition, which becomes a guard where its truth is asked.

    >>> is_multiple(12, 4), is_multiple(0, 4), is_multiple(2, 4)
    (True, True, False)
    """
    if type(a) is int and type(b) is int:
        return a % b == 0
    return divides(b, a)


def is_equal(a: Any, b: Any) -> Any:
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


def _refuse_zero(a: Any, b: Any) -> None:
    if isinstance(a, AxisSum) or isinstance(b, AxisSum):
        raise LayoutError(f"cannot divide {shown(a)} by {shown(b)}: division is for integers, not for value@axis")
    if type(b) is int and b == 0:
        raise LayoutError(f"division of {a} by zero")


def _by_mode(op: Operation, sign: str, a: IntTuple, b: IntTuple) -> IntTuple:
    def walk(x: Any, y: Any) -> Any:
        if isinstance(x, tuple) and x:
            y = y if isinstance(y, tuple) else (y,)
            common = min(len(x), len(y))
            return (*map(walk, x, y), *x[common:], *y[common:])
        if isinstance(x, tuple) or isinstance(y, tuple):
            raise LayoutError(f"{to_text(a)} {sign} {to_text(b)}: the profiles differ at {to_text(x)} and {to_text(y)}")
        if x is None or y is None:
            raise LayoutError(f"{to_text(a)} {sign} {to_text(b)}: there is no arithmetic on `_`")
        try:
            return op(x, y)
        except TypeError:
            raise LayoutError(f"{x} {sign} {y} is not defined") from None

    found: IntTuple = walk(a, b)
    return found


def _divide(a: IntTuple, b: IntTuple, step: Callable[[Any, Any], tuple[Any, Any]]) -> IntTuple:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return (*(_divide(x, y, step) for x, y in zip(a, b, strict=False)), *a[len(b) :])
    return _consume(a, product(b), step)[0]


def _consume(a: IntTuple, divisor: Any, step: Callable[[Any, Any], tuple[Any, Any]]) -> tuple[IntTuple, Any]:
    if isinstance(a, tuple):
        out = []
        for item in a:
            item, divisor = _consume(item, divisor, step)
            out.append(item)
        return tuple(out), divisor
    _positive(a, divisor)
    return step(a, divisor)


def _positive(a: Any, divisor: Any) -> None:
    for value in (a, divisor):
        if value is None or isinstance(value, AxisSum) or (type(value) is int and value < 0):
            raise LayoutError(f"cannot divide {a} by {divisor}: shapes are positive integers")
    _refuse_zero(a, divisor)


def _ceil_step(a: Any, divisor: Any) -> tuple[Any, Any]:
    return ceiling(a, divisor), ceiling(divisor, a) if not (type(a) is int and a == 0) else divisor


def _exact_step(a: Any, divisor: Any) -> tuple[Any, Any]:
    if type(a) is int and type(divisor) is int and a % divisor and (a == 0 or divisor % a):
        raise LayoutError(f"shape_div: neither of {a} and {divisor} divides the other")
    return _ceil_step(a, divisor)
