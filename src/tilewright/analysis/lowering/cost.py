"""The wavefronts of a tensor's accesses to shared memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.analysis.banks.conflicts import bank_conflicts_at
from tilewright.analysis.lowering.columns import Bit, Columns
from tilewright.analysis.lowering.issue import Issue
from tilewright.analysis.lowering.linear_cost import linear_cost
from tilewright.arch import ArchSpec
from tilewright.errors import LayoutError
from tilewright.layout.linear import f2

MOST_ADDRESSES = 1 << 18


@dataclass(frozen=True)
class Cost:
    """Wavefronts of all warps and instructions together; `instructions` counts those of one warp."""

    wavefronts: int
    ideal: int
    instructions: int
    notes: tuple[str, ...] = ()

    @property
    def excess(self) -> int:
        """Wavefronts above the ideal."""
        return self.wavefronts - self.ideal


def cost(
    columns: Columns, issue: Issue, element_bits: int, spec: ArchSpec, moved: Callable[[int], int] | None = None
) -> Cost:
    """What the accesses cost; `moved` is where an offset really lies, such as in a padded tile.

    Without it one instruction of one warp tells all: the others XOR one number into every address, which permutes the
    banks and keeps equal words equal.

    Raises:
        LayoutError: more than 2^18 addresses, or misaligned ones.
        UsageError: the architecture has no such instruction.
    """
    turns, warps = len(columns.table) - len(issue.vector) - len(issue.lanes), len(columns.bits("warp"))
    width = issue.width(element_bits)
    if moved is None:
        found = linear_cost(tuple(columns.at(issue.lanes)), element_bits, width, issue.kind, issue.counted, spec)
        if found is not None:
            return Cost(found.wavefronts << turns, found.ideal << turns, 1 << turns - warps, found.notes)
    if 1 << len(issue.lanes) + (turns if moved else 0) > MOST_ADDRESSES:
        raise LayoutError(f"the access has more than {MOST_ADDRESSES} addresses")
    lanes = _span(columns, issue.lanes)
    starts = _span(columns, issue.turns(columns)) if moved else [0]
    place = moved or (lambda offset: offset)
    wavefronts = ideal = 0
    notes: tuple[str, ...] = ()
    known: dict[tuple[int, ...], tuple[int, int]] = {}
    span = max((rule.banks for rule in spec.rules.values()), default=32) * 4
    for start in starts:
        addresses = [place(start ^ lane) * element_bits // 8 for lane in lanes]
        base = min(addresses) // span * span
        key = tuple(address - base for address in addresses)
        if key not in known:
            one = bank_conflicts_at(list(key), width, kind=issue.kind, instruction=issue.counted, arch=spec)
            known[key] = (one.wavefronts, one.ideal)
            notes = tuple(dict.fromkeys((*notes, *one.notes)))
        wavefronts += known[key][0]
        ideal += known[key][1]
    scale = (1 << turns) // len(starts)
    return Cost(wavefronts * scale, ideal * scale, 1 << turns - warps, notes)


def _span(columns: Columns, bits: Sequence[Bit]) -> list[int]:
    images = columns.at(bits)
    return [f2.apply(images, number) for number in range(1 << len(images))]
