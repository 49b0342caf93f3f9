"""Inverses of a layout: right, left, and the null space."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum
from tilewright.layout.coalesce import from_modes, merge
from tilewright.layout.inttuple import flatten, prefix_product
from tilewright.layout.layout import Layout

Mode = tuple[int, int, int]


def right_inverse(layout: Any) -> Any:
    """R with A(R(i)) == i for every i of R, as long as the modes of A allow.

    Modes of stride 0 or with strides that do not follow from the others are left out.

    Source: CuTe's `right_inverse`.

    >>> print(right_inverse(Layout((8, 16), (16, 1))))
    (16,8):(8,1)
    """
    if not isinstance(layout, Layout):
        from tilewright.layout.swizzled import right_inverse_swizzled

        return right_inverse_swizzled(layout)
    shapes: list[int] = []
    strides: list[int] = []
    reach = 1
    for extent, stride, position in _sorted_modes(layout):
        if stride == reach:
            shapes.append(extent)
            strides.append(position)
            reach *= extent
    return from_modes(*merge(shapes, strides))


def left_inverse(layout: Any) -> Any:
    """R with R(A(i)) == i for every i of A. Where A is not injective: A(R(A(i))) == A(i).

    Raises:
        LayoutError: no such layout is known, or A takes negative values.

    Source: CuTe's `left_inverse`.

    >>> print(left_inverse(Layout((3, 4), (1, 5))), left_inverse(Layout(4, 2)))
    (5,4):(1,3) (2,4):(0,1)
    """
    if not isinstance(layout, Layout):
        from tilewright.layout.swizzled import left_inverse_swizzled

        return left_inverse_swizzled(layout)
    shapes: list[int] = []
    strides: list[int] = []
    reach, extent, position = 1, 1, 0
    for extent_next, stride, position_next in _sorted_modes(layout):
        if stride == 0:
            continue
        if stride < 0 or stride % reach or (position and stride < reach * extent):
            raise LayoutError(f"left_inverse: {layout} has no gap-filling inverse at mode {extent_next}:{stride}")
        shapes.append(stride // reach)
        strides.append(position)
        reach, extent, position = stride, extent_next, position_next
    return from_modes(*merge([*shapes, extent], [*strides, position]))


def nullspace(layout: Any) -> Layout:
    """N, of size as large as possible, with A(N(i)) == 0: the modes of stride 0.

    >>> print(nullspace(Layout((4, 8), (0, 1))), nullspace(Layout(8)))
    4:1 1:0
    """
    inner = layout if isinstance(layout, Layout) else layout.inner
    compact = flatten(prefix_product(inner.shape))
    kept = [(s, p) for (s, d), p in zip(inner.flat, compact, strict=True) if type(d) is int and d == 0 and s != 1]
    return from_modes([s for s, _ in kept], [p for _, p in kept])


def _sorted_modes(layout: Layout) -> list[Mode]:
    """(extent, stride, coordinate step) of the coalesced modes by increasing stride."""
    shapes, strides = merge(flatten(layout.shape), flatten(layout.stride))
    if any(isinstance(d, AxisSum) for d in strides):
        raise LayoutError(f"the inverse of {layout}: its strides are not integers")
    steps = flatten(prefix_product(tuple(shapes)))
    return sorted(zip(shapes, strides, steps, strict=True), key=lambda mode: mode[1])
