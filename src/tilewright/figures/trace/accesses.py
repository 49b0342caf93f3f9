"""What lanes access at a moment, and what that costs by the models of banks and sectors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from tilewright.analysis.banks.conflicts import bank_conflicts_at
from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.global_memory.sectors import CoalescingReport, coalescing_at
from tilewright.arch import ArchSpec
from tilewright.errors import TilewrightError
from tilewright.figures.trace.model import Event, Moment, Op

SHARED, GLOBAL = "shared", "global"
# Accesses of each lane for itself; what units and matrices access is not told lane by lane.
BY_LANES = re.compile(r"\b(memref|vector|tile)\.(load|store)\b")
CONTIGUOUS = re.compile(r"\btile\.(cp_async|bulk_copy)\b")  # copies of bytes that follow each other
Report = BankReport | CoalescingReport


class Memory(NamedTuple):
    """One buffer in one memory."""

    space: str
    buffer: str


class Access(NamedTuple):
    """Bytes that a thread accesses; of a copy of a box that begins, its first element."""

    op: Op
    thread: int
    address: int
    size: int

    def units(self, size: int) -> range:
        """The units of so many bytes that it touches."""
        return range(self.address // size, (self.address + self.size - 1) // size + 1)


def memory(op: Op) -> Memory:
    """What the op accesses; two empty names: nothing."""
    return Memory(op.space, op.buffer)


def accesses(moment: Moment) -> tuple[Access, ...]:
    """All of a moment, in order; a copy that is done has written each of its elements."""
    return tuple(access for event in moment.events for access in _of(event))


def _of(event: Event) -> Iterator[Access]:
    op = event.op
    if event.moved:
        for element, _ in event.moved:
            yield Access(op, event.thread, op.base_bytes + element * op.width_bytes, op.width_bytes)
    elif event.address is not None and op.buffer:
        size = event.bytes if event.bytes and CONTIGUOUS.search(op.text) else op.width_bytes
        yield Access(op, event.thread, event.address, size)


def reports(moment: Moment, spec: ArchSpec) -> tuple[tuple[Op, Report], ...]:
    """The ops of the moment of which a trace tells what they cost."""
    found = ((op, cost(op, moment, spec)) for op in moment.ops)
    return tuple((op, report) for op, report in found if report is not None)


def cost(op: Op, moment: Moment, spec: ArchSpec) -> Report | None:
    """The banks or sectors of the lanes' loads or stores; None where a trace does not tell what it costs."""
    own = [access for access in accesses(moment) if access.op == op]
    if op.kind not in ("load", "store") or op.space not in (SHARED, GLOBAL) or not BY_LANES.search(op.text):
        return None
    rows, widths = _rows(own, spec.lanes)
    if len(widths) != 1:
        return None
    count = bank_conflicts_at if op.space == SHARED else coalescing_at
    try:
        return count(rows, *widths, kind=op.kind, arch=spec)
    except TilewrightError:  # such as a width that no access of this machine has
        return None


def _rows(own: Sequence[Access], lanes: int) -> tuple[list[list[int | None]], set[int]]:
    """An address or None for each thread, a row for each access that it makes; and how wide they are."""
    runs = [
        list(_runs(list(group))) for _, group in groupby(sorted(own, key=attrgetter("thread")), attrgetter("thread"))
    ]
    threads = -(-(max(access.thread for access in own) + 1) // lanes) * lanes
    rows: list[list[int | None]] = [[None] * threads for _ in range(max(map(len, runs)))]
    for run in runs:
        for row, access in zip(rows, run, strict=False):
            row[access.thread] = access.address
    return rows, {access.size for run in runs for access in run}


def _runs(own: Sequence[Access]) -> Iterator[Access]:
    """The accesses of a thread, those joined that follow each other: the elements of a vector."""
    here = own[0]
    for access in own[1:]:
        if access.address == here.address + here.size:
            here = here._replace(size=here.size + access.size)
        else:
            yield here
            here = access
    yield here


def told(report: Report) -> str:
    """What it costs, in a few words."""
    unit, count = ("wavefront", report.wavefronts) if isinstance(report, BankReport) else ("sector", report.sectors)
    ways = f", {report.ways}-way conflict" if isinstance(report, BankReport) and not report.conflict_free else ""
    return f"{count} {unit}{'s' * (count != 1)}, ideal {report.ideal}{ways}"
