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
    """The difference, mode by mode."""
    return _of("int_tuple_sub", lhs, rhs)


def int_tuple_mul(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The product, mode by mode."""
    return _of("int_tuple_mul", lhs, rhs)


def int_tuple_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The quotient rounded towards 0, mode by mode."""
    return _of("int_tuple_div", lhs, rhs)


def int_tuple_mod(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The remainder, mode by mode."""
    return _of("int_tuple_mod", lhs, rhs)


def int_tuple_product(int_tuple: IntTupleLike) -> IntTuple:
    """The product of all integers."""
    return _of("int_tuple_product", int_tuple)


def int_tuple_product_each(int_tuple: IntTupleLike) -> IntTuple:
    """The product of each mode.

    >>> int_tuple_product_each((2, (3, 4)))
    IntTuple<(2,12)>
    """
    return _of("int_tuple_product_each", int_tuple)


def int_tuple_product_like(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The products of the parts of `lhs` that are integers in `rhs`."""
    return _of("int_tuple_product_like", lhs, rhs)


def shape_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The quotient of shapes, of which one divides the other."""
    return _of("shape_div", lhs, rhs)


def ceil_div(lhs: IntTupleLike, rhs: IntTupleLike) -> IntTuple:
    """The quotient rounded up, mode by mode.

    >>> ceil_div((7, 9), 2)
    IntTuple<(4,9)>
    """
    return _of("ceil_div", lhs, rhs)
