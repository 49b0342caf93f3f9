"""`Layout`: a function from coordinates to elements of the stride module, written `shape:stride`.

L(c) = sum over the leaves of (digit of c in the leaf) * (stride of the leaf), where an integer coordinate is
split over the leaves colexicographically: the first mode is fastest, the last one takes what is left. So layouts go on
beyond their domain in both directions, by the last mode: the others' digits lie in their extents, also where the
coordinate is negative. (CuTe's Python does the same. Its C++ rounds towards zero: -1 in (4,8) is (-1,0) there, and
(3,-1) here.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, TypeAlias, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout import indexing
from tilewright.layout.axes import AxisSum, components
from tilewright.layout.bulk import at_arrays, by_axis
from tilewright.layout.indexing import crd2idx, has_array, idx2crd, keeps
from tilewright.layout.inttuple import (
    MAX_INT,
    IntTuple,
    depth,
    flatten,
    in_64_bits,
    leaves,
    product,
    rank,
    side_by_side,
    to_source,
    to_text,
)
from tilewright.layout.methods import PlainMethods, V
from tilewright.layout.parts import LEVELS, checked, compact_stride, is_all_int, plain_size
from tilewright.layout.presenting import coprofile_axes, present, present_parts

if TYPE_CHECKING:
    from types import NotImplementedType

    from numpy import bool_, int64
    from numpy.typing import NDArray

    from tilewright.layout.axes import AxisKey, Known, Presented, Value
    from tilewright.layout.extent import Extent
    from tilewright.layout.indexing import Coord, Coordinate, KnownPosition, Position, Positions
    from tilewright.layout.inttuple import Element, Elements, Ints, IntTupleLike, KnownInts
    from tilewright.layout.symbolic.symint import SymInt

    Source: TypeAlias = "Layout | SymInt"

__all__ = [
    "Layout",
    "compact_stride",
    "concatenate",
    "crd2idx",
    "idx2crd",
    "modes_alone",
    "present",
    "trusted",
    "within",
]


class Layout(PlainMethods[V]):
    """The layout `shape:stride`: immutable, hashable, checked when built.

    A coordinate is split first mode fastest; what exceeds the shape goes into the last mode, so that the layout goes on
    beyond its size, as in CuTe. A coordinate that ends before the modes do goes on with zeros.

    Args:
        shape: an int tuple; every extent is at least 1.
        stride: an int tuple of the same profile whose leaves are integers or `value@axis` sums.
            Without it the strides are compact, first mode fastest, and 0 on modes of size 1.

    Raises:
        LayoutError: an extent below 1, profiles that differ, or a size or values that 64 bits do not hold.

    Source: CuTe's `Layout`.

    >>> layout = Layout((4, (2, 8)), (1, (16, 4)))
    >>> layout(1, 5), layout((1, (1, 2))), layout.size
    (25, 25, 64)
    >>> layout(64), layout((1,)), layout(1, 16)
    (32, 1, 33)
    >>> print(Layout((4, 1, 3)))
    (4,1,3):(1,0,4)
    """

    __slots__ = ("_axes", "_hash", "_is_static", "_on_axes", "_sources", "shape", "stride")
    shape: IntTuple
    stride: IntTuple

    if TYPE_CHECKING:

        @overload
        def __init__(self: Layout[int], shape: KnownInts, stride: KnownInts | None = None) -> None: ...
        @overload
        def __init__(self: Layout[int | SymInt], shape: Ints, stride: Ints | None = None) -> None: ...
        @overload
        def __init__(self: Layout[Known], shape: KnownInts, stride: IntTupleLike = None) -> None: ...
        @overload
        def __init__(self: Layout[Value], shape: Ints, stride: IntTupleLike = None) -> None: ...

    def __init__(self, shape: Ints, stride: Ints | IntTupleLike = None) -> None:
        if not 0 < plain_size((shape,), (stride,), LEVELS) < MAX_INT:
            shape, stride = checked(shape, stride)
        _set_shape(self, shape)
        _set_stride(self, stride)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Layout is frozen; cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Layout is frozen; cannot delete {name}")

    def __reduce__(self) -> tuple[Callable[..., Layout], tuple[object, object]]:
        sources = sources_of(self)
        return (with_sources, (with_sources(self, ()), sources)) if sources else (Layout, (self.shape, self.stride))

    # ---- queries

    if TYPE_CHECKING:
        size: ClassVar[Extent]
    else:

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
    def __call__(self, *coord: KnownPosition) -> V: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self, *coord: Position) -> V | SymInt: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self: Layout[int], *coord: Positions) -> NDArray[int64]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self, *coord: Coord) -> Layout[V]: ...
    @overload
    def __call__(self, *coord: Coordinate) -> Presented | NDArray[int64] | Layout[V]: ...
    def __call__(self, *coord: Coordinate) -> V | SymInt | Presented | NDArray[int64] | Layout[V]:
        """L(coord): an int, a coordinate tuple, or `{axis: int}` with every axis of the strides.

        The coordinate is an integer (colexicographic), a tuple weakly congruent to the shape, or one argument a
        mode; a tuple that ends early goes on with zeros: L((3,)) == L((3, 0)). Arrays of integers are evaluated element
        by element, and broadcast against each other. With `None` among them the result is the layout of the modes kept,
        see `slice`.

        Outside the domain the last mode goes on; an integer below 0 is split rounding down (CuTe's C++: towards zero).

        >>> Layout((4, 8), (8, 1))(-1), Layout((4, 8), (8, 1))(3, -1), Layout((4, 8), (8, 1))(32)
        (23, 23, 8)
        """
        where = coord[0] if len(coord) == 1 else coord
        stride = self.stride
        if where.__class__ is tuple and stride.__class__ is tuple and len(where) == len(stride):
            total = 0
            for c, d in side_by_side(where, stride):  # the lengths are equal
                if c.__class__ is not int or d.__class__ is not int:
                    break
                total += c * d
            else:
                return total if -MAX_INT < total < MAX_INT else in_64_bits(total)
        return self._evaluated(where)

    def _evaluated(self, where: Coordinate) -> Presented | NDArray[int64] | Layout[V]:
        if where.__class__ is not int:
            if keeps(where):
                return self.slice(where)
            if self.on_axes and has_array(where):
                return present_parts(by_axis(where, self.shape, self.stride), self.axes)
        value = self.at(where)
        return present(value, self.axes) if self.on_axes else value

    @property
    def axes(self) -> tuple[AxisKey, ...]:
        """The axes of the codomain: those of the strides, and of the layout from which this one was made."""
        try:
            return _get_axes(self)  # type: ignore[no-any-return]  # a slot, found out once
        except AttributeError:
            found = coprofile_axes(self.stride)
            _set_axes(self, found)
            return found

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
            found = is_all_int(self.shape) and is_all_int(self.stride)
            _set_is_static(self, found)
            return found

    @overload
    def at(self: Layout[int], coord: KnownPosition) -> int: ...  # type: ignore[overload-overlap]  # as above
    @overload
    def at(self: Layout[int], coord: Positions) -> NDArray[int64]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def at(self, coord: Coordinate) -> Element: ...
    def at(self, coord: Coordinate) -> Element | NDArray[int64]:
        """L(coord) as a module element: an int, or a sum of `value@axis`; of arrays an array, where strides are ints.

        Raises:
            LayoutError: the coordinate has more modes than the shape; or values at arrays could leave 64 bits, or lie
                on axes.
        """
        if coord.__class__ is int or not has_array(coord):
            return in_64_bits(crd2idx(coord, self.shape, self.stride))
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
            found = trusted(self.shape[mode], self.stride[mode])  # type: ignore[index]  # of one profile
        except IndexError:
            raise LayoutError(f"mode {shown(mode)} of {self}, which has rank {self.rank}") from None
        except (TypeError, ValueError):
            raise LayoutError(f"a mode is an integer or a slice, got {shown(mode)}") from None
        return found if self._is_of_integers() else self._cut(found)

    def __iter__(self) -> Iterator[Layout[V]]:
        if not isinstance(self.shape, tuple):
            return iter((self,))
        modes = map(trusted, self.shape, self.stride)  # type: ignore[arg-type]  # of one profile
        return modes if self._is_of_integers() else map(self._cut, modes)

    def _is_of_integers(self) -> bool:
        # At a glance, for most layouts; a layout that was cut from coordinates may have no stride but 0.
        return self.__class__ is Layout and self.is_static

    def _cut(self, mode: Layout[V]) -> Layout[V]:
        found = within(mode, self.axes) if self.on_axes else mode
        own = () if all(map(_is_known, (*leaves(self.shape), *leaves(self.stride)))) else (with_sources(self, ()),)
        return with_sources(found, (*sources_of(self), *own))

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
_get_axes = Layout.__dict__["_axes"].__get__
_set_axes = Layout.__dict__["_axes"].__set__
_get_hash = Layout.__dict__["_hash"].__get__
_set_hash = Layout.__dict__["_hash"].__set__
_get_is_static = Layout.__dict__["_is_static"].__get__
_set_is_static = Layout.__dict__["_is_static"].__set__
_get_on_axes = Layout.__dict__["_on_axes"].__get__
_set_on_axes = Layout.__dict__["_on_axes"].__set__
_get_sources = Layout.__dict__["_sources"].__get__
_set_sources = Layout.__dict__["_sources"].__set__
_set_shape = Layout.__dict__["shape"].__set__
_set_stride = Layout.__dict__["stride"].__set__


def trusted(shape: IntTuple, stride: Elements) -> Layout:
    """A layout of parts that are known to be well formed, without the checks."""
    layout = _new(Layout)
    _set_shape(layout, shape)
    _set_stride(layout, stride)
    return layout


class _Within(Layout[V]):
    """A layout whose codomain has more axes than its strides tell. It prints as the others do."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __call__(self, *coord: Coordinate) -> Presented | NDArray[int64] | Layout[V]:
            # Strides that are all 0 are no reason to take values for integers.
            return self._evaluated(_one(coord))

    def __eq__(self, other: object) -> bool | NotImplementedType:
        if not isinstance(other, Layout):
            return NotImplemented
        same = isinstance(other, _Within) and set(self.axes) == set(other.axes)
        return same and bool(self.shape == other.shape and self.stride == other.stride)

    __hash__ = Layout.__hash__

    def __reduce__(self) -> tuple[Callable[..., Layout], tuple[object, object]]:
        bare = within, (trusted(self.shape, self.stride), self.axes)
        return (with_sources, (within(*bare[1]), sources_of(self))) if sources_of(self) else bare

    def __repr__(self) -> str:
        return f"{super().__repr__()}.with_coprofile({present(0, self.axes)!r})"


class _Settled(Layout[V]):
    """A static layout with sources: it equals the one without, but what is remembered of that one is not for it."""

    __slots__ = ()


def sources_of(layout: Layout) -> tuple[Source, ...]:
    """What the layout was made of and does not show; `substitute` asks it too."""
    try:
        return _get_sources(layout)  # type: ignore[no-any-return]  # a slot, empty but for run-time layouts
    except AttributeError:
        return ()


def with_sources(layout: Layout[V], sources: tuple[Source, ...]) -> Layout[V]:
    """The same layout, with these sources and no others.

    >>> with_sources(Layout(4), (Layout(8),)) == Layout(4), with_sources(with_sources(Layout(4), (Layout(8),)), ())
    (True, Layout(4, 1))
    """
    if sources_of(layout) == sources:
        return layout
    bare = trusted(layout.shape, layout.stride)
    if isinstance(layout, _Within):
        bare = within(bare, layout.axes)
    if sources:
        if bare.is_static:
            bare = _new(_Settled)
            _set_shape(bare, layout.shape)
            _set_stride(bare, layout.stride)
        _set_sources(bare, sources)
    return bare


def modes_alone(layout: Layout[V]) -> list[Layout[V]]:
    """The modes, each with the codomain that its own strides tell: for what is put together again."""
    if not isinstance(layout.shape, tuple):
        return [layout]
    return list(map(trusted, layout.shape, layout.stride))  # type: ignore[arg-type]  # of one profile


def concatenate(parts: list[Layout]) -> Layout:
    """The layout whose modes are the given layouts.

    >>> print(concatenate([Layout(4), Layout((2, 8), (16, 4))]))
    (4,(2,8)):(1,(16,4))
    """
    return trusted(tuple([p.shape for p in parts]), tuple([p.stride for p in parts]))


def within(layout: Layout[V], axes: Iterable[AxisKey]) -> Layout[V]:
    """The layout as a function into a codomain of these axes, beside those of its strides.

    >>> from tilewright.layout.axes import term
    >>> within(Layout(4, term(1, (1,))), [(0,), (2,)])(3)
    (0, 3, 0)
    """
    known = layout.axes
    every = tuple(dict.fromkeys((*known, *axes)))
    if len(every) == len(known):
        return layout
    wide = _new(_Within)
    _set_shape(wide, layout.shape)
    _set_stride(wide, layout.stride)
    _set_axes(wide, every)
    _set_on_axes(wide, True)
    _set_is_static(wide, False)
    return wide


def _is_known(leaf: Element) -> bool:
    return all(type(value) is int for _, value in components(leaf))


def _one(coord: tuple[Coordinate, ...]) -> Coordinate:
    return coord[0] if len(coord) == 1 else coord
