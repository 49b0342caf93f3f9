"""A roofline-style bound: no chip of the kind needs less time for what a kernel moves and computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.arch.spec import ArchSpec
from tilewright.arch.units import Chip, chip
from tilewright.targets.simulator.observers.touched import Moved

NEVER_COUNTED = ("integer and register instructions", "latencies", "the launch")
NOT_PROFILED = "global memory and operations (kernel.profile counts them)"


@dataclass(frozen=True)
class Bound:
    """Seconds that each part of the chip needs at its peak, and no run is faster than the longest.

    `memory`: each sector of global memory that is read or written, once, by the bandwidth, but for what the chip's
    cache may hold before and keep behind; `shared`: wavefronts of shared memory, a multiprocessor's one in a clock; and
    the floating-point operations by type, where matrix instructions are apart. `cold` is the same with nothing in the
    cache before, and all results in memory behind. What is `uncounted` takes time, too.
    """

    chip: str
    parts: tuple[tuple[str, float], ...]
    source: str
    cold: float = 0.0
    uncounted: tuple[str, ...] = NEVER_COUNTED

    @property
    def seconds(self) -> float:
        """The longest."""
        return max((time for _, time in self.parts), default=0.0)

    @property
    def limited_by(self) -> str:
        """The part that needs it; empty where no part takes any time."""
        return max(self.parts, key=lambda part: part[1])[0] if self.seconds else ""

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {1e6 * time:.3g}" for name, time in self.parts)
        by = f" by {self.limited_by}" if self.limited_by else ""
        cold = f", {1e6 * self.cold:.3g} us from cold caches" if self.cold > self.seconds else ""
        return (
            f"at least {1e6 * self.seconds:.3g} us on {self.chip}{by}{cold} (us: {parts}; "
            f"not counted: {', '.join(self.uncounted)})"
        )


@dataclass(frozen=True)
class Work:
    """What a launch asks for: blocks, wavefronts of shared memory, global memory, and operations by their type.

    `moved` and `flops` are None where nobody has counted them; `uncounted` is what else nobody has.
    """

    blocks: int
    wavefronts: int
    moved: Moved | None = None
    flops: Mapping[str, int] = field(default_factory=dict)
    uncounted: tuple[str, ...] = ()


def bound(spec: ArchSpec, work: Work) -> Bound | None:
    """The bound for the architecture's chip; None where none is known.

    >>> from tilewright.arch import get
    >>> found = bound(get("sm_90"), Work(1000, wavefronts=10**6, moved=Moved(2**29, 2**29)))
    >>> found.parts[1][0], f"{1e6 * found.seconds:.0f} us", f"{1e6 * found.cold:.0f} us"
    ('memory', '197 us', '224 us')
    """
    found = chip(spec.name)
    if found is None:
        return None
    share = min(found.units, work.blocks) / found.units
    parts = [("shared", work.wavefronts / (share * found.units * found.clock))]
    cold, uncounted = 0.0, list(work.uncounted)
    if work.moved is not None:
        parts.append(("memory", _from_memory(found, work.moved)))
        cold = (work.moved.read + work.moved.written) / found.bandwidth
    for name, count in work.flops.items():
        rate = found.ceiling(name)
        parts += [(name, count / (rate * share))] if rate else []
        uncounted += [] if rate else [f"{count} operations of {name}"]
    if work.moved is None:
        uncounted.append(NOT_PROFILED)
    return Bound(found.name, tuple(parts), found.source, cold, (*uncounted, *NEVER_COUNTED))


def _from_memory(found: Chip, moved: Moved) -> float:
    """What no cache holds before, nor keeps until somebody asks."""
    beyond = (max(0, size - found.cache) for size in (moved.read, moved.written))
    return sum(beyond) / found.bandwidth
