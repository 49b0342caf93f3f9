"""The pipeline of `fly`: from a traced module to any later stage, by named steps."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.errors import UsageError, shown
from tilewright.ir.core.uncollected import uncollected
from tilewright.ir.text import verify
from tilewright.passes.fly.atom_calls import ConvertAtomCallToSsaForm
from tilewright.passes.fly.canonical import Canonicalize
from tilewright.passes.fly.gathered import GatherRegisters
from tilewright.passes.fly.lowering import LayoutLowering
from tilewright.passes.fly.register_values import PromoteRegmemToVectorSsa
from tilewright.passes.fly_flat.flatten import FlattenFly

STEPS: Mapping[str, tuple[ModulePass, ...]] = MappingProxyType(
    {
        "fly": (),
        "lowered": (Canonicalize(), LayoutLowering()),
        "final": (GatherRegisters(), ConvertAtomCallToSsaForm(), PromoteRegmemToVectorSsa()),
        "flat": (FlattenFly(),),
    }
)
"""Every stage with the passes that lead to it from the one before.

`fly` is what was traced; in `lowered` layouts are integers, and a copy or gemm is calls of its atom; in `final`
registers are values; in `flat` kernels are what those of `T` are at their stage `final`.
"""
STAGES = tuple(STEPS)
FLAT = STAGES[-1]
"""The stage whose kernels are those of `T` at `final`."""
_CONTEXT = Context()  # our passes make ops of the dialects that they import, and look nothing up


def lowered(module: ModuleOp, begin: str, end: str) -> ModuleOp:
    """A copy of a module at one stage, lowered to another; what a launch of it does stays the same.

    Raises:
        UsageError: no such stage. CompileError: a pass refuses.
    """
    for stage in (begin, end):
        if stage not in STEPS:
            raise UsageError(f"unknown stage {shown(stage)}; the stages are {', '.join(STAGES)}")
    with uncollected():
        work = module.clone()
        for stage in STAGES[STAGES.index(begin) + 1 : STAGES.index(end) + 1]:
            for step in STEPS[stage]:
                step.apply(_CONTEXT, work)
        verify(work)
    return work
