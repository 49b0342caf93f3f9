"""`TileLayout`: the affine layout over named axes. Its methods are the functions of this folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import Axis
from tilewright.layout.drawn import Drawn
from tilewright.layout.layout import Layout
from tilewright.tirx import bulk, evaluate, extent, injective, reshape, scope, text, tiling, trainium
from tilewright.tirx.active import TargetLike, fused, lanes_of, same_level
from tilewright.tirx.canonical import canonical, tidy, without_zeros
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.group import group, group_many
from tilewright.tirx.iters import Iter, Iters, M, Parts, Terms, as_shape, extents
from tilewright.tirx.slicing import slice_parts
from tilewright.tirx.spec import LayoutSpec, as_offset, row_major

Shape = Sequence[Any]


class TileLayout(Drawn):
    """L(x) = { D(x) + r + O }: a logical coordinate x to the set of places of its element.

    x is flattened ROW-major and split over the shard's iters, the last one fastest; D(x) is the sum of digit * stride
    on each iter's axis, r runs over the replica, O is the offset. Frozen, hashable, equal by its pieces (`equivalent`
    compares maps).

    Args:
        shard: `S[..]`, alone or summed with `R[..]` and offsets; or iters.
        replica: iters. offset: `5 @ warpid`, an integer on `m`, or `{axis: value}`.

    Source: TIRx (document 003).

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

    __slots__ = ("_copies", "parts")
    parts: Parts
    _copies: tuple[Terms, ...] | None

    def __init__(self, shard: LayoutSpec | Iterable[Iter], replica: Iterable[Iter] = (), offset: Any = None) -> None:
        if not isinstance(shard, LayoutSpec):
            parts = Parts(_iters(shard), _iters(replica), () if offset is None else as_offset(offset))
        elif replica or offset is not None:
            raise LayoutError("with S[..] the replica and the offset are summands: S[..] + R[..] + offset")
        else:
            parts = shard.parts
        _fill(self, parts)

    @classmethod
    def from_iters(cls, shard: Iterable[Iter] = (), replica: Iterable[Iter] = (), offset: Any = None) -> TileLayout:
        """The layout of iters that have been built already.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout.from_iters([Iter(8, 4, "laneid"), Iter(2, 1, "m")], offset={"warpid": 5})
        TileLayout(S[(8, 2):(4 @ laneid, 1)] + 5 @ warpid)
        """
        return cls(_iters(shard), replica, offset)

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

    # ---- the pieces

    @property
    def shard(self) -> Iters:
        """The iters of D, slowest first."""
        return self.parts.shard

    @property
    def replica(self) -> Iters:
        """The iters of the copies."""
        return self.parts.replica

    @property
    def offset(self) -> Mapping[Axis, Any]:
        """The fixed offset, axis by axis."""
        return MappingProxyType(dict(self.parts.offset))

    @property
    def shape(self) -> tuple[Any, ...]:
        """The extents of the shard."""
        return extents(self.parts.shard)

    @property
    def strides(self) -> tuple[Any, ...]:
        """The strides of the shard as elements of the stride module: `4@laneid`, or an integer on `m`."""
        return tuple(it.stride if it.axis is None else it.stride @ it.axis for it in self.parts.shard)

    def to_layout(self) -> Layout:
        """D as a CuTe layout with the same table: the iters in reverse order, the offset and the replica left out."""
        return evaluate.shard_layout(self.parts.shard)

    # ---- evaluation

    def apply(self, *coord: Any, shape: Shape | None = None) -> dict[str, Any] | CoordSet:
        """The places of a coordinate: `{axis: value}`, or the `CoordSet` of them when there is a replica.

        One coordinate is the flat number; several are one per iter, or one per dimension of `shape`. Beyond the
        domain the outermost digit goes on. Integer arrays give arrays, with one more dimension over the replicas.

        Raises:
            LayoutError: another number of coordinates, or values that are no integers.
        """
        checked = bulk.coordinates(self.parts, coord, shape)
        point = evaluate.base(self.parts, checked, shape)
        if checked is not coord and any(map(bulk.is_array, checked)):
            return bulk.spread(point, bulk.common_shape(checked), self.parts.replica)
        return evaluate.fan_out(point, self._offsets()) if self.parts.replica else point

    def base(self, *coord: Any, shape: Shape | None = None) -> dict[str, Any]:
        """D(x) + O, the place of the first copy."""
        return evaluate.base(self.parts, bulk.coordinates(self.parts, coord, shape), shape)

    def table(self) -> dict[str, Any]:
        """The places of all elements as numpy arrays, one an axis, indexed by the flat coordinate (and the replica)."""
        return bulk.table(self.parts)

    def apply_to_shape(self, coord: Sequence[Any], input_shape: Shape) -> list[Any]:
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

    def size(self, axis_name: Axis | str | None = None) -> Any:
        """The number of elements: the product of the shard's extents (of those on one axis)."""
        return extent.size(self.parts, _axis(axis_name))

    def span(self, axis_name: Axis | str | None = None) -> Any:
        """The cells from 0 to the last one on an axis (on all memory axes together), replicas and offset included.

        With a negative stride: from the first to the last one.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[(8, 6) : (8, 1)]).span(), TileLayout(S[(4, 8) : (-8, 1)]).span()
        (62, 32)
        """
        return extent.span(self.parts, _axis(axis_name))

    def extent(self, axis_name: Axis | str | None = None) -> Any:
        """The cells from the first to the last one: largest - smallest + 1."""
        return extent.extent(self.parts, _axis(axis_name))

    def cosize(self, axis_name: Axis | str | None = None) -> Any:
        """The largest value plus 1, on an axis (on all memory axes together)."""
        return extent.cosize(self.parts, _axis(axis_name))

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
        return isinstance(other, TileLayout) and canonical(self.parts) == canonical(other.parts)

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
            LayoutError: digits would have to be carried from the inner to the outer axis.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[256 : 1 @ tx]).split_axes("warp")
        TileLayout(S[(8, 32):(1 @ warpid, 1 @ laneid)])
        """
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
            raise LayoutError(f"group_many takes a sequence of shapes, got {shapes!r}")
        shard, seps = group_many(self.parts.shard, [as_shape(shape) for shape in shapes])
        return _of(self.parts._replace(shard=shard)), [list(own) for own in seps]

    # ---- other maps

    def slice(self, shape: Shape, region: Sequence[Any]) -> TileLayout | None:
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

    def is_tile_inner(self, tile_layout: Any, tiled_shape: Shape, inner_shape: Shape) -> TileLayout | None:
        """The outer layout with which this one tiles to `tile_layout`, or None."""
        if not isinstance(tile_layout, TileLayout):
            return None
        inner, whole = same_level(self.parts, tile_layout.parts, 1)
        made = tiling.outer_factor(inner, whole, as_shape(tiled_shape), as_shape(inner_shape))
        return None if made is None else _of(made)

    def is_tile_outer(self, tile_layout: Any, tiled_shape: Shape, outer_shape: Shape) -> Any:
        """The inner layout that this one tiles to `tile_layout`, or None; of a composed layout a composed one."""
        if not isinstance(tile_layout, TileLayout):
            below = getattr(tile_layout, "map_tile", lambda change: None)
            return below(lambda tile: self.is_tile_outer(tile, tiled_shape, outer_shape))
        outer, whole = same_level(self.parts, tile_layout.parts, 0)
        made = tiling.inner_factor(outer, whole, as_shape(tiled_shape), as_shape(outer_shape))
        return None if made is None else _of(made)

    def is_direct_sum_right(self, sum_layout: Any, interleaved_shape: Shape, right_shape: Shape) -> TileLayout | None:
        """The left summand with which this one, as the right, sums up to `sum_layout`, or None."""
        if not isinstance(sum_layout, TileLayout):
            return None
        made = tiling.left_summand(
            fused(self.parts), fused(sum_layout.parts), as_shape(interleaved_shape), as_shape(right_shape)
        )
        return None if made is None else _of(made)

    def is_direct_sum_left(self, sum_layout: Any, interleaved_shape: Shape, left_shape: Shape) -> TileLayout | None:
        """The right summand with which this one, as the left, sums up to `sum_layout`, or None."""
        if not isinstance(sum_layout, TileLayout):
            return None
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

    # ---- text and value

    def notation(self) -> str:
        """The short text that `tilewright.parse` reads.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[(32, 4) : (1 @ TLane, 1 @ TCol)] + R[4 : 32 @ TLane]).notation()
        'S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane]'
        """
        return text.notation(self.parts)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"TileLayout is frozen; cannot set {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TileLayout) and self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def _value(self) -> Parts:
        # An offset of 0 is printed, as slices have one, but is no other value than none.
        return self.parts._replace(offset=without_zeros(self.parts.offset))

    def __reduce__(self) -> tuple[Any, ...]:
        return TileLayout, (self.parts.shard, self.parts.replica, dict(self.parts.offset))

    def __repr__(self) -> str:
        return text.python_text(self.parts)


def _of(parts: Parts) -> TileLayout:
    layout = object.__new__(TileLayout)
    _fill(layout, parts)
    return layout


def _fill(layout: TileLayout, parts: Parts) -> None:
    object.__setattr__(layout, "parts", parts)
    object.__setattr__(layout, "_copies", None)


def _iters(items: Iterable[Iter]) -> Iters:
    iters = tuple(items) if isinstance(items, Iterable) else (items,)
    for item in iters:
        if not isinstance(item, Iter):
            raise LayoutError(f"a shard is S[..] or a sequence of Iter, got {item!r}")
    return iters


def _parts(layout: TileLayout) -> Parts:
    if not isinstance(layout, TileLayout):
        raise LayoutError(f"expected a TileLayout, got {layout!r}")
    return layout.parts


def _axis(axis: Axis | str | None) -> Axis | None:
    return None if axis is None else Axis.get(axis)
