"""All values of a layout in its own order, by adding up its modes instead of splitting each index."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle


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
