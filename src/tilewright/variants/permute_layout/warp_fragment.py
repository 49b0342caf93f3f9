"""`warp_fragment`: a warp moves a tile between memory and the registers that it is spread over, lane by lane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.analysis.permute.forms import Form
from tilewright.dtypes import DType
from tilewright.ir.core.dependence import WARP
from tilewright.ir.tile.types import LOCAL
from tilewright.variants.call import Call, Reject, listed
from tilewright.variants.emitter import Emitter, Index
from tilewright.variants.permute_layout.elements import DST, SRC, element_of, moving
from tilewright.variants.permute_layout.fragment import Fragment, fragment
from tilewright.variants.permute_layout.places import Places, places
from tilewright.variants.permute_layout.rules import the_call, the_elements, the_memory_of, the_warps

if TYPE_CHECKING:
    from tilewright.analysis.permute.side import PhaseCost

SIDES = ("dst", "src")


@dataclass(frozen=True)
class FragmentPlan:
    """Each lane moves the elements that it holds, register after register; `local` is the operand in registers.

    `cost` is that of the other operand, with run-time starts at 0: which lane moves what is not free to choose.
    """

    variant: str
    dtype: DType
    extents: tuple[int, ...]
    local: int
    held: Fragment
    form: Form
    cost: PhaseCost

    @property
    def report(self) -> str:
        """The plan in a few lines of text."""
        count = len(self.held.registers)
        return (
            f"{self.variant}: {self.held.elements} x {self.dtype} over {listed(self.extents)}, {count} a lane\n"
            f"  {SIDES[self.local]} is in registers: register r of a lane holds element {self.form}\n"
            f"  {'write' if self.local == SRC else 'read'} {self.cost.wavefronts} wavefronts, ideal {self.cost.ideal}"
        )


@dataclass(frozen=True)
class WarpFragment:
    """permute_layout between memory and a local buffer whose layout spreads it over `laneid`."""

    name: str = "warp_fragment"
    priority: int = 5
    primitive: str = "permute_layout"

    def plan(self, call: Call) -> FragmentPlan | Reject:
        """The plan, or the first rule that the call breaks."""
        dst, src = call.operands
        refused = the_call(call) or the_elements(dst, src)
        if refused:
            return refused
        scopes = [operand.scope for operand in call.operands]
        if scopes.count(LOCAL) != 1:
            message = f"one side lies in registers and the other does not; here dst is {scopes[0]}, src {scopes[1]}"
            return Reject("one fragment", message)
        local, other = (DST, SRC) if dst.scope == LOCAL else (SRC, DST)
        held = fragment(SIDES[local], call.operands[local])
        if isinstance(held, Reject):
            return held
        refused = the_memory_of(SIDES[other], call.operands[other], written=other == DST)
        memory = refused or places(SIDES[other], call.operands[other])
        if isinstance(memory, Reject):
            return memory
        cost = _cost("store" if other == DST else "load", dst.dtype.bytes, memory, held)
        plan = FragmentPlan(self.name, dst.dtype, dst.static_extents, local, held, held.form, cost)
        return the_warps(call, lambda: True) or plan

    def emit(self, plan: FragmentPlan, emitter: Emitter) -> None:
        """One phase, and a warp_sync."""
        lane = emitter.lane()
        with emitter.unroll(len(plan.held.registers), "r") as r:
            element = element_of(plan.form, emitter, lane, r)
            with moving(plan.held.full, emitter, element, plan.held.elements):
                cells = _register(plan.held.registers, emitter, r)
                at = {plan.local: cells, 1 - plan.local: emitter.place(1 - plan.local, element)}
                emitter.store(emitter.load(emitter.memory(SRC), at[SRC]), emitter.memory(DST), at[DST])
        emitter.sync("warp")


def _cost(kind: str, width: int, memory: Places, held: Fragment) -> PhaseCost:
    from tilewright.analysis.permute.side import Side  # TIRx's own kernels need no count
    from tilewright.arch import get

    return Side(memory.offsets, width, get("sm_90").rule(kind, width), WARP).cost(held.rows)


def _register(registers: tuple[int, ...], emitter: Emitter, number: Index) -> Index:
    first, step = registers[0], (registers[1] - registers[0] if len(registers) > 1 else 1)
    if registers == tuple(range(first, first + step * len(registers), step)):
        return emitter.index.total([(number, step), (1, first)])
    return emitter.index.lookup(registers, number)
