"""`warp_xor_swizzle`: a warp stages its elements in registers, in an order that avoids bank conflicts both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

from tilewright.dtypes import DType
from tilewright.tirx.layout import TileLayout
from tilewright.variants.call import WARP, Call, Operand, Reject
from tilewright.variants.emitter import Emitter, Index
from tilewright.variants.permute_layout.align import Aligned, align, offsets
from tilewright.variants.permute_layout.xor import LANE_BITS, choose_xor_bits, shift_and_mask

DST, SRC = 0, 1
WIDTHS = (1, 2, 4, 8, 16)
MAX_STEPS = 32


@dataclass(frozen=True)
class XorPlan:
    """Lane l moves element l + 32 * (r ^ ((l >> shift) & mask)) of the aligned space in step r < steps."""

    variant: str
    dtype: DType
    aligned: Aligned
    steps: int
    bits: int

    @property
    def shift(self) -> int:
        """By how much the lane is shifted right before it is masked."""
        return shift_and_mask(self.bits)[0]

    @property
    def mask(self) -> int:
        """The lane bits that turn the order of the steps."""
        return shift_and_mask(self.bits)[1]

    @property
    def report(self) -> str:
        """The plan in a few lines of text."""
        swizzle = f"(r ^ ((lane >> {self.shift}) & {self.mask}))" if self.bits else "r"
        return (
            f"{self.variant}: {self.aligned.volume} x {self.dtype} over {_list(self.aligned.extent)}, "
            f"{self.steps} a lane\n"
            f"  src strides {_list(self.aligned.src_strides)}, dst strides {_list(self.aligned.dst_strides)}\n"
            f"  XOR bits k = {self.bits}, shift = {self.shift}, mask = {self.mask}: "
            f"register r holds element lane + 32 * {swizzle}"
        )


@dataclass(frozen=True)
class WarpXorSwizzle:
    """The one documented variant of permute_layout.

    Args:
        name, priority: as dispatch sees it.
        bits: a fixed number of XOR bits, whatever the banks say; None chooses the smallest that is bank-free.

    Source: `warp_xor_swizzle` of TIRx (document 000).
    """

    name: str = "warp_xor_swizzle"
    priority: int = 20
    bits: int | None = None
    primitive: str = "permute_layout"

    def plan(self, call: Call) -> XorPlan | Reject:
        """The plan, or the first rule that the call breaks."""
        dst, src = call.operands
        refused = _first(lambda: _the_call(call), lambda: _the_buffers(dst, src))
        if refused:
            return refused
        aligned = align(dst, src)
        if isinstance(aligned, Reject):
            return aligned
        refused = _first(lambda: _the_volume(aligned), lambda: _the_maps(aligned))
        if refused:
            return refused
        steps, width = aligned.volume // WARP, dst.dtype.bytes
        bits = self.bits
        if bits is None:
            bits = choose_xor_bits(aligned.extent, aligned.src_strides, aligned.dst_strides, width, steps)
        if bits is None:
            top = steps.bit_length() - 1
            return Reject("no XOR bits", f"no XOR-bits k ∈ [0, log2(P)={top}] makes both phases bank-free")
        return _the_memory(call, aligned) or XorPlan(self.name, dst.dtype, aligned, steps, bits)

    def emit(self, plan: XorPlan, emitter: Emitter) -> None:
        """Two phases through registers, with a warp_sync after each."""
        lane = emitter.lane()
        turn = emitter.index.bits_and(emitter.index.shift_right(lane, plan.shift), plan.mask)
        registers = emitter.registers(plan.steps, plan.dtype, "regs")
        with emitter.unroll(plan.steps, "r") as r:
            value = emitter.load(emitter.memory(SRC), _address(plan, emitter, SRC, lane, emitter.index.xor(r, turn)))
            emitter.store(value, registers, r)
        emitter.sync("warp")
        with emitter.unroll(plan.steps, "r") as r:
            value = emitter.load(registers, r)
            emitter.store(value, emitter.memory(DST), _address(plan, emitter, DST, lane, emitter.index.xor(r, turn)))
        emitter.sync("warp")


def _address(plan: XorPlan, emitter: Emitter, side: int, lane: Index, step: Index) -> Index:
    i = emitter.index
    flat = i.add(lane, i.mul(step, WARP))
    strides = plan.aligned.dst_strides if side == DST else plan.aligned.src_strides
    terms = [(emitter.corner(side), 1)]
    inner = plan.aligned.volume
    for extent, stride in zip(plan.aligned.extent, strides, strict=True):
        inner //= extent
        terms.append((i.mod(i.div(flat, inner), extent), stride))
    return i.total(terms)


# ---- the rules, in the order in which they are checked

Rule = Callable[[], Reject | None]


def _first(*rules: Rule) -> Reject | None:
    return next((refused for rule in rules if (refused := rule())), None)


def _the_call(call: Call) -> Reject | None:
    if call.scope != "warp":
        return Reject("scope is not 'warp'", f"scope {call.scope!r} is not 'warp'")
    if prod(call.block) != call.block[0]:
        return Reject("multi-dim threadIdx", f"multi-dim threadIdx is not supported: block is {_list(call.block)}")
    return None


def _the_buffers(dst: Operand, src: Operand) -> Reject | None:
    if dst.dtype != src.dtype:
        return Reject("dtype mismatch", f"dtype mismatch: dst={dst.dtype} vs src={src.dtype}")
    if dst.extents != src.extents:
        shapes = f"src={_list(src.extents)} vs dst={_list(dst.extents)}"
        return Reject("extent mismatch", f"slice shape mismatch: {shapes}")
    if dst.dtype.bits not in [8 * width for width in WIDTHS]:
        width = f"{dst.dtype.bits / 8:g}"
        return Reject("unsupported dtype byte width", f"unsupported dtype byte width: {width} ({dst.dtype})")
    for side, operand in (("src", src), ("dst", dst)):
        if not isinstance(operand.layout, TileLayout):
            message = f"{side} buffer's layout is not a plain TileLayout: {operand.name} has {operand.layout}"
            return Reject(f"{side} not a plain TileLayout", message)
    return None


def _the_volume(aligned: Aligned) -> Reject | None:
    if aligned.volume % WARP:
        message = f"volume {aligned.volume} not divisible by warp size {WARP}"
        return Reject("volume not divisible by warp size", message)
    steps = aligned.volume // WARP
    if steps > MAX_STEPS or steps & (steps - 1):
        message = f"per-thread count {steps} must be power of 2 in [1, {MAX_STEPS}]"
        return Reject("per-thread count", message)
    return None


def _the_maps(aligned: Aligned) -> Reject | None:
    for side, strides in (("src layout (regrouped)", aligned.src_strides), ("dst layout", aligned.dst_strides)):
        reached = len(set(offsets(aligned.extent, strides)))
        if reached != aligned.volume:
            message = f"{side} is not a bijection on the slice: {aligned.volume} elements on {reached} offsets"
            return Reject("not a bijection", message)
    return None


def _the_memory(call: Call, aligned: Aligned) -> Reject | None:
    """What the released variant does not check, and would get wrong."""
    dst, src = call.operands
    return _first(
        lambda: _on_memory("dst", dst),
        lambda: _on_memory("src", src),
        lambda: _one_copy(dst),
        lambda: _whole_warps(call),
        lambda: _together(call),
        lambda: _in_place(call, aligned),
    )


def _on_memory(side: str, operand: Operand) -> Reject | None:
    assert isinstance(operand.layout, TileLayout)
    axes = {it.axis for it in operand.layout.shard} | set(operand.layout.offset)
    foreign = sorted("several axes" if axis is None else axis.name for axis in axes if axis is None or axis.name != "m")
    if foreign:
        message = f"{side} puts elements on {', '.join(foreign)}; this variant moves memory, whose axis is m"
        return Reject("not on the memory axis", message)
    if operand.scope == "local":
        message = f"{side} {operand.name} is local: a lane cannot reach another lane's registers; use shared or global"
        return Reject("local buffer", message)
    return None


def _one_copy(dst: Operand) -> Reject | None:
    assert isinstance(dst.layout, TileLayout)
    copies = prod(it.extent for it in dst.layout.replica)
    if copies > 1:
        message = f"dst has a replica: {copies} copies of every element, of which this variant writes one"
        return Reject("dst has a replica", message)
    return None


def _whole_warps(call: Call) -> Reject | None:
    threads = prod(call.block)
    if call.lanes != WARP or threads % WARP:
        message = f"a block of {threads} threads is not made of whole warps of {WARP} lanes"
        return Reject(
            "no whole warps", message if call.lanes == WARP else f"a warp of {call.lanes} lanes is not {WARP}"
        )
    return None


def _together(call: Call) -> Reject | None:
    if "lane" in call.reached_by:
        return Reject(
            "divergent warp", "the lanes of a warp part ways before the call: a condition depends on the lane"
        )
    for operand in call.operands:
        if "lane" in operand.varies:
            message = f"the region of {operand.name} starts elsewhere for every lane; a warp moves one region"
            return Reject("start depends on the lane", message)
    return None


def _in_place(call: Call, aligned: Aligned) -> Reject | None:
    """Several warps that permute one region in place would read what another has written already."""
    dst, src = call.operands
    if dst.memory != src.memory or _apart(dst, src, aligned):
        return None
    own = call.reached_by | (dst.varies & src.varies)
    warps, blocks = prod(call.block) // WARP, prod(call.grid) if dst.scope == "global" else 1
    for count, what, key in ((warps, "warps", "warp"), (blocks, "blocks", "block")):
        if count > 1 and key not in own:
            message = (
                f"in place, {count} {what} permute the same region of {dst.name} at the same time; give each its own"
            )
            return Reject(f"in place by several {what}", message)
    return None


def _apart(dst: Operand, src: Operand, aligned: Aligned) -> bool:
    reached = []
    for operand, strides in ((dst, aligned.dst_strides), (src, aligned.src_strides)):
        starts = [start for start in operand.starts if start is not None]
        if len(starts) < len(operand.starts):
            return False
        corner = operand.layout.base(*starts, shape=operand.shape)["m"]
        reached.append({corner + offset for offset in offsets(aligned.extent, strides)})
    return reached[0].isdisjoint(reached[1])


def _list(numbers: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


assert 1 << LANE_BITS == WARP
