"""Recasts of composed layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.algebra import recast
from tilewright.layout.algebra.recast import as_width, recast_factors
from tilewright.layout.arithmetic import is_multiple
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.steps import record
from tilewright.layout.swizzle import Swizzle, recast_swizzle

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.methods import V


def upcast(layout: ComposedLayout[V], factor: int) -> ComposedLayout[V]:
    """The same bits in elements `factor` times as wide."""
    factor = as_width(factor)
    if factor == 1:
        return layout
    swizzle = _swizzle(layout, factor)
    if isinstance(layout.offset, tuple) or not is_multiple(layout.offset, factor):
        raise LayoutError(f"upcast of {layout} by {factor}: the offset {layout.offset} lies inside a wide element")
    if swizzle.s < 0 and factor > 1 << swizzle.m and not _whole_blocks(layout, swizzle):
        raise LayoutError(f"upcast of {layout} by {factor}: {swizzle} tears wide elements apart")
    return ComposedLayout(_moved(swizzle, 1, factor), layout.offset // factor, _upcast(layout.inner, factor))


def downcast(layout: ComposedLayout[V], factor: int) -> ComposedLayout[V]:
    """The same bits in elements `factor` times as narrow."""
    factor = as_width(factor)
    if factor == 1:
        return layout
    swizzle = _swizzle(layout, factor)
    return ComposedLayout(_moved(swizzle, factor, 1), layout.offset * factor, _downcast(layout.inner, factor))


def recast_layout(
    layout: ComposedLayout[V], old_type_bits: int | DTypeLike, new_type_bits: int | DTypeLike
) -> ComposedLayout[V]:
    """The same bits in elements of another width."""
    wide, narrow = recast_factors(old_type_bits, new_type_bits)
    return downcast(upcast(layout, wide), narrow)


def _upcast(inner: Layout | ComposedLayout, factor: int) -> Layout | ComposedLayout:
    return recast.upcast(inner, factor) if isinstance(inner, Layout) else upcast(inner, factor)


def _downcast(inner: Layout | ComposedLayout, factor: int) -> Layout | ComposedLayout:
    return recast.downcast(inner, factor) if isinstance(inner, Layout) else downcast(inner, factor)


def _swizzle(layout: ComposedLayout, factor: int) -> Swizzle:
    if isinstance(layout.outer, Swizzle):
        return layout.outer
    raise LayoutError(f"a recast by {factor} is known for swizzled layouts only, not for {layout}")


def _moved(swizzle: Swizzle, old: int, new: int) -> Swizzle:
    found = recast_swizzle(swizzle, old, new)
    record("recast_swizzle", (swizzle, old, new), found)
    return found


def _whole_blocks(layout: ComposedLayout, swizzle: Swizzle) -> bool:
    """Does the inner layout take all offsets of whole blocks, so that their permutation shows nowhere?"""
    try:
        _upcast(layout.inner, swizzle.block)
    except LayoutError:
        return swizzle.b == 0
    return not isinstance(layout.offset, tuple) and bool(layout.offset % swizzle.block == 0)
