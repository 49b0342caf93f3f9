"""The algebra of composed layouts, outer(offset + inner(c)): composition and inverses."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.algebra import composition as plain
from tilewright.layout.algebra.inverse import left_inverse as plain_left_inverse
from tilewright.layout.algebra.inverse import right_inverse as plain_right_inverse
from tilewright.layout.base import LayoutBase
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.query import bounds
from tilewright.layout.slicing import as_coord
from tilewright.layout.swizzle import Swizzle, compose_swizzles
from tilewright.layout.swizzled.move import moved_out
from tilewright.layout.swizzled.range import cosize


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


def composition(lhs: Any, rhs: Any) -> Any:
    """Composition where one side is a swizzle or a composed layout; of two plain sides the plain one."""
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
    return plain.composition(lhs, rhs)


def with_shape(layout: ComposedLayout, *shape: Any) -> Any:
    """The same function of an integer on another shape."""
    return composition(layout, Layout(as_coord(shape)))


def right_inverse(layout: ComposedLayout) -> Any:
    """R with A(R(i)) == i: the inverse of the inner layout after the swizzle, which is its own inverse."""
    swizzle, inner = _swizzle_and_layout("right_inverse", layout)
    if layout.offset != 0:
        raise LayoutError(f"right_inverse of {layout}: its values start at {layout(0)}, not at 0")
    inverse = plain_right_inverse(inner)
    return _after(inverse, 0, swizzle, swizzle.closed(inverse.size))


def left_inverse(layout: ComposedLayout) -> Any:
    """R with R(A(i)) == i: swizzle back, take off the offset, then the inverse of the inner layout."""
    swizzle, inner = _swizzle_and_layout("left_inverse", layout)
    inverse = plain_left_inverse(inner)
    reach = cosize(layout)
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
    """L o (outer o offset o inner): L o outer where that is one function wherever the inner values go, else a chain."""
    try:
        outer = _as_far_as(_reach(composed), layout, composed.outer)
        return make_composed_layout(outer, composed.offset, composed.inner)
    except LayoutError:
        return ComposedLayout(layout, 0, composed)


def _reach(composed: ComposedLayout) -> int:
    """One more than the largest argument that the outer function gets."""
    if isinstance(composed.inner, Layout) and type(composed.offset) is int and not composed.inner.on_axes:
        low, high = bounds(composed.inner)
        if type(low) is int and type(high) is int and composed.offset + low >= 0:
            return composed.offset + high + 1
    raise LayoutError(f"how far the values of {composed.inner} go is not known")


def _as_far_as(reach: int, layout: Layout, outer: Any) -> Any:
    """L o outer, where both go on beyond their domains, right for every argument below the reach."""
    if isinstance(outer, Swizzle):
        size = -(-reach // outer.block) * outer.block if outer.b else reach
        return composition(layout if layout.size >= size else plain.composition(layout, trusted(size, 1)), outer)
    return composition(layout, outer if outer.size >= reach else composition(outer, trusted(reach, 1)))


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
