"""What a picture of a moment is made of: the moments around it, what they cost, how a memory is divided, and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.analysis.banks.report import BankReport
from tilewright.arch import ArchSpec
from tilewright.arch.spec import BANK_BYTES
from tilewright.figures.trace.accesses import GLOBAL, SHARED, Memory, Report, memory
from tilewright.figures.trace.model import Moment, Op, Trace
from tilewright.figures.trace.replay import Contents

READ, WRITE, OTHER, REFUSED, ELSEWHERE = 0, 5, 3, 1, 7
TONES = {
    READ: "reads",
    WRITE: "writes",
    OTHER: "other",
    REFUSED: "a race or the like: the run ends",
    ELSEWHERE: "at another of these moments",
}
SECTORS = 16  # of a row
MACHINES = {32: "sm_90", 64: "gfx942"}  # by the lanes of a warp, where none is named


@dataclass(frozen=True)
class Film:
    """Some moments of a block, and the one that is looked at."""

    trace: Trace
    moments: tuple[Moment, ...]
    chosen: Moment
    known: Contents
    reports: Mapping[int, tuple[tuple[Op, Report], ...]]  # by step
    spec: ArchSpec

    @property
    def memories(self) -> tuple[Memory, ...]:
        """What is accessed in these moments, shared memory first."""
        found = dict.fromkeys(memory(op) for moment in self.moments for op in moment.ops)
        return tuple(one for space in (SHARED, GLOBAL) for one in found if one.space == space)

    @property
    def conflicts(self) -> tuple[tuple[Op, BankReport], ...]:
        """The bank reports of the moment."""
        found = self.reports[self.chosen.step]
        return tuple((op, report) for op, report in found if isinstance(report, BankReport))


@dataclass(frozen=True, slots=True)
class Grain:
    """How a memory is divided: `size` bytes a cell, `across` cells a row, `line` of them a line."""

    size: int
    across: int
    line: int
    name: str


def grain(space: str, spec: ArchSpec) -> Grain:
    """Words in banks, or sectors in cache lines, of which a row has several."""
    if space == SHARED:
        return Grain(BANK_BYTES, spec.banks, spec.banks, "word")
    return Grain(spec.sector_bytes, SECTORS, spec.line_bytes // spec.sector_bytes, "sector")


def doing(moment: Moment) -> str:
    """What the moment's ops do, in a few words: copies name both of their sides."""
    return ", ".join(dict.fromkeys(f"{op.kind} {op.buffer}".strip() for op in moment.ops))


def tone(op: Op) -> int:
    """The colour of what an op does."""
    kinds = {"load": READ, "copy from": READ, "store": WRITE, "copy to": WRITE, "copy done": WRITE}
    return REFUSED if is_refused(op) else kinds.get(op.kind, OTHER)


def is_refused(op: Op) -> bool:
    """Is it one of the accesses that ended the run: `race: reads` and the like?"""
    return ": " in op.kind
