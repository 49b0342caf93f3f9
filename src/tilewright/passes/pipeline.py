"""The pipeline: from a kernel's `tile` module to any later stage, by named steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.errors import UsageError
from tilewright.ir.text import verify
from tilewright.passes.context import Context
from tilewright.passes.cse import cse
from tilewright.passes.dce import dce
from tilewright.passes.dispatch import dispatch
from tilewright.passes.lower_buffers import lower_buffers
from tilewright.passes.simplify import simplify
from tilewright.variants.call import Plan, Variant

Pass = Callable[[ModuleOp, Context], None]

# Every stage with the passes that lead to it from the one before.
STEPS: Mapping[str, tuple[Pass, ...]] = {
    "tile": (),
    "dispatched": (dispatch,),
    "lowered": (lower_buffers,),
    "final": (simplify, cse, dce),
}
STAGES = tuple(STEPS)


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


def run(module: ModuleOp, until: str = "final", variants: Iterable[Variant] = (), lanes: int = 32) -> Lowered:
    """A copy of the `tile` module, lowered to a stage; the module itself stays as it is.

    Args:
        until: one of STAGES. variants: the user's own, beside the built-in ones. lanes: of a warp of the target.

    Raises:
        DispatchError: no variant accepts a tile primitive.
        CompileError: a pass refuses.
        UsageError: no such stage.
    """
    if until not in STAGES:
        raise UsageError(f"unknown stage {until!r}; the stages are {', '.join(STAGES)}")
    work, context = module.clone(), Context(tuple(variants), lanes)
    for stage in STAGES[: STAGES.index(until) + 1]:
        for step in STEPS[stage]:
            step(work, context)
    verify(work)
    return Lowered(until, work, tuple(context.plans))
