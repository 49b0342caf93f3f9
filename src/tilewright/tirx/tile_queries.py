"""`TileQueries`: what a tile layout answers about itself. Its places, its sizes, its properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, overload

from tilewright.layout.axes import Axis
from tilewright.layout.indexing import is_array
from tilewright.tirx import bulk, evaluate, extent, injective, scope
from tilewright.tirx.canonical import canonical, tidy
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.hardware import trainium
from tilewright.tirx.iters import Terms
from tilewright.tirx.tile_value import TileValue

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.indexing import Index
    from tilewright.tirx.iters import Indices, L, Leaf

Shape: TypeAlias = "Sequence[Index]"


class TileQueries(TileValue):
    """Evaluation, sizes and properties of a tile layout."""

    __slots__ = ()

    # ---- places

    @overload
    def apply(self, *coord: Index, shape: Shape | None = None) -> dict[str, int] | CoordSet: ...  # type: ignore[overload-overlap]  # the first that fits answers
    @overload
    def apply(self, *coord: Indices, shape: Shape | None = None) -> dict[str, NDArray[int64]]: ...
    def apply(self, *coord: Indices, shape: Shape | None = None) -> Mapping[str, object] | CoordSet:
        """The places of a coordinate: `{axis: value}`, or the `CoordSet` of them when there is a replica.

        One coordinate is the flat number; several are one per iter, or one per dimension of `shape`. Beyond the
        domain the outermost digit goes on. Integer arrays give arrays, with one more dimension over the replicas.

        Raises:
            LayoutError: another number of coordinates, or values that are no integers.
        """
        checked = bulk.coordinates(self.parts, coord, shape)
        point = evaluate.base(self.parts, checked, shape)
        if checked is not coord and any(map(is_array, checked)):
            return bulk.spread(point, bulk.common_shape(checked), self.parts.replica)
        return evaluate.fan_out(point, self._offsets()) if self.parts.replica else point

    @overload
    def base(self, *coord: Index, shape: Shape | None = None) -> dict[str, int]: ...  # type: ignore[overload-overlap]  # the first that fits answers
    @overload
    def base(self, *coord: Indices, shape: Shape | None = None) -> dict[str, NDArray[int64]]: ...  # type: ignore[overload-overlap]  # the first that fits answers
    @overload
    def base(self, *coord: L, shape: Shape | None = None) -> dict[str, int | L]: ...
    def base(self, *coord: Indices | Leaf, shape: Shape | None = None) -> Mapping[str, object]:
        """D(x) + O, the place of the first copy."""
        return bulk.base_at(self.parts, coord, shape)

    def table(self) -> dict[str, NDArray[int64]]:
        """The places of all elements as numpy arrays, one an axis, indexed by the flat coordinate (and the replica)."""
        return bulk.table(self.parts)

    def apply_to_shape(self, coord: Sequence[Index], input_shape: Shape) -> list[int]:
        """The digit that each iter takes at a coordinate of `input_shape`.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[(16, 4, 4) : (16, 4, 1)]).apply_to_shape([5, 7], [16, 16])
        [5, 1, 3]
        """
        return evaluate.digits_in(self.parts.shard, coord, input_shape)

    def _offsets(self) -> tuple[Terms, ...]:
        if self._copies is None:
            object.__setattr__(self, "_copies", evaluate.copies(self.parts.replica))
        assert self._copies is not None
        return self._copies

    # ---- sizes

    def size(self, axis_name: Axis | str | None = None) -> int:
        """The number of elements: the product of the shard's extents (of those on one axis)."""
        return extent.size(self.parts, _axis(axis_name))

    def span(self, axis_name: Axis | str | None = None) -> int:
        """The cells from 0 to the last one on an axis (on all memory axes together), replicas and offset included.

        With a negative stride: from the first to the last one.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[(8, 6) : (8, 1)]).span(), TileLayout(S[(4, 8) : (-8, 1)]).span()
        (62, 32)
        """
        found: int = extent.span(self.parts, _axis(axis_name))
        return found

    def extent(self, axis_name: Axis | str | None = None) -> int:
        """The cells from the first to the last one: largest - smallest + 1."""
        found: int = extent.extent(self.parts, _axis(axis_name))
        return found

    def cosize(self, axis_name: Axis | str | None = None) -> int:
        """The largest value plus 1, on an axis (on all memory axes together)."""
        found: int = extent.cosize(self.parts, _axis(axis_name))
        return found

    # ---- properties of the map

    def is_trivial(self) -> bool:
        """Is it the identity on one memory axis: no stride but 1, no replica, no offset?"""
        settled = tidy(self.parts)
        straight = all(it.stride == 1 and it.axis is not None and it.axis.is_memory() for it in settled.shard)
        return len(settled.shard) <= 1 and straight and not settled.replica and not settled.offset

    def is_injective(self) -> bool:
        """Do different elements lie in different places?"""
        return injective.is_injective(self.parts)

    def is_bijective(self) -> bool:
        """Injective, without copies, and onto the whole box of its values?"""
        return injective.is_bijective(self.parts)

    def is_swizzle(self) -> bool:
        """Is it a swizzle? Never: it is affine."""
        return False

    def is_trainium(self) -> bool:
        """Does it use no memory axis but P, F and Bank?"""
        return trainium.is_trainium(self.parts)

    def get_scope(self) -> scope.ScopePair | None:
        """The (smallest, largest) level of the thread axes, None without any.

        Raises:
            LayoutError: the axes form no chain of levels.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[(4, 32) : (1 @ warpid, 1 @ laneid)]).get_scope()
        ('thread', 'cta')
        """
        return scope.get_scope(self.parts)

    def verify_well_formed(self) -> bool:
        """True; or the reason why the thread axes form no chain of levels.

        Raises:
            LayoutError: "conflicting scopes" or "disconnected scope chain".
        """
        self.get_scope()
        return True

    def equivalent(self, other: object) -> bool:
        """Is it the same map: the same set of places for every flat coordinate, absent axes counting as 0?"""
        return isinstance(other, TileValue) and canonical(self.parts) == canonical(other.parts)


def _axis(axis: Axis | str | None) -> Axis | None:
    return None if axis is None else Axis.get(axis)
