"""What one multiprocessor (SM, CU) holds at a time, and how fast a chip of an architecture is, as data.

`resident` are limits of the architecture; a `Chip` is one product with it, whose clock and bandwidth a bound needs.
What a source does not state, or only of a neighbour, is not `verified`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

_GUIDE = "CUDA C++ programming guide, technical specifications; granules of its occupancy calculator"
_LLVM = "LLVM, AMDGPU backend: 4 SIMDs of 8 waves and 512 vector registers, granules of 8, 16 barriers"


@dataclass(frozen=True, slots=True)
class Resident:
    """What one multiprocessor holds: blocks, warps, 32-bit registers, in `partitions` equal parts.

    Registers are given to a warp in units of `register_granule`, shared memory to a block in `shared_granule` bytes,
    with `shared_reserved` bytes of the system's own.
    """

    blocks: int
    warps: int
    registers: int
    register_granule: int
    registers_per_thread: int
    shared_granule: int
    shared_reserved: int
    source: str
    partitions: int = 4
    verified: bool = True


@dataclass(frozen=True, slots=True)
class Chip:
    """A product: multiprocessors, clock in Hz, memory bandwidth in bytes/s, operations of each unit in a clock.

    `flops` maps an element type, or `mma` with one, to additions and multiplications; shared memory serves one
    wavefront in a clock, and `issue` warp instructions start in one.
    """

    name: str
    units: int
    clock: float
    bandwidth: float
    flops: Mapping[str, int]
    source: str
    issue: int = 4


def _nvidia(blocks: int, warps: int, granule: int = 128, reserved: int = 1024) -> Resident:
    return Resident(blocks, warps, 65536, 256, 255, granule, reserved, _GUIDE)


_LARGE, _SMALL = _nvidia(32, 64), _nvidia(24, 48)
_CDNA = Resident(16, 32, 131072, 512, 512, 512, 0, _LLVM)

RESIDENT: Mapping[str, Resident] = MappingProxyType(
    {
        **dict.fromkeys(("sm_70", "sm_72"), _nvidia(32, 64, 256, 0)),
        "sm_75": _nvidia(16, 32, 256, 0),
        "sm_80": _LARGE,
        **dict.fromkeys(("sm_86", "sm_87"), _nvidia(16, 48)),
        "sm_89": _SMALL,
        "sm_90": _LARGE,
        **dict.fromkeys(("sm_100", "sm_103"), _LARGE),
        **dict.fromkeys(("sm_101", "sm_110"), replace(_SMALL, verified=False)),
        **dict.fromkeys(("sm_120", "sm_121"), _SMALL),
        **dict.fromkeys(("gfx90a", "gfx940", "gfx941", "gfx942"), _CDNA),
        "gfx950": replace(_CDNA, shared_granule=1280),
    }
)


def _flops(single: int, double: int, half_mma: int) -> Mapping[str, int]:
    return MappingProxyType({"float32": single, "float64": double, "mma": half_mma})


_H100 = Chip("H100 SXM5", 132, 1.98e9, 3.35e12, _flops(256, 128, 4096), "NVIDIA H100 architecture white paper")
_MI300X = Chip("MI300X", 304, 2.1e9, 5.3e12, _flops(256, 128, 2048), "AMD Instinct MI300X data sheet", issue=4)

CHIPS: Mapping[str, Chip] = MappingProxyType(
    {
        "sm_70": Chip("V100 SXM2", 80, 1.53e9, 0.9e12, _flops(128, 64, 1024), "NVIDIA V100 architecture white paper"),
        "sm_75": Chip("T4", 40, 1.59e9, 0.32e12, _flops(128, 4, 1024), "NVIDIA Turing architecture white paper"),
        "sm_80": Chip("A100 SXM4 80GB", 108, 1.41e9, 2.039e12, _flops(128, 64, 2048), "NVIDIA A100 data sheet"),
        "sm_86": Chip("RTX 3090", 82, 1.695e9, 0.936e12, _flops(256, 4, 512), "NVIDIA GA102 architecture white paper"),
        "sm_89": Chip("RTX 4090", 128, 2.52e9, 1.008e12, _flops(256, 4, 512), "NVIDIA Ada architecture white paper"),
        "sm_90": _H100,
        "gfx942": _MI300X,
    }
)


def family(name: str) -> str:
    """The name without the letter of its features.

    >>> family("sm_90a"), family("gfx90a"), family("sm_100f")
    ('sm_90', 'gfx90a', 'sm_100')
    """
    return name.rstrip("af") if name.startswith("sm_") else name


def resident(name: str) -> Resident | None:
    """What a multiprocessor of the architecture holds; None where nobody states it.

    >>> resident("sm_90a").warps, resident("gfx1201")
    (64, None)
    """
    return RESIDENT.get(family(name))


def chip(name: str) -> Chip | None:
    """The product by which bounds of the architecture are taken; None where none is known here.

    >>> found = chip("sm_90a")
    >>> found.name, round(found.units * found.clock * found.flops["float32"] / 1e12, 1)
    ('H100 SXM5', 66.9)
    """
    return CHIPS.get(family(name))
