"""`warp_xor_swizzle`: a warp stages its elements in registers, in an order that avoids bank conflicts both ways."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.dtypes import DType
from tilewright.ir.core.dependence import WARP
from tilewright.variants.call import Call, Reject, listed
from tilewright.variants.emitter import Emitter, Index
from tilewright.variants.permute_layout.align import Aligned, align
from tilewright.variants.permute_layout.rules import (
    apart,
    the_call,
    the_elements,
    the_layouts,
    the_maps,
    the_memory,
    the_volume,
    the_warps,
)
from tilewright.variants.permute_layout.xor import choose_xor_bits, element, shift_and_mask

DST, SRC = 0, 1


@dataclass(frozen=True)
class XorPlan:
    """Lane l moves element l + 32 * (r ^ ((l >> shift) & mask)) of the aligned space in step r < steps."""

    variant: str
    dtype: DType
    aligned: Aligned
    bits: int

    @property
    def steps(self) -> int:
        """The elements of each lane, P."""
        return self.aligned.volume // WARP

    @property
    def shift(self) -> int:
        """By how much the lane is shifted right before it is masked."""
        return shift_and_mask(self.bits)[0]

    @property
    def mask(self) -> int:
        """The lane bits that turn the order of the steps."""
        return shift_and_mask(self.bits)[1]

    def element(self, lane: int, register: int) -> int:
        """The element that a lane moves through a register."""
        return element(lane, register, self.shift, self.mask)

    @property
    def report(self) -> str:
        """The plan in a few lines of text."""
        swizzle = f"(r ^ ((lane >> {self.shift}) & {self.mask}))" if self.bits else "r"
        return (
            f"{self.variant}: {self.aligned.volume} x {self.dtype} over {listed(self.aligned.extent)}, "
            f"{self.steps} a lane\n"
            f"  src strides {listed(self.aligned.src_strides)}, dst strides {listed(self.aligned.dst_strides)}\n"
            f"  XOR bits k = {self.bits}, shift = {self.shift}, mask = {self.mask}: "
            f"register r holds element lane + 32 * {swizzle}"
        )


@dataclass(frozen=True)
class WarpXorSwizzle:
    """The one documented variant of permute_layout.

    Args:
        name, priority: as dispatch sees it.
        bits: a fixed number of XOR bits, whatever the banks say; None chooses the smallest that is bank-free.

    Source: `warp_xor_swizzle` of TIRx.
    """

    name: str = "warp_xor_swizzle"
    priority: int = 20
    bits: int | None = None
    primitive: str = "permute_layout"

    def plan(self, call: Call) -> XorPlan | Reject:
        """The plan, or the first rule that the call breaks."""
        dst, src = call.operands
        aligned = the_call(call) or the_elements(dst, src) or the_layouts(dst, src) or align(dst, src)
        if isinstance(aligned, Reject):
            return aligned
        bits = the_volume(aligned) or the_maps(aligned) or self._bits(aligned, dst.dtype.bytes)
        if isinstance(bits, Reject):
            return bits
        refused = the_memory(dst, src) or the_warps(call, lambda: apart(dst, src, aligned))
        return refused or XorPlan(self.name, dst.dtype, aligned, bits)

    def _bits(self, aligned: Aligned, width: int) -> int | Reject:
        steps = aligned.volume // WARP
        top = steps.bit_length() - 1
        if self.bits is not None:
            outside = Reject("XOR bits", f"k = {self.bits} XOR bits is outside [0, log2(P)={top}]")
            return self.bits if 0 <= self.bits <= top else outside
        found = choose_xor_bits(aligned.extent, aligned.src_strides, aligned.dst_strides, width, steps)
        none = Reject("no XOR bits", f"no XOR-bits k ∈ [0, log2(P)={top}] makes both phases bank-free")
        return none if found is None else found

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
