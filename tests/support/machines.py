"""The machines of tests: those that there are, and one with NVIDIA's instructions whose warps have 64 lanes."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch import get
from tilewright.arch.spec import ArchSpec
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run

WAVES = "waves"  # no machine is so; what instructions say of warps holds of warps of any size
BOTH = ("sm_90", WAVES)  # warps of 32 and of 64 lanes


def machine(name: str) -> ArchSpec:
    """The machine of that name."""
    return replace(get("sm_90"), lanes=64) if name == WAVES else get(name)


def lowered(kernel: PrimFunc, name: str, stage: str = "final") -> ModuleOp:
    """The kernel at a stage, for the warps of that machine: to be read only, the last few are kept."""
    return _lowered(kernel, machine(name).lanes, stage)


@lru_cache(maxsize=8)
def _lowered(kernel: PrimFunc, lanes: int, stage: str) -> ModuleOp:
    return run(kernel.module, stage, lanes=lanes).module
