"""The machines of tests: those that there are, and one with NVIDIA's instructions whose warps have 64 lanes."""

from __future__ import annotations

from dataclasses import replace

from tilewright.arch import get
from tilewright.arch.spec import ArchSpec

WAVES = "waves"  # no machine is so; what instructions say of warps holds of warps of any size
BOTH = ("sm_90", WAVES)  # warps of 32 and of 64 lanes


def machine(name: str) -> ArchSpec:
    """The machine of that name."""
    return replace(get("sm_90"), lanes=64) if name == WAVES else get(name)
