"""Thread-value layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError
from tilewright.layout.algebra.composition import composition
from tilewright.layout.algebra.inverse import right_inverse
from tilewright.layout.algebra.product import raked_product
from tilewright.layout.base import no_layout
from tilewright.layout.inttuple import modes, product
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    from tilewright.layout.symbolic.symint import SymInt


@overload
def make_layout_tv(thr_layout: Layout[int], val_layout: Layout[int]) -> tuple[tuple[int, ...], Layout[int]]: ...
@overload
def make_layout_tv(
    thr_layout: Layout[int | SymInt], val_layout: Layout[int | SymInt]
) -> tuple[tuple[int | SymInt, ...], Layout[int | SymInt]]: ...
def make_layout_tv(
    thr_layout: Layout[int | SymInt], val_layout: Layout[int | SymInt]
) -> tuple[tuple[int | SymInt, ...], Layout]:
    """(tiler, tv): tv maps (thread, value) to the coordinate index of the tile in which threads are raked by values.

    Raises:
        LayoutError: the raked product of both does not exist.

    Source: CuTe DSL's and FlyDSL's `make_layout_tv`.

    >>> tiler, tv = make_layout_tv(Layout((4, 64), (64, 1)), Layout((4, 8), (8, 1)))
    >>> print(tiler, tv)
    (16, 512) ((64,4),(8,4)):((128,4),(16,1))
    """
    thr, val = thr_layout, val_layout
    if not isinstance(thr, Layout) or not isinstance(val, Layout):
        raise LayoutError(f"make_layout_tv takes two layouts, got {no_layout(thr)} and {no_layout(val)}")
    tile = raked_product(thr, val)
    tv = composition(right_inverse(tile), Layout((thr.size, val.size)))
    return tuple(map(product, modes(tile.shape))), tv
