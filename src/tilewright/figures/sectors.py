"""The picture of a coalescing report: the sectors of global memory that each instruction touches, and what it uses."""

from __future__ import annotations

from tilewright.analysis.global_memory.sectors import CoalescingReport
from tilewright.analysis.global_memory.touched import Touched
from tilewright.errors import UsageError, counted, shown
from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel, Ruler, Scene
from tilewright.figures.tones import steps

MOST_ROWS, MOST_COLUMNS = 32, 64


def picture(report: CoalescingReport, *, title: str | None = None) -> Figure:
    """A row for each instruction of a warp, a column for each sector: how many of its bytes the instruction asks for.

    The first 32 instructions are shown, of their sectors the first 64. Heavy lines stand between cache lines.

    Args:
        report: what `coalescing` answered.
        title: instead of what was asked.

    Raises:
        UsageError: not a report, or one of no accesses.
    """
    if not isinstance(report, CoalescingReport):
        raise UsageError(f"a sectors picture needs a CoalescingReport, got {shown(report)}")
    rows = list(report.touched[:MOST_ROWS])
    sectors = sorted({sector for row in rows for sector in row.bytes})
    if not sectors:
        raise UsageError("no picture of a report without accesses: no sector is touched")
    seen = sectors[:MOST_COLUMNS]
    tones, legend = steps((count for row in rows for count in row.bytes.values()), f"bytes of {report.sector_bytes}")
    cells = tuple(
        _cell(number, column, row, sector, tones[row.bytes[sector]], report)
        for number, row in enumerate(rows)
        for column, sector in enumerate(seen)
        if sector in row.bytes
    )
    across = Ruler(tuple(map(str, seen)), f"sector of {report.sector_bytes} bytes", _lines(seen, report))
    panel = Panel(_head(report), Ruler(tuple(map(_name, rows))), across, cells, subject="sector")
    left = _left_out(len(report.touched) - len(rows), len(sectors) - len(seen))
    name = title or f"global {report.kind}, {report.vector_bits} bits per lane, {report.arch}"
    return Figure(Scene(name, (panel,), legend, notes=(_caption(report), *left, *report.notes)))


def _head(report: CoalescingReport) -> str:
    verdict = "coalesced" if report.coalesced else f"{report.excess} in excess"
    used = f"{report.bytes} of {report.moved} bytes moved are used"
    return f"bytes asked for: {counted(report.sectors, 'sector')}, ideal {report.ideal}, {verdict}; {used}"


def _caption(report: CoalescingReport) -> str:
    lines = f"heavy lines stand between cache lines of {report.line_bytes} bytes"
    return f"in each cell: bytes of the sector that are asked for; {lines}"


def _left_out(rows: int, columns: int) -> tuple[str, ...]:
    found = [
        counted(count, name) for count, name in ((rows, "more instruction"), (columns, "more sector")) if count > 0
    ]
    return (f"left out: {', '.join(found)}",) if found else ()


def _lines(sectors: list[int], report: CoalescingReport) -> tuple[int, ...]:
    each = report.line_bytes // report.sector_bytes
    return tuple(i for i in range(1, len(sectors)) if sectors[i] // each != sectors[i - 1] // each)


def _name(row: Touched) -> str:
    return f"instruction {row.instruction} warp {row.warp}"


def _cell(number: int, column: int, row: Touched, sector: int, tone: int, report: CoalescingReport) -> Cell:
    bytes_, lanes = row.bytes[sector], row.lanes[sector]
    note = (
        f"sector {sector}, from byte {sector * report.sector_bytes}: {bytes_} bytes for {counted(len(lanes), 'lane')}"
    )
    owner = tuple(Owner(lane, None) for lane in lanes)
    key = Key(
        (sector,),
        owner=owner,
        byte=sector * report.sector_bytes,
        line=sector * report.sector_bytes // report.line_bytes,
    )
    return Cell(number, column, str(bytes_), tone, note, key=key)
