"""What one instruction costs whose lanes' addresses are XOR-linear in the bits of the lane: by rank over F2.

It is what counting gives, some ten times sooner, where the groups of lanes that are served together are subspaces.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from tilewright.analysis.banks.instructions import parse_instruction
from tilewright.analysis.banks.rank import rank_above, xor_columns
from tilewright.analysis.banks.rule import merges
from tilewright.arch import ArchSpec
from tilewright.arch.spec import BANK_BYTES, Groups
from tilewright.layout.linear import f2

# Maps from the bits that number the lanes of a group to those of the warp -> how many groups have them.
Subspaces = tuple[tuple[tuple[int, ...], int], ...]


@lru_cache(1 << 15)
def linear_cost(
    images: tuple[int, ...], element_bits: int, width: int, kind: str, instruction: str, spec: ArchSpec
) -> tuple[int, int] | None:
    """(wavefronts, ideal) where lane bit i moves the address by images[i] elements; None where that is not linear.

    Raises:
        UsageError: the architecture has no such instruction.

    >>> from tilewright.arch import get
    >>> linear_cost((1, 2, 4, 8, 16), 32, 4, "load", "auto", get("sm_90"))
    (1, 1)
    >>> linear_cost((32, 64, 128, 256, 512), 32, 4, "load", "auto", get("sm_90"))
    (32, 1)
    """
    starts = [image * element_bits // 8 for image in images]
    bits = len(images)
    if width & (width - 1) or any(start % width for start in starts):
        return None
    row = parse_instruction(instruction, kind, spec).row
    plain, merged, banks = _served(spec, row, width, bits)
    pairs = merges("auto", kind) and merged is not None and 0 in starts[:2]
    groups = merged if pairs else plain
    if groups is None or 1 << bits > spec.lanes:
        return None
    inside = [1 << k for k in range((width // BANK_BYTES).bit_length() - 1)]
    wavefronts = sum(
        times << rank_above([*(f2.apply(starts, lane) // BANK_BYTES for lane in lanes), *inside], banks - 1)
        for lanes, times in groups
    )
    return wavefronts, sum(times for _, times in groups)


@lru_cache(1 << 10)
def _served(spec: ArchSpec, row: str, width: int, bits: int) -> tuple[Subspaces | None, Subspaces | None, int]:
    """The groups of the first 2^bits lanes as they are served, and as they are where lanes pair up; the banks."""
    rule = spec.rule(row, width)
    return _subspaces(rule.groups, bits), _subspaces(rule.merged, bits) if rule.merged else None, rule.banks


def _subspaces(groups: Groups, bits: int) -> Subspaces | None:
    found: Counter[tuple[int, ...]] = Counter()
    for group in groups:
        active = [lane for lane in group if lane < 1 << bits]
        columns = xor_columns(active) if active else ()
        if columns is None:
            return None
        found[columns] += bool(active)
    return tuple((columns, times) for columns, times in found.items() if times)
