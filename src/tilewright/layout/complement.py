"""Complement: the layout that fills the gaps of another one, up to a target."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout import arithmetic
from tilewright.layout.axes import AxisSum
from tilewright.layout.base import LayoutBase
from tilewright.layout.coalesce import from_modes, merge
from tilewright.layout.inttuple import IntTuple, as_int_tuple, leaves, product, to_text
from tilewright.layout.layout import Layout
from tilewright.layout.query import cosize


def complement(layout: Any, cotarget: Any = None) -> Layout:
    """R such that A(i) + R(j) are all distinct, R is increasing, and together they cover [0, cotarget).

    Modes of size 1 and of stride 0 do not count. Where the reach of A does not divide the cotarget, R covers more.

    Args:
        layout: A; its strides, sorted, must chain: each a multiple of the reach s * d of the one before.
        cotarget: An integer or a shape; the cosize of A if not given.

    Raises:
        LayoutError: the strides do not chain, or are negative.

    Source: CuTe's `complement`; the conditions are in "A Note on the Algebra of CuTe Layouts" (Shah).

    >>> print(complement(Layout((2, 2), (1, 6)), 24), complement(Layout(4, 2)))
    (3,2):(2,12) 2:1
    """
    if not isinstance(layout, Layout):
        layout = layout.inner
    target = cosize(layout) if cotarget is None else _target(cotarget)
    return _fill(layout, target)


def ceil_div(a: Any, b: Any) -> IntTuple:
    """The least c with c * b >= a, mode by mode; an integer divisor is used up from the first mode on.

    Where `b` is shorter its missing modes are 1; for a layout `b` it is the shape of its complement in `a`.

    >>> ceil_div((7, 9), (2, 4)), ceil_div((2, (4, 4, 2)), 16), ceil_div((4, 4), Layout(4, 2))
    ((4, 3), (1, (1, 2, 2)), (2, 2))
    """
    return complement(b, a).shape if isinstance(b, Layout) else arithmetic.ceil_div(a, b)


def _target(value: Any) -> IntTuple:
    target = value.shape if isinstance(value, LayoutBase) else as_int_tuple(value)
    if any(type(n) is not int or n < 1 for n in leaves(target)):
        raise LayoutError(f"complement: the cotarget must be positive, got {to_text(target)}")
    return target


def _fill(layout: Layout, target: IntTuple) -> Layout:
    shapes: list[int] = []
    strides: list[int] = []
    reach = 1
    for extent, stride in _sorted_modes(layout):
        if stride % reach or stride < reach:
            raise LayoutError(_does_not_chain(layout, extent, stride, reach))
        if stride != reach:
            shapes.append(stride // reach)
            strides.append(reach)
        reach = extent * stride
    rest = product(arithmetic.ceil_div(target, reach))
    return from_modes(*merge([*shapes, rest], [*strides, reach]))


def _sorted_modes(layout: Layout) -> list[tuple[int, int]]:
    found = []
    for s, d in zip(*merge(*_without_zeros(layout)), strict=True):
        if isinstance(d, AxisSum):
            raise LayoutError(f"complement: strides of {layout} are not ordered integers")
        if d < 0:
            raise LayoutError(f"complement: {layout} has the negative stride {d}")
        found.append((s, d))
    return sorted(found, key=lambda mode: mode[1])


def _without_zeros(layout: Layout) -> tuple[list[Any], list[Any]]:
    pairs = [(s, d) for s, d in layout.flat if not (type(d) is int and d == 0)]
    return [s for s, _ in pairs], [d for _, d in pairs]


def _does_not_chain(layout: Layout, extent: int, stride: int, reach: int) -> str:
    return (
        f"complement: the strides of {layout} do not chain: mode {extent}:{stride} starts at {stride}, which is no "
        f"positive multiple of {reach}, the reach of the modes below it"
    )
