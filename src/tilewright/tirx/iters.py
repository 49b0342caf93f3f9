"""`Iter`, the strided walk that TIRx layouts are made of, and `Parts`, the three pieces of a layout.

Everything in this folder that computes takes and returns `Parts`; the classes that users see wrap them.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeGuard, TypeVar

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import AXES, MEMORY, Axis, AxisSum, AxisZero, components
from tilewright.layout.inttuple import MAX_INT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy import integer
    from numpy.typing import NDArray

    from tilewright.layout.indexing import Index
    from tilewright.layout.inttuple import Element
    from tilewright.layout.symbolic.symint import SymInt

    Indices: TypeAlias = Index | NDArray[integer[Any]]
    Region: TypeAlias = Sequence[Sequence[Index] | NDArray[integer[Any]] | "Span"]
    Offset: TypeAlias = int | SymInt | AxisSum | Mapping[str, Index] | Mapping[Axis, Index]


class Leaf(Protocol):
    """A value that is known at run time only, of whichever kind: `SymInt`, or an integer of a kernel."""

    @property
    def is_layout_leaf(self) -> bool: ...  # noqa: D102


class Span(Protocol):
    """A range as TVM has it: where it begins, and how many there are."""

    @property
    def min(self) -> Index: ...  # noqa: D102
    @property
    def extent(self) -> Index: ...  # noqa: D102


L = TypeVar("L", bound=Leaf)
M = Axis.get(MEMORY)

Terms: TypeAlias = tuple[tuple[Axis, int], ...]


class _Triple(NamedTuple):
    extent: int
    stride: int
    axis: Axis | None


class Iter(_Triple):
    """`extent` positions, each `stride` further on `axis`.

    The stride may carry its axis (`Iter(8, 4 @ laneid)`); one without any lies on the memory axis `m`. A stride on
    several axes at once (an `AxisSum`) has `axis` None: slices that cut across a carry need one.

    Raises:
        LayoutError: an extent below 1, an unknown axis, values that are no integers.

    Source: TIRx's page on layouts.

    >>> Iter(8, 4, "laneid"), Iter(2, 1)
    (Iter(8, 4, laneid), Iter(2, 1, m))
    >>> Iter(8, 4, "laneid") == Iter(8, 4 @ Axis.laneid)
    True
    """

    __slots__ = ()

    def __new__(cls, extent: Index, stride: Index | AxisSum, axis: Axis | str | None = None) -> Iter:
        """The checked iter."""
        return make_iter(_extent(extent), *_on_axis(stride, axis))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iter) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"Iter({self.extent!r}, {self.stride!r}" + (")" if self.axis is None else f", {self.axis.name})")


Iters: TypeAlias = tuple[Iter, ...]


class Parts(NamedTuple):
    """A layout's shard, replica and offset; the offset's axes are distinct and in alphabetical order."""

    shard: Iters
    replica: Iters = ()
    offset: Terms = ()


def make_iter(extent: int, stride: Element, axis: Axis | None) -> Iter:
    """The iter of values that are known to be right."""
    return tuple.__new__(Iter, (extent, stride, axis))


def terms(stride: int, axis: Axis | None) -> Terms:
    """A stride as (axis, value) terms; one term unless it lies on several axes, of which `int` stands for the sum."""
    return ((axis, stride),) if axis is not None else on_named_axes(stride)


def on_named_axes(element: Element) -> Terms:
    """A module element on named axes, as (axis, value) terms."""
    return tuple((Axis.get(str(name)), value) for name, value in components(element))


def on_axes(items: Iterable[tuple[Axis, int]]) -> tuple[Element, Axis | None]:
    """The (stride, axis) of a sum of terms: axes whose value is 0 are dropped, unless nothing else is left."""
    listed = tuple(items)
    if len(listed) == 1:
        return listed[0][1], listed[0][0]
    total: dict[Axis, int] = {}
    for axis, value in listed:
        total[axis] = total[axis] + value if axis in total else value
    kept = {axis: value for axis, value in total.items() if not is_zero(value)}
    if len(kept) > 1:
        return sum(value @ axis for axis, value in kept.items()), None
    axis, value = next(iter((kept or total).items()))
    return value, axis


def add_terms(*offsets: Iterable[tuple[Axis, int]]) -> Terms:
    """The sum of offsets, axis by axis; an axis stays even where its sum is 0.

    >>> add_terms([(Axis.warpid, 5)], [(M, 7), (Axis.warpid, 1)])
    ((m, 7), (warpid, 6))
    """
    total: dict[Axis, int] = {}
    for offset in offsets:
        for axis, value in offset:
            total[axis] = total[axis] + value if axis in total else value
    return tuple(sorted(total.items(), key=_name)) if len(total) > 1 else tuple(total.items())


def is_zero(value: object) -> bool:
    """Is it the integer 0? (A run-time value is not.)"""
    return isinstance(value, int) and value == 0


def extents(iters: Iterable[Iter]) -> tuple[int, ...]:
    """The extents of the iters."""
    return tuple(it.extent for it in iters)


def size_of(iters: Iterable[Iter]) -> int:
    """The product of the extents."""
    return prod(it.extent for it in iters)


def as_integer(value: object, what: str) -> int:
    """`value` as an int, or as it is where it is a run-time value, for which `int` stands.

    Raises:
        LayoutError: it is neither.
    """
    if type(value) is int:
        number = value
    elif _is_run_time(value):
        return value
    else:
        try:
            number = int(index(value))  # type: ignore[arg-type]  # what is no index is a TypeError
        except TypeError:
            raise LayoutError(f"{what} is an integer, got {shown(value)}") from None
    if -MAX_INT < number < MAX_INT:
        return number
    raise LayoutError(f"{what} lies in (-2^63, 2^63), got {shown(value)}")


def _is_run_time(value: object) -> TypeGuard[int]:
    return getattr(value, "is_layout_leaf", False) and not isinstance(value, AxisSum)


def as_static(value: object, what: str) -> int:
    """`value` as an int, where no run-time value will do.

    Raises:
        LayoutError: it is none.
    """
    made = as_integer(value, what)
    if type(made) is not int:
        raise LayoutError(f"{what} must be known when the layout is made, got the run-time value {made}")
    return made


def as_shape(shape: object) -> tuple[int, ...]:
    """A logical shape as a tuple of extents.

    Raises:
        LayoutError: it is no sequence of integers of at least 1.

    >>> as_shape([8, 64])
    (8, 64)
    """
    if isinstance(shape, str) or not isinstance(shape, Iterable):
        raise LayoutError(f"a shape is a sequence of extents, got {shown(shape)}")
    extents = tuple(as_integer(extent, "an extent of a shape") for extent in shape)
    if any(type(extent) is int and extent < 1 for extent in extents):
        raise LayoutError(f"the extents of a shape must be at least 1, got {extents}")
    return extents


def _name(item: tuple[Axis, int]) -> str:
    return item[0].name


def _extent(value: object) -> int:
    extent = as_integer(value, "the extent of an iter")
    if type(extent) is int and extent < 1:
        raise LayoutError(f"the extent of an iter must be at least 1, got {extent}")
    return extent


def _on_axis(stride: object, axis: Axis | str | None) -> tuple[Element, Axis | None]:
    if axis is not None:
        if isinstance(stride, AxisSum):
            raise LayoutError(f"the stride {stride} already says its axis; leave out {axis}")
        return as_integer(stride, "the stride of an iter"), Axis.get(axis.name if isinstance(axis, Axis) else axis)
    if isinstance(stride, AxisZero):
        return 0, Axis.get(stride.axis)
    if not isinstance(stride, AxisSum):
        return as_integer(stride, "the stride of an iter"), M
    if len(stride.terms) == 1 and stride.terms[0][0] in AXES:
        return stride.terms[0][1], AXES[str(stride.terms[0][0])]
    if any(isinstance(name, tuple) for name, _ in stride.terms):
        raise LayoutError(f"TIRx strides lie on named axes, got the coordinate positions of {stride}")
    return on_axes((Axis.get(str(name)), value) for name, value in stride.terms)
