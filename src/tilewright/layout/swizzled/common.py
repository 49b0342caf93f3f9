"""What layouts share at their start where a swizzle lies over one of them: no more than it leaves neighbours."""

from __future__ import annotations

from math import gcd

from tilewright.errors import LayoutError
from tilewright.layout.algebra import common
from tilewright.layout.base import no_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle


def max_common_layout(a: Layout[int] | ComposedLayout[int], b: Layout[int] | ComposedLayout[int]) -> Layout[int]:
    """R with A(R(i)) == A(R(0)) + i and the same for B."""
    (plain_a, limit_a), (plain_b, limit_b) = _peeled(a), _peeled(b)
    return common.common_layout(plain_a, plain_b, [limit for limit in (limit_a, limit_b) if limit])


def max_common_vector(a: Layout[int] | ComposedLayout[int], b: Layout[int] | ComposedLayout[int]) -> int:
    """How many of the first elements lie one after another, at the same coordinates, in both layouts."""
    (plain_a, limit_a), (plain_b, limit_b) = _peeled(a), _peeled(b)
    return common.common_vector(plain_a, plain_b, [limit for limit in (limit_a, limit_b) if limit])


def max_alignment(layout: ComposedLayout[int]) -> int:
    """The largest N such that the layout is made of whole vectors of N elements, each at a multiple of N."""
    plain, limit = _peeled(layout)
    found = common.max_alignment(plain)
    return gcd(found, limit) if limit else found


def _peeled(layout: Layout | ComposedLayout) -> tuple[Layout, int]:
    """The plain layout inside, and how many neighbours the swizzle leaves neighbours; 0 for all."""
    if isinstance(layout, Layout) and not layout.on_axes:
        return layout, 0
    if isinstance(layout, ComposedLayout):
        swizzle, offset = layout.outer, layout.offset
        if isinstance(swizzle, Swizzle) and not isinstance(offset, tuple):
            plain, limit = _peeled(layout.inner)
            return plain, gcd(limit, offset, 1 << swizzle.m if swizzle.b else 0)
    raise LayoutError(f"expected a layout on integers, plain or with a swizzle, got {no_layout(layout)}")
