"""`SwizzleLayout`, the XOR permutation of shared-memory addresses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import MEMORY
from tilewright.layout.drawn import Drawn
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.active import TargetLike
from tilewright.tirx.bulk import base_at
from tilewright.tirx.iters import as_static
from tilewright.tirx.tile_layout import TileLayout
from tilewright.tirx.tile_queries import Shape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.indexing import Index
    from tilewright.tirx.compose_layout import ComposeLayout
    from tilewright.tirx.iters import Indices, Region
    from tilewright.tirx.views import Tirx


@dataclass(frozen=True, repr=False)
class SwizzleLayout(Drawn):
    """XORs `swizzle_len` bits of an element address with those `atom_len` bits above them.

    The low `per_element` bits stay; with x = address >> per_element, x ^= (x >> atom_len) & mask, mask having
    `swizzle_len` ones. `swizzle_inner=False` changes the upper bits by the lower ones instead: x ^= (x & mask) <<
    atom_len. This is `Swizzle(swizzle_len, per_element, atom_len)`, with -atom_len for False. Units: elements.

    Raises:
        LayoutError: atom_len < swizzle_len, or a negative parameter.

    Source: TIRx's page on layouts.

    >>> SwizzleLayout(per_element=3, swizzle_len=3, atom_len=3).apply(3 * 64 + 5)
    {'m': 221}
    """

    per_element: int
    swizzle_len: int
    atom_len: int
    swizzle_inner: bool = True
    swizzle: Swizzle = field(init=False, compare=False)  # the same permutation as CuTe's swizzle

    def __post_init__(self) -> None:
        for name in _FIELDS:
            object.__setattr__(self, name, as_static(getattr(self, name), name))
        object.__setattr__(self, "swizzle_inner", _flag(self.swizzle_inner))
        if min(self.per_element, self.swizzle_len) < 0 or self.atom_len < self.swizzle_len:
            raise LayoutError(
                f"The swizzle layout is not well-formed: per_element={self.per_element}, "
                f"swizzle_len={self.swizzle_len}, atom_len={self.atom_len}; none may be negative, and "
                "atom_len must be at least swizzle_len, or the two bit fields overlap"
            )
        shift = self.atom_len if self.swizzle_inner else -self.atom_len
        object.__setattr__(self, "swizzle", Swizzle(self.swizzle_len, self.per_element, shift))

    @overload
    def apply(self, *coord: Index, shape: Shape | None = None) -> dict[str, int]: ...  # type: ignore[overload-overlap]  # the first that fits answers
    @overload
    def apply(self, *coord: Indices, shape: Shape | None = None) -> dict[str, NDArray[int64]]: ...
    def apply(self, *coord: Indices, shape: Shape | None = None) -> Mapping[str, object]:
        """The permuted address of an element, or of a coordinate of `shape`."""
        return {MEMORY: self.swizzle(base_at(_row_major(self, shape).parts, coord, shape)[MEMORY])}

    def size(self) -> int:
        """The elements after which the pattern repeats: 2^(per_element + swizzle_len + atom_len)."""
        return 1 << (self.per_element + self.swizzle_len + self.atom_len)

    def span(self) -> int:
        """The same as `size`."""
        return self.size()

    cosize = span

    def compose(self, shape: Shape | None = None) -> ComposeLayout:
        """This swizzle over the row-major tile of `shape` (default: of one period)."""
        from tilewright.tirx.compose_layout import ComposeLayout  # which is built of this class

        return ComposeLayout(self, _row_major(self, shape).canonicalize())

    def is_swizzle(self) -> bool:
        """Is it a swizzle? Yes."""
        return True

    def is_trivial(self) -> bool:
        """Does it permute nothing?"""
        return self.swizzle_len == 0

    def is_injective(self) -> bool:
        """Do different elements lie in different places? Yes: it is a permutation."""
        return True

    def is_bijective(self) -> bool:
        """Injective, and onto all addresses of its period? Yes: it is a permutation."""
        return True

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

    def is_tile_inner(self, tile_layout: Tirx, tiled_shape: Shape, inner_shape: Shape) -> TileLayout | None:
        """The outer layout with which this swizzle, over `inner_shape`, tiles to `tile_layout`, or None."""
        return self.compose(inner_shape).is_tile_inner(tile_layout, tiled_shape, inner_shape)

    def is_tile_outer(self, tile_layout: Tirx, tiled_shape: Shape, outer_shape: Shape) -> None:
        """None: the outer layout of a tiling is affine."""

    def is_direct_sum_right(self, sum_layout: Tirx, interleaved_shape: Shape, right_shape: Shape) -> TileLayout | None:
        """The left summand with which this swizzle, over `right_shape`, sums up to `sum_layout`, or None."""
        return self.compose(right_shape).is_direct_sum_right(sum_layout, interleaved_shape, right_shape)

    def is_direct_sum_left(self, sum_layout: Tirx, interleaved_shape: Shape, left_shape: Shape) -> None:
        """None: the left summand is affine."""

    def slice(self, shape: Shape, region: Region) -> ComposeLayout | None:
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

    @property
    def fields(self) -> str:
        """The text of the three numbers."""
        return f"{self.per_element}, {self.swizzle_len}, {self.atom_len}"

    @property
    def flag(self) -> str:
        """The text of `swizzle_inner`, which is written only where it is False."""
        return "" if self.swizzle_inner else ", swizzle_inner=False"

    def __repr__(self) -> str:
        return f"SwizzleLayout({self.fields}{self.flag})"


_FIELDS = ("per_element", "swizzle_len", "atom_len")


def _flag(value: object) -> bool:
    # numpy's booleans, and 0 and 1, count as well.
    if isinstance(value, str) or value not in (False, True):
        raise LayoutError(f"swizzle_inner is True or False, got {shown(value)}")
    return bool(value)


def _row_major(swizzle: SwizzleLayout, shape: Shape | None) -> TileLayout:
    return TileLayout.row_major((swizzle.size(),) if shape is None else shape)


def _log2(num: int) -> int:
    count = as_static(num, "num")
    if count < 1 or count & (count - 1):
        raise LayoutError(f"num must be a power of 2, got {shown(num)}")
    return count.bit_length() - 1
