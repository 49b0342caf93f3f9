"""Recasts of composed layouts."""

from __future__ import annotations

from tilewright.errors import LayoutError
from tilewright.layout.algebra import recast
from tilewright.layout.algebra.recast import as_width, recast_factors
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle, recast_swizzle


def upcast(layout: ComposedLayout, factor: int) -> ComposedLayout:
    """The same bits in elements `factor` times as wide."""
    factor = as_width(factor)
    swizzle = _swizzle(layout, factor)
    if type(layout.offset) is not int or layout.offset % factor:
        raise LayoutError(f"upcast of {layout} by {factor}: the offset {layout.offset} lies inside a wide element")
    if swizzle.s < 0 and factor > 1 << swizzle.m and not _whole_blocks(layout, swizzle):
        raise LayoutError(f"upcast of {layout} by {factor}: {swizzle} tears wide elements apart")
    return ComposedLayout(recast_swizzle(swizzle, 1, factor), layout.offset // factor, _upcast(layout.inner, factor))


def downcast(layout: ComposedLayout, factor: int) -> ComposedLayout:
    """The same bits in elements `factor` times as narrow."""
    factor = as_width(factor)
    swizzle = _swizzle(layout, factor)
    return ComposedLayout(recast_swizzle(swizzle, factor, 1), layout.offset * factor, _downcast(layout.inner, factor))


def recast_layout(layout: ComposedLayout, old_bits: int, new_bits: int) -> ComposedLayout:
    """The same bits in elements of another width."""
    wide, narrow = recast_factors(old_bits, new_bits)
    return downcast(upcast(layout, wide), narrow)


def _upcast(inner: Layout | ComposedLayout, factor: int) -> Layout | ComposedLayout:
    return recast.upcast(inner, factor) if isinstance(inner, Layout) else upcast(inner, factor)


def _downcast(inner: Layout | ComposedLayout, factor: int) -> Layout | ComposedLayout:
    return recast.downcast(inner, factor) if isinstance(inner, Layout) else downcast(inner, factor)


def _swizzle(layout: ComposedLayout, factor: int) -> Swizzle:
    if isinstance(layout.outer, Swizzle):
        return layout.outer
    raise LayoutError(f"a recast by {factor} is known for swizzled layouts only, not for {layout}")


def _whole_blocks(layout: ComposedLayout, swizzle: Swizzle) -> bool:
    """Does the inner layout take all offsets of whole blocks, so that their permutation shows nowhere?"""
    try:
        _upcast(layout.inner, swizzle.block)
    except LayoutError:
        return swizzle.b == 0
    return bool(layout.offset % swizzle.block == 0)
