"""The accesses of a kernel, and the tally of their wavefronts by the bank model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.analysis.banks.rule import Counted, count, merges
from tilewright.analysis.model.vector import vectors
from tilewright.arch.spec import ArchSpec
from tilewright.targets.launch import where
from tilewright.targets.simulator.report import AccessReport

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

INACTIVE = -1


@dataclass(frozen=True, eq=False)
class Site:
    """One load or store of the kernel; `root` is the value that stands for its memory, which starts at `base_bytes`.

    What a whole warp does together in a tile primitive is not `counted`: that depends on how it is lowered.
    """

    op: Operation
    kind: str
    root: SSAValue
    buffer: str
    space: str
    width_bytes: int
    counted: bool = True
    base_bytes: int = 0

    @cached_property
    def where(self) -> str:
        """The op and its place in the source."""
        return where(self.op)


class Tally:
    """Counts accesses by the bank rule of one architecture."""

    def __init__(self, spec: ArchSpec) -> None:
        self.spec = spec
        self._counts: dict[Site, list[int]] = {}

    def add(self, site: Site, addresses: Array, times: int = 1) -> None:
        """Counts one access: element addresses of shape (blocks, threads), negative where a lane is inactive."""
        if (site.kind, site.width_bytes) not in self.spec.rules:
            return
        rows = self._warps(addresses * site.width_bytes + (addresses >= 0) * site.base_bytes)
        rows = rows[(rows >= 0).any(axis=1)]
        if len(rows):
            counted = self._count(site, rows)
            totals = self._counts.setdefault(site, [0, 0, 0])
            for i, number in enumerate((len(rows), counted.wavefronts().sum(), counted.ideal().sum())):
                totals[i] += int(number) * times

    def reports(self, sites: Iterable[Site]) -> tuple[AccessReport, ...]:
        """The counts of these sites; a site that never ran has zeros."""
        return tuple(map(self._report, sites))

    def _report(self, site: Site) -> AccessReport:
        accesses, wavefronts, ideal = self._counts.get(site, (0, 0, 0))
        kind, buffer, space, width = site.kind, site.buffer, site.space, site.width_bytes
        return AccessReport(kind, buffer, space, width, accesses, wavefronts, ideal, site.where)

    def _count(self, site: Site, rows: Array) -> Counted:
        rule = self.spec.rule(site.kind, site.width_bytes)
        merge = merges("auto", site.kind)
        return count(vectors(rows.size), rows.reshape(-1), self.spec.lanes, site.width_bytes, rule, merge)

    def _warps(self, addresses: Array) -> Array:
        padding = -addresses.shape[1] % self.spec.lanes
        padded = np.pad(addresses, ((0, 0), (0, padding)), constant_values=INACTIVE) if padding else addresses
        return np.where(padded < 0, INACTIVE, padded).reshape(-1, self.spec.lanes)
