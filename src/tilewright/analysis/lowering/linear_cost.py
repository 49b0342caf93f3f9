"""What one instruction costs whose lanes' addresses are XOR-linear in the bits of the lane: by rank over F2.

It is what counting gives, some ten times sooner, where the groups of lanes that are served together are subspaces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tilewright.analysis.banks.conflicts import notes_of
from tilewright.analysis.banks.instructions import Instruction, parse_instruction
from tilewright.analysis.banks.rank import rank_above, xor_columns
from tilewright.analysis.banks.rule import merges
from tilewright.arch import ArchSpec, PhaseRule
from tilewright.arch.spec import BANK_BYTES, Groups
from tilewright.layout.linear import f2

# Maps from the bits that number the lanes of a group to those of the warp -> how many groups have them.
Subspaces = tuple[tuple[tuple[int, ...], int], ...]


class Linear(NamedTuple):
    """What an instruction costs, and what is to be known of the figures."""

    wavefronts: int
    ideal: int
    notes: tuple[str, ...]


@lru_cache(1 << 15)
def linear_cost(
    images: tuple[int, ...], element_bits: int, width: int, kind: str, instruction: str, spec: ArchSpec
) -> Linear | None:
    """What it costs where lane bit i moves the address by images[i] elements; None where that is not linear.

    Raises:
        UsageError: the architecture has no such instruction.

    >>> from tilewright.arch import get
    >>> linear_cost((1, 2, 4, 8, 16), 32, 4, "load", "auto", get("sm_90"))[:2]
    (1, 1)
    >>> linear_cost((32, 64, 128, 256, 512), 32, 4, "load", "auto", get("sm_90"))[:2]
    (32, 1)
    """
    starts, bits = [image * element_bits // 8 for image in images], len(images)
    if width & (width - 1) or any(start % width for start in starts) or 1 << bits > spec.lanes:
        return None
    known, rule, plain, paired = _served(instruction, kind, width, bits, spec)
    if 0 not in starts[:2]:  # no lane has the address of its neighbour, or of the next but one
        paired = plain
    if plain is None or paired is None or known.width not in (None, width):
        return None
    inside = [1 << k for k in range((width // BANK_BYTES).bit_length() - 1)]
    unmerged = _counted(plain, starts, inside, rule.banks)
    merged = unmerged if paired is plain else _counted(paired, starts, inside, rule.banks)
    merging = merges("auto", known.kind)
    wavefronts, ideal = merged if merging else unmerged
    told = None if merged[0] == unmerged[0] else merging
    return Linear(wavefronts, ideal, notes_of(rule, known, spec, width, merging=told, excess=wavefronts - ideal))


def _counted(groups: Subspaces, starts: Sequence[int], inside: Sequence[int], banks: int) -> tuple[int, int]:
    """(wavefronts, ideal) of groups of lanes."""
    wavefronts = sum(
        times << rank_above([*(f2.apply(starts, lane) // BANK_BYTES for lane in lanes), *inside], banks - 1)
        for lanes, times in groups
    )
    return wavefronts, sum(times for _, times in groups)


class _Served(NamedTuple):
    """How the first lanes are served: their groups, and those that form where lanes pair up; None: no subspaces."""

    known: Instruction
    rule: PhaseRule
    plain: Subspaces | None
    paired: Subspaces | None


@lru_cache(1 << 10)
def _served(instruction: str, kind: str, width: int, bits: int, spec: ArchSpec) -> _Served:
    known = parse_instruction(instruction, kind, spec)
    rule = spec.rule(known.row, width)
    plain = _subspaces(rule.groups, bits)
    return _Served(known, rule, plain, _subspaces(rule.merged, bits) if rule.merged else plain)


def _subspaces(groups: Groups, bits: int) -> Subspaces | None:
    found: Counter[tuple[int, ...]] = Counter()
    for group in groups:
        active = [lane for lane in group if lane < 1 << bits]
        columns = xor_columns(active) if active else ()
        if columns is None:
            return None
        found[columns] += bool(active)
    return tuple((columns, times) for columns, times in found.items() if times)
