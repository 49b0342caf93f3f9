"""What rows of addresses cost: wavefronts by the bank model, and sectors of global memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from tilewright.analysis.banks.rule import count, merges
from tilewright.analysis.global_memory.sectors import touched
from tilewright.analysis.model.vector import vectors
from tilewright.arch.spec import ArchSpec
from tilewright.ir.tile.types import GLOBAL
from tilewright.targets.simulator.observers.patterns import Rows
from tilewright.targets.simulator.sites import Site

# A number for each row, by the field of `AccessReport` that it is summed to.
Costs: TypeAlias = Mapping[str, Rows]


def instructions(spec: ArchSpec, site: Site, rows: Rows) -> Costs:
    """One warp instruction a row, the bytes that its lanes ask for, and how many different ones these are."""
    return {
        "accesses": np.ones(len(rows), np.int64),
        "bytes": (rows >= 0).sum(axis=1) * site.width_bytes,
        "distinct_bytes": _distinct(spec, site, rows),
    }


def _distinct(spec: ArchSpec, site: Site, rows: Rows) -> Rows:
    unit = spec.alignment(site.width_bytes)
    return _touched(spec, site, rows, unit) * unit


def _touched(spec: ArchSpec, site: Site, rows: Rows, unit: int) -> Rows:
    return np.asarray(touched(vectors(rows.size), rows.reshape(-1), spec.lanes, site.width_bytes, unit))


def banks(spec: ArchSpec, site: Site, rows: Rows) -> Costs:
    """Wavefronts, and what they would be without conflicts. Of global memory: if the buffer lay in shared memory."""
    instruction = site.instruction or site.kind
    if (instruction, site.width_bytes) not in spec.rules:
        return {}
    rule, merge = spec.rule(instruction, site.width_bytes), merges("auto", site.kind)
    found = count(vectors(rows.size), rows.reshape(-1), spec.lanes, site.width_bytes, rule, merge)
    return {"wavefronts": np.asarray(found.wavefronts()), "ideal": np.asarray(found.ideal())}


def sectors(spec: ArchSpec, site: Site, rows: Rows) -> Costs:
    """Sectors of global memory that an instruction touches, and the fewest that hold the bytes it asks for."""
    if site.space != GLOBAL or site.width_bytes not in spec.global_widths:
        return {}
    fewest = -(-_distinct(spec, site, rows) // spec.sector_bytes)
    return {"sectors": _touched(spec, site, rows, spec.sector_bytes), "ideal_sectors": fewest}


OBSERVERS: tuple[Callable[[ArchSpec, Site, Rows], Costs], ...] = (instructions, banks, sectors)
