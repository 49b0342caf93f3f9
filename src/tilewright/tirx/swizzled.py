"""`SwizzleLayout`, the XOR permutation of shared-memory addresses, and `ComposeLayout`, a swizzle on top of a tile.

Released TVM folds the first into the second; both spellings of `ComposeLayout` are read, the release's is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import MEMORY, Axis
from tilewright.layout.drawn import Drawn
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.active import TargetLike
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.iters import M
from tilewright.tirx.tile_layout import Shape, TileLayout

MAX_POINTS = 1 << 22


@dataclass(frozen=True, slots=True)
class SwizzleLayout(Drawn):
    """XORs `swizzle_len` bits of an element address with those `atom_len` bits above them.

    The low `per_element` bits stay; with x = address >> per_element, x ^= (x >> atom_len) & mask, mask having
    `swizzle_len` ones. `swizzle_inner=False` changes the upper bits by the lower ones instead: x ^= (x & mask) <<
    atom_len. This is `Swizzle(swizzle_len, per_element, atom_len)`, with -atom_len for False. Units: elements.

    Raises:
        LayoutError: atom_len < swizzle_len, or a negative parameter.

    Source: document 003.

    >>> SwizzleLayout(per_element=3, swizzle_len=3, atom_len=3).apply(3 * 64 + 5)
    {'m': 221}
    """

    per_element: int
    swizzle_len: int
    atom_len: int
    swizzle_inner: bool = True

    def __post_init__(self) -> None:
        fields = (self.per_element, self.swizzle_len, self.atom_len)
        if not all(type(field) is int for field in fields):
            raise LayoutError(f"SwizzleLayout takes three integers, got {fields}")
        if min(fields) < 0 or self.atom_len < self.swizzle_len:
            raise LayoutError(
                f"The swizzle layout is not well-formed: per_element={self.per_element}, "
                f"swizzle_len={self.swizzle_len}, atom_len={self.atom_len}; none may be negative, and "
                "atom_len must be at least swizzle_len, or the two bit fields overlap"
            )
        _ = self.swizzle  # refuses fields beyond bit 62

    @property
    def swizzle(self) -> Swizzle:
        """The same permutation as CuTe's swizzle."""
        return Swizzle(self.swizzle_len, self.per_element, self.atom_len if self.swizzle_inner else -self.atom_len)

    def apply(self, *coord: Any, shape: Shape | None = None) -> dict[str, Any]:
        """The permuted address of an element, or of a coordinate of `shape`."""
        flat = TileLayout.row_major(shape or (self.size(),)).base(*coord, shape=shape)[MEMORY]
        return {MEMORY: self.swizzle(flat)}

    def size(self) -> int:
        """The elements after which the pattern repeats: 2^(per_element + swizzle_len + atom_len)."""
        return 1 << (self.per_element + self.swizzle_len + self.atom_len)

    def span(self) -> int:
        """The same as `size`."""
        return self.size()

    cosize = span

    def compose(self, shape: Shape | None = None) -> ComposeLayout:
        """This swizzle over the row-major tile of `shape` (default: of one period)."""
        return ComposeLayout(self, TileLayout.row_major(shape or (self.size(),)).canonicalize())

    def is_swizzle(self) -> bool:
        """Is it a swizzle? Yes."""
        return True

    def is_trivial(self) -> bool:
        """Does it permute nothing?"""
        return self.swizzle_len == 0

    def is_trainium(self) -> bool:
        """Is it a Trainium layout? No."""
        return False

    def verify_well_formed(self) -> bool:
        """True: an ill-formed swizzle cannot be built."""
        return True

    def canonicalize(self, target: TargetLike = None) -> SwizzleLayout:
        """The swizzle itself."""
        return self

    def storage(self) -> SwizzleLayout:
        """The swizzle itself: it lies in memory."""
        return self

    def equivalent(self, other: object) -> bool:
        """Is it the same map?"""
        return self.compose().equivalent(other)

    def tile(self, outer: TileLayout, outer_shape: Shape, inner_shape: Shape) -> ComposeLayout:
        """The swizzled row-major tile of `inner_shape` inside every element of `outer`."""
        return self.compose(inner_shape).tile(outer, outer_shape, inner_shape)

    def tile_to(self, to_shape: Shape, current_shape: Shape) -> ComposeLayout:
        """Row-major copies of the swizzled tile of `current_shape` until they cover `to_shape`."""
        return self.compose(current_shape).tile_to(to_shape, current_shape)

    def direct_sum(self, left: TileLayout, left_shape: Shape, right_shape: Shape) -> ComposeLayout:
        """left + the swizzled row-major tile of `right_shape`, under the swizzle."""
        return self.compose(right_shape).direct_sum(left, left_shape, right_shape)

    def is_tile_inner(self, tile_layout: Any, tiled_shape: Shape, inner_shape: Shape) -> TileLayout | None:
        """The outer layout with which this swizzle, over `inner_shape`, tiles to `tile_layout`, or None."""
        whole = tile_layout.compose(tiled_shape) if isinstance(tile_layout, SwizzleLayout) else tile_layout
        return self.compose(inner_shape).is_tile_inner(whole, tiled_shape, inner_shape)

    def is_tile_outer(self, tile_layout: Any, tiled_shape: Shape, outer_shape: Shape) -> None:
        """None: the outer layout of a tiling is affine."""

    def slice(self, shape: Shape, region: Sequence[Any]) -> ComposeLayout | None:
        """The layout of a box of the row-major `shape`."""
        return self.compose(shape).slice(shape, region)

    def unpack(self, num: int) -> SwizzleLayout:
        """The permutation of elements `num` times smaller."""
        return SwizzleLayout(self.per_element + _log2(num), self.swizzle_len, self.atom_len, self.swizzle_inner)

    def pack(self, num: int) -> SwizzleLayout:
        """The permutation of elements `num` times larger.

        Raises:
            LayoutError: it would permute parts of them.
        """
        bits = _log2(num)
        if self.per_element < bits:
            raise LayoutError(
                f"per_element must be greater than or equal to log2({num}) = {bits}, got {self.per_element}: "
                "the swizzle permutes parts of the packed element"
            )
        return SwizzleLayout(self.per_element - bits, self.swizzle_len, self.atom_len, self.swizzle_inner)

    def __repr__(self) -> str:
        return f"SwizzleLayout({_fields(self)}{_flag(self)})"


class ComposeLayout(Drawn):
    """A swizzle on the memory addresses of a tile layout: x -> { swizzle(a) for a in tile(x) }.

    Two spellings: `ComposeLayout(swizzle, tile)`, and the released
    `ComposeLayout(per_element, swizzle_len, atom_len, tile_layout, swizzle_inner=True)`. Frozen, equal by value.

    Raises:
        LayoutError: a malformed swizzle; arguments that are of neither spelling.

    Source: document 003.

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

    def __init__(self, *args: Any, **named: Any) -> None:
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

    def apply(self, *coord: Any, shape: Shape | None = None) -> dict[str, Any] | CoordSet:
        """The places of a coordinate, as `TileLayout.apply` takes it.

        Raises:
            LayoutError: the tile has axes besides `m`.
        """
        self._check_memory()
        places = self.tile_layout.apply(*coord, shape=shape)
        if isinstance(places, CoordSet):
            return CoordSet({MEMORY: self.swizzle.swizzle(place[MEMORY])} for place in places)
        return {MEMORY: self.swizzle.swizzle(places[MEMORY])}

    def base(self, *coord: Any, shape: Shape | None = None) -> dict[str, Any]:
        """The place of the first copy."""
        self._check_memory()
        return {MEMORY: self.swizzle.swizzle(self.tile_layout.base(*coord, shape=shape)[MEMORY])}

    def table(self) -> dict[str, Any]:
        """The places of all elements as a numpy array, indexed by the flat coordinate (and the replica)."""
        self._check_memory()
        return {MEMORY: self.swizzle.swizzle(self.tile_layout.table()[MEMORY])}

    def _check_memory(self) -> None:
        parts = self.tile_layout.parts
        axes = {it.axis for it in (*parts.shard, *parts.replica)} | {axis for axis, _ in parts.offset}
        if axes != {M}:
            raise LayoutError(f"a swizzle permutes addresses on m, but the tile {self.tile_layout} is not on m alone")

    def size(self) -> Any:
        """The number of elements."""
        return self.tile_layout.size()

    def span(self) -> Any:
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

    def is_tile_inner(self, tile_layout: Any, tiled_shape: Shape, inner_shape: Shape) -> TileLayout | None:
        """The outer layout with which this one tiles to `tile_layout`, or None."""
        if not self._shares_swizzle(tile_layout):
            return None
        return self.tile_layout.is_tile_inner(tile_layout.tile_layout, tiled_shape, inner_shape)

    def is_tile_outer(self, tile_layout: Any, tiled_shape: Shape, outer_shape: Shape) -> None:
        """None: the outer layout of a tiling is affine."""

    def is_direct_sum_right(self, sum_layout: Any, interleaved_shape: Shape, right_shape: Shape) -> TileLayout | None:
        """The left summand with which this one, as the right, sums up to `sum_layout`, or None."""
        if not self._shares_swizzle(sum_layout):
            return None
        return self.tile_layout.is_direct_sum_right(sum_layout.tile_layout, interleaved_shape, right_shape)

    def _shares_swizzle(self, other: Any) -> bool:
        return isinstance(other, ComposeLayout) and other.swizzle == self.swizzle

    def slice(self, shape: Shape, region: Sequence[Any]) -> ComposeLayout | None:
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
        return f"ComposeLayout({_fields(self.swizzle)}, {self.tile_layout.notation()}{_flag(self.swizzle)})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"ComposeLayout is frozen; cannot set {name}")

    def __eq__(self, other: object) -> bool:
        return self._shares_swizzle(other) and self.tile_layout == other.tile_layout  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.swizzle, self.tile_layout))

    def __reduce__(self) -> tuple[Any, ...]:
        return ComposeLayout, (self.swizzle, self.tile_layout)

    def __repr__(self) -> str:
        return f"ComposeLayout({_fields(self.swizzle)}, {self.tile_layout!r}{_flag(self.swizzle)})"


_SPELLINGS = (
    ("swizzle", "tile"),
    ("swizzle", "tile_layout"),
    ("layout_A", "layout_B"),
    ("per_element", "swizzle_len", "atom_len", "tile_layout", "swizzle_inner"),
)


def _read(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[SwizzleLayout, TileLayout]:
    for names in _SPELLINGS:
        given = dict(zip(names, args, strict=False)) | named
        values = [given.get(name, True) for name in names]
        if len(args) <= len(names) and len(given) == len(args) + len(named) and {*given} <= {*names}:
            if names[0] == "per_element" and {*names[:4]} <= {*given} and isinstance(values[3], TileLayout):
                return SwizzleLayout(values[0], values[1], values[2], bool(values[4])), values[3]
            if isinstance(values[0], SwizzleLayout) and isinstance(values[1], TileLayout):
                return values[0], values[1]
    raise LayoutError(
        "ComposeLayout takes (SwizzleLayout, TileLayout), or (per_element, swizzle_len, atom_len, TileLayout, "
        f"swizzle_inner=True); got {', '.join([*map(repr, args), *(f'{k}={v!r}' for k, v in named.items())])}"
    )


def _places(layout: ComposeLayout) -> list[frozenset[int]]:
    if layout.size() > MAX_POINTS:
        raise LayoutError(f"undecided: two swizzles over {layout.size()} elements are compared up to {MAX_POINTS}")
    values = layout.table()[MEMORY]
    return [frozenset(row) for row in values.reshape(len(values), -1).tolist()]


def _fields(swizzle: SwizzleLayout) -> str:
    return f"{swizzle.per_element}, {swizzle.swizzle_len}, {swizzle.atom_len}"


def _flag(swizzle: SwizzleLayout) -> str:
    return "" if swizzle.swizzle_inner else ", swizzle_inner=False"


def _log2(num: int) -> int:
    if type(num) is not int or num < 1 or num & (num - 1):
        raise LayoutError(f"num must be a power of 2, got {num!r}")
    return num.bit_length() - 1
