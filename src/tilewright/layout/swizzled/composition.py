"""The algebra of composed layouts, outer(offset + inner(c)): composition and inverses."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError, shown
from tilewright.layout.algebra.composition import composition
from tilewright.layout.base import LayoutBase
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.swizzle import Swizzle, compose_swizzles
from tilewright.layout.swizzled.move import moved_out


def make_composed_layout(outer: Any, *rest: Any) -> Any:
    """outer(offset + inner(c)): `make_composed_layout(outer, [offset,] inner)`. A swizzle of no bits disappears.

    >>> print(make_composed_layout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1))))
    Sw<3,3,3> o 0 o (8,64):(64,1)
    """
    if not 1 <= len(rest) <= 2:
        raise LayoutError("make_composed_layout takes an outer function, perhaps an offset, and an inner layout")
    offset, inner = (0, rest[0]) if len(rest) == 1 else rest
    composed = ComposedLayout(outer, offset, inner)
    identity = isinstance(outer, Swizzle) and outer.b == 0 and type(offset) is int and offset == 0
    return inner if identity else composed


def compose_any(lhs: Any, rhs: Any) -> Any:
    """Composition where one side is a swizzle or a composed layout."""
    if isinstance(lhs, ComposedLayout):
        return make_composed_layout(lhs.outer, lhs.offset, composition(lhs.inner, rhs))
    if isinstance(lhs, Swizzle) and isinstance(rhs, Swizzle):
        return compose_swizzles(lhs, rhs)
    if isinstance(lhs, Swizzle) and isinstance(rhs, LayoutBase):
        return _swizzle_of(lhs, rhs)
    if isinstance(lhs, Layout) and isinstance(rhs, ComposedLayout):
        return _layout_of(lhs, rhs)
    if isinstance(lhs, Layout) and isinstance(rhs, Swizzle):
        return _layout_of_swizzle(lhs, rhs)
    raise LayoutError(f"composition takes layouts, swizzles, on the right a tiler; got {shown(lhs)} and {shown(rhs)}")


def right_inverse_of_composed(layout: ComposedLayout) -> Any:
    """R with A(R(i)) == i: the inverse of the inner layout after the swizzle, which is its own inverse."""
    swizzle, inner = _swizzle_and_layout("right_inverse", layout)
    if layout.offset != 0:
        raise LayoutError(f"right_inverse of {layout}: its values start at {layout(0)}, not at 0")
    inverse = inner.right_inverse()
    return _after(inverse, 0, swizzle, swizzle.closed(inverse.size))


def left_inverse_of_composed(layout: ComposedLayout) -> Any:
    """R with R(A(i)) == i: swizzle back, take off the offset, then the inverse of the inner layout."""
    swizzle, inner = _swizzle_and_layout("left_inverse", layout)
    inverse = inner.left_inverse()
    reach = layout.cosize
    return _after(inverse, -layout.offset, swizzle, -(-reach // swizzle.grain) * swizzle.grain)


def _after(inverse: Layout, offset: Any, swizzle: Swizzle, size: int) -> Any:
    """inverse(offset + swizzle(i)) for i in [0, size), with the swizzle outside where it can be moved there."""
    if offset == 0:
        try:
            moved = moved_out(composition(inverse, trusted(size, 1)), swizzle)
        except LayoutError:
            moved = None
        if moved is not None:
            return moved
    return ComposedLayout(inverse, offset, make_composed_layout(swizzle, trusted(size, 1)))


def _swizzle_of(swizzle: Swizzle, layout: Any) -> Any:
    if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle):
        try:
            return make_composed_layout(compose_swizzles(swizzle, layout.outer), layout.offset, layout.inner)
        except LayoutError:
            return ComposedLayout(swizzle, 0, layout)
    return make_composed_layout(swizzle, 0, layout)


def _layout_of(layout: Layout, composed: ComposedLayout) -> Any:
    """L o (outer o offset o inner): L o outer where that is one function, else a chain."""
    try:
        return make_composed_layout(composition(layout, composed.outer), composed.offset, composed.inner)
    except LayoutError:
        return ComposedLayout(layout, 0, composed)


def _layout_of_swizzle(layout: Layout, swizzle: Swizzle) -> Any:
    found = moved_out(layout, swizzle)
    if found is None:
        raise LayoutError(
            f"{layout} o {swizzle}: no swizzle after {layout} does the same, because the bits that {swizzle} reads and "
            f"changes do not stay bits at one distance under the layout"
        )
    return found


def _swizzle_and_layout(name: str, layout: ComposedLayout) -> tuple[Swizzle, Layout]:
    if isinstance(layout.outer, Swizzle) and isinstance(layout.inner, Layout) and type(layout.offset) is int:
        return layout.outer, layout.inner
    raise LayoutError(f"{name} of {layout} is known for a swizzle of a plain layout only")
