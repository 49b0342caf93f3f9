"""Between coordinates and indices. `crd2idx` and `idx2crd` themselves are in `layout`, which is made of them."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError, shown
from tilewright.layout import indexing
from tilewright.layout.arithmetic import quotient, remainder
from tilewright.layout.base import LayoutBase
from tilewright.layout.inttuple import IntTuple, as_int_tuple, flatten, prefix_product, to_text, unflatten
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle


def crd2idx(coord: Any, shape: Any, stride: Any = None) -> Any:
    """The value at a coordinate: of a layout, of `shape:stride`, or of the compact layout of a shape.

    Raises:
        LayoutError: the coordinate is not weakly congruent to the shape.

    >>> crd2idx((3, 5), Layout((8, 16))), crd2idx([3, 5], (8, 16)), crd2idx((3, 5), (8, 16), (16, 1))
    (43, 43, 53)
    """
    if isinstance(shape, LayoutBase | Swizzle):
        return shape(coord)
    shape = Layout(shape).shape
    return Layout(shape, prefix_product(shape) if stride is None else stride)(coord)


def idx2crd(index: Any, shape: Any, stride: Any = None) -> IntTuple:
    """The coordinate of an index: in a shape colexicographically (the last mode is not reduced), or in a layout.

    In a layout it is (index / stride) % extent in every leaf. Where the strides chain, that is the coordinate whose
    value is the index, if there is one; `left_inverse` finds it for other layouts, and refuses where it cannot.
    A tuple of indices has one for every mode, as in CuTe; a tuple around one index is that index.

    Raises:
        LayoutError: a mode has stride 0; or a tuple that is not weakly congruent to the shape.

    >>> idx2crd(43, (8, 16)), idx2crd(43, Layout((8, 16), (16, 1))), idx2crd((1, 5), (4, (2, 4)))
    ((3, 5), (2, 11), (1, (1, 2)))
    """
    if isinstance(shape, LayoutBase):
        return idx2crd_of_layout(shape, index)
    if stride is not None:
        return idx2crd_of_layout(Layout(shape, stride), index)
    return _in_shape(index, Layout(shape).shape)


def idx2crd_of_layout(layout: Any, index: Any) -> IntTuple:
    """The coordinate whose value is the index."""
    if not isinstance(layout, Layout):
        raise LayoutError(f"idx2crd: {shown(layout)} is composed, and gives no coordinate of an index")
    if _one_a_mode(index, layout.shape):
        return tuple(map(idx2crd_of_layout, layout, index))
    index = _index(index)
    digits = tuple(_digit(layout, index, s, d) for s, d in layout.flat)
    return unflatten(digits, layout.shape)


def _in_shape(index: Any, shape: IntTuple) -> IntTuple:
    return tuple(map(_in_shape, index, shape)) if _one_a_mode(index, shape) else indexing.idx2crd(_index(index), shape)


def _one_a_mode(index: Any, shape: IntTuple) -> bool:
    """Is there an index for every mode?"""
    return isinstance(index, tuple | list) and isinstance(shape, tuple) and len(index) == len(shape)


def crd2crd(coord: Any, source: Any, target: Any) -> IntTuple:
    """The coordinate in `target` that has the same colexicographic index as `coord` in `source`.

    >>> crd2crd((3, 5), (8, 16), (4, 32))
    (3, 10)
    """
    source, target = Layout(source).shape, Layout(target).shape
    return indexing.idx2crd(indexing.crd2idx(coord, source, prefix_product(source)), target)


def get_hier_coord(layout: Any, index: Any) -> IntTuple:
    """The coordinate, of the shape's profile, whose value is the index.

    >>> get_hier_coord(Layout((4, (2, 8)), (1, (4, 8))), 13)
    (1, (1, 1))
    """
    return idx2crd_of_layout(*_ordered(layout, index))


def get_flat_coord(layout: Any, index: Any) -> IntTuple:
    """The coordinate whose value is the index, with one integer for every top-level mode.

    >>> get_flat_coord(Layout((4, (2, 8)), (1, (4, 8))), 13)
    (1, 3)
    """
    layout, index = _ordered(layout, index)
    found = get_hier_coord(layout, index)
    if not isinstance(layout.shape, tuple):
        return found
    flat = tuple(indexing.crd2idx(c, s, prefix_product(s)) for c, s in zip(found, layout.shape, strict=True))
    return flat[0] if len(flat) == 1 else flat


def get_1d_coord(layout: Any, index: Any) -> Any:
    """The colexicographic index of the coordinate whose value is the index.

    >>> get_1d_coord(Layout((4, 8), (8, 1)), 5)
    20
    """
    layout, index = _ordered(layout, index)
    return indexing.crd2idx(get_hier_coord(layout, index), layout.shape, prefix_product(layout.shape))


def _ordered(layout: Any, index: Any) -> tuple[Any, Any]:
    # FlyDSL's functions take the index first, CuTe's methods belong to the layout.
    return (layout, index) if isinstance(layout, LayoutBase) else (index, layout)


def _index(value: Any) -> Any:
    if not isinstance(value, tuple | list):
        return indexing.as_index(value)
    flat = flatten(as_int_tuple(value))
    if len(flat) != 1 or flat[0] is None:
        raise LayoutError(f"an index is an integer, got {to_text(as_int_tuple(value))}")
    return flat[0]


def _digit(layout: Layout, index: Any, extent: Any, stride: Any) -> Any:
    if type(extent) is int and extent == 1:
        return 0
    if type(stride) is int and stride == 0:
        raise LayoutError(f"idx2crd: {layout} has a mode of stride 0, whose coordinate no index determines")
    return remainder(quotient(index, stride), extent)
