"""The values of a layout at many indices, without numpy: sums are listed mode by mode, not made index by index."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import SupportsIndex

from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

SPARE = 4  # a table is listed where at least one of as many of its values is asked for


def values_at(function: Callable[[int], SupportsIndex], indices: Sequence[int]) -> list[int]:
    """function(i) for each index, as integers.

    Raises:
        TypeError: a value is no integer.

    >>> values_at(ComposedLayout(Swizzle(1, 0, 1), 4, Layout((2, 2), (2, 1))), range(4))
    [4, 7, 5, 6]
    """
    if isinstance(function, ComposedLayout) and isinstance(function.outer, Swizzle) and type(function.offset) is int:
        outer, offset = function.outer, function.offset
        return [outer(offset + value) for value in values_at(function.inner, indices)]
    if isinstance(function, Layout) and _pays(function, indices):
        return list(map(_listed(function).__getitem__, indices))
    return list(map(operator.index, map(function, indices)))


def _pays(layout: Layout, indices: Sequence[int]) -> bool:
    """Are all indices within the layout, and enough of them asked for?"""
    if not layout.is_static or layout.size > SPARE * len(indices):
        return False
    return min(indices) >= 0 and max(indices) < layout.size


def _listed(layout: Layout[int]) -> list[int]:
    out = [0]
    for extent, stride in layout.flat:
        out = [index * stride + value for index in range(extent) for value in out]
    return out
