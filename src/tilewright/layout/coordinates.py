"""Between coordinates and indices. `crd2idx` and `idx2crd` themselves are in `layout`, which is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from tilewright.errors import LayoutError
from tilewright.layout import indexing, inttuple
from tilewright.layout.arithmetic import quotient, remainder
from tilewright.layout.base import LayoutBase, as_layout
from tilewright.layout.inttuple import IntTuple, as_int_tuple, flatten, prefix_product, to_text, unflatten
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.composed import ComposedLayout
    from tilewright.layout.indexing import Index, Position, Positions
    from tilewright.layout.inttuple import Ints
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


@overload
def crd2idx(  # type: ignore[overload-overlap]  # an array is an index to a type checker
    crd: Position, layout: Layout[V] | ComposedLayout[V]
) -> V: ...
@overload
def crd2idx(  # type: ignore[overload-overlap]  # an array of one counts as a number
    crd: Position, layout: Swizzle | Ints, stride: Ints | None = None
) -> int: ...
@overload
def crd2idx(
    crd: Positions, layout: Layout[int] | ComposedLayout[int] | Swizzle | Ints, stride: Ints | None = None
) -> NDArray[int64]: ...
def crd2idx(crd: Any, layout: Any, stride: Any = None) -> Any:
    """The value at a coordinate: of a layout, of `shape:stride`, or of the compact layout of a shape.

    Raises:
        LayoutError: the coordinate is not weakly congruent to the shape.

    >>> crd2idx((3, 5), Layout((8, 16))), crd2idx([3, 5], (8, 16)), crd2idx((3, 5), (8, 16), (16, 1))
    (43, 43, 53)
    """
    if isinstance(layout, LayoutBase | Swizzle):
        return layout(crd)
    shape = Layout(layout).shape
    return Layout(shape, prefix_product(shape) if stride is None else stride)(crd)


@overload
def idx2crd(index: Index, layout: SupportsIndex | SymInt) -> int: ...
@overload
def idx2crd(index: Index | Sequence[int], layout: Sequence[int]) -> tuple[int, ...]: ...
@overload
def idx2crd(index: Position, layout: Layout[int] | Ints, stride: Ints | None = None) -> IntTuple: ...
def idx2crd(index: Any, layout: Any, stride: Any = None) -> Any:
    """The coordinate of an index: in a shape colexicographically (the last mode is not reduced), or in a layout.

    In a layout it is (index / stride) % extent in every leaf. Where the strides chain, that is the coordinate whose
    value is the index, if there is one; `left_inverse` finds it for other layouts, and refuses where it cannot.
    A tuple of indices has one for every mode, as in CuTe; a tuple around one index is that index.

    Raises:
        LayoutError: a mode has stride 0; or a tuple that is not weakly congruent to the shape.

    >>> idx2crd(43, (8, 16)), idx2crd(43, Layout((8, 16), (16, 1))), idx2crd((1, 5), (4, (2, 4)))
    ((3, 5), (2, 11), (1, (1, 2)))
    """
    if isinstance(layout, LayoutBase):
        return idx2crd_of_layout(layout, index)  # type: ignore[arg-type]  # which refuses other kinds
    if stride is not None:
        return idx2crd_of_layout(Layout(layout, stride), index)
    return _in_shape(index, Layout(layout).shape)


def idx2crd_of_layout(layout: Layout[int], index: Position) -> IntTuple:
    """The coordinate whose value is the index."""
    if not isinstance(layout, Layout):
        composed = as_layout(layout)
        raise LayoutError(f"idx2crd: {composed} is composed, and gives no coordinate of an index")
    if isinstance(index, tuple | list) and _one_a_mode(index, layout.shape):
        return tuple(map(idx2crd_of_layout, layout, index))
    number = _index(index)
    digits = tuple(_digit(layout, number, s, d) for s, d in layout.flat)
    return unflatten(digits, layout.shape)


def _in_shape(index: Any, shape: Any) -> Any:
    return tuple(map(_in_shape, index, shape)) if _one_a_mode(index, shape) else indexing.idx2crd(_index(index), shape)


def _one_a_mode(index: Any, shape: Any) -> bool:
    """Is there an index for every mode?"""
    return isinstance(index, tuple | list) and isinstance(shape, tuple) and len(index) == len(shape)


def crd2crd(crd: Position, src_shape: Ints, dst_shape: Ints) -> IntTuple:
    """The coordinate in `dst_shape` that has the same colexicographic index as `crd` in `src_shape`.

    >>> crd2crd((3, 5), (8, 16), (4, 32))
    (3, 10)
    """
    source, target = Layout(src_shape).shape, Layout(dst_shape).shape
    found: IntTuple = indexing.idx2crd(indexing.crd2idx(crd, source, prefix_product(source)), target)
    return found


@overload
def get_hier_coord(index: Index, layout: Layout[int]) -> IntTuple: ...
@overload
def get_hier_coord(index: Layout[int], layout: Index) -> IntTuple: ...
def get_hier_coord(index: Any, layout: Any) -> IntTuple:
    """The coordinate, of the shape's profile, whose value is the index. Either argument may come first.

    >>> get_hier_coord(13, Layout((4, (2, 8)), (1, (4, 8))))
    (1, (1, 1))
    """
    return idx2crd_of_layout(*_ordered(index, layout))


@overload
def get_flat_coord(index: Index, layout: Layout[int]) -> int | tuple[int, ...]: ...
@overload
def get_flat_coord(index: Layout[int], layout: Index) -> int | tuple[int, ...]: ...
def get_flat_coord(index: Any, layout: Any) -> int | tuple[int, ...]:
    """The coordinate whose value is the index, with one integer for every top-level mode.

    >>> get_flat_coord(13, Layout((4, (2, 8)), (1, (4, 8))))
    (1, 3)
    """
    return flat_coord_of_layout(*_ordered(index, layout))


@overload
def get_1d_coord(index: Index, layout: Layout[int]) -> int: ...
@overload
def get_1d_coord(index: Layout[int], layout: Index) -> int: ...
def get_1d_coord(index: Any, layout: Any) -> int:
    """The colexicographic index of the coordinate whose value is the index.

    >>> get_1d_coord(5, Layout((4, 8), (8, 1)))
    20
    """
    return linear_coord_of_layout(*_ordered(index, layout))


def flat_coord_of_layout(layout: Layout[int], index: Index) -> int | tuple[int, ...]:
    """The coordinate whose value is the index, with one integer for every top-level mode."""
    found = idx2crd_of_layout(layout, index)
    pairs = zip(inttuple.modes(found), inttuple.modes(layout.shape), strict=True)
    flat: tuple[int, ...] = tuple(indexing.crd2idx(c, s, prefix_product(s)) for c, s in pairs)
    return flat[0] if len(flat) == 1 else flat


def linear_coord_of_layout(layout: Layout[int], index: Index) -> int:
    """The colexicographic index of the coordinate whose value is the index."""
    found: int = indexing.crd2idx(idx2crd_of_layout(layout, index), layout.shape, prefix_product(layout.shape))
    return found


def _ordered(index: Any, layout: Any) -> tuple[Any, Any]:
    # FlyDSL's functions take the index first, CuTe's methods belong to the layout.
    return (index, layout) if isinstance(index, LayoutBase) else (layout, index)


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
