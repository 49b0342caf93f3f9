"""What a program asks about the machine that it is made for, by FlyDSL's names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from tilewright.arch import get
from tilewright.arch.target import Target
from tilewright.errors import UsageError

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


SMEM_CAPACITY_MAP: Mapping[str, int] = MappingProxyType(
    {name: get(name).shared_per_block for name in ("gfx942", "gfx950", "gfx1100", "gfx1201")}
)
"""Bytes of shared memory that a block may have, by architecture."""


def check_smem_capacity(allocated_bytes: int, arch: str | None = None) -> None:
    """Raises `UsageError` where an architecture has less shared memory; without one, or of an unknown one, never.

    >>> check_smem_capacity(65536, "gfx942")
    """
    limit = SMEM_CAPACITY_MAP.get(arch or "")
    if limit is not None and allocated_bytes > limit:
        raise UsageError(f"{allocated_bytes} bytes of shared memory are asked for, and {arch} has {limit}")


def get_rocm_device_count() -> int:
    """How many devices there are: one, the simulator.

    >>> get_rocm_device_count()
    1
    """
    return 1
