"""Relations between int tuples, and between the shapes of layouts. `Layout`s stand for their shapes."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.arithmetic import ceil_div
from tilewright.layout.axes import AxisSum
from tilewright.layout.base import LayoutBase
from tilewright.layout.inttuple import IntTuple, as_int_tuple, product, to_text
from tilewright.layout.inttuple import congruent as same_profile


def congruent(a: Any, b: Any) -> bool:
    """Do both have the same profile?

    >>> congruent((4, (2, 8)), (1, (16, 4))), congruent((4,), 4)
    (True, False)
    """
    return same_profile(shape_of(a), shape_of(b))


def weakly_congruent(a: Any, b: Any) -> bool:
    """Is the profile of `a` a prefix of the one of `b`? Then `a` is a coordinate into the shape `b`.

    >>> weakly_congruent(3, (4, 8)), weakly_congruent((1, 2), (4, (2, 8))), weakly_congruent((1, (2,)), (4, 8))
    (True, True, False)
    """

    def walk(x: IntTuple, y: IntTuple) -> bool:
        if not isinstance(x, tuple):
            return True
        return isinstance(y, tuple) and len(x) == len(y) and all(map(walk, x, y))

    return walk(shape_of(a), shape_of(b))


def compatible(a: Any, b: Any) -> bool:
    """Does the shape `b` refine `a`: equal sizes at every leaf of `a`? Every coordinate of `a` is one of `b`.

    >>> compatible(8, (4, 2)), compatible((4, 2), 8), compatible((4, (2, 8)), (4, ((1, 2), 8)))
    (True, False, True)
    """

    def walk(x: IntTuple, y: IntTuple) -> bool:
        if not isinstance(x, tuple):
            return bool(x == product(y))
        return isinstance(y, tuple) and len(x) == len(y) and all(map(walk, x, y))

    return walk(shape_of(a), shape_of(b))


def evenly_divides(a: Any, b: Any) -> bool:
    """Does the shape `b` divide the shape `a` without remainder?

    >>> evenly_divides((8, 6), (4, 3)), evenly_divides((8, 6), (4, 4))
    (True, False)
    """
    a, b = shape_of(a), shape_of(b)
    if isinstance(b, tuple):
        return isinstance(a, tuple) and len(b) <= len(a) and all(map(evenly_divides, a, b))
    if b is None:
        raise LayoutError(f"evenly_divides: None is no extent to divide {to_text(a)} by")
    return bool(product(a) == product(b) * product(ceil_div(a, b)))


def elem_less(a: Any, b: Any) -> Any:
    """Is every leaf of `a` below the one of `b`? With a coordinate and a shape: is the coordinate inside?

    A shorter `a` may be followed by anything; a longer one is not less.

    >>> elem_less((3, 2), (16, 4)), elem_less((3, 4), (16, 4))
    (True, False)
    """
    return _elementwise("elem_less", shape_of(a), shape_of(b), lambda x, y: x < y)


def elem_leq(a: Any, b: Any) -> Any:
    """Is every leaf of `a` at most the one of `b`?

    >>> elem_leq((3, 4), (16, 4))
    True
    """
    return _elementwise("elem_leq", shape_of(a), shape_of(b), lambda x, y: x <= y)


def equal(a: Any, b: Any) -> bool:
    """Equal profiles and equal leaves; two layouts are equal if their shapes and strides are.

    >>> equal((8, 4), (8, 4)), equal((8,), 8)
    (True, False)
    """
    return bool(plain(a) == plain(b))


def shape_of(value: Any) -> IntTuple:
    """The shape of a layout, or the int tuple itself."""
    return value.shape if isinstance(value, LayoutBase) else as_int_tuple(value)


def plain(value: Any) -> Any:
    """A layout as it is, anything else as an int tuple."""
    return value if isinstance(value, LayoutBase) else as_int_tuple(value)


def _elementwise(name: str, a: IntTuple, b: IntTuple, less: Any) -> Any:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) <= len(b) and all(_elementwise(name, x, y, less) for x, y in zip(a, b, strict=False))
    if isinstance(a, tuple) or isinstance(b, tuple) or a is None or b is None:
        raise LayoutError(f"{name}: {to_text(a)} and {to_text(b)} have different profiles")
    if isinstance(a, AxisSum) or isinstance(b, AxisSum):
        raise LayoutError(f"{name}: {a} and {b} are not ordered")
    return less(a, b)
