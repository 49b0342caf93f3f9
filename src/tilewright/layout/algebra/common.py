"""What two layouts share at their start: the vectors that a copy may move at once."""

from __future__ import annotations

from math import gcd
from typing import Any

from tilewright.errors import LayoutError, shown
from tilewright.layout.algebra.composition import compose_layouts
from tilewright.layout.algebra.inverse import chained_inverse, right_inverse
from tilewright.layout.algebra.modes import coalesced, from_modes
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import product
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.query import bounds
from tilewright.layout.swizzle import Swizzle


def max_common_layout(a: Any, b: Any) -> Layout:
    """R with A(R(i)) == A(R(0)) + i and the same for B, as long as the modes of A and B show; A may extend.

    Source: CuTe's `max_common_layout`.

    >>> print(max_common_layout(Layout((16, 8), (1, 16)), Layout((16, 8), (1, 32))))
    16:1
    """
    (plain_a, limit_a), (plain_b, limit_b) = _plain(a), _plain(b)
    inverse, found = _through(plain_a, plain_b)
    extents, steps = coalesced(found.shape, found.stride)
    if not extents or steps[0] != 1:
        return trusted(1, 0)
    limits = [limit for limit in (limit_a, limit_b) if limit]
    return compose_layouts(inverse, trusted(min([extents[0], *limits]), 1))


def max_common_vector(a: Any, b: Any) -> Any:
    """How many of the first elements lie one after another, at the same coordinates, in both layouts.

    >>> max_common_vector(Layout((16, 8), (1, 16)), Layout((16, 8), (1, 32)))
    16
    """
    common, (plain, _) = max_common_layout(a, b), _plain(a)
    return product(_within(common, plain.size).shape)


def max_alignment(layout: Any) -> Any:
    """The largest N such that the layout is made of whole vectors of N elements, each at a multiple of N.

    Source: CuTe's `max_alignment`.

    >>> max_alignment(Layout((16, 8), (1, 16))), max_alignment(Layout((12, 2), (3, 5)))
    (128, 1)
    """
    plain, limit = _plain(layout)
    inverse = chained_inverse(plain)
    rest = _beyond(plain, inverse)
    return gcd(product(inverse.shape), *rest, limit) if limit else gcd(product(inverse.shape), *rest)


def _through(a: Layout, b: Layout) -> tuple[Layout, Layout]:
    """The right inverse R of B, and A o R; where that does not exist, as much of R as is one mode."""
    inverse = right_inverse(b)
    try:
        return inverse, compose_layouts(a, inverse)
    except LayoutError:
        first = next(iter(inverse))
        return first, compose_layouts(a, first)


def _within(common: Layout, size: int) -> Layout:
    """The layout, or as much of its first mode as stays among the first `size` coordinates."""
    if bounds(common)[1] < size:
        return common
    extents, steps = coalesced(common.shape, common.stride)
    return from_modes(*coalesced(min(extents[0], (size - 1) // steps[0] + 1), steps[0]))


def _plain(layout: Any) -> tuple[Layout, int]:
    """The plain layout inside, and how many neighbours the swizzle leaves neighbours; 0 for all."""
    if isinstance(layout, Layout):
        if layout.on_axes:
            raise LayoutError(f"the values of {layout} lie on axes: they have no neighbours")
        return layout, 0
    if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle):
        plain, limit = _plain(layout.inner)
        return plain, gcd(limit, layout.offset, 1 << layout.outer.m if layout.outer.b else 0)
    raise LayoutError(f"expected a layout, plain or with a swizzle, got {shown(layout)}")


def _beyond(layout: Layout, inverse: Layout) -> list[int]:
    """The strides of the modes that the right inverse leaves out."""
    covered = {step for _, step in inverse.flat}
    out = []
    step = 1
    for extent, stride in zip(*coalesced(layout.shape, layout.stride), strict=True):
        if step not in covered:
            out.append(stride)
        step *= extent
    return out
