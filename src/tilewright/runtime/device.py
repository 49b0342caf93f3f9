"""What a program asks about the machine that it is made for, by FlyDSL's names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from tilewright.arch import get
from tilewright.arch.target import VENDORS, Target
from tilewright.errors import UsageError

DEFAULT_ARCH = "gfx942"
VARIABLES = ("FLYDSL_GPU_ARCH", "ARCH")  # the first that is set


def target() -> Target:
    """What functions of fx run on: the enclosing target, else the simulator; of the architecture that it names, else of
    the one that `FLYDSL_GPU_ARCH` or `ARCH` names.

    >>> target()
    Target('simulator:gfx942')
    >>> with Target("host:gfx1201"):
    ...     target()
    Target('host:gfx1201')
    """
    enclosing = Target.current()
    return of_environment(enclosing) if enclosing is not None else _made("simulator", _asked() or DEFAULT_ARCH, "")


def of_environment(target: Target) -> Target:
    """The target; one that names no architecture has that of the environment, where its kind runs on such."""
    asked = "" if target.named else _asked()
    own = VENDORS.get(target.kind)
    return _made(target.kind, asked, target.compiler) if asked and own in (None, get(asked).vendor) else target


def _asked() -> str:
    return next((said for name in VARIABLES if (said := os.environ.get(name))), "")


@lru_cache(64)
def _made(kind: str, arch: str, compiler: str) -> Target:
    return Target({"kind": kind, "arch": arch, "compiler": compiler})


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
