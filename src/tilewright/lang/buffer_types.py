"""The type of a buffer, from what a kernel says of it, and the memory that it needs."""

from __future__ import annotations

from math import prod

from tilewright.errors import KernelError
from tilewright.ir.memory import default_layout, storage_elements
from tilewright.ir.tile.types import BufferType
from tilewright.lang.values import MAX_ELEMENTS, Value, int_tuple, show, type_named
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

DEFAULT = "default"  # TVM's name of the row-major layout


def buffer(shape: Value, dtype: Value, scope: str, layout: Value) -> BufferType:
    """The buffer type; without a layout it is row-major.

    Raises:
        KernelError: extents below 1, or a layout of another size.
    """
    extents = int_tuple(shape, "the shape of a buffer")
    if not extents or min(extents) < 1 or prod(extents) > MAX_ELEMENTS:
        raise KernelError(f"a buffer has one or more extents of at least 1 and at most 2^31 elements, got {extents}")
    if layout is None or layout == DEFAULT:
        layout = default_layout(extents)
    if isinstance(layout, SwizzleLayout):
        layout = layout.compose(extents)
    if not isinstance(layout, TileLayout | ComposeLayout):
        raise KernelError(f"a layout is a TileLayout or a ComposeLayout, got {show(layout)}")
    if layout.size() != prod(extents):
        raise KernelError(f"the layout {layout} has {layout.size()} elements, the shape {extents} has {prod(extents)}")
    return BufferType.of(extents, type_named(dtype), scope, layout)


def memory_elements(kind: BufferType) -> int:
    """The elements of the memory that a buffer lies in; more than it has where its layout leaves gaps.

    Raises:
        KernelError: more than 2^31.
        LayoutError: the layout reaches below offset 0, or a run-time one.
    """
    found = storage_elements(kind.layout)
    if found > MAX_ELEMENTS:
        raise KernelError(f"the layout {kind.layout} reaches {found} elements of memory; a buffer has at most 2^31")
    return found
