"""What one multiprocessor (SM, CU) holds at a time, and how fast a chip of an architecture is, as data.

`resident` are limits of the architecture; a `Chip` is one product with it, whose clock and bandwidth a bound needs:
the one with the fastest memory of those in wide use. Caches count AMD's Infinity Cache.
What a source does not state, or only of a neighbour, is not `verified`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import log2
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
    """A product: multiprocessors, clock in Hz, memory bandwidth in bytes/s, and what it computes in a second.

    `cache_mib` is the largest cache that all multiprocessors share.

    `peak` are 10^12 dense additions and multiplications of all multiprocessors together: by element type
    (`float32`), and those of matrix instructions by the type of A (`mma float16`), apart where D has 16 bits and is
    served faster (`mma float16 half`). Shared memory of a multiprocessor serves one wavefront in a clock.
    """

    name: str
    units: int
    clock: float
    bandwidth: float
    cache_mib: int
    peak: Mapping[str, float]
    source: str

    @property
    def cache(self) -> int:
        """The bytes of that cache."""
        return self.cache_mib << 20

    def rate(self, unit: str) -> float | None:
        """Operations in a second; of all types of D where they are not apart; None where nobody states it.

        >>> [CHIPS["sm_89"].rate(unit) for unit in ("mma float16 half", "mma int8 half", "mma float4")]
        [330300000000000.0, 660600000000000.0, None]
        """
        found = self.peak.get(unit) or self.peak.get(unit.removesuffix(" half"))
        return found and found * 1e12

    def ceiling(self, unit: str) -> float | None:
        """Operations in a second that no run exceeds: as the vendor states them, and at the chip's own clock.

        A multiprocessor does a power of two of them in a clock; some figures of matrix units are at a lower clock.

        >>> found = CHIPS["sm_90"]
        >>> [f"{rate('mma float16') / 1e12:.1f}" for rate in (found.rate, found.ceiling)]
        ['989.4', '1070.5']
        """
        stated = self.rate(unit)
        if stated is None:
            return None
        in_a_clock = 2.0 ** round(log2(stated / self.units / self.clock))
        return max(stated, in_a_clock * self.units * self.clock)


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


_V100 = {"float32": 15.7, "float16": 31.4, "float64": 7.8, "mma float16": 125.3}
_T4 = {"float32": 8.14, "float16": 16.3, "float64": 0.254, "mma float16": 65.1, "mma int8": 130.2, "mma int4": 260.5}
_A100 = {
    "float32": 19.5,
    "float16": 78.0,
    "bfloat16": 39.0,
    "float64": 9.75,
    "mma float64": 19.5,
    "mma tfloat32": 156.0,
    "mma float16": 312.0,
    "mma int8": 624.0,
    "mma int4": 1248.0,
    "mma int1": 4992.0,
}
_RTX_3090 = {
    "float32": 35.6,
    "float16": 35.6,
    "bfloat16": 35.6,
    "float64": 0.556,
    "mma tfloat32": 35.6,
    "mma float16": 71.2,
    "mma float16 half": 142.3,
    "mma int8": 284.7,
    "mma int4": 569.3,
}
_RTX_4090 = {
    "float32": 82.6,
    "float16": 82.6,
    "bfloat16": 82.6,
    "float64": 1.29,
    "mma tfloat32": 82.6,
    "mma float16": 165.2,
    "mma float16 half": 330.3,
    "mma float8": 330.3,
    "mma float8 half": 660.6,
    "mma int8": 660.6,
    "mma int4": 1321.2,
}
_RTX_5090 = {
    "float32": 104.8,
    "float16": 104.8,
    "bfloat16": 104.8,
    "float64": 1.64,
    "mma tfloat32": 104.8,
    "mma float16": 209.5,
    "mma float16 half": 419.0,
    "mma float8": 419.0,
    "mma float8 half": 838.0,
    "mma int8": 838.0,
    "mma float6": 419.0,
    "mma float4": 1676.0,
}
_H100 = {
    "float32": 66.9,
    "float16": 133.8,
    "bfloat16": 133.8,
    "float64": 33.5,
    "mma float64": 66.9,
    "mma tfloat32": 494.7,
    "mma float16": 989.4,
    "mma float8": 1978.9,
    "mma int8": 1978.9,
}
_B200 = {
    "float32": 75.0,
    "float16": 150.0,
    "bfloat16": 150.0,
    "float64": 37.5,
    "mma float64": 37.5,
    "mma tfloat32": 1125.0,
    "mma float16": 2250.0,
    "mma float8": 4500.0,
    "mma int8": 4500.0,
    "mma float6": 4500.0,
    "mma float4": 9000.0,
}
_MI210 = {
    "float32": 22.6,
    "float16": 22.6,
    "float64": 22.6,
    "mma float64": 45.3,
    "mma float32": 45.3,
    "mma float16": 181.0,
    "mma int8": 181.0,
}
_MI300X = {
    "float32": 163.4,
    "float16": 163.4,
    "float64": 81.7,
    "mma float64": 163.4,
    "mma float32": 163.4,
    "mma tfloat32": 653.7,
    "mma float16": 1307.4,
    "mma float8": 2614.9,
    "mma int8": 2614.9,
}
_MI355X = {
    "float32": 157.3,
    "float16": 157.3,
    "float64": 78.6,
    "mma float64": 78.6,
    "mma float32": 157.3,
    "mma float16": 2516.6,
    "mma float8": 5033.2,
    "mma int8": 5033.2,
    "mma float6": 10066.3,
    "mma float4": 10066.3,
}

CHIPS: Mapping[str, Chip] = MappingProxyType(
    {
        "sm_70": Chip("V100 SXM2", 80, 1.53e9, 0.9e12, 6, _V100, "NVIDIA V100 architecture white paper"),
        "sm_75": Chip("T4", 40, 1.59e9, 0.32e12, 4, _T4, "NVIDIA Turing architecture white paper"),
        "sm_80": Chip("A100 SXM4 80GB", 108, 1.41e9, 2.039e12, 40, _A100, "NVIDIA A100 data sheet"),
        "sm_86": Chip("RTX 3090", 82, 1.695e9, 0.936e12, 6, _RTX_3090, "NVIDIA GA102 architecture white paper"),
        "sm_89": Chip("RTX 4090", 128, 2.52e9, 1.008e12, 72, _RTX_4090, "NVIDIA Ada architecture white paper"),
        "sm_90": Chip("H200 SXM", 132, 1.98e9, 4.8e12, 60, _H100, "NVIDIA H200 data sheet"),
        "sm_100": Chip("B200 SXM", 148, 1.98e9, 8.0e12, 126, _B200, "NVIDIA HGX B200 data sheet"),
        "sm_120": Chip("RTX 5090", 170, 2.407e9, 1.792e12, 96, _RTX_5090, "NVIDIA RTX Blackwell white paper"),
        "gfx90a": Chip("MI210", 104, 1.7e9, 1.638e12, 8, _MI210, "AMD Instinct MI210 data sheet"),
        "gfx942": Chip("MI300X", 304, 2.1e9, 5.3e12, 288, _MI300X, "AMD Instinct MI300X data sheet"),
        "gfx950": Chip("MI355X", 256, 2.4e9, 8.0e12, 288, _MI355X, "AMD Instinct MI355X data sheet"),
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
    >>> found.name, found.peak["mma float16"]
    ('H200 SXM', 989.4)
    """
    return CHIPS.get(family(name))
