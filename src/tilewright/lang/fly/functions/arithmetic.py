"""Arithmetic of int tuples, mode by mode."""

from __future__ import annotations

from tilewright.lang.fly.values.base import apply, expect
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike, int_tuple

__all__ = [
    "ceil_div",
    "int_tuple_add",
    "int_tuple_div",
    "int_tuple_mod",
    "int_tuple_mul",
    "int_tuple_product",
    "int_tuple_product_each",
    "int_tuple_product_like",
    "int_tuple_sub",
    "shape_div",
]


def _of(name: str, *operands: IntTupleLike) -> IntTuple:
    return expect(apply(name, *map(int_tuple, operands)), IntTuple, "an int tuple")


def int_tuple_add(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The sum, mode by mode.

    >>> int_tuple_add((1, 2), (3, 4))
    IntTuple<(4,6)>
    """
    return _of("int_tuple_add", lhs, rhs)


def int_tuple_sub(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The difference, mode by mode.

    >>> import tilewright.expr as fx
    >>> fx.int_tuple_sub((4, 8), (1, 2))
    IntTuple<(3,6)>
    """
    return _of("int_tuple_sub", lhs, rhs)


def int_tuple_mul(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The product, mode by mode.

    >>> import tilewright.expr as fx
    >>> fx.int_tuple_mul((4, 8), (2, 3))
    IntTuple<(8,24)>
    """
    return _of("int_tuple_mul", lhs, rhs)


def int_tuple_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The quotient rounded towards 0, mode by mode.

    >>> import tilewright.expr as fx
    >>> fx.int_tuple_div((4, 8), (2, 3))
    IntTuple<(2,2)>
    """
    return _of("int_tuple_div", lhs, rhs)


def int_tuple_mod(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The remainder, mode by mode.

    >>> import tilewright.expr as fx
    >>> fx.int_tuple_mod((4, 8), (3, 3))
    IntTuple<(1,2)>
    """
    return _of("int_tuple_mod", lhs, rhs)


def int_tuple_product(int_tuple: IntTupleLike) -> IntTuple:
    """The product of all integers.

    >>> import tilewright.expr as fx
    >>> fx.int_tuple_product((2, 3, 4))
    IntTuple<24>
    """
    return _of("int_tuple_product", int_tuple)


def int_tuple_product_each(int_tuple: IntTupleLike) -> IntTuple:
    """The product of each mode.

    >>> int_tuple_product_each((2, (3, 4)))
    IntTuple<(2,12)>
    """
    return _of("int_tuple_product_each", int_tuple)


def int_tuple_product_like(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The products of the parts of `lhs` that are integers in `rhs`.

    >>> import tilewright.expr as fx
    >>> fx.int_tuple_product_like(((2, 3), 4), (1, 1))
    IntTuple<(6,4)>
    """
    return _of("int_tuple_product_like", lhs, rhs)


def shape_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The quotient of shapes, of which one divides the other.

    >>> import tilewright.expr as fx
    >>> fx.shape_div((4, 8), (2, 4))
    IntTuple<(2,2)>
    """
    return _of("shape_div", lhs, rhs)


def ceil_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The quotient rounded up, mode by mode.

    >>> ceil_div((7, 9), 2)
    IntTuple<(4,9)>
    """
    return _of("ceil_div", lhs, rhs)
