"""A roofline-style bound: the least time that a chip needs for what a kernel moves and computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.arch.spec import ArchSpec
from tilewright.arch.units import chip


@dataclass(frozen=True)
class Bound:
    """Seconds that each part of the chip needs at its peak; a kernel takes at least the longest, if caches help fully.

    `memory`: bytes of global memory by the bandwidth; `shared`: wavefronts, one in a clock; `issue`: instructions;
    and the floating-point operations by type.
    """

    chip: str
    parts: tuple[tuple[str, float], ...]
    source: str

    @property
    def seconds(self) -> float:
        """The longest."""
        return max((time for _, time in self.parts), default=0.0)

    @property
    def limited_by(self) -> str:
        """The part that needs it."""
        return max(self.parts, key=lambda part: part[1])[0] if self.parts else ""

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {1e6 * time:.3g}" for name, time in self.parts)
        return f"at least {1e6 * self.seconds:.3g} us on {self.chip} by {self.limited_by} (us: {parts})"


@dataclass(frozen=True)
class Work:
    """What a launch asks for: blocks, bytes of global memory, wavefronts of shared memory, instructions, operations."""

    blocks: int
    global_bytes: int
    wavefronts: int
    instructions: int | None = None
    flops: Mapping[str, int] | None = None


def bound(spec: ArchSpec, work: Work) -> Bound | None:
    """The bound for the architecture's chip; None where none is known.

    >>> from tilewright.arch import get
    >>> print(bound(get("sm_90"), Work(blocks=1000, global_bytes=2**30, wavefronts=10**6)))
    at least 321 us on H100 SXM5 by memory (us: memory 321, shared 3.83)
    """
    found = chip(spec.name)
    if found is None:
        return None
    share = min(found.units, work.blocks) / found.units
    busy = share * found.units * found.clock
    parts = [("memory", work.global_bytes / found.bandwidth), ("shared", work.wavefronts / busy)]
    if work.instructions is not None:
        parts.append(("issue", work.instructions / (found.issue * busy)))
    for name, count in (work.flops or {}).items():
        rate = found.rate(name)
        parts += [(name, count / (rate * share))] if rate else []
    return Bound(found.name, tuple(parts), found.source)
