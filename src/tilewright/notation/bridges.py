"""One function in three views: CuTe's layouts, TIRx's, and F2 linear maps. Each conversion is exact, or refuses.

The views meet in the flat coordinate: CuTe splits it first mode fastest, TIRx last iter fastest, so the leaves change
their order and no value changes. The F2 view has the modes of the CuTe view as its input dimensions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum, from_terms
from tilewright.layout.base import no_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.linear.clash import OFFSET
from tilewright.layout.linear.convert import to_linear as linearize
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.linear.recover import from_linear
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.triton_cover import sized
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.iters import is_zero
from tilewright.tirx.replica import normal_replica
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout
from tilewright.tirx.views import Cute, Tirx, tirx_view

OutDims: TypeAlias = Iterable[tuple[str, int]]


def to_cute(x: Cute | Tirx | LinearLayout) -> Cute:
    """The CuTe view: the same value at every flat coordinate, first mode fastest.

    An offset stands behind an identity: `21:1 o 5 o (4,4):(1,4)`. Named axes stay in the strides and in the offset.
    Of what Triton says of memory, (offset, block) -> (dim0, dim1, ..), it is the other direction: the tensor's
    coordinates, a mode each in their order, -> where the element lies.

    Raises:
        LayoutError: replicas with several places, which no function has; a swizzle on named axes; linear maps that
            are neither a layout nor one swizzle of a layout; memory of several blocks, or with one element twice.

    >>> from tilewright.tirx.layout import S
    >>> print(to_cute(TileLayout(S[(8, 64) : (64, 1)])))
    (64,8):(1,64)
    """
    if isinstance(x, Layout | ComposedLayout | Swizzle):
        return x
    if isinstance(x, LinearLayout):
        return in_memory(x) if is_memory(x) else from_linear(x)
    if isinstance(x, SwizzleLayout):
        return x.swizzle
    if isinstance(x, ComposeLayout):
        x.check_memory()
        return ComposedLayout(x.swizzle.swizzle, _offset(x.tile_layout), _plain(x.tile_layout))
    if isinstance(x, TileLayout):
        inner, offset = _plain(x), _offset(x)
        return inner if is_zero(offset) else ComposedLayout(Layout(max(1, x.cosize()), 1), offset, inner)
    raise LayoutError(f"what is converted is no layout: {no_layout(x)}")


def is_memory(x: LinearLayout) -> bool:
    """Does it say which element lies at an offset of memory, as Triton does?"""
    return x.get_in_dim_names()[:1] == [OFFSET] and OFFSET not in x.get_out_dim_names()


def in_memory(x: LinearLayout) -> Layout | ComposedLayout:
    """The coordinates of a tensor, a mode each -> the offset of its element in memory.

    >>> bases = {"offset": [[0, 1], [0, 2], [1, 1]], "block": []}
    >>> print(in_memory(LinearLayout.from_bases(bases, ["dim0", "dim1"])))
    Sw<1,0,2> o 0 o (2,4):(4,1)
    """
    blocks = x.get_in_dim_size("block") if "block" in x.get_in_dim_names() else 1
    if blocks > 1:
        raise LayoutError(f"{x} is shared by {blocks} blocks; a layout is of one block's memory")
    found = from_linear(sized({OFFSET: dict(x.bases)[OFFSET]}, x.out_dims).invert())
    assert isinstance(found, Layout | ComposedLayout)  # of a map that is not all XOR
    return found


def _plain(tile: TileLayout) -> Layout[int]:
    copies, _ = normal_replica(tile.replica)
    if copies:
        held = TileLayout((), copies).notation().removeprefix("S[():()] + ")
        raise LayoutError(f"the replica {held}: a function has one value, an element here several places")
    return tile.to_layout()


def _offset(tile: TileLayout) -> int | AxisSum:
    return from_terms((axis.name, value) for axis, value in tile.offset.items())


def to_tirx(x: Cute | Tirx | LinearLayout) -> Tirx:
    """The TIRx view: the same place at every flat coordinate, last iter fastest.

    Raises:
        LayoutError: strides on coordinate positions, which are no hardware axes; a swizzle on named axes;
            compositions other than a swizzle, or an identity with an offset, of a plain layout.

    >>> to_tirx(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, 8), (1, 64))))
    ComposeLayout(3, 3, 3, TileLayout(S[(8, 64):(64, 1)]))
    """
    if isinstance(x, TileLayout | ComposeLayout | SwizzleLayout):
        return x
    return tirx_view(x if isinstance(x, Cute) else to_cute(x))


def to_linear(
    x: Cute | Tirx | LinearLayout, in_dims: Sequence[str] | None = None, out_dims: OutDims | None = None
) -> LinearLayout:
    """The F2 view: the same value at every flat coordinate, as a matrix over F2.

    Args:
        x: an object of any view.
        in_dims: names of the input dimensions, one a mode of the CuTe view; `dim0`, `dim1`, ... without them.
        out_dims: (name, size) pairs, minor first, that split the output; without them one dimension an axis.

    Raises:
        LayoutError: the function is not linear under XOR, or has no CuTe view.

    >>> from tilewright.tirx.layout import S
    >>> print(to_linear(TileLayout(S[(4, 8) : (1, 4)])))
    {dim0 = [[4], [8], [16]], dim1 = [[1], [2]]} -> {offset = 32}
    """
    return linearize(x if isinstance(x, LinearLayout) else to_cute(x), in_dims, out_dims)
