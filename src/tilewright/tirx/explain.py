"""How one element finds its places, step by step, as data: what the demonstration on TIRx's page on layouts shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from tilewright.arch.spec import BANK_BYTES
from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError, shown, typed_fields
from tilewright.layout.axes import MEMORY, Axis
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.evaluate import flatten, split
from tilewright.tirx.iters import Iter, as_integer, as_shape, extents, terms
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

BANKS = 32

TirxLayout: TypeAlias = TileLayout | ComposeLayout | SwizzleLayout


@dataclass(frozen=True)
@typed_fields
class MemoryPlace:
    """Where one copy lies in memory: element `address`, after the swizzle `swizzled`, then in bytes and banks.

    `line` counts rows of all banks, 128 bytes; an element narrower than a byte shares its byte.

    Raises:
        UsageError: a field of another type.

    >>> MemoryPlace(address=64, swizzled=72, byte=144, bank=4, line=1).bank == 144 // 4 % 32
    True
    """

    address: int
    swizzled: int
    byte: int
    bank: int
    line: int


@dataclass(frozen=True)
@typed_fields
class ElementSteps:
    """The steps from a logical coordinate to its places.

    `digits` are those of `flat` in the extents of the `iters`; `terms` are digit * stride on each axis;
    `shard` is D(x), `base` is D(x) + O, `places` are all copies. `memory` describes them where the layout lies on
    `m` alone, `owners` are the thread coordinates among the places.

    Raises:
        UsageError: a field of another type.

    >>> from tilewright.tirx.layout import *
    >>> tile = TileLayout(S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid)
    >>> print(explain_element(tile, (2, 5), (8, 16), 16))
    flat = 37, of (2, 5) in (8, 16)
    split by (8, 2, 4, 2): 2, 0, 2, 1
    laneid = 2*4 + 2*1 = 10
    warpid = 0*1 + 5 = 5, copies 5 9
    m = 1*1 = 1
    """

    coord: tuple[int, ...]
    shape: tuple[int, ...]
    flat: int
    iters: tuple[Iter, ...]
    digits: tuple[int, ...]
    terms: tuple[tuple[str, int, int], ...]
    shard: Mapping[str, int] = field(hash=False)
    offset: Mapping[str, int] = field(hash=False)
    base: Mapping[str, int] = field(hash=False)
    places: tuple[Mapping[str, int], ...] = field(hash=False)
    memory: tuple[MemoryPlace, ...]
    owners: tuple[Mapping[str, int], ...] = field(hash=False)

    def __str__(self) -> str:
        lines = [f"flat = {self.flat}, of {self.coord} in {self.shape}"]
        lines.append(f"split by {extents(self.iters)}: {', '.join(map(str, self.digits))}")
        lines += [self._axis_line(axis) for axis in self.base]
        lines += [
            f"address {p.address}, swizzled {p.swizzled}: byte {p.byte}, bank {p.bank}, line {p.line}"
            for p in self.memory
        ]
        return "\n".join(lines)

    def _axis_line(self, axis: str) -> str:
        steps = [f"{digit}*{stride}" for name, digit, stride in self.terms if name == axis]
        steps += [str(self.offset[axis])] if axis in self.offset else []
        values = list(dict.fromkeys(place.get(axis, 0) for place in self.places))
        copies = f", copies {' '.join(map(str, values))}" if len(values) > 1 else ""
        return f"{axis} = {' + '.join(steps) or 0} = {self.base[axis]}{copies}"


def explain_element(
    layout: TirxLayout,
    coord: Sequence[int] | int,
    shape: Sequence[int] | None = None,
    element_bits: int | DTypeLike = 8,
) -> ElementSteps:
    """The steps by which the element at `coord` of the logical `shape` finds its places.

    Args:
        layout: a tile layout, a swizzle, or both composed.
        coord: a coordinate, or a flat number without a shape. element_bits: the size of an element.

    Raises:
        LayoutError: a coordinate outside the shape.

    Source: TIRx's page on layouts, forward mapping; bank and line of an element.

    >>> from tilewright.tirx.layout import *
    >>> swizzled = ComposeLayout(SwizzleLayout(3, 3, 3), TileLayout(S[8, 64]))
    >>> [explain_element(swizzled, (i, 0), (8, 64), 16).memory[0].bank for i in range(8)]
    [0, 4, 8, 12, 16, 20, 24, 28]
    """
    tile = _tile(layout)
    coord, shape = _inside(coord, as_shape(shape) if shape is not None else (tile.size(),))
    bits = as_integer(bits_of(element_bits), "the bits of an element")
    flat = flatten(coord, shape)
    digits = tuple(split(flat, tile.shape))
    steps = tuple(
        (axis.name, digit, value)
        for it, digit in zip(tile.shard, digits, strict=True)
        for axis, value in terms(it.stride, it.axis)
    )
    found = tile.apply(flat)
    places = tuple(found) if isinstance(found, CoordSet) else (found,)
    return ElementSteps(
        coord=coord,
        shape=shape,
        flat=flat,
        iters=tile.shard,
        digits=digits,
        terms=steps,
        shard=TileLayout(tile.shard).base(flat),
        offset={axis.name: value for axis, value in tile.offset.items()},
        base=tile.base(flat),
        places=places,
        memory=tuple(_memory(layout, place[MEMORY], bits) for place in places if {*place} == {MEMORY}),
        owners=_owners(places),
    )


def _tile(layout: TirxLayout) -> TileLayout:
    if isinstance(layout, SwizzleLayout):
        return layout.compose().tile_layout
    if not isinstance(layout, TileLayout | ComposeLayout):
        raise LayoutError(f"expected a TIRx layout, got {shown(layout)}")
    return layout.tile_layout if isinstance(layout, ComposeLayout) else layout


def _inside(coord: Sequence[int] | int, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    own = coord if isinstance(coord, Iterable) else (coord,)
    point = tuple(as_integer(c, "a coordinate") for c in own)
    if len(point) != len(shape) or not all(0 <= c < extent for c, extent in zip(point, shape, strict=True)):
        raise LayoutError(f"coordinate {point} lies outside the shape {shape}")
    return point, shape


def _memory(layout: TirxLayout, address: int, element_bits: int) -> MemoryPlace:
    swizzle = layout if isinstance(layout, SwizzleLayout) else getattr(layout, "swizzle_layout", None)
    swizzled = address if swizzle is None else swizzle.swizzle(address)
    byte = swizzled * element_bits // 8
    return MemoryPlace(address, swizzled, byte, byte // BANK_BYTES % BANKS, byte // (BANK_BYTES * BANKS))


def _owners(places: Sequence[Mapping[str, int]]) -> tuple[Mapping[str, int], ...]:
    owners = [{axis: v for axis, v in place.items() if Axis.get(axis).is_thread()} for place in places]
    return tuple(dict(pairs) for pairs in dict.fromkeys(tuple(owner.items()) for owner in owners) if pairs)
