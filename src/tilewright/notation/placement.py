"""Triton's question turned round: not which element a register holds, but where each element lies.

Triton maps hardware to tensor; TIRx and CuTe map the tensor's elements to their places. Where several places hold one
element, the inverse is a set: TIRx's replica.
"""

from __future__ import annotations

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import MEMORY
from tilewright.layout.linear import f2
from tilewright.layout.linear.clash import OFFSET
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.linear.recover import from_linear
from tilewright.notation.bridges import to_tirx
from tilewright.tirx.iters import Iter, Iters
from tilewright.tirx.replica import normal_replica
from tilewright.tirx.tile_layout import TileLayout
from tilewright.tirx.views import Tirx

# Triton's level -> the dimension that `from_linear` reads as TIRx's axis; `offset` is the memory axis.
AXIS_OF = {"register": OFFSET, "offset": OFFSET, "lane": "laneid", "warp": "warpid", "block": "cbx"}


def placement(x: LinearLayout) -> Tirx:
    """Where each element lies: the set { h : x(h) == element }, as a TIRx layout of the tensor, row-major.

    `register` and `offset` lie on `m`, `lane` on `laneid`, `warp` on `warpid`, `block` on `cbx`.

    Raises:
        LayoutError: elements without a place, a broadcast that is no box of places, other input dimensions, or
            places that no TIRx layout describes (XOR between different axes).

    >>> print(placement(LinearLayout.from_bases({"register": [[0, 1]], "lane": [[1, 0], [0, 0]]}, ["dim0", "dim1"])))
    TileLayout(S[(2, 2):(1 @ laneid, 1)] + R[2:2 @ laneid])
    """
    if not isinstance(x, LinearLayout):
        raise LayoutError(f"placement takes a linear layout, got {shown(x)}")
    unknown = next((name for name in x.get_in_dim_names() if name not in AXIS_OF), None)
    if unknown is not None:
        raise LayoutError(f"{x} has the input dimension {unknown}; a place is made of {', '.join(AXIS_OF)}")
    if len(f2.kernel(x.columns)) != x.columns.count(0):
        raise LayoutError(f"{x} holds some elements in places that differ by an XOR, which is no replica")
    places = to_tirx(from_linear(_inverse(x)))
    copies = _copies(x)
    if not copies:
        return places
    if not isinstance(places, TileLayout):
        raise LayoutError(f"{x} shows elements of a swizzled tile in several places, which TIRx cannot say")
    return TileLayout.from_iters(places.shard, copies, places.offset)


def _inverse(x: LinearLayout) -> LinearLayout:
    # From the tensor, its last dimension fastest, to the places that no broadcast leaves open.
    inverse = x.pseudoinvert().transpose_ins(x.get_out_dim_names()[::-1])
    outs = tuple((AXIS_OF[name], size) for name, size in inverse.outs if size > 1)
    return LinearLayout(inverse.ins, outs or ((OFFSET, 1),), inverse.columns)


def _copies(x: LinearLayout) -> Iters:
    steps = ((level, i) for level, images in x.bases for i, image in enumerate(images) if not any(image))
    return normal_replica(tuple(Iter(2, 1 << i, _axis(level)) for level, i in steps))[0]


def _axis(level: str) -> str:
    return MEMORY if AXIS_OF[level] == OFFSET else AXIS_OF[level]
