"""`ComposedLayout`: outer(offset + inner(c)), where outer is a swizzle, of offsets or coordinates, or a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout import indexing
from tilewright.layout.axes import MEMORY, AxisSum, coordinate_in, element_at, profile_axes
from tilewright.layout.base import LayoutBase, no_layout
from tilewright.layout.bulk import require_sum_int64
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.indexing import is_array, keeps
from tilewright.layout.inttuple import IntTuple, as_int_tuple, in_64_bits, to_text
from tilewright.layout.layout import Layout, present
from tilewright.layout.methods import ComposedMethods, V, W
from tilewright.layout.presenting import coprofile_axes
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from numpy import bool_, int64
    from numpy.typing import NDArray

    from tilewright.layout.axes import AxisKey, Known, Presented
    from tilewright.layout.extent import Extent
    from tilewright.layout.indexing import Coord, Coordinate, KnownCoord, KnownPosition, Position, Positions
    from tilewright.layout.inttuple import Element, IntTupleLike, KnownInts
    from tilewright.layout.symbolic.symint import SymInt


@dataclass(frozen=True, slots=True, repr=False)
class ComposedLayout(ComposedMethods[V]):
    """`outer o offset o inner`: R(c) = outer(offset + inner(c)). Domain, size and rank are inner's.

    The offset of a coordinate tensor is itself a coordinate, and gives the values its profile. Under the swizzle that
    moves nothing, as slices are that keep their offset, the text is `offset o inner`: what CuTe prints of a tensor.

    Raises:
        LayoutError: a part is not of its kind.

    Source: CuTe's `ComposedLayout`.

    >>> swizzled = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))
    >>> print(swizzled, swizzled(3, 5))
    Sw<3,3,3> o 0 o (8,64):(64,1) 221
    """

    outer: Swizzle | Layout[V] | ComposedLayout[V]  # a CoordSwizzle answers to `at`, as layouts do
    offset: IntTuple
    inner: Layout | ComposedLayout

    if TYPE_CHECKING:  # mypy and pyright take the values from the outer layout, or from what a swizzle permutes

        @overload
        def __init__(
            self, outer: Swizzle | CoordSwizzle, offset: KnownInts, inner: Layout[V] | ComposedLayout[V]
        ) -> None: ...
        @overload
        def __init__(
            self: ComposedLayout[W | SymInt],
            outer: Swizzle | CoordSwizzle,
            offset: IntTupleLike,
            inner: Layout[W] | ComposedLayout[W],
        ) -> None: ...
        @overload
        def __init__(
            self,
            outer: Layout[V] | ComposedLayout[V],
            offset: KnownInts,
            inner: Layout[Known] | ComposedLayout[Known],
        ) -> None: ...
        @overload
        def __init__(
            self: ComposedLayout[W | SymInt],
            outer: Layout[W] | ComposedLayout[W],
            offset: IntTupleLike,
            inner: Layout | ComposedLayout,
        ) -> None: ...
        def __init__(
            self,
            outer: Swizzle | CoordSwizzle | Layout | ComposedLayout,
            offset: IntTupleLike,
            inner: Layout | ComposedLayout,
        ) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.outer, Swizzle | CoordSwizzle | LayoutBase) or not isinstance(self.inner, LayoutBase):
            raise LayoutError(
                f"a composed layout is a swizzle or layout, an offset, and a layout; "
                f"got {shown(self.outer)}, {shown(self.offset)}, {no_layout(self.inner)}"
            )
        offset = None if self.offset is None else as_int_tuple(self.offset)
        if offset is None:
            raise LayoutError("the offset of a composed layout is an integer or a coordinate, got None")
        if offset is not self.offset:
            object.__setattr__(self, "offset", offset)

    @property
    def shape(self) -> IntTuple:
        """The shape of the inner layout."""
        return self.inner.shape

    if TYPE_CHECKING:
        size: ClassVar[Extent]
    else:

        @property
        def size(self) -> int:
            """The number of coordinates."""
            return self.inner.size

    @property
    def rank(self) -> int:
        """The number of top-level modes."""
        return self.inner.rank

    @property
    def depth(self) -> int:
        """The nesting depth of the shape."""
        return self.inner.depth

    @overload
    def contains(self, *coord: Position) -> bool: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def contains(self, *coord: Positions) -> NDArray[bool_]: ...
    def contains(self, *coord: Coordinate) -> bool | NDArray[bool_]:
        """Is the coordinate inside the domain?"""
        return indexing.contains(coord[0] if len(coord) == 1 else coord, self.shape)

    @overload
    def at(self: ComposedLayout[int], coord: KnownPosition) -> int: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def at(self: ComposedLayout[int], coord: Positions) -> NDArray[int64]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def at(self, coord: Coordinate) -> Element: ...
    def at(self, coord: Coordinate) -> Element | NDArray[int64]:
        """outer(offset + inner(coord)), as a module element."""
        offset = element_at(self.offset) if isinstance(self.offset, tuple) else self.offset
        inside = self.inner.at(coord)
        require_sum_int64(offset, inside)
        value = in_64_bits(offset + inside)
        if not isinstance(self.outer, LayoutBase):
            return self.outer(value) if isinstance(self.outer, Swizzle) else self.outer.at(value)
        return self.outer.at(coordinate_in(value, self.outer.shape) if isinstance(value, AxisSum) else value)

    @property
    def axes(self) -> tuple[AxisKey, ...]:
        """The axes of the codomain."""
        if not isinstance(self.outer, LayoutBase) or (isinstance(self.outer, Layout) and self.outer.stride == 1):
            return _joined(self.inner.axes, self.offset)
        return self.outer.axes

    @property
    def on_axes(self) -> bool:
        """Are values coordinates or `{axis: int}`?"""
        return any(axis != MEMORY for axis in self.axes)

    @overload  # as of a plain layout
    def __call__(self, *coord: KnownPosition) -> V: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self, *coord: Position) -> V | SymInt: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self: ComposedLayout[int], *coord: Positions) -> NDArray[int64]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self, *coord: KnownCoord) -> Layout[V] | ComposedLayout[V]: ...
    @overload
    def __call__(self, *coord: Coord) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]: ...
    @overload
    def __call__(self, *coord: Coordinate) -> Presented | NDArray[int64] | Layout | ComposedLayout: ...
    def __call__(self, *coord: Coordinate) -> V | SymInt | Presented | NDArray[int64] | Layout | ComposedLayout:
        """outer(offset + inner(coord)), presented as a plain layout presents its values; None keeps modes free."""
        if self.offset.__class__ is int and self.outer.__class__ is Swizzle:
            value = self.inner(*coord)
            if value.__class__ is int or is_array(value):
                if self.offset:
                    require_sum_int64(self.offset, value)
                    value = in_64_bits(self.offset + value)
                return self.outer(value)
        where = coord[0] if len(coord) == 1 else coord
        if where.__class__ is not int and keeps(where):
            return self.slice(where)
        return present(self.at(where), self.axes)

    def over_inner(self, change: Callable[[Layout | ComposedLayout], Layout | ComposedLayout]) -> ComposedLayout[V]:
        """The same outer function and offset over a changed inner layout.

        Raises:
            LayoutError: `change` is no function of layouts.
        """
        if not callable(change):
            raise LayoutError(f"an inner layout is changed by a function, got {shown(change)}")
        return ComposedLayout(self.outer, self.offset, change(self.inner))

    def __getitem__(self, mode: int | slice) -> ComposedLayout[V]:
        """The composed layout of one mode."""
        return self.over_inner(lambda inner: inner[mode])

    def __iter__(self) -> Iterator[ComposedLayout[V]]:
        return (self[i] for i in range(self.rank))

    def __len__(self) -> int:
        return self.rank

    def __str__(self) -> str:
        # A chain groups from the left, but a swizzle opens the part that follows it.
        bracketed = isinstance(self.outer, ComposedLayout) and isinstance(_first(self.outer), Swizzle)
        outer = f"[{self.outer}]" if bracketed else self.outer
        inner = f"[{self.inner}]" if isinstance(self.inner, ComposedLayout) else self.inner
        below = f"{to_text(self.offset)} o {inner}"
        return below if self.outer == Swizzle(0, 0, 0) else f"{outer} o {below}"

    def __repr__(self) -> str:
        return f"ComposedLayout({self.outer!r}, {self.offset!r}, {self.inner!r})"


@lru_cache
def _joined(axes: tuple[AxisKey, ...], offset: IntTuple) -> tuple[AxisKey, ...]:
    return tuple(dict.fromkeys((*axes, *(profile_axes(offset) or coprofile_axes(offset)))))


def _first(function: Swizzle | Layout | ComposedLayout) -> Swizzle | Layout:
    while isinstance(function, ComposedLayout):
        function = function.outer
    return function
