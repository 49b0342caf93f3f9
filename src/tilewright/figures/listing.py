"""All values of a layout in its own order, by adding up its modes instead of splitting each index."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.linear.dims import unpack
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx import evaluate
from tilewright.tirx.iters import terms
from tilewright.tirx.tile_layout import TileLayout


@singledispatch
def listing(layout: Any) -> Sequence[Any]:
    """layout(i) for every index i; whoever asks has seen that they are not too many.

    >>> listing(Layout((2, 3), (3, 1)))
    [0, 3, 1, 4, 2, 5]
    """
    return [layout(i) for i in range(layout.size)]


@listing.register
def _(layout: Layout) -> Sequence[Any]:
    if not all(type(number) is int for mode in layout.flat for number in mode):  # strides on axes
        return [layout(i) for i in range(layout.size)]
    values = [0]
    for extent, stride in layout.flat:
        values = [value + digit * stride for digit in range(extent) for value in values]
    return values


@listing.register
def _(layout: ComposedLayout) -> Sequence[Any]:
    if not isinstance(layout.outer, Swizzle) or type(layout.offset) is not int or not isinstance(layout.inner, Layout):
        return [layout(i) for i in range(layout.size)]
    outer, offset = layout.outer, layout.offset
    return [outer(offset + value) for value in listing(layout.inner)]


@listing.register
def _(layout: TileLayout) -> Sequence[Any]:
    """`apply` of every index: the last iter is the fastest."""
    points: list[evaluate.Point] = [{}]
    for it in layout.shard:
        parts = [(axis.name, value) for axis, value in terms(it.stride, it.axis)]
        points = [_moved(point, parts, digit) for point in points for digit in range(it.extent)]
    points = [_moved(point, [(axis.name, value) for axis, value in layout.parts.offset], 1) for point in points]
    copies = evaluate.copies(layout.parts.replica)
    return [evaluate.fan_out(point, copies) for point in points] if layout.parts.replica else points


def _moved(point: evaluate.Point, parts: Sequence[tuple[str, int]], digit: int) -> evaluate.Point:
    return point | {axis: point.get(axis, 0) + digit * value for axis, value in parts}


@listing.register
def _(layout: LinearLayout) -> Sequence[Any]:
    """`apply` of every index, the first input the fastest."""
    values, names = [0], layout.get_out_dim_names()
    for image in layout.columns:
        values += [value ^ image for value in values]
    return [dict(zip(names, unpack(value, layout.outs), strict=True)) for value in values]
