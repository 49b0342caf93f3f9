"""What the variants ask of a call, rule by rule, in the order in which `warp_xor_swizzle` checks them.

Source: `warp_xor_swizzle` of TIRx; `the_memory` and `the_warps` are ours: the released variant accepts
such calls, and gets them wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from tilewright.ir.core.dependence import WARP
from tilewright.tirx.tile_layout import TileLayout
from tilewright.variants.call import Call, Operand, Reject, listed
from tilewright.variants.permute_layout.align import Aligned, offsets

WIDTHS = (1, 2, 4, 8, 16)
MAX_STEPS = 32


def the_call(call: Call) -> Reject | None:
    """Scope warp, a block of one dimension."""
    if call.scope != "warp":
        return Reject("scope is not 'warp'", f"scope {call.scope!r} is not 'warp'")
    if prod(call.block) != call.block[0]:
        return Reject("multi-dim threadIdx", f"multi-dim threadIdx is not supported: block is {listed(call.block)}")
    return None


def the_elements(dst: Operand, src: Operand) -> Reject | None:
    """Equal types and constant, equal extents, whole bytes."""
    if dst.dtype != src.dtype:
        return Reject("dtype mismatch", f"dtype mismatch: dst={dst.dtype} vs src={src.dtype}")
    shapes = f"src={listed(src.extents)} vs dst={listed(dst.extents)}"
    if None in dst.extents or None in src.extents:
        return Reject("extents must be compile-time integers", f"extents must be compile-time integers: {shapes}")
    if dst.extents != src.extents:
        return Reject("extent mismatch", f"slice shape mismatch: {shapes}")
    if dst.dtype.bits not in [8 * width for width in WIDTHS]:
        width = f"{dst.dtype.bits / 8:g}"
        return Reject("unsupported dtype byte width", f"unsupported dtype byte width: {width} ({dst.dtype})")
    return None


def the_layouts(dst: Operand, src: Operand) -> Reject | None:
    """Layouts without a swizzle."""
    for side, operand in (("src", src), ("dst", dst)):
        if not isinstance(operand.layout, TileLayout):
            message = f"{side} buffer's layout is not a plain TileLayout: {operand.name} has {operand.layout}"
            return Reject(f"{side} not a plain TileLayout", message)
    return None


def the_volume(aligned: Aligned) -> Reject | None:
    """A power of two of elements for each lane."""
    if aligned.volume % WARP:
        message = f"volume {aligned.volume} not divisible by warp size {WARP}"
        return Reject("volume not divisible by warp size", message)
    steps = aligned.volume // WARP
    if steps > MAX_STEPS or steps & (steps - 1):
        message = f"per-thread count {steps} must be power of 2 in [1, {MAX_STEPS}]"
        return Reject("per-thread count", message)
    return None


def the_maps(aligned: Aligned) -> Reject | None:
    """Different elements at different offsets, on both sides."""
    for side, strides in (("src layout (regrouped)", aligned.src_strides), ("dst layout", aligned.dst_strides)):
        reached = len(set(offsets(aligned.extent, strides)))
        if reached != aligned.volume:
            message = f"{side} is not a bijection on the slice: {aligned.volume} elements on {reached} offsets"
            return Reject("not a bijection", message)
    return None


def the_memory(dst: Operand, src: Operand) -> Reject | None:
    """Both in shared or global memory, the destination once."""
    return _on_memory("dst", dst) or _on_memory("src", src) or _one_copy(dst)


def the_memory_of(side: str, operand: Operand, written: bool) -> Reject | None:
    """One operand in shared or global memory, once where it is written."""
    return _on_memory(side, operand) or (_one_copy(operand) if written else None)


def the_warps(call: Call, apart: Callable[[], bool]) -> Reject | None:
    """Whole warps whose lanes come together, and which leave each other's regions alone.

    `apart`: is it certain that the two regions, in one memory, share no element?
    """
    return _whole_warps(call) or _together(call) or _in_place(call, apart)


def _on_memory(side: str, operand: Operand) -> Reject | None:
    tile = plain(operand)
    axes = {it.axis for it in tile.shard} | set(tile.offset)
    foreign = sorted("several axes" if axis is None else axis.name for axis in axes if axis is None or axis.name != "m")
    if foreign:
        message = f"{side} puts elements on {', '.join(foreign)}; this variant moves memory, whose axis is m"
        return Reject("not on the memory axis", message)
    if operand.scope == "local":
        message = f"{side} {operand.name} is local: a lane cannot reach another lane's registers; use shared or global"
        return Reject("local buffer", message)
    return None


def _one_copy(dst: Operand) -> Reject | None:
    copies = prod(it.extent for it in plain(dst).replica)
    if copies > 1:
        message = f"dst has a replica: {copies} copies of every element, of which this variant writes one"
        return Reject("dst has a replica", message)
    return None


def _whole_warps(call: Call) -> Reject | None:
    if call.lanes != WARP:
        return Reject("warp size", f"a warp of the target has {call.lanes} lanes; this variant is for {WARP}")
    threads = prod(call.block)
    if threads % WARP:
        return Reject("no whole warps", f"a block of {threads} threads is not made of whole warps of {WARP} lanes")
    return None


def _together(call: Call) -> Reject | None:
    if "lane" in call.reached_by:
        return Reject("divergent warp", "the lanes of a warp part before the call: a condition depends on the lane")
    for operand in call.operands:
        if "lane" in operand.varies:
            message = f"the region of {operand.name} starts elsewhere for every lane; a warp moves one region"
            return Reject("start depends on the lane", message)
    return None


def _in_place(call: Call, apart: Callable[[], bool]) -> Reject | None:
    """Several warps that permute one region in place would read what another has written already."""
    dst, src = call.operands
    if dst.memory != src.memory or apart():
        return None
    own = call.reached_by | (dst.varies & src.varies)
    warps, blocks = prod(call.block) // WARP, prod(call.grid) if dst.scope == "global" else 1
    for count, what, key in ((warps, "warps", "warp"), (blocks, "blocks", "block")):
        if count > 1 and key not in own:
            message = f"in place, {count} {what} permute one region of {dst.name} at the same time; give each its own"
            return Reject(f"in place by several {what}", message)
    return None


def plain(operand: Operand) -> TileLayout:
    """The layout, without its swizzle if it has one."""
    return operand.layout if isinstance(operand.layout, TileLayout) else operand.layout.tile_layout


def apart(dst: Operand, src: Operand, aligned: Aligned) -> bool:
    """Is it certain that the regions share no element?"""
    reached = []
    for operand, strides in ((dst, aligned.dst_strides), (src, aligned.src_strides)):
        starts = [start for start in operand.starts if start is not None]
        if len(starts) < len(operand.starts):
            return False
        corner = operand.layout.base(*starts, shape=operand.shape)["m"]
        reached.append({corner + offset for offset in offsets(aligned.extent, strides)})
    return reached[0].isdisjoint(reached[1])
