"""The algebra of composed layouts: outer(offset + inner(c)) with a swizzle or a layout outside."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import as_int_tuple
from tilewright.layout.layout import Layout, crd2idx
from tilewright.layout.slicing import _keep, _zeros
from tilewright.layout.swizzle import Swizzle


def make_composed_layout(outer: Any, *rest: Any) -> Any:
    """outer(offset + inner(c)): `make_composed_layout(outer, [offset,] inner)`. A swizzle of no bits disappears.

    >>> print(make_composed_layout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1))))
    Sw<3,3,3> o 0 o (8,64):(64,1)
    """
    if not 1 <= len(rest) <= 2:
        raise LayoutError("make_composed_layout takes an outer function, perhaps an offset, and an inner layout")
    offset, inner = (0, rest[0]) if len(rest) == 1 else rest
    if isinstance(outer, Swizzle) and outer.b == 0 and type(offset) is int and offset == 0:
        return inner
    return ComposedLayout(outer, offset, inner)


def compose_swizzled(lhs: Any, rhs: Any) -> Any:
    """Composition where one side is a swizzle or a composed layout."""
    from tilewright.layout.composition import composition

    if isinstance(lhs, ComposedLayout):
        return make_composed_layout(lhs.outer, lhs.offset, composition(lhs.inner, rhs))
    if isinstance(rhs, ComposedLayout):
        return make_composed_layout(composition(lhs, rhs.outer), rhs.offset, rhs.inner)
    if isinstance(lhs, Swizzle) and isinstance(rhs, Swizzle):
        return compose_swizzles(lhs, rhs)
    if isinstance(lhs, Swizzle) and isinstance(rhs, Layout):
        return make_composed_layout(lhs, 0, rhs)
    if isinstance(lhs, Layout) and isinstance(rhs, Swizzle):
        return swizzle_of_coordinates(lhs, rhs)
    raise LayoutError(f"cannot compose {lhs} with {rhs}")


def compose_swizzles(a: Swizzle, b: Swizzle) -> Swizzle:
    """The one swizzle that is a o b.

    Raises:
        LayoutError: the shifts differ, or the fields overlap in part.

    >>> print(compose_swizzles(Swizzle(1, 4, 3), Swizzle(1, 5, 3)))
    Sw<2,4,3>
    """
    if a.b == 0 or b.b == 0:
        return a if b.b == 0 else b
    if a.s == b.s and a.m + a.b == b.m:
        return Swizzle(a.b + b.b, a.m, a.s)
    if a.s == b.s and b.m + b.b == a.m:
        return Swizzle(a.b + b.b, b.m, a.s)
    if a == b:
        return Swizzle(0, a.m, a.s)
    raise LayoutError(f"{a} o {b} is not one swizzle: keep both in a composed layout")


def swizzle_of_coordinates(layout: Layout, swizzle: Swizzle) -> Any:
    """L o Sw as Sw' o 0 o L."""
    raise LayoutError(f"{layout} o {swizzle} is not a swizzled layout")


def slice_composed(layout: ComposedLayout, coord: Any) -> Any:
    """The composed layout of the modes under None, with the others in the offset."""
    where = as_int_tuple(coord)
    inner = layout.inner
    if isinstance(inner, ComposedLayout):
        raise LayoutError(f"slice: {layout} is composed twice")
    offset = crd2idx(_zeros(where), inner.shape, inner.stride)
    kept = Layout(_keep(inner.shape, where, True), _keep(inner.stride, where, True))
    return make_composed_layout(layout.outer, layout.offset + offset, kept)


def right_inverse_swizzled(layout: ComposedLayout) -> Any:
    """The right inverse of a swizzled layout."""
    from tilewright.layout.inverse import right_inverse

    if isinstance(layout.outer, Swizzle) and layout.offset == 0 and isinstance(layout.inner, Layout):
        swizzled = ComposedLayout(layout.outer, 0, Layout(layout.inner.size))
        return ComposedLayout(right_inverse(layout.inner), 0, swizzled)
    raise LayoutError(f"right_inverse: not known for {layout}")


def left_inverse_swizzled(layout: ComposedLayout) -> Any:
    """The left inverse of a swizzled layout."""
    raise LayoutError(f"left_inverse: not known for {layout}")
