"""The exact range of composed layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.swizzled.bits import varying_bits
from tilewright.layout.table import table

if TYPE_CHECKING:
    from tilewright.layout.axes import Known, Value
    from tilewright.layout.symbolic.symint import SymInt

MAX_ENUMERATED = 2**24


@overload
def cosize(layout: ComposedLayout[Known]) -> int: ...
@overload
def cosize(layout: ComposedLayout[Value]) -> int | SymInt: ...
def cosize(layout: ComposedLayout[Value]) -> int | SymInt:
    """The largest value + 1. By XOR algebra where every mode moves bits of its own, else over all elements.

    Raises:
        LayoutError: undecided: more than 2^24 elements that no closed form covers.

    >>> cosize(ComposedLayout(Swizzle(2, 0, 2), 0, Layout(5)))
    6
    """
    if isinstance(layout.outer, Swizzle) and isinstance(layout.inner, Layout) and type(layout.offset) is int:
        found = _by_bits(layout.outer, layout.offset, layout.inner)
        if found is not None:
            return found
    return _over_all(layout)


def _by_bits(swizzle: Swizzle, offset: int, layout: Layout) -> int | None:
    """Sw is XOR-linear, and so is a layout whose extents are powers of two and whose modes do not share bits."""
    moves = [(s, d) for s, d in layout.flat if s != 1 and d != 0]
    if varying_bits(offset, layout) is None or any(s & (s - 1) or d & (d - 1) for s, d in moves):
        return None
    best: int = swizzle(offset)
    images: list[int] = [swizzle(d << k) for s, d in moves for k in range(s.bit_length() - 1)]
    # Images have leading bits of their own, but for a pair (z, z + y): z + y comes first, and then z only lowers.
    for image in sorted(images, reverse=True):
        best = max(best, best ^ image)
    return best + 1


def _over_all(layout: ComposedLayout) -> int:
    if not isinstance(layout.size, int) or layout.size > MAX_ENUMERATED:
        raise LayoutError(f"undecided: the cosize of {layout}, which has {layout.size} elements")
    from numpy import ndarray

    values = table(layout)
    if not isinstance(values, ndarray):
        raise LayoutError(f"cosize of {layout}: its values are no integers")
    return int(values.max()) + 1
