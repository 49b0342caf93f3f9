"""What a simulation found: for each memory access of the kernel, how often it ran and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath

from tilewright.ir.tile.types import GLOBAL
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.notes import Note
from tilewright.targets.simulator.observers.touched import Moved
from tilewright.targets.simulator.proofs import Checks


@dataclass(frozen=True)
class AccessReport:
    """One load or store of the kernel, summed over the launch.

    `accesses` counts warp instructions with an active lane; `wavefronts` and `ideal` are the bank model's for shared
    memory. For a buffer in global memory they say what the access would cost if the buffer lay in shared memory;
    `sectors` are those of global memory that its instructions touch, `ideal_sectors` the fewest that hold what they ask
    for. Of every memory `bytes` are what lanes ask for, each for itself, and `distinct_bytes` count once what lanes of
    one instruction ask for together. `where` is the op's text and its place, for a person; `line` and `column` are
    those of the source `file`, 0 where none is known, `dump` that of a dump which names it. `checks` says how its
    checks were made; reports are equal whatever it says. Of copies that engines make the `accesses` are copies, each of
    which asks for a sector once; what comes to several blocks is read once. Of them, and of cp.async, no wavefronts are
    known.
    """

    kind: str
    buffer: str
    space: str
    width_bytes: int
    where: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    accesses: int = 0
    wavefronts: int = 0
    ideal: int = 0
    sectors: int = 0
    ideal_sectors: int = 0
    bytes: int = 0
    distinct_bytes: int = 0
    dump: int = 0
    checks: Checks = field(default=Checks(), compare=False)

    @property
    def excess(self) -> int:
        """Wavefronts that bank conflicts add."""
        return self.wavefronts - self.ideal

    @property
    def excess_sectors(self) -> int:
        """Sectors above the fewest that would do."""
        return self.sectors - self.ideal_sectors

    @property
    def cells(self) -> tuple[str, ...]:
        """Its row of a table."""
        sectors = (str(self.sectors), str(self.ideal_sectors)) if self.space == GLOBAL else ("", "")
        known = self.kind != "atomic" and (self.ideal or not self.accesses)  # else no rule is known
        banks = (str(self.wavefronts), str(self.ideal)) if known else ("", "")
        return (self.kind, self.buffer, self.place, self.space, str(self.accesses), *banks, *sectors)

    @property
    def check_cells(self) -> tuple[str, ...]:
        """Its row of the table of checks: the line, and that of the dump, where a dump names files."""
        how = ("-" if how == "none" else how for how in vars(self.checks).values())
        return (self.kind, self.buffer, self.place, str(self.dump or ""), *how)

    @property
    def place(self) -> str:
        """Its line, with the file where a dump names it; empty where none is known."""
        return f"{PurePath(self.file).name}:{self.line}" if self.dump else str(self.line or "")


@dataclass(frozen=True)
class SimulationReport:
    """The result of a simulation that did nothing undefined; anything undefined is an exception instead.

    `proved` tells that one block's checks were proved to hold for every block. `agreed` are accesses where threads
    wrote one value to one element with no barrier between: who wins changes nothing, but C++ calls it a race, and
    `check="strict"` makes it an error. `unwaited` are cp.asyncs for which nobody has waited when their block ends:
    wasted work, an error under `check="strict"` too. `unfinished` blocks had not run when the run was interrupted.
    `repeated` tells that no data decides what the kernel does: checks and costs are those of one run, whatever the
    arrays hold. `moved` is the global memory that was touched, where somebody looked on. The rows of `accesses` are
    `counted` when they are first asked for. `waits` are loops that wait for a count which lanes change: one order of
    these was run, and others may let them go on earlier.
    """

    kernel: str
    launch: Launch
    counted: Callable[[], tuple[AccessReport, ...]] = field(repr=False, compare=False)
    proved: bool
    agreed: tuple[Note, ...] = ()
    unwaited: tuple[Note, ...] = ()
    unfinished: int = 0
    repeated: bool = False
    moved: Moved | None = field(default=None, compare=False)
    arch: str = ""
    waits: tuple[Note, ...] = ()

    @cached_property
    def accesses(self) -> tuple[AccessReport, ...]:
        """What each access of the kernel cost."""
        return self.counted()

    def select(self, kind: str = "", space: str = "", buffer: str = "") -> Iterator[AccessReport]:
        """The accesses of that kind (`load`, `store`), memory space and buffer; an empty text means any."""

        def wanted(access: AccessReport) -> bool:
            return kind in ("", access.kind) and space in ("", access.space) and buffer in ("", access.buffer)

        return filter(wanted, self.accesses)

    def wavefronts(self, kind: str = "", space: str = "", buffer: str = "") -> int:
        """The sum of the wavefronts of those accesses."""
        return sum(access.wavefronts for access in self.select(kind, space, buffer))

    def __str__(self) -> str:
        rows: list[tuple[str, ...]] = [
            ("access", "buffer", "line", "space", "count", "wavefronts", "ideal", "sectors", "ideal")
        ]
        rows += [access.cells for access in self.accesses]
        lines = _columns(rows)
        done = self.launch.blocks - self.unfinished
        machine = f" on {self.arch}" if self.arch else ""
        head = f"{self.kernel}: {self.launch.blocks} x {self.launch.threads} threads{machine}"
        stopped = [f"interrupted: {done} blocks ran"] * (self.unfinished > 0)
        return "\n".join([head, *stopped, *lines, *self.notes])

    @property
    def notes(self) -> tuple[str, ...]:
        """Each with its place: `agreed` and `unwaited`, no errors unless the checks are strict; and `waits`, hints."""
        hints = (f"hint: {note}" for note in self.waits)
        said = (*(("benign", note) for note in self.agreed), *(("wasted", note) for note in self.unwaited))
        return (*(f'{what} (an error under check="strict"): {note}' for what, note in said), *hints)


def checked(accesses: Iterable[AccessReport]) -> list[str]:
    """The table of how each access was checked."""
    rows = [("checks", "buffer", "line", "dump", "bounds", "written", "races"), *(a.check_cells for a in accesses)]
    dumped = any(row[3] for row in rows[1:])
    return _columns([row if dumped else (*row[:3], *row[4:]) for row in rows])


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a run; `report` is of what ran until then, and the arrays hold what it wrote."""

    def __init__(self, report: SimulationReport) -> None:
        super().__init__(f"{report.kernel} was interrupted")
        self.report = report
