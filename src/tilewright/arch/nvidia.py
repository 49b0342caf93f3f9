"""NVIDIA, sm_70 to sm_121: 32 lanes, 32 banks of 4 bytes, 128 bytes a clock and SM.

Sources: the CUDA programming guide (sizes, sectors; 4-byte accesses), NVIDIA staff in the developer forum (8- and
16-byte accesses and the pair condition on compute capability 7.0-7.5), published Nsight measurements on A100
(the same, 8.0), the PTX manual (ldmatrix). Merging beyond 8.0, merging of stores and the phases of stmatrix have
no public measurement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from tilewright.arch.spec import ArchSpec, PhaseRule, consecutive

LANES = 32
BANKS = 32
KIB = 1024

_GUIDE = "CUDA programming guide, shared memory of 32 banks"
_WIDE = "NVIDIA developer forum 77228; Nsight Compute on A100"
_MERGE_ASSUMED = "assumed as on compute capability 7.0-8.0"
_LDMATRIX = "PTX ISA, ldmatrix: 8 row addresses a matrix; that equal rows do not merge is an assumption"
_NARROW_STORES = "bytes of one word that several lanes write are counted as one write, which is unverified"
_STMATRIX = "by analogy with ldmatrix"


def _plain(measured: bool, store: bool) -> dict[int, PhaseRule]:
    def rule(size: int, merged: int = 0) -> PhaseRule:
        wide = size < LANES
        source = _GUIDE if not wide else _WIDE if measured else f"{_WIDE}; merging {_MERGE_ASSUMED}"
        pairs = consecutive(LANES, merged) if merged else ()
        return PhaseRule(consecutive(LANES, size), BANKS, source, pairs, True, wide and measured and not store)

    narrow = replace(rule(32), doubt=_NARROW_STORES if store else "")
    return {1: narrow, 2: narrow, 4: rule(32), 8: rule(16, 32), 16: rule(8, 16)}


def _rules(capability: int) -> Mapping[tuple[str, int], PhaseRule]:
    measured = capability <= 80
    table = {("load", width): rule for width, rule in _plain(measured, store=False).items()}
    table |= {("store", width): rule for width, rule in _plain(measured, store=True).items()}
    if capability >= 75:
        table["ldmatrix", 16] = PhaseRule(consecutive(LANES, 8), BANKS, _LDMATRIX)
    if capability >= 90:
        table["stmatrix", 16] = PhaseRule(consecutive(LANES, 8), BANKS, _STMATRIX, verified=False)
    return MappingProxyType(table)


def _spec(capability: int, suffix: str, block: int, unit: int) -> ArchSpec:
    widths = (1, 2, 4, 8, 16, 32) if capability >= 100 else (1, 2, 4, 8, 16)
    name = f"sm_{capability}{suffix}"
    return ArchSpec(name, "nvidia", LANES, _rules(capability), block * KIB, unit * KIB, 32, 128, widths, max(widths))


# capability, suffixes, shared memory in KiB that one block may ask for, and of the whole SM
_SIZES = (
    (70, ("",), 96, 96),
    (72, ("",), 96, 96),
    (75, ("",), 64, 64),
    (80, ("",), 163, 164),
    (86, ("",), 99, 100),
    (87, ("",), 163, 164),
    (89, ("",), 99, 100),
    (90, ("", "a"), 227, 228),
    (100, ("", "a", "f"), 227, 228),
    (101, ("", "a", "f"), 227, 228),
    (103, ("", "a", "f"), 227, 228),
    (110, ("", "a", "f"), 227, 228),
    (120, ("", "a", "f"), 99, 100),
    (121, ("", "a", "f"), 99, 100),
)

SPECS = tuple(
    _spec(capability, suffix, block, unit) for capability, suffixes, block, unit in _SIZES for suffix in suffixes
)
