"""`Layout`: a function from coordinates to elements of the stride module, written `shape:stride`.

L(c) = sum over the leaves of (digit of c in the leaf) * (stride of the leaf), where an integer coordinate is
split over the leaves colexicographically: the first mode is fastest, the last one takes what is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout import indexing
from tilewright.layout.axes import AxisSum
from tilewright.layout.bulk import at_arrays, by_axis
from tilewright.layout.indexing import crd2idx, has_array, idx2crd, keeps
from tilewright.layout.inttuple import (
    MAX_INT,
    IntTuple,
    as_int_tuple,
    congruent,
    depth,
    flatten,
    leaves,
    product,
    rank,
    to_source,
    to_text,
)
from tilewright.layout.methods import PlainMethods, V
from tilewright.layout.presenting import coprofile_axes, present, present_parts

if TYPE_CHECKING:
    from types import NotImplementedType

    from numpy import bool_, int64
    from numpy.typing import NDArray

    from tilewright.layout.axes import Presented, Value
    from tilewright.layout.indexing import Coord, Coordinate, Position, Positions
    from tilewright.layout.inttuple import Element, Elements, Ints, IntTupleLike, Tree

__all__ = ["compact_stride", "coprofile_axes", "crd2idx", "idx2crd", "Layout", "present", "trusted"]


# Tuples of so few modes, nested so little, have at most 4096 leaves without counting.
FEW, LEVELS = 16, 3


class Layout(PlainMethods[V]):
    """The layout `shape:stride`: immutable, hashable, checked when built.

    Args:
        shape: an int tuple; every extent is at least 1.
        stride: an int tuple of the same profile whose leaves are integers or `value@axis` sums.
            Without it the strides are compact, first mode fastest, and 0 on modes of size 1.

    Raises:
        LayoutError: an extent below 1, or profiles that differ.

    Source: CuTe's `Layout`.

    >>> layout = Layout((4, (2, 8)), (1, (16, 4)))
    >>> layout(1, 5), layout((1, (1, 2))), layout.size
    (25, 25, 64)
    >>> print(Layout((4, 1, 3)))
    (4,1,3):(1,0,4)
    """

    __slots__ = ("_hash", "_is_static", "_on_axes", "shape", "stride")
    shape: IntTuple
    stride: IntTuple

    if TYPE_CHECKING:

        @overload
        def __init__(self: Layout[int], shape: Ints, stride: Ints | None = None) -> None: ...
        @overload
        def __init__(self: Layout[Value], shape: Ints, stride: IntTupleLike = None) -> None: ...

    def __init__(self, shape: Ints, stride: Ints | IntTupleLike = None) -> None:
        if not _is_plain((shape,), (stride,), LEVELS):
            shape, stride = _checked(shape, stride)
        _set_shape(self, shape)
        _set_stride(self, stride)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Layout is frozen; cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Layout is frozen; cannot delete {name}")

    def __reduce__(self) -> tuple[type[Layout], tuple[IntTuple, IntTuple]]:
        return Layout, (self.shape, self.stride)

    # ---- queries

    @property
    def size(self) -> int:
        """The number of coordinates: the product of the extents."""
        return product(self.shape)

    @property
    def rank(self) -> int:
        """The number of top-level modes; 1 for a leaf layout."""
        return rank(self.shape)

    @property
    def depth(self) -> int:
        """The nesting depth of the shape; 0 for a leaf layout."""
        return depth(self.shape)

    @property
    def flat(self) -> tuple[tuple[int, int], ...]:
        """The leaves as (extent, stride) pairs, fastest first."""
        return tuple(zip(flatten(self.shape), flatten(self.stride), strict=True))

    @property
    def spans(self) -> IntTuple:
        """The module elements that span the values: the strides."""
        return self.stride

    @overload
    def contains(self, *coord: Position) -> bool: ...  # type: ignore[overload-overlap]  # as below
    @overload
    def contains(self, *coord: Positions) -> NDArray[bool_]: ...
    def contains(self, *coord: Coordinate) -> bool | NDArray[bool_]:
        """Is the coordinate inside the domain? (Evaluation also works outside: the last mode extends.)

        >>> Layout((4, 8)).contains(3, 7), Layout((4, 8)).contains(4, 0), Layout((4, 8)).contains(32)
        (True, False, False)
        """
        return indexing.contains(_one(coord), self.shape)

    # ---- evaluation

    # An array is an index to a type checker, since numpy's of one element are: hence the overlaps.
    @overload
    def __call__(self, *coord: Position) -> V: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self: Layout[int], *coord: Positions) -> NDArray[int64]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self, *coord: Coord) -> Layout[V]: ...
    @overload
    def __call__(self, *coord: Coordinate) -> Presented | NDArray[int64] | Layout[V]: ...
    def __call__(self, *coord: Coordinate) -> V | Presented | NDArray[int64] | Layout[V]:
        """L(coord): an int, a coordinate tuple, or `{axis: int}` with every axis of the strides.

        The coordinate is an integer (colexicographic), a tuple weakly congruent to the shape, or one argument a
        mode; arrays of integers are evaluated element by element, and broadcast against each other. With `None` among
        them the result is the layout of the modes kept, see `slice`.
        """
        where = coord[0] if len(coord) == 1 else coord
        stride = self.stride
        if where.__class__ is tuple and stride.__class__ is tuple and len(where) == len(stride):
            total = 0
            for c, d in zip(where, stride):  # noqa: B905  # the lengths are equal
                if c.__class__ is not int or d.__class__ is not int:
                    break
                total += c * d
            else:
                return total
        return self._evaluated(where)

    def _evaluated(self, where: Coordinate) -> Presented | NDArray[int64] | Layout[V]:
        if where.__class__ is not int:
            if keeps(where):
                return self.slice(where)
            if self.on_axes and has_array(where):
                return present_parts(by_axis(where, self.shape, self.stride), self.stride)
        value = self.at(where)
        return present(value, self.stride) if self.on_axes else value

    @property
    def on_axes(self) -> bool:
        """Does a stride lie on an axis, so that values are coordinates or `{axis: int}`?"""
        try:
            return _get_on_axes(self)  # type: ignore[no-any-return]  # a slot, found out once
        except AttributeError:
            found = any(isinstance(leaf, AxisSum) for leaf in leaves(self.stride))
            _set_on_axes(self, found)
            return found

    @property
    def is_static(self) -> bool:
        """Are all leaves integers, known and on no axis?"""
        try:
            return _get_is_static(self)  # type: ignore[no-any-return]  # a slot, found out once
        except AttributeError:
            found = _is_all_int(self.shape) and _is_all_int(self.stride)
            _set_is_static(self, found)
            return found

    @overload
    def at(self: Layout[int], coord: Position) -> int: ...  # type: ignore[overload-overlap]  # as above
    @overload
    def at(self: Layout[int], coord: Positions) -> NDArray[int64]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def at(self, coord: Coordinate) -> Element: ...
    def at(self, coord: Coordinate) -> Element | NDArray[int64]:
        """L(coord) as a module element: an int, or a sum of `value@axis`; of arrays an array, where strides are ints.

        Raises:
            LayoutError: the coordinate does not fit; or values at arrays could leave 64 bits, or lie on axes.
        """
        if coord.__class__ is int or not has_array(coord):
            return crd2idx(coord, self.shape, self.stride)
        if self.on_axes:
            raise LayoutError(f"the values of {self} at arrays are given axis by axis: call the layout")
        return at_arrays(coord, self.shape, self.stride)

    # ---- modes

    def __getitem__(self, mode: int | slice) -> Layout[V]:
        """The layout of one mode; a negative index counts from the end, a slice keeps several.

        >>> print(Layout((4, (2, 8)), (1, (16, 4)))[1])
        (2,8):(16,4)
        """
        if not isinstance(self.shape, tuple):
            if type(mode) is int and mode in (0, -1):
                return self
            raise LayoutError(f"mode {shown(mode)} of the leaf layout {self}, which has only mode 0")
        try:
            return trusted(self.shape[mode], self.stride[mode])  # type: ignore[index]  # of one profile
        except IndexError:
            raise LayoutError(f"mode {shown(mode)} of {self}, which has rank {self.rank}") from None
        except (TypeError, ValueError):
            raise LayoutError(f"a mode is an integer or a slice, got {shown(mode)}") from None

    def __iter__(self) -> Iterator[Layout[V]]:
        if not isinstance(self.shape, tuple):
            return iter((self,))
        return map(trusted, self.shape, self.stride)  # type: ignore[arg-type]  # of one profile

    def __len__(self) -> int:
        return self.rank

    def __eq__(self, other: object) -> bool | NotImplementedType:
        if not isinstance(other, Layout):
            return NotImplemented
        return bool(self.shape == other.shape and self.stride == other.stride)

    def __hash__(self) -> int:
        try:
            return _get_hash(self)  # type: ignore[no-any-return]  # a slot, found out once
        except AttributeError:
            found = hash((self.shape, self.stride))
            _set_hash(self, found)
            return found

    def __str__(self) -> str:
        return f"{to_text(self.shape)}:{to_text(self.stride)}"

    def __repr__(self) -> str:
        return f"Layout({to_source(self.shape)}, {to_source(self.stride)})"


_new = object.__new__
_get_hash = Layout.__dict__["_hash"].__get__
_set_hash = Layout.__dict__["_hash"].__set__
_get_is_static = Layout.__dict__["_is_static"].__get__
_set_is_static = Layout.__dict__["_is_static"].__set__
_get_on_axes = Layout.__dict__["_on_axes"].__get__
_set_on_axes = Layout.__dict__["_on_axes"].__set__
_set_shape = Layout.__dict__["shape"].__set__
_set_stride = Layout.__dict__["stride"].__set__


def trusted(shape: IntTuple, stride: Elements) -> Layout:
    """A layout of parts that are known to be well formed, without the checks."""
    layout = _new(Layout)
    _set_shape(layout, shape)
    _set_stride(layout, stride)
    return layout


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


def _is_all_int(node: IntTuple) -> bool:
    if node.__class__ is tuple:
        return all(map(_is_all_int, node))
    return node.__class__ is int


def _is_plain(shape: tuple[object, ...], stride: tuple[object, ...], levels: int) -> bool:
    """Is this an ordinary pair of int tuples, with nothing to complain of? The fast way through the constructor."""
    for s, d in zip(shape, stride):  # noqa: B905  # lengths are compared below
        if s.__class__ is int:
            if d.__class__ is not int or not 0 < s < MAX_INT or not -MAX_INT < d < MAX_INT:
                return False
        elif s.__class__ is tuple and d.__class__ is tuple and len(s) == len(d) <= FEW and levels:
            if not _is_plain(s, d, levels - 1):
                return False
        else:
            return False
    return True


def _checked(extents: object, strides: object) -> tuple[IntTuple, IntTuple]:
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


def _one(coord: tuple[Coordinate, ...]) -> Coordinate:
    return coord[0] if len(coord) == 1 else coord
