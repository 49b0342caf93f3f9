"""Recasts of composed layouts."""

from __future__ import annotations

from tilewright.errors import LayoutError
from tilewright.layout.algebra.recast import downcast, upcast
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.swizzle import Swizzle, recast_swizzle


def upcast_composed(layout: ComposedLayout, factor: int) -> ComposedLayout:
    """The same bits in elements `factor` times as wide."""
    swizzle = _swizzle(layout, factor)
    if type(layout.offset) is not int or layout.offset % factor:
        raise LayoutError(f"upcast of {layout} by {factor}: the offset {layout.offset} lies inside a wide element")
    if swizzle.s < 0 and factor > 1 << swizzle.m and not _whole_blocks(layout, swizzle):
        raise LayoutError(f"upcast of {layout} by {factor}: {swizzle} tears wide elements apart")
    return ComposedLayout(recast_swizzle(swizzle, 1, factor), layout.offset // factor, upcast(layout.inner, factor))


def downcast_composed(layout: ComposedLayout, factor: int) -> ComposedLayout:
    """The same bits in elements `factor` times as narrow."""
    swizzle = _swizzle(layout, factor)
    return ComposedLayout(recast_swizzle(swizzle, factor, 1), layout.offset * factor, downcast(layout.inner, factor))


def _swizzle(layout: ComposedLayout, factor: int) -> Swizzle:
    if isinstance(layout.outer, Swizzle):
        return layout.outer
    raise LayoutError(f"a recast by {factor} is known for swizzled layouts only, not for {layout}")


def _whole_blocks(layout: ComposedLayout, swizzle: Swizzle) -> bool:
    """Does the inner layout take all offsets of whole blocks, so that their permutation shows nowhere?"""
    try:
        upcast(layout.inner, swizzle.block)
    except LayoutError:
        return swizzle.b == 0
    return bool(layout.offset % swizzle.block == 0)
