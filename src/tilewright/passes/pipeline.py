"""The pipeline: from a kernel's `tile` module to any later stage, by named steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.errors import UsageError
from tilewright.ir import stages
from tilewright.ir.text import verify
from tilewright.passes.contract import Contract
from tilewright.passes.cse import Cse
from tilewright.passes.dce import Dce
from tilewright.passes.dispatch import Dispatch
from tilewright.passes.lower_buffers import LowerBuffers
from tilewright.passes.resolve_lanes import ResolveLanes
from tilewright.passes.simplify import Simplify
from tilewright.variants.call import Plan, Variant

STAGES = tuple(stages.STAGES)
_CONTEXT = Context()  # our passes make ops of the dialects that they import, and look nothing up


def steps(dispatch: Dispatch, contract: bool = False) -> Mapping[str, tuple[ModulePass, ...]]:
    """Every stage with the passes that lead to it from the one before.

    `contract`: products and sums become one op each, also where their flags do not ask for it.
    """
    return {
        "tile": (ResolveLanes(dispatch.lanes),),
        "dispatched": (dispatch,),
        "lowered": (LowerBuffers(),),
        "final": (Contract(contract), Simplify(), Cse(), Dce(faults=False)),
    }


@dataclass(frozen=True)
class Lowered:
    """A module at a stage, and the plans by which its primitives were dispatched."""

    stage: str
    module: ModuleOp
    plans: tuple[Plan, ...]

    @property
    def report(self) -> str:
        """The reports of all plans."""
        return "\n".join(plan.report for plan in self.plans)


def run(
    module: ModuleOp,
    until: str = "final",
    variants: Iterable[Variant] = (),
    lanes: int = 32,
    verify_each: bool = False,
    contract: bool = False,
) -> Lowered:
    """A copy of the `tile` module, lowered to a stage; the module itself stays as it is.

    What each stage may hold is checked where it begins and ends. All rules of the ops are checked at `final`, or after
    each pass; those of the module given are its reader's and its tracer's to check.

    Args:
        until: one of STAGES. variants: the user's own, beside the built-in ones. lanes: of a warp of the target.
        verify_each: are the ops' rules checked after each pass?
        contract: does a product that is added become one op with one rounding? (see the pass `contract`)

    Raises:
        DispatchError: no variant accepts a tile primitive.
        CompileError: a pass refuses, or a module is not what its stage allows.
        UsageError: no such stage.
    """
    if until not in STAGES:
        raise UsageError(f"unknown stage {until!r}; the stages are {', '.join(STAGES)}")
    work, dispatch = module.clone(), Dispatch(lanes, tuple(variants))
    passes = steps(dispatch, contract)
    for stage in STAGES[: STAGES.index(until) + 1]:
        for step in passes[stage]:
            step.apply(_CONTEXT, work)
            if verify_each:
                verify(work)
        stages.STAGES[stage].check(work)
    if until == STAGES[-1] and not verify_each:
        verify(work)
    return Lowered(until, work, tuple(dispatch.plans))
