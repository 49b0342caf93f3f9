"""Composition: R(i) = A(B(i)), exactly, or a refusal.

The plain case is CuTe's walk, under conditions that make it exact; whatever falls outside is decided completely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout.algebra.exact import compose_exactly
from tilewright.layout.algebra.modes import extended
from tilewright.layout.algebra.tiler import Tiler, as_tiler, by_mode
from tilewright.layout.algebra.walk import SymbolicWalk, walk_steps, walked
from tilewright.layout.base import no_layout
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.steps import noted

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import KnownTiler
    from tilewright.layout.inttuple import Ints, KnownInts
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


@overload
def composition(layout: Layout[V], tiler: KnownTiler) -> Layout[V]: ...
@overload
def composition(layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]: ...
def composition(layout: Layout[V], tiler: Tiler) -> Layout:
    """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

    A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
    integer n is the layout n:1; modes of A beyond the tiler are dropped.

    Args:
        layout: A: a layout, swizzle or composed layout.
        tiler: B: a layout, swizzle, composed layout, or a tiler.

    Raises:
        LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

    Source: CuTe's `composition`, which accepts more and answers some wrongly.

    >>> print(composition(Layout((4, (2, 8)), (1, (16, 4))), Layout((2, 4), (1, 2))))
    (2,(2,2)):(1,(2,16))
    >>> print(composition(Layout((8, 16), (1, 8)), (4, None)))
    (4,16):(1,8)
    """
    if not isinstance(layout, Layout):
        found = f"{no_layout(layout)} and {shown(tiler)}"
        raise LayoutError(f"composition takes layouts, swizzles, on the right a tiler; got {found}")
    if isinstance(tiler, Layout):
        return compose_layouts(layout, tiler)
    return by_mode(_compose_tile, layout, as_tiler(tiler), keep_rest=False)


@overload
def with_shape(layout: Layout[V], *shape: KnownInts) -> Layout[V]: ...
@overload
def with_shape(layout: Layout[V], *shape: Ints) -> Layout[V | SymInt]: ...
def with_shape(layout: Layout[V], *shape: Ints) -> Layout:
    """The layout o shape:compact: the same function of an integer on another shape.

    Raises:
        LayoutError: another size, or what `composition` refuses.

    >>> print(with_shape(Layout((4, 8)), (2, 16)))
    (2,16):(1,2)
    """
    return compose_layouts(layout, Layout(shape[0] if len(shape) == 1 else shape))


@noted("composition", walk_steps)
def compose_layouts(a: Layout, b: Layout) -> Layout:
    """A o B of two plain layouts: by the walk where that is exact for certain, else by a complete decision.

    Of run-time leaves there is none; of them the walk demands that it be exact.
    """
    found = walked(extended(a.shape, a.stride), b)
    if found is None:
        found = compose_exactly(a, b)
    return SymbolicWalk(a, b).compose() if found is None else found


def _compose_tile(a: Layout, tile: Layout | int) -> Layout:
    return compose_layouts(a, tile if isinstance(tile, Layout) else trusted(tile, 1))
