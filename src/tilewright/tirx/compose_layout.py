"""`ComposeLayout`: a swizzle on top of a tile layout.

Released TVM folds the swizzle's numbers into it; both spellings are read, the release's is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeGuard, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import MEMORY, Axis
from tilewright.layout.drawn import Drawn
from tilewright.tirx.active import TargetLike
from tilewright.tirx.bulk import base_at
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.frozen import Frozen
from tilewright.tirx.iters import M
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout
from tilewright.tirx.tile_queries import Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.indexing import Index
    from tilewright.tirx.iters import Indices, L, Leaf, Region
    from tilewright.tirx.views import Tirx

MAX_POINTS = 1 << 22


class ComposeLayout(Frozen, Drawn):
    """A swizzle on the memory addresses of a tile layout: x -> { swizzle(a) for a in tile(x) }.

    Two spellings: `ComposeLayout(swizzle, tile)`, and the released
    `ComposeLayout(per_element, swizzle_len, atom_len, tile_layout, swizzle_inner=True)`. Frozen, equal by value.

    Raises:
        LayoutError: a malformed swizzle; arguments that are of neither spelling.

    Source: TIRx's page on layouts.

    >>> from tilewright.tirx.layout import *
    >>> layout = ComposeLayout(SwizzleLayout(3, 3, 3), TileLayout(S[(8, 64) : (64 @ m, 1 @ m)]))
    >>> layout.apply(3, 5, shape=(8, 64))
    {'m': 221}
    >>> layout, layout == ComposeLayout(3, 3, 3, TileLayout(S[8, 64]))
    (ComposeLayout(3, 3, 3, TileLayout(S[(8, 64):(64, 1)])), True)
    """

    __slots__ = ("swizzle_layout", "tile_layout")
    swizzle_layout: SwizzleLayout
    tile_layout: TileLayout

    def __init__(self, *args: object, **named: object) -> None:
        swizzle, tile = _read(args, named)
        object.__setattr__(self, "swizzle_layout", swizzle)
        object.__setattr__(self, "tile_layout", tile)

    @property
    def swizzle(self) -> SwizzleLayout:
        """The permutation on top."""
        return self.swizzle_layout

    @property
    def per_element(self) -> int:
        """The number of low bits that stay."""
        return self.swizzle.per_element

    @property
    def swizzle_len(self) -> int:
        """The number of bits that are XORed."""
        return self.swizzle.swizzle_len

    @property
    def atom_len(self) -> int:
        """The distance of the two bit fields."""
        return self.swizzle.atom_len

    @property
    def swizzle_inner(self) -> bool:
        """Do the lower bits change?"""
        return self.swizzle.swizzle_inner

    def map_tile(self, change: Callable[[TileLayout], TileLayout | None]) -> ComposeLayout | None:
        """The same swizzle over the changed tile; None where there is none."""
        tile = change(self.tile_layout)
        return None if tile is None else ComposeLayout(self.swizzle, tile)

    def compose(self, shape: Shape | None = None) -> ComposeLayout:
        """The layout itself: it has its tile, of whatever shape."""
        return self

    @overload
    def apply(self, *coord: Index, shape: Shape | None = None) -> dict[str, int] | CoordSet: ...  # type: ignore[overload-overlap]  # the first that fits answers
    @overload
    def apply(self, *coord: Indices, shape: Shape | None = None) -> dict[str, NDArray[int64]]: ...
    def apply(self, *coord: Indices, shape: Shape | None = None) -> Mapping[str, object] | CoordSet:
        """The places of a coordinate, as `TileLayout.apply` takes it.

        Raises:
            LayoutError: the tile has axes besides `m`.
        """
        self.check_memory()
        places = self.tile_layout.apply(*coord, shape=shape)
        if isinstance(places, CoordSet):
            return CoordSet({MEMORY: self.swizzle.swizzle(place.get(MEMORY, 0))} for place in places)
        return {MEMORY: self.swizzle.swizzle(places.get(MEMORY, 0))}

    @overload
    def base(self, *coord: Index, shape: Shape | None = None) -> dict[str, int]: ...  # type: ignore[overload-overlap]  # the first that fits answers
    @overload
    def base(self, *coord: Indices, shape: Shape | None = None) -> dict[str, NDArray[int64]]: ...  # type: ignore[overload-overlap]  # the first that fits answers
    @overload
    def base(self, *coord: L, shape: Shape | None = None) -> dict[str, int | L]: ...
    def base(self, *coord: Indices | Leaf, shape: Shape | None = None) -> Mapping[str, object]:
        """The place of the first copy."""
        self.check_memory()
        return {MEMORY: self.swizzle.swizzle(base_at(self.tile_layout.parts, coord, shape).get(MEMORY, 0))}

    def table(self) -> dict[str, NDArray[int64]]:
        """The places of all elements as a numpy array, indexed by the flat coordinate (and the replica)."""
        import numpy

        self.check_memory()
        return {MEMORY: self.swizzle.swizzle(numpy.asarray(self.tile_layout.table().get(MEMORY, [0])))}

    def check_memory(self) -> None:
        """Does the tile lie on `m` alone, whose addresses the swizzle permutes?

        Raises:
            LayoutError: it does not, and the layout has no values.
        """
        parts = self.tile_layout.parts
        named = {it.axis for it in (*parts.shard, *parts.replica)} | {axis for axis, _ in parts.offset}
        if named - {M}:
            raise LayoutError(f"a swizzle permutes addresses on m, but the tile {self.tile_layout} is not on m alone")

    def size(self) -> int:
        """The number of elements."""
        return self.tile_layout.size()

    def span(self) -> int:
        """The span of the tile. The swizzle stays within the aligned blocks of its period."""
        return self.tile_layout.span()

    def cosize(self) -> int:
        """The largest swizzled address plus 1."""
        return int(self.table()[MEMORY].max()) + 1

    def is_swizzle(self) -> bool:
        """Is it a bare swizzle: over the trivial tile?"""
        return self.tile_layout.is_trivial()

    def is_trivial(self) -> bool:
        """Is it the identity?"""
        return self.swizzle.is_trivial() and self.tile_layout.is_trivial()

    def is_trainium(self) -> bool:
        """Is it a Trainium layout? No."""
        return False

    def is_injective(self) -> bool:
        """Do different elements lie in different places? The swizzle is a permutation: as in the tile."""
        return self.tile_layout.is_injective()

    def is_bijective(self) -> bool:
        """Injective, without copies, and onto a whole box of addresses?"""
        values = self.table()[MEMORY]
        return self.is_injective() and values.ndim == 1 and int(values.max() - values.min()) + 1 == values.size

    def verify_well_formed(self) -> bool:
        """True, or the reason why the tile's thread axes form no chain of levels."""
        return self.tile_layout.verify_well_formed()

    def canonicalize(self, target: TargetLike = None) -> ComposeLayout:
        """The same swizzle over the canonical tile."""
        return ComposeLayout(self.swizzle, self.tile_layout.canonicalize(target))

    def equivalent(self, other: object) -> bool:
        """Is it the same map?"""
        if isinstance(other, SwizzleLayout):
            return self.equivalent(other.compose())
        if isinstance(other, TileLayout):
            return self.equivalent(ComposeLayout(SwizzleLayout(0, 0, 0), other))
        if not isinstance(other, ComposeLayout):
            return False
        if self.swizzle == other.swizzle or (self.swizzle.is_trivial() and other.swizzle.is_trivial()):
            return self.tile_layout.equivalent(other.tile_layout)
        return self.size() == other.size() and _places(self) == _places(other)

    def tile(self, outer: TileLayout, outer_shape: Shape, inner_shape: Shape) -> ComposeLayout:
        """The same swizzle over the tiled tile."""
        return ComposeLayout(self.swizzle, self.tile_layout.tile(outer, outer_shape, inner_shape))

    def tile_to(self, to_shape: Shape, current_shape: Shape) -> ComposeLayout:
        """The same swizzle over row-major copies of the tile."""
        return ComposeLayout(self.swizzle, self.tile_layout.tile_to(to_shape, current_shape))

    def direct_sum(self, left: TileLayout, left_shape: Shape, right_shape: Shape) -> ComposeLayout:
        """The same swizzle over left + tile."""
        return ComposeLayout(self.swizzle, self.tile_layout.direct_sum(left, left_shape, right_shape))

    def is_tile_inner(self, tile_layout: Tirx, tiled_shape: Shape, inner_shape: Shape) -> TileLayout | None:
        """The outer layout with which this one tiles to `tile_layout`, or None."""
        whole = self._beside(tile_layout, tiled_shape)
        return None if whole is None else self.tile_layout.is_tile_inner(whole, tiled_shape, inner_shape)

    def is_tile_outer(self, tile_layout: Tirx, tiled_shape: Shape, outer_shape: Shape) -> None:
        """None: the outer layout of a tiling is affine."""

    def is_direct_sum_right(self, sum_layout: Tirx, interleaved_shape: Shape, right_shape: Shape) -> TileLayout | None:
        """The left summand with which this one, as the right, sums up to `sum_layout`, or None."""
        whole = self._beside(sum_layout, interleaved_shape)
        return None if whole is None else self.tile_layout.is_direct_sum_right(whole, interleaved_shape, right_shape)

    def is_direct_sum_left(self, sum_layout: Tirx, interleaved_shape: Shape, left_shape: Shape) -> None:
        """None: the left summand is affine."""

    def _beside(self, other: Tirx, shape: Shape) -> TileLayout | None:
        """The tile of another layout of that shape, under the same swizzle."""
        whole = other.compose(shape) if isinstance(other, SwizzleLayout) else other
        return whole.tile_layout if isinstance(whole, ComposeLayout) and self._shares_swizzle(whole) else None

    def _shares_swizzle(self, other: object) -> TypeGuard[ComposeLayout]:
        return isinstance(other, ComposeLayout) and other.swizzle == self.swizzle

    def slice(self, shape: Shape, region: Region) -> ComposeLayout | None:
        """The same swizzle over the sliced tile; None where that does not exist."""
        return self.map_tile(lambda tile: tile.slice(shape, region))

    def unpack(self, num: int) -> ComposeLayout:
        """Every element as `num` smaller ones."""
        return ComposeLayout(self.swizzle.unpack(num), self.tile_layout.unpack(num))

    def pack(self, num: int) -> ComposeLayout:
        """`num` neighbours as one element."""
        return ComposeLayout(self.swizzle.pack(num), self.tile_layout.pack(num))

    def broadcast(self, num: int, position: int = -1, axis: Axis | str = M) -> ComposeLayout:
        """A new dimension of `num` coordinates that see the same element."""
        return ComposeLayout(self.swizzle, self.tile_layout.broadcast(num, position, axis))

    def storage(self) -> ComposeLayout:
        """What one thread holds: the tile without its thread axes."""
        return ComposeLayout(self.swizzle, self.tile_layout.storage())

    def notation(self) -> str:
        """The short text: `ComposeLayout(3, 3, 3, S[(8,64):(64,1)])`."""
        return f"ComposeLayout({self.swizzle.fields}, {self.tile_layout.notation()}{self.swizzle.flag})"

    def __eq__(self, other: object) -> bool:
        return self._shares_swizzle(other) and self.tile_layout == other.tile_layout

    def __hash__(self) -> int:
        return hash((self.swizzle, self.tile_layout))

    def __reduce__(self) -> tuple[type[ComposeLayout], tuple[SwizzleLayout, TileLayout]]:
        return ComposeLayout, (self.swizzle, self.tile_layout)

    def __repr__(self) -> str:
        return f"ComposeLayout({self.swizzle.fields}, {self.tile_layout!r}{self.swizzle.flag})"


_SPELLINGS = (
    ("swizzle", "tile"),
    ("swizzle", "tile_layout"),
    ("layout_A", "layout_B"),
    ("per_element", "swizzle_len", "atom_len", "tile_layout", "swizzle_inner"),
)


def _read(args: tuple[object, ...], named: dict[str, object]) -> tuple[SwizzleLayout, TileLayout]:
    for names in _SPELLINGS:
        given = dict(zip(names, args, strict=False)) | named
        values = [given.get(name, True) for name in names]
        if len(args) <= len(names) and len(given) == len(args) + len(named) and {*given} <= {*names}:
            if names[0] == "per_element" and {*names[:4]} <= {*given} and isinstance(values[3], TileLayout):
                bits: Sequence[Any] = values  # which the swizzle checks
                return SwizzleLayout(bits[0], bits[1], bits[2], bits[4]), values[3]
            if isinstance(values[0], SwizzleLayout) and isinstance(values[1], TileLayout):
                return values[0], values[1]
    raise LayoutError(
        "ComposeLayout takes (SwizzleLayout, TileLayout), or (per_element, swizzle_len, atom_len, TileLayout, "
        f"swizzle_inner=True); got {', '.join([*map(shown, args), *(f'{k}={shown(v)}' for k, v in named.items())])}"
    )


def _places(layout: ComposeLayout) -> list[frozenset[int]]:
    if layout.size() > MAX_POINTS:
        raise LayoutError(f"undecided: two swizzles over {layout.size()} elements are compared up to {MAX_POINTS}")
    values = layout.table()[MEMORY]
    return [frozenset(row) for row in values.reshape(len(values), -1).tolist()]
