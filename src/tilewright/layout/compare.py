"""Relations between int tuples, and between the shapes of layouts. `Layout`s stand for their shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.arithmetic import ceil_div
from tilewright.layout.axes import AxisSum
from tilewright.layout.base import LayoutBase
from tilewright.layout.inttuple import IntTuple, as_int_tuple, product, to_text
from tilewright.layout.inttuple import congruent as same_profile
from tilewright.layout.view import View

if TYPE_CHECKING:
    from tilewright.layout.inttuple import IntTupleLike, Tree


def congruent(lhs: IntTupleLike | LayoutBase, rhs: IntTupleLike | LayoutBase) -> bool:
    """Do both have the same profile?

    Raises:
        LayoutError: neither int tuples nor layouts.

    >>> congruent((4, (2, 8)), (1, (16, 4))), congruent((4,), 4)
    (True, False)
    """
    return same_profile(shape_of(lhs), shape_of(rhs))


def weakly_congruent(lhs: IntTupleLike | LayoutBase, rhs: IntTupleLike | LayoutBase) -> bool:
    """Is the profile of `lhs` a prefix of the one of `rhs`? Then `lhs` is a coordinate into the shape `rhs`.

    Raises:
        LayoutError: neither int tuples nor layouts.

    >>> weakly_congruent(3, (4, 8)), weakly_congruent((1, 2), (4, (2, 8))), weakly_congruent((1, (2,)), (4, 8))
    (True, True, False)
    """

    def walk(x: IntTuple, y: IntTuple) -> bool:
        if not isinstance(x, tuple):
            return True
        return isinstance(y, tuple) and len(x) == len(y) and all(map(walk, x, y))

    return walk(shape_of(lhs), shape_of(rhs))


def compatible(lhs: IntTupleLike | LayoutBase, rhs: IntTupleLike | LayoutBase) -> bool:
    """Does the shape `rhs` refine `lhs`: equal sizes at every leaf of `lhs`? Every coordinate of `lhs` is one of `rhs`.

    Raises:
        LayoutError: neither shapes nor layouts.

    >>> compatible(8, (4, 2)), compatible((4, 2), 8), compatible((4, (2, 8)), (4, ((1, 2), 8)))
    (True, False, True)
    """

    def walk(x: IntTuple, y: IntTuple) -> bool:
        if not isinstance(x, tuple):
            return bool(x == product(y))
        return isinstance(y, tuple) and len(x) == len(y) and all(map(walk, x, y))

    return walk(shape_of(lhs), shape_of(rhs))


def common_refinement(lhs: IntTupleLike | LayoutBase, rhs: IntTupleLike | LayoutBase) -> IntTuple:
    """The coarsest shape that refines both: compatible(s, t) exactly if compatible(lhs, t) and compatible(rhs, t).

    Here s is the result and t any shape. So every coordinate of either is one of s, and nothing is split needlessly.

    Raises:
        LayoutError: no shape refines both: at some place extents, sizes or ranks differ.

    Source: NVIDIA's PyCuTe, `common_refinement`.

    >>> common_refinement(30, (2, 15)), common_refinement(((2, 3), 20), (6, (4, 5)))
    ((2, 15), ((2, 3), (4, 5)))
    """

    def walk(x: IntTuple, y: IntTuple) -> IntTuple:
        if isinstance(x, tuple) and isinstance(y, tuple) and len(x) == len(y):
            return tuple(map(walk, x, y))
        if isinstance(y, tuple) and not isinstance(x, tuple):
            x, y = y, x
        if isinstance(y, tuple) or product(x) != product(y):
            raise LayoutError(f"no shape refines {to_text(a)} and {to_text(b)}: {to_text(x)} is not {to_text(y)}")
        return x

    a, b = shape_of(lhs), shape_of(rhs)
    return walk(a, b)


def evenly_divides(lhs: IntTupleLike | LayoutBase, rhs: IntTupleLike | LayoutBase) -> bool:
    """Does the shape `rhs` divide the shape `lhs` without remainder?

    Raises:
        LayoutError: neither shapes nor layouts.

    >>> evenly_divides((8, 6), (4, 3)), evenly_divides((8, 6), (4, 4))
    (True, False)
    """
    a, b = shape_of(lhs), shape_of(rhs)
    if isinstance(b, tuple):
        return isinstance(a, tuple) and len(b) <= len(a) and all(map(evenly_divides, a, b))
    if b is None:
        raise LayoutError(f"evenly_divides: None is no extent to divide {to_text(a)} by")
    return bool(product(a) == product(b) * product(ceil_div(a, b)))


def elem_less(lhs: IntTupleLike | LayoutBase, rhs: IntTupleLike | LayoutBase) -> bool:
    """Is every leaf of `lhs` below the one of `rhs`? With a coordinate and a shape: is the coordinate inside?

    A shorter `lhs` may be followed by anything; a longer one is not less.

    Raises:
        LayoutError: neither int tuples nor layouts, or of different profiles.

    >>> elem_less((3, 2), (16, 4)), elem_less((3, 4), (16, 4))
    (True, False)
    """
    return _elementwise("elem_less", shape_of(lhs), shape_of(rhs), lambda x, y: x < y)


def elem_leq(lhs: IntTupleLike | LayoutBase, rhs: IntTupleLike | LayoutBase) -> bool:
    """Is every leaf of `lhs` at most the one of `rhs`?

    Raises:
        LayoutError: neither int tuples nor layouts, or of different profiles.

    >>> elem_leq((3, 4), (16, 4))
    True
    """
    return _elementwise("elem_leq", shape_of(lhs), shape_of(rhs), lambda x, y: x <= y)


def equal(lhs: IntTupleLike | LayoutBase, rhs: IntTupleLike | LayoutBase) -> bool:
    """Equal profiles and equal leaves; two layouts are equal if their shapes and strides are.

    Raises:
        LayoutError: neither int tuples nor layouts.

    >>> equal((8, 4), (8, 4)), equal((8,), 8)
    (True, False)
    """
    return bool(plain(lhs) == plain(rhs))


def shape_of(value: IntTupleLike | LayoutBase | View) -> IntTuple:
    """The shape of a layout or view, or the int tuple itself."""
    return value.shape if isinstance(value, LayoutBase | View) else as_int_tuple(value)


def plain(value: IntTupleLike | LayoutBase) -> IntTuple | LayoutBase:
    """A layout as it is, anything else as an int tuple."""
    return value if isinstance(value, LayoutBase) else as_int_tuple(value)


def _elementwise(name: str, a: Tree, b: Tree, less: Callable[[int, int], bool]) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) <= len(b) and all(_elementwise(name, x, y, less) for x, y in zip(a, b, strict=False))
    if isinstance(a, tuple) or isinstance(b, tuple) or a is None or b is None:
        raise LayoutError(f"{name}: {to_text(a)} and {to_text(b)} have different profiles")
    if isinstance(a, AxisSum) or isinstance(b, AxisSum):
        raise LayoutError(f"{name}: {a} and {b} are not ordered")
    return less(a, b)
