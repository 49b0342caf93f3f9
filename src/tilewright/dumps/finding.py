"""What was found in a dump: accesses with their cost, and operations that could not be analysed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tilewright.arch import ArchSpec


class Use:
    """What an access asks of its buffer, as each language says it; of this its repair is made."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Repair:
    """Another layout of a buffer, which helps.

    Attributes:
        words: the layout in the language of the dump.
        wavefronts: of the access under it.
        instruction: what the access becomes under it.
        accesses: of the buffer.
        before, after: the wavefronts of all of them, without it and with it.
    """

    words: str
    wavefronts: int
    instruction: str
    accesses: int
    before: int
    after: int

    def __str__(self) -> str:
        rest = f"; all {self.accesses} accesses of the buffer {self.after} instead of {self.before}"
        how = f"{self.words}: {self.wavefronts} wavefronts by {self.instruction}"
        return how + (rest if self.accesses > 1 else f" instead of {self.before}")


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
        repair: the layout under which the accesses of its buffer together, and it, have fewer wavefronts, or None.
        unrepaired: why there is none, where it has conflicts.
        count: how many such instructions one warp issues; 0 where that is not known.
        use: what it asks of the buffer under any layout; None where that is not known.
        operand: which operand of the operation it reads, `A` or `B`, where it has several in shared memory.
        buffer: a name that all accesses of one allocation share.
        line, source: in the dump, and in the user's file where the dump says it.
    """

    op: str
    kind: str
    instruction: str
    wavefronts: int | None
    ideal: int
    repair: Repair | None = None
    sectors: int | None = None
    count: int = 0
    notes: tuple[str, ...] = ()
    use: Use | None = field(default=None, repr=False)
    operand: str = ""
    unrepaired: str = ""
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

    def to_json(self) -> dict[str, object]:
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
            "unrepaired",
            "operand",
            "buffer",
            "sectors",
            "count",
        )
        told = {name: getattr(self, name) for name in names}
        return told | {"repair": str(self.repair) if self.repair else None, "notes": list(self.notes)}


@dataclass(frozen=True, slots=True)
class Unknown:
    """An operation on memory that could not be analysed, and why.

    `shared` where it may access buffers of shared memory: that one, or any where no `buffer` is known.
    """

    op: str
    why: str
    shared: bool = True
    operand: str = ""
    buffer: str = ""
    line: int = 0
    source: str | None = None

    def at(self, line: int, source: str | None, buffer: str = "") -> Unknown:
        """The same, there."""
        return replace(self, line=line, source=source, buffer=buffer)

    def to_json(self) -> dict[str, object]:
        """The operation as plain values."""
        return {"line": self.line, "source": self.source, "op": self.op, "why": self.why}


def uncounted(one: Finding | Unknown, chip: str) -> Unknown:
    """An access of a chip whose banks nobody here knows."""
    if isinstance(one, Unknown):
        return one
    why = f"what an access costs on {chip} is not known here; --arch NAME counts it for another"
    return Unknown(one.op, why, one.sectors is None).at(one.line, one.source, one.buffer)


@dataclass(frozen=True)
class Findings:
    """All that was found, in the order of the dump, what was taken for granted, and where that contradicts the dump."""

    arch: str
    accesses: tuple[Finding, ...]
    not_analysed: tuple[Unknown, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def conflict_free(self) -> bool:
        """Has no access to shared memory a bank conflict?"""
        return not any(found.excess for found in self.accesses if found.wavefronts is not None)

    def to_json(self) -> dict[str, object]:
        """Everything as plain values."""
        return {
            "arch": self.arch,
            "accesses": [found.to_json() for found in self.accesses],
            "not_analysed": [left.to_json() for left in self.not_analysed],
            "notes": [*self.warnings, *self.notes],
        }


def made_for(chip: str, spec: ArchSpec) -> tuple[str, ...]:
    """A warning where a dump is counted for another chip than it was made for; `90` is `sm_90`.

    >>> from tilewright.arch import get
    >>> made_for("gfx950", get("gfx942"))
    ('the dump was made for gfx950, where instructions may be others; it is counted for gfx942',)
    """
    if not chip or chip in (spec.name, spec.name.removeprefix("sm_")):
        return ()
    return (f"the dump was made for {chip}, where instructions may be others; it is counted for {spec.name}",)
