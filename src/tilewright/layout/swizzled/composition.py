"""The algebra of composed layouts, outer(offset + inner(c)): composition and inverses."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, overload

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

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import KnownTiler, Tiler
    from tilewright.layout.axes import Known, Value
    from tilewright.layout.inttuple import Ints, IntTupleLike, KnownInts
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


@overload
def make_composed_layout(
    inner: Swizzle, offset: Layout[V] | ComposedLayout[V], outer: None = None
) -> Layout[V] | ComposedLayout[V]: ...
@overload
def make_composed_layout(
    inner: Swizzle, offset: KnownInts | None, outer: Layout[V] | ComposedLayout[V]
) -> Layout[V] | ComposedLayout[V]: ...
@overload
def make_composed_layout(
    inner: Swizzle, offset: IntTupleLike, outer: Layout[V] | ComposedLayout[V]
) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
@overload
def make_composed_layout(
    inner: Layout[V] | ComposedLayout[V],
    offset: KnownInts | Layout[Known] | ComposedLayout[Known] | None,
    outer: Layout[Known] | ComposedLayout[Known] | None = None,
) -> ComposedLayout[V]: ...
@overload
def make_composed_layout(
    inner: Layout[V] | ComposedLayout[V], offset: IntTupleLike | LayoutBase, outer: LayoutBase | None = None
) -> ComposedLayout[V | SymInt]: ...
def make_composed_layout(
    inner: Swizzle | Layout[V] | ComposedLayout[V],
    offset: IntTupleLike | LayoutBase = None,
    outer: LayoutBase | None = None,
) -> Layout[V] | ComposedLayout[V]:
    """x -> inner(offset + outer(x)): `make_composed_layout(inner, [offset,] outer)`. A swizzle of no bits disappears.

    The names are CuTe's and FlyDSL's: `inner` is the function that comes last, which `ComposedLayout` calls `outer`.

    Raises:
        LayoutError: parts that are no layouts or swizzles, or an offset that is none.

    >>> print(make_composed_layout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1))))
    Sw<3,3,3> o 0 o (8,64):(64,1)
    >>> print(make_composed_layout(Swizzle(3, 3, 3), Layout((8, 64), (64, 1))))
    Sw<3,3,3> o 0 o (8,64):(64,1)
    """
    start, below = (0, offset) if outer is None else (0 if offset is None else offset, outer)
    composed: ComposedLayout = ComposedLayout(inner, start, below)  # type: ignore[call-overload]  # refuses the rest
    identity = isinstance(inner, Swizzle) and inner.b == 0 and type(composed.offset) is int and composed.offset == 0
    return composed.inner if identity else composed


@overload
def composition(layout: Swizzle, tiler: Swizzle) -> Swizzle: ...
@overload
def composition(layout: Swizzle, tiler: Layout[V] | ComposedLayout[V]) -> Layout[V] | ComposedLayout[V]: ...
@overload
def composition(layout: Layout[V], tiler: ComposedLayout[Known] | Swizzle) -> Layout[V] | ComposedLayout[V]: ...
@overload
def composition(layout: Layout[V], tiler: ComposedLayout[Value]) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
@overload
def composition(
    layout: ComposedLayout[V], tiler: KnownTiler | ComposedLayout[Known] | Swizzle
) -> Layout[V] | ComposedLayout[V]: ...
@overload
def composition(
    layout: ComposedLayout[V], tiler: Tiler | ComposedLayout[Value]
) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def composition(
    layout: Swizzle | Layout[V] | ComposedLayout[V], tiler: Swizzle | ComposedLayout[Value] | Tiler
) -> Swizzle | Layout[V] | ComposedLayout[V]:
    """Composition where one side is a swizzle or a composed layout; of two plain sides the plain one."""
    if isinstance(layout, Swizzle) and isinstance(tiler, Swizzle):
        return compose_swizzles(layout, tiler)
    if isinstance(layout, Swizzle) and isinstance(tiler, Layout | ComposedLayout):
        return _of_swizzle(layout, tiler)
    return _of_layout(layout, tiler)  # type: ignore[arg-type]  # which refuses what is no layout


def _of_layout(layout: Layout | ComposedLayout, tiler: Swizzle | ComposedLayout | Tiler) -> Layout | ComposedLayout:
    if isinstance(layout, ComposedLayout):
        return make_composed_layout(layout.outer, layout.offset, _of_layout(layout.inner, tiler))
    if not isinstance(layout, Layout) or not isinstance(tiler, Swizzle | ComposedLayout):
        return plain.composition(layout, tiler)
    return _of_plain(layout, tiler) if isinstance(tiler, ComposedLayout) else _swizzled(layout, tiler)


def _of_swizzle(swizzle: Swizzle, layout: Layout | ComposedLayout) -> Layout | ComposedLayout:
    """Two swizzles, one after the other, are one where there is such a one."""
    if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle):
        with suppress(LayoutError):
            return make_composed_layout(compose_swizzles(swizzle, layout.outer), layout.offset, layout.inner)
    return make_composed_layout(swizzle, 0, layout)


def _of_plain(layout: Layout, composed: ComposedLayout) -> Layout | ComposedLayout:
    """L o (outer o offset o inner): L o outer where that is one function wherever the inner values go, else a chain."""
    try:
        outer = _joined(layout, composed.outer, _reach(composed))
    except LayoutError:
        return ComposedLayout(layout, 0, composed)
    return make_composed_layout(outer, composed.offset, composed.inner)


def _joined(layout: Layout, outer: Swizzle | Layout | ComposedLayout, reach: int) -> Layout | ComposedLayout:
    """L o outer, where both go on beyond their domains, right for every argument below the reach."""
    if isinstance(outer, Swizzle):
        return _of_layout(_as_far_as(-(-reach // outer.block) * outer.block if outer.b else reach, layout), outer)
    return _of_layout(layout, _as_far_as(reach, outer))


def _as_far_as(size: int, layout: Layout | ComposedLayout) -> Layout | ComposedLayout:
    return layout if layout.size >= size else _of_layout(layout, trusted(size, 1))


def _reach(composed: ComposedLayout) -> int:
    """One more than the largest argument that the outer function gets."""
    if isinstance(composed.inner, Layout) and type(composed.offset) is int and not composed.inner.on_axes:
        low, high = bounds(composed.inner)
        if type(low) is int and type(high) is int and composed.offset + low >= 0:
            return composed.offset + high + 1
    raise LayoutError(f"how far the values of {composed.inner} go is not known")


def _swizzled(layout: Layout, swizzle: Swizzle) -> Layout | ComposedLayout:
    found = moved_out(layout, swizzle)
    if found is None:
        raise LayoutError(
            f"{layout} o {swizzle}: no swizzle after {layout} does the same, because the bits that {swizzle} reads and "
            f"changes do not stay bits at one distance under the layout"
        )
    return found


@overload
def with_shape(layout: ComposedLayout[V], *shape: KnownInts) -> Layout[V] | ComposedLayout[V]: ...
@overload
def with_shape(layout: ComposedLayout[V], *shape: Ints) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
def with_shape(layout: ComposedLayout[V], *shape: Ints) -> Layout | ComposedLayout:
    """The same function of an integer on another shape."""
    return _of_layout(layout, Layout(as_coord(shape)))


def right_inverse(layout: ComposedLayout[int]) -> Layout[int] | ComposedLayout[int]:
    """R with A(R(i)) == i: the inverse of the inner layout after the swizzle, which is its own inverse."""
    swizzle, inner = _swizzle_and_layout("right_inverse", layout)
    if layout.offset != 0:
        raise LayoutError(f"right_inverse of {layout}: its values start at {layout(0)}, not at 0")
    inverse = plain_right_inverse(inner)
    return _after(inverse, 0, swizzle, swizzle.closed(inverse.size))


def left_inverse(layout: ComposedLayout[int]) -> Layout[int] | ComposedLayout[int]:
    """R with R(A(i)) == i: swizzle back, take off the offset, then the inverse of the inner layout."""
    swizzle, inner = _swizzle_and_layout("left_inverse", layout)
    inverse = plain_left_inverse(inner)
    reach = cosize(layout)
    assert not isinstance(layout.offset, tuple)
    return _after(inverse, -layout.offset, swizzle, -(-reach // swizzle.grain) * swizzle.grain)


def _after(inverse: Layout, offset: int, swizzle: Swizzle, size: int) -> Layout[int] | ComposedLayout[int]:
    """inverse(offset + swizzle(i)) for i in [0, size), with the swizzle outside where it can be moved there."""
    if offset == 0:
        with suppress(LayoutError):
            return _swizzled(plain.composition(inverse, trusted(size, 1)), swizzle)
    return ComposedLayout(inverse, offset, make_composed_layout(swizzle, trusted(size, 1)))


def _swizzle_and_layout(name: str, layout: ComposedLayout) -> tuple[Swizzle, Layout]:
    if isinstance(layout.outer, Swizzle) and isinstance(layout.inner, Layout) and type(layout.offset) is int:
        return layout.outer, layout.inner
    raise LayoutError(f"{name} of {layout} is known for a swizzle of a plain layout only")
