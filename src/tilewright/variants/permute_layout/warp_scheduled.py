"""`warp_scheduled`: a warp permutes elements of any width between any layouts of memory, by a proved schedule.

It takes what `warp_xor_swizzle` declines: the bank rule is the hardware's (`analysis.permute`), the shift of the XOR is
free, any bit-linear map or a table may say which lane moves which element, and lanes may be idle.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent
from typing import TYPE_CHECKING

from tilewright.dtypes import DType
from tilewright.ir.core.dependence import WARP
from tilewright.variants.call import Call, Operand, Reject, listed
from tilewright.variants.emitter import Emitter
from tilewright.variants.permute_layout.elements import DST, SRC, element_of, moving
from tilewright.variants.permute_layout.places import Places, places
from tilewright.variants.permute_layout.rules import the_call, the_elements, the_memory, the_warps

if TYPE_CHECKING:
    from tilewright.analysis.permute.schedule import PermuteSchedule


@dataclass(frozen=True)
class ScheduledPlan:
    """Register r of lane l holds element `schedule.element(l, r)` of the regions, counted row-major.

    `fixed`: the schedule was counted where the regions lie; otherwise with run-time starts at 0.
    """

    variant: str
    dtype: DType
    extents: tuple[int, ...]
    schedule: PermuteSchedule
    fixed: bool = True

    @property
    def elements(self) -> int:
        """How many are moved."""
        return len(self.schedule.source.offsets)

    @property
    def steps(self) -> int:
        """The registers of a lane."""
        return self.schedule.registers

    @property
    def full(self) -> bool:
        """Has every lane an element in every register?"""
        return self.elements == WARP * self.steps

    def element(self, lane: int, register: int) -> int:
        """The element that a lane moves through a register."""
        return self.schedule.element(lane, register)

    @property
    def report(self) -> str:
        """The plan in a few lines of text."""
        head = f"{self.variant}: {self.elements} x {self.dtype} over {listed(self.extents)}, {self.steps} a lane"
        starts = [] if self.fixed else ["  counted with run-time starts at 0"]
        return "\n".join([head, indent(str(self.schedule), "  "), *starts])


@dataclass(frozen=True)
class WarpScheduled:
    """permute_layout in shared or global memory, whatever the element width, the layouts and the number of elements.

    Args:
        name, priority: as dispatch sees it.
        in_order: leave the elements in order, whatever the banks say.
    """

    name: str = "warp_scheduled"
    priority: int = 10
    in_order: bool = False
    primitive: str = "permute_layout"

    def plan(self, call: Call) -> ScheduledPlan | Reject:
        """The plan, or the first rule that the call breaks."""
        dst, src = call.operands
        refused = the_call(call) or the_elements(dst, src) or the_memory(dst, src)
        if refused:
            return refused
        to, of = places("dst", dst), places("src", src)
        if isinstance(to, Reject):
            return to
        if isinstance(of, Reject):
            return of
        return the_warps(call, lambda: to.apart(of)) or self._scheduled(dst, to, of)

    def _scheduled(self, dst: Operand, to: Places, of: Places) -> ScheduledPlan:
        from tilewright.analysis.permute.schedule import permute_schedule  # TIRx's own kernels need no search

        width = dst.dtype.bytes
        schedule = permute_schedule(of.offsets, to.offsets, element_bytes=width, in_order=self.in_order)
        return ScheduledPlan(self.name, dst.dtype, dst.static_extents, schedule, to.fixed and of.fixed)

    def emit(self, plan: ScheduledPlan, emitter: Emitter) -> None:
        """Two phases through registers, with a warp_sync after each."""
        lane = emitter.lane()
        registers = emitter.registers(plan.steps, plan.dtype, "regs")
        with emitter.unroll(plan.steps, "r") as r:
            element = element_of(plan.schedule.form, emitter, lane, r)
            with moving(plan.full, emitter, element, plan.elements):
                value = emitter.load(emitter.memory(SRC), emitter.place(SRC, element))
                emitter.store(value, registers, r)
        emitter.sync("warp")
        with emitter.unroll(plan.steps, "r") as r:
            element = element_of(plan.schedule.form, emitter, lane, r)
            with moving(plan.full, emitter, element, plan.elements):
                emitter.store(emitter.load(registers, r), emitter.memory(DST), emitter.place(DST, element))
        emitter.sync("warp")
