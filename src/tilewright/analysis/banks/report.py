"""`BankReport`: what shared-memory accesses cost, and the terminal table that says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tilewright.analysis.banks.phases import Phase, Phases
from tilewright.errors import counted, typed_fields

SHOWN = 8


@dataclass(frozen=True, slots=True)
@typed_fields
class BankReport:
    """The wavefronts of the accesses of one or more warps to shared memory.

    Attributes:
        wavefronts: passes through shared memory, summed over instructions and warps.
        ideal: passes that the same instructions take when no two words of a group share a bank.
        ways: the cost of the worst group of lanes.
        phases: the groups served, in order, with their lanes and words.
        unmerged, merged: wavefronts when lanes with equal addresses do not pair up, and when they do.
        by_instruction: wavefronts of each instruction of a thread, summed over the warps.
        instruction: its name; `kind` is `load` or `store`.
        arch: the name of the architecture.
        width_bytes: bytes that each lane moves.
        notes: which facts behind the figures no measurement confirms.

    Raises:
        UsageError: a field of another type.

    >>> from tilewright.analysis.banks.conflicts import bank_conflicts_at
    >>> report = bank_conflicts_at([128 * lane for lane in range(32)], 4)
    >>> report.wavefronts, report.ideal, report.ways, report.conflict_free
    (32, 1, 32, False)
    """

    wavefronts: int
    ideal: int
    ways: int
    phases: Phases | tuple[Phase, ...]
    unmerged: int
    merged: int
    by_instruction: tuple[int, ...]
    instruction: str
    kind: str
    arch: str
    width_bytes: int
    notes: tuple[str, ...] = ()

    @property
    def excess(self) -> int:
        """Wavefronts above the ideal: the bank conflicts."""
        return self.wavefronts - self.ideal

    @property
    def conflict_free(self) -> bool:
        """Are there no bank conflicts?"""
        return self.excess == 0

    def to_json(self, phases: bool = True) -> dict[str, object]:
        """The report as plain values, with every phase unless `phases` is false."""
        plain = ("wavefronts", "ideal", "excess", "ways", "conflict_free", "unmerged", "merged")
        about = ("instruction", "kind", "arch", "width_bytes")
        found = {name: getattr(self, name) for name in (*about, *plain)}
        found |= {"by_instruction": list(self.by_instruction), "notes": list(self.notes)}
        return found | ({"phases": [phase.to_json() for phase in self.phases]} if phases else {})

    def __str__(self) -> str:
        return "\n".join([*self._head(), *_table(self.phases), *(f"note: {note}" for note in self.notes)])

    def _head(self) -> Iterable[str]:
        verdict = "conflict-free" if self.conflict_free else f"{self.excess} in excess, {self.ways}-way conflict"
        yield f"{self.instruction}, {counted(self.width_bytes, 'byte')} per lane, {self.arch}"
        yield f"{counted(self.wavefronts, 'wavefront')}, ideal {self.ideal}: {verdict}"
        if self.unmerged != self.merged:
            yield f"{counted(self.unmerged, 'wavefront')} without merging of lanes, {self.merged} with"


def _table(phases: Sequence[Phase]) -> Iterable[str]:
    if not len(phases):
        return
    yield f"{'instr':>6}{'warp':>5}  {'lanes':<20}{'wavefronts':>10}{'bank':>6}  distinct words wanted there"
    yield from map(_row, phases[:SHOWN])
    if len(phases) > SHOWN:
        yield f"  .. and {len(phases) - SHOWN} more phases"


def _row(phase: Phase) -> str:
    bank = phase.worst_bank
    words = phase.by_bank[bank]
    shown = " ".join(map(str, words[:SHOWN])) + (" .." if len(words) > SHOWN else "")
    lanes = ranges(phase.lanes)
    return f"{phase.instruction:>6}{phase.warp:>5}  {lanes:<20}{phase.wavefronts:>10}{bank:>6}  {shown}"


def ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as ranges.

    >>> ranges((0, 1, 2, 3, 20, 22, 23))
    '0-3,20,22-23'
    """
    runs = [[n for _, n in run] for _, run in groupby(enumerate(numbers), lambda item: item[1] - item[0])]
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
