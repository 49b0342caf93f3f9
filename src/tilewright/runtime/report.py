"""`KernelReport`: what is known of a kernel, as an object, as a table, as JSON, and by the line of its source."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.spec import ArchSpec
from tilewright.ir.tile.shared import SharedMemory
from tilewright.ir.tile.types import GLOBAL, SHARED
from tilewright.targets.measures.bound import Bound, Work, bound
from tilewright.targets.measures.occupancy import Occupancy, occupancy
from tilewright.targets.measures.registers import Registers, registers_of
from tilewright.targets.simulator.notes import Note
from tilewright.targets.simulator.observers.instructions import Instructions
from tilewright.targets.simulator.observers.trace_report import Json
from tilewright.targets.simulator.report import AccessReport, SimulationReport, checked
from tilewright.targets.simulator.sites import Line
from tilewright.variants.call import Plan

VERSION = 2


@dataclass(frozen=True)
class LineReport:
    """What a line of the source costs, in all; `instructions` is 0 where none were counted."""

    file: str
    line: int
    instructions: int = 0
    accesses: int = 0
    wavefronts: int = 0
    excess: int = 0
    sectors: int = 0
    excess_sectors: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class KernelReport:
    """What is known of a kernel: how its primitives were dispatched, what its accesses cost, what it asks of a machine.

    `instructions` are counted by `kernel.profile` alone; None otherwise. `counting` runs that on zeros. `way`: in which
    of its ways the target runs the kernel, where it has several.
    """

    plans: tuple[Plan, ...]
    simulation: SimulationReport
    shared: SharedMemory
    module: ModuleOp
    arch: ArchSpec
    instructions: Instructions | None = None
    counting: Callable[[], KernelReport | None] | None = field(default=None, repr=False, compare=False)
    way: str = ""

    @property
    def accesses(self) -> tuple[AccessReport, ...]:
        """The loads and stores; those on global memory as if their buffer lay in shared memory."""
        return self.simulation.accesses

    def select(self, kind: str = "", space: str = "", buffer: str = "") -> Iterator[AccessReport]:
        """The accesses of that kind (`load`, `store`), space and buffer; "" means any."""
        return self.simulation.select(kind, space, buffer)

    def wavefronts(self, kind: str = "", space: str = "", buffer: str = "") -> int:
        """The sum of the wavefronts of those accesses."""
        return self.simulation.wavefronts(kind, space, buffer)

    @property
    def bytes(self) -> Mapping[str, int]:
        """The bytes that lanes ask each memory for."""
        return {space: sum(access.bytes for access in self.select(space=space)) for space in (GLOBAL, SHARED)}

    @property
    def distinct_bytes(self) -> Mapping[str, int]:
        """The same, what lanes of one instruction ask for together counted once."""
        return {space: sum(access.distinct_bytes for access in self.select(space=space)) for space in (GLOBAL, SHARED)}

    @cached_property
    def registers(self) -> Registers:
        """32-bit registers of a thread: of ptxas where NVRTC is installed, else an estimate."""
        return registers_of(self.module, self.arch.name)

    @cached_property
    def occupancy(self) -> Occupancy | None:
        """What a multiprocessor holds of it; None where the architecture's limits are not known."""
        return occupancy(self.arch, self.simulation.launch, self.registers.count, self.shared.total)

    @property
    def bound(self) -> Bound | None:
        """No run on a chip of the architecture is faster; None where none is known.

        Of a report without counts those of a run that counts, where there can be one.
        """
        return self._counted.bound if self._counted is not None else bound(self.arch, self._work)

    @cached_property
    def _counted(self) -> KernelReport | None:
        return None if self.instructions is not None or self.counting is None else self.counting()

    @property
    def _work(self) -> Work:
        counted = self.instructions
        unknown = [access for access in self.select(space=SHARED) if access.accesses and not access.ideal]
        return Work(
            self.simulation.launch.blocks,
            self.wavefronts(space=SHARED),
            self.simulation.moved,
            counted.flops if counted is not None else {},
            tuple(dict.fromkeys(f"{access.kind}s of {access.buffer} by copies" for access in unknown)),
        )

    @property
    def lines(self) -> tuple[LineReport, ...]:
        """Each line of the source that something was counted at, in order."""
        found: dict[Line, dict[str, int]] = {}
        for access in self.accesses:
            at = found.setdefault(Line(access.file, access.line), dict.fromkeys(_COUNTS, 0))
            for name in _COUNTS[1:]:
                at[name] += getattr(access, name) if _counts(access, name) else 0
        for line, count in (self.instructions.lines if self.instructions else {}).items():
            found.setdefault(line, dict.fromkeys(_COUNTS, 0))["instructions"] = count
        return tuple(LineReport(*line, *found[line].values()) for line in sorted(found))

    def __str__(self) -> str:
        memory = [str(self.shared)] if self.shared.total else []
        return "\n".join([*(plan.report for plan in self.plans), *memory, str(self.simulation)])

    def table(self) -> str:
        """The whole report, for a person."""
        counted = self.instructions
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counted.kinds.items())) if counted else ""
        flops = ", ".join(f"{count} {unit}" for unit, count in sorted(counted.flops.items())) if counted else ""
        rows = (
            ("machine", self.arch.machine),
            ("bytes", ", ".join(f"{count} {space}" for space, count in self.bytes.items())),
            ("distinct bytes", ", ".join(f"{count} {space}" for space, count in self.distinct_bytes.items())),
            ("instructions", kinds),
            ("operations", flops),
            ("registers", str(self.registers)),
            ("occupancy", f"{self.occupancy} ({self.arch.name}, estimate)" if self.occupancy else ""),
            ("bound", str(self.bound or "")),
            ("runs as", self.way),
        )
        shown = (f"{name}: {text}" for name, text in rows if text)
        return "\n".join([str(self), *checked(self.accesses), *shown])

    def as_dict(self) -> dict[str, Json]:
        """What `json` writes."""
        launch, counted = self.simulation.launch, self.instructions
        return {
            "schema": "tilewright.report",
            "version": VERSION,
            "kernel": self.simulation.kernel,
            "arch": self.arch.name,
            "machine": {name: getattr(self.arch, name) for name in _MACHINE},
            "grid": list(launch.grid),
            "block": list(launch.block),
            "unfinished": self.simulation.unfinished,
            "way": self.way or None,
            "plans": [plan.report for plan in self.plans],
            "accesses": [
                {**asdict(access), "excess": access.excess, "excess_sectors": access.excess_sectors}
                for access in self.accesses
            ],
            "proved": self.simulation.proved,
            "repeated": self.simulation.repeated,
            "agreed": _notes(self.simulation.agreed),
            "unwaited": _notes(self.simulation.unwaited),
            "waits": _notes(self.simulation.waits),
            "bytes": dict(self.bytes),
            "distinct_bytes": dict(self.distinct_bytes),
            "instructions": dict(counted.kinds) if counted else None,
            "flops": dict(counted.flops) if counted else None,
            "lines": [asdict(line) for line in self.lines],
            "registers": asdict(self.registers),
            "shared_bytes": self.shared.total,
            "occupancy": asdict(self.occupancy) if self.occupancy else None,
            "bound": {**asdict(self.bound), "seconds": self.bound.seconds, "limited_by": self.bound.limited_by}
            if self.bound
            else None,
        }

    def json(self) -> str:
        """The report as JSON."""
        return json.dumps(self.as_dict(), allow_nan=False) + "\n"

    def annotated(self, file: str, text: str) -> str:
        """The lines of the kernel in its source, with what each costs in the margin.

        Args:
            file: its name, as the places of the ops have it. text: what is in it.
        """
        found = {line.line: line for line in self.lines if line.file == file and line.line}
        source = text.split("\n")
        if not found or max(found) > len(source):
            return ""
        first = _start(source, min(found))
        rows = [_HEAD] + [_margin(found.get(number)) for number in range(first, max(found) + 1)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        margins = [" ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        lines = ["", *source[first - 1 : max(found)]]
        return "\n".join(f"{margin} | {line}".rstrip() for margin, line in zip(margins, lines, strict=True))


_COUNTS = tuple(column.name for column in fields(LineReport))[2:]
_MACHINE = ("lanes", "banks", "sector_bytes", "shared_per_block", "shared_per_unit")
_HEAD: tuple[str, ...] = ("ops", "accesses", "wavefronts", "excess", "sectors", "excess", "bytes")


def _counts(access: AccessReport, name: str) -> bool:
    """Wavefronts are those of shared memory; what a global buffer would cost there is no cost of the line."""
    return access.space == SHARED or name not in ("wavefronts", "excess")


def _margin(line: LineReport | None) -> tuple[str, ...]:
    return tuple("" if line is None or not getattr(line, name) else str(getattr(line, name)) for name in _COUNTS)


def _notes(notes: Sequence[Note]) -> list[Json]:
    """Each as its sentence and place; what a person is shown beside it has the line of the source, too."""
    return [{"file": note.file, "line": note.line, "column": note.column, "text": note.text} for note in notes]


def _start(source: list[str], line: int) -> int:
    """The line where the function begins that this line is in, else the line itself."""
    for number in range(line, 0, -1):
        if source[number - 1].lstrip().startswith(("def ", "func.func ")):
            return number
    return line
