"""What a layout is made of: shape and stride, checked; the compact strides of a shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum
from tilewright.layout.inttuple import MAX_INT, IntTuple, as_int_tuple, congruent, leaves, to_text

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Elements, Tree

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


def is_plain(shape: tuple[object, ...], stride: tuple[object, ...], levels: int) -> bool:
    """Is this an ordinary pair of int tuples, with nothing to complain of? The fast way through the constructor."""
    for s, d in zip(shape, stride):  # noqa: B905  # lengths are compared below
        if s.__class__ is int:
            if d.__class__ is not int or not 0 < s < MAX_INT or not -MAX_INT < d < MAX_INT:
                return False
        elif s.__class__ is tuple and d.__class__ is tuple and len(s) == len(d) <= FEW and levels:
            if not is_plain(s, d, levels - 1):
                return False
        else:
            return False
    return True


def checked(extents: object, strides: object) -> tuple[IntTuple, IntTuple]:
    """Shape and stride as they were given, or refused."""
    shape = as_int_tuple(extents)
    _require_extents(shape)
    stride = compact_stride(shape) if strides is None else as_int_tuple(strides)
    _require_strides(stride)
    if not congruent(shape, stride):
        raise LayoutError(f"shape {to_text(shape)} and stride {to_text(stride)} have different profiles")
    return shape, stride


def _require_extents(shape: Tree) -> None:
    for extent in leaves(shape):
        if extent is None or isinstance(extent, AxisSum) or (extent < 1) is True:
            raise LayoutError(f"layout extents must be at least 1, got {extent} in shape {to_text(shape)}")


def _require_strides(stride: Tree) -> None:
    if any(leaf is None for leaf in leaves(stride)):
        raise LayoutError(f"the strides {to_text(stride)} must be integers or value@axis, not `_`")
