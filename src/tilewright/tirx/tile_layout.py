"""`TileLayout`: the affine layout over named axes. Its methods are the functions of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import Axis
from tilewright.layout.layout import Layout
from tilewright.tirx import evaluate, reshape, scope, tiling
from tilewright.tirx.active import TargetLike, fused, lanes_of, same_level
from tilewright.tirx.canonical import canonical
from tilewright.tirx.group import group, group_many
from tilewright.tirx.hardware import trainium
from tilewright.tirx.iters import M, Parts, as_shape
from tilewright.tirx.slicing import slice_parts
from tilewright.tirx.spec import row_major
from tilewright.tirx.tile_queries import Shape, TileQueries

if TYPE_CHECKING:
    from tilewright.tirx.compose_layout import ComposeLayout
    from tilewright.tirx.iters import Region
    from tilewright.tirx.swizzle_layout import SwizzleLayout
    from tilewright.tirx.views import Tirx


class TileLayout(TileQueries):
    """L(x) = { D(x) + r + O }: a logical coordinate x to the set of places of its element.

    x is flattened ROW-major and split over the shard's iters, the last one fastest; D(x) is the sum of digit * stride
    on each iter's axis, r runs over the replica, O is the offset. Frozen, hashable, equal by its pieces (`equivalent`
    compares maps).

    Args:
        shard: `S[..]`, alone or summed with `R[..]` and offsets; or iters.
        replica: iters. offset: `5 @ warpid`, an integer on `m`, or `{axis: value}`.

    Raises:
        LayoutError: no iters, or an offset that is none.

    Source: TIRx's page on layouts.

    >>> from tilewright.tirx.layout import *
    >>> layout = TileLayout(
    ...     S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid
    ... )
    >>> for place in layout.apply(2, 5, shape=[8, 16]):
    ...     print(place)
    {'laneid': 10, 'warpid': 5, 'm': 1}
    {'laneid': 10, 'warpid': 9, 'm': 1}
    >>> layout
    TileLayout(S[(8, 2, 4, 2):(4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2:4 @ warpid] + 5 @ warpid)
    """

    __slots__ = ()

    # ---- makers

    @classmethod
    def from_layout(cls, layout: Layout) -> TileLayout:
        """The TIRx layout with the same table as a CuTe layout: its leaves in reverse order."""
        return _of(Parts(evaluate.from_layout(layout)))

    @classmethod
    def row_major(cls, shape: Shape) -> TileLayout:
        """Compact row-major memory: `S[shape]`."""
        return _of(Parts(row_major(as_shape(shape))))

    @classmethod
    def trainium(cls, annotation: str, shape: Sequence[int], is_psum: bool = False) -> TileLayout:
        """Row-major over the dimensions marked P and over those marked F, see `tirx.trainium`."""
        made = _of(trainium.trainium(annotation, shape))
        return made.to_psum() if is_psum else made

    def to_layout(self) -> Layout:
        """D as a CuTe layout with the same table: the iters in reverse order, the offset and the replica left out."""
        return evaluate.shard_layout(self.parts.shard)

    # ---- other forms of the same map

    def canonicalize(self, target: TargetLike = None) -> TileLayout:
        """The unique form of the map. Under a GPU target thread axes are fused first.

        The target is `target`, or the one of the enclosing `with Target(..)`.

        Raises:
            LayoutError: there is a GPU target, and the thread axes form no chain of levels.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[(2, 4, 32) : (1 @ wgid, 1 @ wid_in_wg, 1 @ laneid)]).canonicalize(target="cuda")
        TileLayout(S[256:1 @ tx])
        """
        return _of(canonical(fused(self.parts, target)))

    def split_axes(self, level: str, target: TargetLike = "cuda") -> TileLayout:
        """Thread axes that span `level` split there: `tx` at "warp" into `warpid` and `laneid`.

        Raises:
            LayoutError: digits would have to be carried from the inner to the outer axis; an unknown level.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[256 : 1 @ tx]).split_axes("warp")
        TileLayout(S[(8, 32):(1 @ warpid, 1 @ laneid)])
        """
        if not isinstance(level, str) or level not in scope.LEVELS:
            raise LayoutError(f"thread axes are split at a level among {', '.join(scope.LEVELS)}, got {shown(level)}")
        made = scope.split_axes(self.parts, level, lanes_of(target) or 32)
        if made is None:
            raise LayoutError(f"{self} can not be split at {level}: its strides do not respect that boundary")
        return _of(made)

    def group(self, shape: Shape) -> tuple[TileLayout, list[int]]:
        """The same map with iters split by a logical shape; dimension i owns those of `[seps[i] : seps[i + 1]]`.

        Raises:
            LayoutError: "can not be grouped by shape ..".

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[4, 32]).group([8, 16])
        (TileLayout(S[(4, 2, 16):(32, 16, 1)]), [0, 2, 3])
        """
        shard, seps = group(self.parts.shard, as_shape(shape))
        return _of(self.parts._replace(shard=shard)), list(seps)

    def group_many(self, shapes: Sequence[Shape]) -> tuple[TileLayout, list[list[int]]]:
        """The least refinement of the iters that suits several shapes, and the separators of each."""
        if not isinstance(shapes, Iterable):
            raise LayoutError(f"group_many takes a sequence of shapes, got {shown(shapes)}")
        shard, seps = group_many(self.parts.shard, [as_shape(shape) for shape in shapes])
        return _of(self.parts._replace(shard=shard)), [list(own) for own in seps]

    # ---- other maps

    def slice(self, shape: Shape, region: Region) -> TileLayout | None:
        """The layout of the box of (begin, end) ranges of `shape`; None where no layout has its table.

        A begin may be a run-time value, an extent may not.

        Raises:
            LayoutError: a region outside the shape, or a shape by which the layout cannot be grouped.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[(8, 64) : (1, 8)]).slice([512], [(96, 160)])
        TileLayout(S[(2, 32):(-255, 8)] + 257)
        """
        made = slice_parts(self.parts, as_shape(shape), region)
        return None if made is None else _of(made)

    def tile(self, outer: TileLayout, outer_shape: Shape, inner_shape: Shape) -> TileLayout:
        """This layout inside every element of `outer`, whose strides are scaled by this one's spans.

        Injective when both are, and this one has copies only on axes of its shard, `outer` only on other axes.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[8, 16]).tile(TileLayout(S[2, 4]), [2, 4], [8, 16])
        TileLayout(S[(2, 8, 4, 16):(512, 16, 128, 1)])
        """
        return _of(tiling.tile(fused(self.parts), fused(_parts(outer)), as_shape(outer_shape), as_shape(inner_shape)))

    def tile_to(self, to_shape: Shape, current_shape: Shape) -> TileLayout:
        """Row-major copies of this layout until it covers `to_shape`."""
        counts = tiling.divide(as_shape(to_shape), as_shape(current_shape))
        return self.tile(TileLayout.row_major(counts), counts, current_shape)

    def direct_sum(self, left: TileLayout, left_shape: Shape, right_shape: Shape) -> TileLayout:
        """left + this layout over the interleaved domain, without scaling."""
        right, other = fused(self.parts), fused(_parts(left))
        return _of(tiling.direct_sum(right, other, as_shape(left_shape), as_shape(right_shape)))

    def is_tile_inner(self, tile_layout: Tirx, tiled_shape: Shape, inner_shape: Shape) -> TileLayout | None:
        """The outer layout with which this one tiles to `tile_layout`, or None."""
        if not isinstance(tile_layout, TileLayout):
            return None
        inner, whole = same_level(self.parts, tile_layout.parts, 1)
        made = tiling.outer_factor(inner, whole, as_shape(tiled_shape), as_shape(inner_shape))
        return None if made is None else _of(made)

    @overload
    def is_tile_outer(self, tile_layout: TileLayout, tiled_shape: Shape, outer_shape: Shape) -> TileLayout | None: ...
    @overload
    def is_tile_outer(
        self, tile_layout: ComposeLayout | SwizzleLayout, tiled_shape: Shape, outer_shape: Shape
    ) -> ComposeLayout | None: ...
    def is_tile_outer(
        self, tile_layout: Tirx, tiled_shape: Shape, outer_shape: Shape
    ) -> TileLayout | ComposeLayout | None:
        """The inner layout that this one tiles to `tile_layout`, or None; of a composed layout a composed one."""
        if not isinstance(tile_layout, TileLayout):
            return _below(tile_layout, tiled_shape, lambda tile: self.is_tile_outer(tile, tiled_shape, outer_shape))
        outer, whole = same_level(self.parts, tile_layout.parts, 0)
        made = tiling.inner_factor(outer, whole, as_shape(tiled_shape), as_shape(outer_shape))
        return None if made is None else _of(made)

    def is_direct_sum_right(self, sum_layout: Tirx, interleaved_shape: Shape, right_shape: Shape) -> TileLayout | None:
        """The left summand with which this one, as the right, sums up to `sum_layout`, or None."""
        if not isinstance(sum_layout, TileLayout):
            return None
        made = tiling.left_summand(
            fused(self.parts), fused(sum_layout.parts), as_shape(interleaved_shape), as_shape(right_shape)
        )
        return None if made is None else _of(made)

    @overload
    def is_direct_sum_left(
        self, sum_layout: TileLayout, interleaved_shape: Shape, left_shape: Shape
    ) -> TileLayout | None: ...
    @overload
    def is_direct_sum_left(
        self, sum_layout: ComposeLayout | SwizzleLayout, interleaved_shape: Shape, left_shape: Shape
    ) -> ComposeLayout | None: ...
    def is_direct_sum_left(
        self, sum_layout: Tirx, interleaved_shape: Shape, left_shape: Shape
    ) -> TileLayout | ComposeLayout | None:
        """The right summand with which this one, as the left, sums up to `sum_layout`; composed where that is."""
        if not isinstance(sum_layout, TileLayout):
            return _below(
                sum_layout, interleaved_shape, lambda tile: self.is_direct_sum_left(tile, interleaved_shape, left_shape)
            )
        made = tiling.right_summand(
            fused(self.parts), fused(sum_layout.parts), as_shape(interleaved_shape), as_shape(left_shape)
        )
        return None if made is None else _of(made)

    def unpack(self, num: int) -> TileLayout:
        """Every element as `num` smaller ones: U(num * x + j) = num * L(x) + j."""
        return _of(reshape.unpack(self.parts, num))

    def pack(self, num: int) -> TileLayout:
        """`num` neighbours as one element: P(x) = L(num * x) / num.

        Raises:
            LayoutError: an element would be cut.
        """
        return _of(reshape.pack(self.parts, num, repr(self)))

    def broadcast(self, num: int, position: int = -1, axis: Axis | str = M) -> TileLayout:
        """A new dimension of `num` coordinates that see the same element, before iter `position` (-1: at the end)."""
        return _of(reshape.broadcast(self.parts, num, position, Axis.get(axis)))

    def storage(self) -> TileLayout:
        """What one thread holds: without the thread axes."""
        return _of(reshape.storage(self.parts))

    def permute_dims(self, perm: Sequence[int]) -> TileLayout:
        """The iters in the order `perm`."""
        return _of(reshape.permute(self.parts, perm))

    def permute_by_groups(self, seps: Sequence[int], perm: Sequence[int]) -> TileLayout:
        """The groups of iters that `seps` delimits, in the order `perm`."""
        return _of(reshape.permute_groups(self.parts, seps, perm))

    def to_psum(self) -> TileLayout:
        """The F axis cut into the banks of Trainium's PSUM."""
        return _of(trainium.to_psum(self.parts))


_of = TileLayout._of_parts


def _below(
    composed: ComposeLayout | SwizzleLayout, shape: Shape, change: Callable[[TileLayout], TileLayout | None]
) -> ComposeLayout | None:
    """The swizzle of a composed layout over its changed tile; None where there is none, or no composed layout."""
    return composed.compose(shape).map_tile(change) if hasattr(composed, "compose") else None


def _parts(layout: TileLayout) -> Parts:
    if not isinstance(layout, TileLayout):
        raise LayoutError(f"expected a TileLayout, got {shown(layout)}")
    return layout.parts
