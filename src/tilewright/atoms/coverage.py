"""Does a thread-value layout own every element of its tile, and how often?"""

from __future__ import annotations

from collections import Counter
from math import prod

from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout

MAX_ENUMERATED = 1 << 16


def owners(tv_layout: Layout[int], elements: int) -> int:
    """How many (thread, value) pairs own each of the elements 0 .. elements-1: the same number for every one.

    A layout with non-negative strides maps onto an interval, each number once, exactly when its leaves sorted by
    stride form a chain s_k * d_k = d_(k+1) from 1; leaves of stride 0 are replicas. Others are enumerated.

    Raises:
        LayoutError: some element has no owner, or more owners than another.

    >>> owners(Layout(((4, 8), (2, 2)), ((32, 1), (16, 8))), 128)
    1
    >>> owners(Layout((128, (64, 16)), (0, (1, 64))), 1024)
    128
    """
    replicas: int = prod(s for s, d in tv_layout.flat if d == 0 and s > 1)
    if _is_chain(tv_layout, elements):
        return replicas
    return _count(tv_layout, elements)


def _is_chain(layout: Layout[int], elements: int) -> bool:
    running = 1
    for d, s in sorted((d, s) for s, d in layout.flat if s > 1 and d != 0):
        if d != running:
            return False
        running *= s
    return running == elements


def _count(layout: Layout[int], elements: int) -> int:
    if layout.size > MAX_ENUMERATED:
        raise LayoutError(f"thread-value layout {layout} is no compact tile of {elements} elements")
    seen = Counter(layout(i) for i in range(layout.size))
    outside = [e for e in seen if not 0 <= e < elements]
    if outside or len(seen) != elements:
        raise LayoutError(
            f"thread-value layout {layout} covers {len(seen) - len(outside)} of {elements} elements"
            + (f" and reaches element {max(outside)} outside" if outside else "")
        )
    if len(set(seen.values())) > 1:
        few, many = min(seen, key=seen.__getitem__), max(seen, key=seen.__getitem__)
        raise LayoutError(
            f"thread-value layout {layout} is uneven: element {few} has {seen[few]} owners, element {many} {seen[many]}"
        )
    return next(iter(seen.values()))
