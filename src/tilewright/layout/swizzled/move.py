"""Moving a swizzle from the coordinates of a layout to its values: L o Sw as Sw' o L."""

from __future__ import annotations

from tilewright.errors import LayoutError
from tilewright.layout.algebra.bends import MAX_POINTS
from tilewright.layout.algebra.composition import compose_layouts
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout, compact_stride, trusted
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.swizzled.bits import varying_bits


def moved_out(layout: Layout, swizzle: Swizzle) -> Layout | ComposedLayout | None:
    """The layout with L(Sw(i)) for all i, written with a swizzle outside; None where that is not possible or proved.

    The bits that Sw reads and changes must stay single bits under L, at one distance from each other, and no other
    mode of L may touch them.

    >>> print(moved_out(Layout((64, 8), (8, 1)), Swizzle(1, 4, 3)))
    Sw<1,1,-6> o 0 o (64,8):(8,1)
    """
    if swizzle.b == 0 or layout.size <= swizzle.yyy_mask & -swizzle.yyy_mask:
        return layout
    moved = _moved(layout, swizzle)
    if moved is None or not (_proved(layout, swizzle) or _enumerated(layout, swizzle, moved)):
        return None
    return ComposedLayout(moved, 0, layout)


def _moved(layout: Layout, swizzle: Swizzle) -> Swizzle | None:
    read = _image(layout, swizzle.yyy_mask)
    changed = _image(layout, swizzle.zzz_mask)
    if read is None or changed is None:
        return None
    try:
        return Swizzle(swizzle.b, min(read, changed), read - changed)
    except LayoutError:
        return None


def _image(layout: Layout, mask: int) -> int | None:
    """The lowest bit of the field to which L maps the bits of the mask one by one, if they stay a field."""
    bits = [layout(1 << k) for k in range(mask.bit_length()) if mask >> k & 1]
    low = bits[0]
    is_field = type(low) is int and low > 0 and low & (low - 1) == 0 and all(v == low << k for k, v in enumerate(bits))
    return low.bit_length() - 1 if is_field else None


def _proved(layout: Layout, swizzle: Swizzle) -> bool:
    """Split at the edges of both fields, do all modes of L move bits of their own?"""
    if layout.size % swizzle.block:
        return False
    cuts = (1 << swizzle.m, 1 << swizzle.b, 1 << (abs(swizzle.s) - swizzle.b), 1 << swizzle.b)
    shape = (*cuts, layout.size // swizzle.block)
    try:
        fields = compose_layouts(layout, trusted(shape, compact_stride(shape)))
    except LayoutError:
        return False
    return varying_bits(0, fields) is not None


def _enumerated(layout: Layout, swizzle: Swizzle, moved: Swizzle) -> bool:
    return layout.size <= MAX_POINTS and all(layout(swizzle(i)) == moved(layout(i)) for i in range(layout.size))
