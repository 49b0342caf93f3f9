"""What a layout is made of: shape and stride, checked; the compact strides of a shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import prod
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import AxisKey, AxisSum, components
from tilewright.layout.inttuple import (
    MAX_INT,
    IntTuple,
    as_int_tuple,
    congruent,
    flatten,
    leaves,
    side_by_side,
    to_text,
)

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element, Elements, Tree

# Tuples of so few modes, nested so little, have at most 4096 leaves without counting.
FEW, LEVELS = 16, 3


def compact_stride(shape: IntTuple, start: int = 1) -> IntTuple:
    """Compact colexicographic strides as CuTe makes them: modes of static size 1 get stride 0.

    >>> compact_stride((4, 1, 3))
    (1, 0, 4)
    """

    def walk(node: IntTuple) -> IntTuple:
        nonlocal start
        if isinstance(node, tuple):
            return tuple(map(walk, node))
        if type(node) is int and node == 1:
            return 0
        stride, start = start, start * node
        return stride

    return walk(shape)


def is_all_int(node: Elements) -> bool:
    """Are all leaves integers, known and on no axis?"""
    if node.__class__ is tuple:
        return all(map(is_all_int, node))
    return node.__class__ is int


def plain_size(shape: tuple[object, ...], stride: tuple[object, ...], levels: int) -> int:
    """The size of an ordinary pair of int tuples, with nothing to complain of; else 0. The fast way of the constructor.

    Ordinary are extents below 2^24 and strides below 2^32. If the size is below 2^63 then so are the values, since at
    most 62 extents are above 1.
    """
    size = 1
    for s, d in side_by_side(shape, stride):  # lengths are compared below
        if s.__class__ is int:
            if d.__class__ is not int or not 0 < s < 1 << 24 or not -1 << 32 < d < 1 << 32:
                return 0
            size *= s
        elif s.__class__ is tuple and d.__class__ is tuple and len(s) == len(d) <= FEW and levels:
            size *= plain_size(s, d, levels - 1)
        else:
            return 0
    return size


def require_64_bits(
    shape: IntTuple, stride: Elements, layout: object = None, copies: Iterable[tuple[int, Element]] = ()
) -> None:
    """Refuses a layout whose size or whose values leave 64 bits, whatever its run-time leaves are.

    Args:
        layout: what messages call it, if not `shape:stride`.
        copies: modes (extent, stride) that are in every value and count no coordinates.

    Raises:
        LayoutError: 2^63 coordinates or more; a value, or a cosize, of 2^63 or more, or of -2^63 or less.
    """
    if 0 < plain_size((shape,), (stride,), LEVELS) < MAX_INT and not copies:
        return
    size = prod(s for s in flatten(shape) if type(s) is int)
    high, low = Counter[AxisKey](), Counter[AxisKey]()
    for s, d in (*zip(flatten(shape), flatten(stride), strict=True), *copies):
        if type(s) is int:
            for axis, step in components(d):
                if type(step) is int:
                    (high if step > 0 else low)[axis] += (s - 1) * step
    if size >= MAX_INT:
        text = layout or f"{to_text(shape)}:{to_text(stride)}"
        raise LayoutError(f"{text} has {shown(size)} coordinates: at most 2^63 - 1 can be numbered")
    for value in (*(most + 1 for most in high.values()), *low.values()):
        if abs(value) >= MAX_INT:
            text = layout or f"{to_text(shape)}:{to_text(stride)}"
            kind = "a cosize of" if value > 0 else "values down to"
            raise LayoutError(f"{text} has {kind} {shown(value)}, outside (-2^63, 2^63)")


def checked(extents: object, strides: object) -> tuple[IntTuple, IntTuple]:
    """Shape and stride as they were given, or refused."""
    shape = as_int_tuple(extents)
    _require_extents(shape)
    stride = compact_stride(shape) if strides is None else as_int_tuple(strides)
    _require_strides(stride)
    if not congruent(shape, stride):
        raise LayoutError(f"shape {to_text(shape)} and stride {to_text(stride)} have different profiles")
    require_64_bits(shape, stride)
    return shape, stride


def _require_extents(shape: Tree) -> None:
    for extent in leaves(shape):
        if extent is None or isinstance(extent, AxisSum) or (extent < 1) is True:
            raise LayoutError(f"layout extents must be at least 1, got {extent} in shape {to_text(shape)}")


def _require_strides(stride: Tree) -> None:
    if any(leaf is None for leaf in leaves(stride)):
        raise LayoutError(f"the strides {to_text(stride)} must be integers or value@axis, not `_`")
