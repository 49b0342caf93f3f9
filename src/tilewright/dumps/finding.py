"""What was found in a dump: accesses with their cost, and operations that could not be analysed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tilewright.analysis.swizzle.joint import Asked
from tilewright.layout.swizzle import Swizzle


class PlainTile(Protocol):
    """A buffer of shared memory as it would lie without any swizzle; equal ones may take one swizzle together."""

    @property
    def bits(self) -> int:
        """Bits of an element."""

    def words(self, swizzle: Swizzle) -> str:
        """The swizzle of this tile in the words of the dump's language."""


@dataclass(frozen=True, slots=True)
class Use:
    """What an access asks of a plain tile."""

    tile: PlainTile
    asked: Asked


@dataclass(frozen=True, slots=True)
class Finding:
    """One access of one operation, executed once by all warps of a block.

    Attributes:
        kind: `load` or `store` for shared memory by lanes, `tma`, `wgmma` and `tcgen05` through a descriptor,
            `global load` and `global store`.
        instruction: what the operation is assumed to become.
        wavefronts, ideal: passes through shared memory; for global memory `ideal` counts sectors and `wavefronts` is
            None.
        sectors: of global memory; None for shared memory.
        repair: the swizzle under which the accesses of its buffer together, and it, have fewer wavefronts, or None.
        count: how many such instructions one warp issues; 0 where that is not known.
        use: what the lanes ask of the buffer without any swizzle; None where that is not known.
        buffer: a name that all accesses of one allocation share.
        line, source: in the dump, and in the user's file where the dump says it.
    """

    op: str
    kind: str
    instruction: str
    wavefronts: int | None
    ideal: int
    repair: str | None = None
    sectors: int | None = None
    count: int = 0
    notes: tuple[str, ...] = ()
    use: Use | None = field(default=None, repr=False)
    buffer: str = ""
    line: int = 0
    source: str | None = None

    @property
    def excess(self) -> int:
        """Wavefronts, or sectors, above the ideal."""
        counted = self.wavefronts if self.wavefronts is not None else self.sectors
        return (counted or 0) - self.ideal

    def at(self, line: int, source: str | None, buffer: str = "") -> Finding:
        """The same, there."""
        return replace(self, line=line, source=source, buffer=buffer)

    def to_json(self) -> dict[str, Any]:
        """The finding as plain values."""
        names = (
            "line",
            "source",
            "op",
            "kind",
            "instruction",
            "wavefronts",
            "ideal",
            "excess",
            "repair",
            "sectors",
            "count",
        )
        return {name: getattr(self, name) for name in names} | {"notes": list(self.notes)}


@dataclass(frozen=True, slots=True)
class Unknown:
    """An operation on memory that could not be analysed, and why; `shared` where that may be shared memory."""

    op: str
    why: str
    shared: bool = True
    buffer: str = ""
    line: int = 0
    source: str | None = None

    def at(self, line: int, source: str | None, buffer: str = "") -> Unknown:
        """The same, there."""
        return replace(self, line=line, source=source, buffer=buffer)

    def to_json(self) -> dict[str, Any]:
        """The operation as plain values."""
        return {"line": self.line, "source": self.source, "op": self.op, "why": self.why}


@dataclass(frozen=True)
class Findings:
    """All that was found, in the order of the dump, and what was taken for granted."""

    arch: str
    accesses: tuple[Finding, ...]
    not_analysed: tuple[Unknown, ...]
    notes: tuple[str, ...] = ()

    @property
    def conflict_free(self) -> bool:
        """Has no access to shared memory a bank conflict?"""
        return not any(found.excess for found in self.accesses if found.wavefronts is not None)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "arch": self.arch,
            "accesses": [found.to_json() for found in self.accesses],
            "not_analysed": [left.to_json() for left in self.not_analysed],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n".join([f"architecture {self.arch}", *self._table(), *self._left(), *self._notes()])

    def _table(self) -> Iterator[str]:
        if not self.accesses:
            yield "no access to memory is counted" if self.not_analysed else "no access to memory"
            return
        yield f"{'line':>5}  {'operation':<36}{'instruction':<27}wavefronts  sectors  ideal  excess  source"
        for found in self.accesses:
            counts = f"{_number(found.wavefronts):>10}{_number(found.sectors):>9}{found.ideal:>7}{found.excess:>8}"
            yield f"{found.line:>5}  {found.op:<36}{found.instruction:<27}{counts}  {found.source or '-'}"
            if found.repair:
                yield f"       repair: {found.repair}"

    def _left(self) -> Iterator[str]:
        if self.not_analysed:
            yield "not analysed:"
        for left in self.not_analysed:
            yield f"{left.line:>5}  {left.op:<36}{left.why}"

    def _notes(self) -> Iterator[str]:
        for note in dict.fromkeys((*self.notes, *(note for found in self.accesses for note in found.notes))):
            yield f"note: {note}"


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)
