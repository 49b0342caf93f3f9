"""`SwizzleAdvice`: one ranked swizzle of a tile, with what every access costs under it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.banks.report import BankReport, counted
from tilewright.analysis.model.access import Access
from tilewright.analysis.swizzle.padding import PaddingAdvice
from tilewright.analysis.swizzle.space import in_unit
from tilewright.arch import ArchSpec
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.layout import ComposeLayout

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Proof:
    """Why no swizzle with fewer bits does it (or none at all).

    `method` is `F2 rank` or `exhaustive search`; `needed_bits` the lower bound that the ranks give, `tried` the number
    of swizzles that were counted.
    """

    method: str
    needed_bits: int
    tried: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class SwizzleAdvice:
    """One swizzle for a tile. In a ranking the first one is the best.

    Attributes:
        swizzle: in elements; `bytes` and `bits` give the same permutation in those units.
        mode: the TMA and descriptor mode that it equals: `none`, `32B`, `64B`, `128B`, or None.
        layout: the swizzled layout, a `ComposeLayout` of the same iters where a TIRx layout was asked about.
        wavefronts, ideal: summed over the accesses that lanes issue, without merging of lanes.
        proof: why the best one is the smallest.
        padding: the alternative to any swizzle, or None.
    """

    swizzle: Swizzle
    element_bits: int
    mode: str | None
    layout: ComposedLayout | ComposeLayout
    wavefronts: int
    ideal: int
    proof: Proof
    padding: PaddingAdvice | None
    accesses: tuple[Access, ...] = field(repr=False)
    arch: ArchSpec = field(repr=False)

    @property
    def excess(self) -> int:
        """Wavefronts above the ideal, over all accesses."""
        return self.wavefronts - self.ideal

    @property
    def conflict_free(self) -> bool:
        """Is every access free of bank conflicts?"""
        return self.excess == 0

    @property
    def bytes(self) -> Swizzle | None:
        """The swizzle on byte addresses; None when it moves parts of a byte."""
        return in_unit(self.swizzle, self.element_bits, 8)

    @property
    def bits(self) -> Swizzle | None:
        """The swizzle on bit addresses."""
        return in_unit(self.swizzle, self.element_bits, 1)

    @property
    def alignment_bytes(self) -> int:
        """The alignment of the tile at which swizzling offsets and swizzling addresses are the same."""
        return max(1, (1 << self.swizzle.m + self.swizzle.b + abs(self.swizzle.s)) * self.element_bits // 8)

    @cached_property
    def reports(self) -> tuple[BankReport, ...]:
        """The bank report of every access that lanes issue, in their order, without merging of lanes."""
        return tuple(
            bank_conflicts(
                self.layout,
                access.thread_value,
                element_bits=self.element_bits,
                vector_bits=access.vector_bits,
                kind=access.kind,
                instruction=access.instruction,
                arch=self.arch,
                merge=False,
            )
            for access in self.accesses
        )

    def to_json(self) -> dict[str, Any]:
        """The advice as plain values, the reports without their phases."""
        units = {"elements": self.swizzle, "bytes": self.bytes, "bits": self.bits}
        return {
            "swizzle": {unit: [s.b, s.m, s.s] if s else None for unit, s in units.items()},
            "element_bits": self.element_bits,
            "mode": self.mode,
            "layout": str(self.layout),
            "wavefronts": self.wavefronts,
            "ideal": self.ideal,
            "excess": self.excess,
            "conflict_free": self.conflict_free,
            "alignment_bytes": self.alignment_bytes,
            "reports": [report.to_json(phases=False) for report in self.reports],
            "proof": {"method": self.proof.method, "needed_bits": self.proof.needed_bits, "text": self.proof.text},
            "padding": self.padding.to_json() if self.padding else None,
        }

    def __str__(self) -> str:
        head = [
            f"{self.swizzle} in elements of {self.element_bits} bits, {self.bytes} in bytes, {self.bits} in bits",
            f"mode {self.mode or 'none of the hardware'}; align the tile to {self.alignment_bytes} bytes",
        ]
        rows = [
            f"  {access!s:<27} {counted(report.wavefronts, 'wavefront')}, ideal {report.ideal}"
            + ("" if report.conflict_free else f": {report.ways}-way conflict")
            for access, report in zip(self.accesses, self.reports, strict=True)
        ]
        tail = [f"padding instead: {self.padding}"] if self.padding else []
        return "\n".join([*head, *rows, str(self.proof), *tail])


class SwizzleRanking(tuple[SwizzleAdvice, ...]):
    """Swizzles from the best to the worst; prints as a short table."""

    def __str__(self) -> str:
        top = list(dict.fromkeys((*range(min(SHOWN, len(self))), *(i for i, a in enumerate(self) if a.mode))))
        rows = [_row(rank, self[rank]) for rank in top]
        columns = f"{'rank':>5}  {'elements':<12}{'bytes':<12}{'bits':<12}{'mode':<6}{'wavefronts':>10}{'ideal':>7}"
        return "\n".join([str(self[0]), "", f"{columns}{'excess':>8}", *rows, f"{len(self)} swizzles ranked"])

    def to_json(self) -> list[dict[str, Any]]:
        """Every advice as plain values, from the best to the worst."""
        return [advice.to_json() for advice in self]


def _row(rank: int, advice: SwizzleAdvice) -> str:
    units = "".join(f"{unit!s:<12}" for unit in (advice.swizzle, advice.bytes, advice.bits))
    counts = f"{advice.wavefronts:>10}{advice.ideal:>7}{advice.excess:>8}"
    return f"{rank + 1:>5}  {units}{advice.mode or '-':<6}{counts}"
