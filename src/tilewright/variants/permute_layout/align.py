"""Aligning the two layouts of a permute: one iteration space with a stride on either side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from tilewright.errors import LayoutError
from tilewright.tirx.iters import Iter
from tilewright.tirx.tile_layout import TileLayout
from tilewright.variants.call import Operand, Reject


@dataclass(frozen=True)
class Aligned:
    """The iteration space of a permute: row-major extents, and what each digit adds to the offset on either side."""

    extent: tuple[int, ...]
    src_strides: tuple[int, ...]
    dst_strides: tuple[int, ...]

    @property
    def volume(self) -> int:
        """The number of elements."""
        return prod(self.extent)


def align(dst: Operand, src: Operand) -> Aligned | Reject:
    """Both layouts sliced to their regions and split alike: dst by its extents, then src as dst.

    Axis names play no part here; replicas and offsets neither.

    Source: `warp_xor_swizzle` of TIRx.
    """
    pair = []
    for operand in (dst, src):
        piece = _slice(operand)
        if isinstance(piece, Reject):
            return piece
        pair.append(piece)
    shape = [extent for extent in dst.static_extents if extent != 1] or [1]
    try:
        to = pair[0].group(shape)[0]
        of = pair[1].group(to.shape)[0]
    except LayoutError as error:
        return Reject("layout.group failed", f"layout.group failed: {error}")
    if to.shape != of.shape:
        shards = f"src shard {list(of.shape)} doesn't match dst shard {list(to.shape)} after regrouping"
        return Reject("shard mismatch", shards)
    if any(type(number) is not int for it in (*to.shard, *of.shard) for number in (it.extent, _stride(it))):
        shards = f"src={of.notation()} vs dst={to.notation()}"
        return Reject("non-integer shard", f"regrouped layout shard contains non-integer extent/stride: {shards}")
    return Aligned(to.shape, _strides(of), _strides(to))


def offsets(extent: Sequence[int], strides: Sequence[int]) -> list[int]:
    """The offset of every element in row-major order.

    >>> offsets((2, 3), (1, 10))
    [0, 10, 20, 1, 11, 21]
    """
    found = [0]
    for size, stride in zip(extent, strides, strict=True):
        found = [base + digit * stride for base in found for digit in range(size)]
    return found


def _slice(operand: Operand) -> TileLayout | Reject:
    assert isinstance(operand.layout, TileLayout)
    try:
        if not same_everywhere(operand.layout, operand):
            moving = ", ".join(str(d) for d, start in enumerate(operand.starts) if start is None)
            return _no_slice(
                f"the layout of {operand.name} is not the same at every start of the region, "
                f"which is a run-time value in dimension {moving}"
            )
        starts = [0 if start is None else start for start in operand.starts]
        box = [(start, start + extent) for start, extent in zip(starts, operand.static_extents, strict=True)]
        piece = operand.layout.slice(operand.shape, box)
        region = ", ".join(f"{begin}:{end}" for begin, end in box)
        return _no_slice(f"{operand.name}[{region}] is no TileLayout") if piece is None else piece.canonicalize()
    except LayoutError as error:
        return _no_slice(str(error))


def _no_slice(why: str) -> Reject:
    return Reject("layout.slice failed", f"layout.slice failed: {why}")


def same_everywhere(layout: TileLayout, operand: Operand) -> bool:
    """Does another run-time start only shift the whole region?"""
    moving = [d for d, start in enumerate(operand.starts) if start is None]
    if not moving:
        return True
    # Dimensions that own their iters are independent of each other; one that moves and has several elements
    # must be a single iter, since a carry into a second one would depend on the start.
    try:
        grouped, seps = layout.canonicalize().group(operand.shape)
    except LayoutError:
        return False
    owned = [sum(extent > 1 for extent in grouped.shape[a:b]) for a, b in pairwise(seps)]
    return all(owned[d] <= 1 or operand.extents[d] == 1 for d in moving)


def _strides(layout: TileLayout) -> tuple[int, ...]:
    return tuple(_stride(it) for it in layout.shard)


def _stride(it: Iter) -> int:
    value: int = it.stride
    return value
