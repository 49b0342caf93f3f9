"""Between coordinates and indices. `crd2idx` and `idx2crd` themselves are in `layout`, which is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, SupportsIndex, overload

from tilewright.errors import LayoutError
from tilewright.layout import indexing
from tilewright.layout.arithmetic import quotient, remainder
from tilewright.layout.base import LayoutBase, as_layout
from tilewright.layout.indexing import keeps
from tilewright.layout.inttuple import (
    IntTuple,
    as_int_tuple,
    flatten,
    modes,
    prefix_product,
    product,
    to_text,
    unflatten,
)
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.axes import Presented, Value
    from tilewright.layout.composed import ComposedLayout
    from tilewright.layout.indexing import Coordinate, Index, KnownPosition, Position, Positions
    from tilewright.layout.inttuple import Ints, KnownInts
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


@overload
def crd2idx(  # type: ignore[overload-overlap]  # an array is an index to a type checker
    crd: KnownPosition, layout: Layout[V] | ComposedLayout[V]
) -> V: ...
@overload
def crd2idx(  # type: ignore[overload-overlap]  # as above
    crd: Position, layout: Layout[V] | ComposedLayout[V]
) -> V | SymInt: ...
@overload
def crd2idx(  # type: ignore[overload-overlap]  # an array of one counts as a number
    crd: Position, layout: Swizzle | Ints, stride: Ints | None = None
) -> int: ...
@overload
def crd2idx(
    crd: Positions, layout: Layout[int] | ComposedLayout[int] | Swizzle | Ints, stride: Ints | None = None
) -> NDArray[int64]: ...
def crd2idx(
    crd: Coordinate, layout: Layout[Value] | ComposedLayout[Value] | Swizzle | Ints, stride: Ints | None = None
) -> Value | Presented | NDArray[int64] | LayoutBase:
    """The value at a coordinate: of a layout, of `shape:stride`, or of the compact layout of a shape.

    A tuple that ends before the modes do goes on with zeros.

    Raises:
        LayoutError: the coordinate has more modes than the shape at some level.

    >>> crd2idx((3, 5), Layout((8, 16))), crd2idx([3, 5], (8, 16)), crd2idx((3, 5), (8, 16), (16, 1))
    (43, 43, 53)
    """
    if isinstance(layout, LayoutBase):
        return layout(crd)
    if isinstance(layout, Swizzle):
        return layout(crd)  # type: ignore[arg-type]  # which refuses all but offsets
    shape = Layout(layout).shape
    return Layout(shape, prefix_product(shape) if stride is None else stride)(crd)


@overload
def idx2crd(index: Index, layout: SupportsIndex | SymInt) -> int: ...
@overload
def idx2crd(index: Index | Sequence[int], layout: Sequence[int]) -> tuple[int, ...]: ...
@overload
def idx2crd(index: Position, layout: Layout[int | SymInt] | Ints, stride: Ints | None = None) -> IntTuple: ...
def idx2crd(
    index: Position | Sequence[int], layout: Layout[int | SymInt] | Ints | Sequence[int], stride: Ints | None = None
) -> IntTuple:
    """The coordinate of an index: in a shape colexicographically (the last mode is not reduced), or in a layout.

    In a layout it is (index / stride) % extent in every leaf, rounded towards zero as in C. Where the strides chain,
    that is the coordinate whose value is the index, if there is one; `left_inverse` finds it for other layouts, and
    refuses where it cannot. Run-time strides are taken to be positive, as all run-time divisors are.
    A tuple of indices has one for every mode, as in CuTe; a tuple around one index is that index.

    Raises:
        LayoutError: a mode has stride 0; or a tuple that is not weakly congruent to the shape.

    >>> idx2crd(43, (8, 16)), idx2crd(43, Layout((8, 16), (16, 1))), idx2crd((1, 5), (4, (2, 4)))
    ((3, 5), (2, 11), (1, (1, 2)))
    """
    if isinstance(layout, LayoutBase):
        return idx2crd_of_layout(layout, index)
    shape = as_int_tuple(layout)
    if stride is not None:
        return idx2crd_of_layout(Layout(shape, stride), index)
    return _in_shape(index, Layout(shape).shape)


def idx2crd_of_layout(layout: Layout[int | SymInt], index: Position | Sequence[int]) -> IntTuple:
    """The coordinate whose value is the index."""
    if not isinstance(layout, Layout):
        composed = as_layout(layout)
        raise LayoutError(f"idx2crd: {composed} is composed, and gives no coordinate of an index")
    parts = _one_a_mode(index, layout.shape)
    if parts is not None:
        return tuple(map(idx2crd_of_layout, layout, parts))
    number = _index(index)
    digits = tuple(_digit(layout, number, s, d) for s, d in layout.flat)
    return unflatten(digits, layout.shape)


def _in_shape(index: Position | Sequence[int], shape: IntTuple) -> IntTuple:
    parts = _one_a_mode(index, shape)
    return indexing.idx2crd(_index(index), shape) if parts is None else tuple(map(_in_shape, parts, modes(shape)))


def _one_a_mode(index: Position | Sequence[int], shape: IntTuple) -> Sequence[Position] | None:
    """The indices, where there is one for every mode."""
    if isinstance(index, tuple | list) and isinstance(shape, tuple) and len(index) == len(shape):
        return index
    return None


def crd2crd(crd: Position, src_shape: Ints, dst_shape: Ints) -> IntTuple:
    """The coordinate in `dst_shape` that has the same colexicographic index as `crd` in `src_shape`.

    Raises:
        LayoutError: a coordinate that does not fit the shape, or no shapes.

    >>> crd2crd((3, 5), (8, 16), (4, 32))
    (3, 10)
    """
    source, target = Layout(src_shape).shape, Layout(dst_shape).shape
    return indexing.idx2crd(indexing.crd2idx(crd, source, prefix_product(source)), target)


@overload
def coordinates(shape: SupportsIndex) -> Iterator[int]: ...
@overload
def coordinates(shape: tuple[int, ...] | list[int]) -> Iterator[tuple[int, ...]]: ...
@overload
def coordinates(shape: KnownInts | LayoutBase) -> Iterator[IntTuple]: ...
def coordinates(shape: KnownInts | LayoutBase) -> Iterator[IntTuple]:
    """All coordinates of a shape, or of a layout's, colexicographically: the i-th is idx2crd(i, shape).

    They have the shape's profile; there are size(shape) of them, made one by one.

    Raises:
        LayoutError: an extent below 1, or one known at run time only.

    >>> list(coordinates((2, (1, 2)))), [Layout((2, 2), (2, 1))(c) for c in coordinates((2, 2))]
    ([(0, (0, 0)), (1, (0, 0)), (0, (0, 1)), (1, (0, 1))], [0, 2, 1, 3])
    """
    extents = shape.shape if isinstance(shape, LayoutBase) else Layout(shape).shape
    count = product(extents)
    if type(count) is not int:
        raise LayoutError(f"coordinates: {to_text(extents)} has an extent that is known at run time only")
    return (indexing.idx2crd(i, extents) for i in range(count))


@overload
def get_hier_coord(index: Index, layout: Layout[int | SymInt]) -> IntTuple: ...
@overload
def get_hier_coord(index: Layout[int | SymInt], layout: Index) -> IntTuple: ...
def get_hier_coord(index: Index | Layout[int | SymInt], layout: Layout[int | SymInt] | Index) -> IntTuple:
    """The coordinate, of the shape's profile, whose value is the index. Either argument may come first.

    Raises:
        LayoutError: no layout and index, or an index that no coordinate has.

    >>> get_hier_coord(13, Layout((4, (2, 8)), (1, (4, 8))))
    (1, (1, 1))
    """
    return idx2crd_of_layout(*_ordered(index, layout))


@overload
def get_flat_coord(index: Index, layout: Layout[int | SymInt]) -> int | tuple[int, ...]: ...
@overload
def get_flat_coord(index: Layout[int | SymInt], layout: Index) -> int | tuple[int, ...]: ...
def get_flat_coord(index: Index | Layout[int | SymInt], layout: Layout[int | SymInt] | Index) -> int | tuple[int, ...]:
    """The coordinate whose value is the index, with one integer for every top-level mode.

    Raises:
        LayoutError: no layout and index, or an index that no coordinate has.

    >>> get_flat_coord(13, Layout((4, (2, 8)), (1, (4, 8))))
    (1, 3)
    """
    return flat_coord_of_layout(*_ordered(index, layout))


@overload
def get_1d_coord(index: Index, layout: Layout[int | SymInt]) -> int: ...
@overload
def get_1d_coord(index: Layout[int | SymInt], layout: Index) -> int: ...
def get_1d_coord(index: Index | Layout[int | SymInt], layout: Layout[int | SymInt] | Index) -> int:
    """The colexicographic index of the coordinate whose value is the index.

    Raises:
        LayoutError: no layout and index, or an index that no coordinate has.

    >>> get_1d_coord(5, Layout((4, 8), (8, 1)))
    20
    """
    return linear_coord_of_layout(*_ordered(index, layout))


def flat_coord_of_layout(layout: Layout[int | SymInt], index: Position) -> int | tuple[int, ...]:
    """The coordinate whose value is the index, with one integer for every top-level mode."""
    found = idx2crd_of_layout(layout, index)
    pairs = zip(modes(found), modes(layout.shape), strict=True)
    flat = tuple(indexing.crd2idx(c, s, prefix_product(s)) for c, s in pairs)
    return flat[0] if len(flat) == 1 else flat


def linear_coord_of_layout(layout: Layout[int | SymInt], index: Index) -> int:
    """The colexicographic index of the coordinate whose value is the index."""
    return indexing.crd2idx(idx2crd_of_layout(layout, index), layout.shape, prefix_product(layout.shape))


def _ordered(
    first: Index | Layout[int | SymInt], second: Layout[int | SymInt] | Index
) -> tuple[Layout[int | SymInt], Index]:
    # FlyDSL's functions take the index first, CuTe's methods belong to the layout.
    if isinstance(first, LayoutBase):
        return first, second  # type: ignore[return-value]  # two layouts are refused by whoever takes the index
    return second, first  # type: ignore[return-value]  # two indices by whoever takes the layout


def _index(value: Position | Sequence[int]) -> int:
    if not isinstance(value, tuple | list):
        return indexing.as_index(value)
    flat = flatten(as_int_tuple(value))
    if len(flat) != 1 or keeps(flat):
        raise LayoutError(f"an index is an integer, got {to_text(as_int_tuple(value))}")
    return flat[0]


def _digit(layout: Layout, index: int, extent: int, stride: int) -> int:
    if type(extent) is int and extent == 1:
        return 0
    if type(stride) is int and stride == 0:
        raise LayoutError(f"idx2crd: {layout} has a mode of stride 0, whose coordinate no index determines")
    return remainder(quotient(index, stride), extent)
