"""How many blocks one multiprocessor holds at a time, and what limits them."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.arch.spec import ArchSpec
from tilewright.arch.units import Resident, resident
from tilewright.targets.launch import Launch


@dataclass(frozen=True)
class Occupancy:
    """Blocks and warps on one multiprocessor, of at most `most_warps`; `limits`: the blocks that each resource allows.

    An estimate: the registers may be one, and the split between shared memory and cache is taken as the kernel's best.
    """

    blocks: int
    warps: int
    most_warps: int
    limits: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """The warps of all that there can be."""
        return self.warps / self.most_warps

    @property
    def limited_by(self) -> tuple[str, ...]:
        """The resources that allow the fewest blocks."""
        fewest = min(blocks for _, blocks in self.limits)
        return tuple(name for name, blocks in self.limits if blocks == fewest)

    def __str__(self) -> str:
        by = " and ".join(self.limited_by)
        return f"{self.blocks} blocks, {self.warps} of {self.most_warps} warps ({self.share:.0%}), limited by {by}"


def occupancy(spec: ArchSpec, launch: Launch, registers: int, shared_bytes: int) -> Occupancy | None:
    """Of a kernel with so many registers a thread and bytes of shared memory a block; None where limits are not known.

    >>> from tilewright.arch import get
    >>> print(occupancy(get("sm_90a"), Launch((64, 1, 1), (256, 1, 1)), registers=128, shared_bytes=48 * 1024))
    2 blocks, 16 of 64 warps (25%), limited by registers
    """
    limits = resident(spec.name)
    if limits is None:
        return None
    warps = launch.warps(spec.lanes)
    found = (
        ("blocks", limits.blocks),
        ("warps", limits.warps // warps),
        ("registers", _by_registers(limits, registers * spec.lanes) // warps),
        ("shared memory", _by_shared(limits, spec.shared_per_unit, shared_bytes)),
    )
    blocks = min(number for _, number in found)
    return Occupancy(blocks, blocks * warps, limits.warps, found)


def _by_registers(limits: Resident, of_warp: int) -> int:
    """Warps whose registers there are: each has its own in one part of the multiprocessor."""
    taken = -(-max(1, of_warp) // limits.register_granule) * limits.register_granule
    return limits.registers // limits.partitions // taken * limits.partitions


def _by_shared(limits: Resident, unit: int, shared: int) -> int:
    taken = -(-(shared + limits.shared_reserved) // limits.shared_granule) * limits.shared_granule
    return unit // taken if taken else limits.blocks
