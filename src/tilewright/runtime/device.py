"""What a program asks about the machine that it is made for, by FlyDSL's names."""

from __future__ import annotations

import os
from functools import lru_cache

from tilewright.arch import get
from tilewright.arch.target import Target

DEFAULT_ARCH = "gfx942"


def target() -> Target:
    """The simulator of the enclosing target's architecture, or of the one that `FLYDSL_GPU_ARCH` or `ARCH` names."""
    enclosing = Target.current()
    name = os.environ.get("FLYDSL_GPU_ARCH") or os.environ.get("ARCH") or DEFAULT_ARCH
    return _simulator(enclosing.arch.name if enclosing is not None else name)


@lru_cache(64)
def _simulator(arch: str) -> Target:
    return Target(f"simulator:{arch}")


def get_rocm_arch() -> str:
    """The architecture's name.

    >>> with Target("simulator:gfx950"):
    ...     get_rocm_arch()
    'gfx950'
    """
    return target().arch.name


def is_rdna_arch(arch: str | None = None) -> bool:
    """Is it one of RDNA, whose warps have 32 lanes?

    >>> is_rdna_arch("gfx1201"), is_rdna_arch("gfx942")
    (True, False)
    """
    return (arch or get_rocm_arch()).startswith(("gfx10", "gfx11", "gfx12"))


def get_warp_size(arch: str | None = None) -> int:
    """Lanes of a warp.

    >>> get_warp_size("gfx942"), get_warp_size("gfx1100")
    (64, 32)
    """
    return get(arch or get_rocm_arch()).lanes
