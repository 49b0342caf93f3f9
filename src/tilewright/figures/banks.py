"""The picture of a tile in shared memory: the bank of every element, and what an access asks of each bank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.banks.phases import Phase
from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.model.access import Access
from tilewright.errors import UsageError
from tilewright.figures.domain import checked
from tilewright.figures.figure import Figure
from tilewright.figures.memory import Memory, memory
from tilewright.figures.scene import Cell, Panel, Ruler, Scene
from tilewright.figures.tones import hues
from tilewright.figures.views import View, view


def picture(
    layout: Any,
    *,
    element_bits: int,
    access: Any = None,
    report: BankReport | None = None,
    arch: str = "sm_90",
    base_bytes: int = 0,
    shape: Sequence[int] | None = None,
    title: str | None = None,
) -> Figure:
    """The tile with the bank of every element; with an access, also the words that each phase wants from each bank.

    The words of the worst phase are outlined in the tile, and so are banks that more than one word is wanted from.

    Args:
        layout: tile coordinates -> element offsets in shared memory.
        element_bits: the width of an element.
        access: a thread-value layout (thread, value) -> coordinate index, or an `Access` that says more.
        report: of such an access, where it is known already.
        arch: the architecture's name.
        base_bytes: byte address of the tile.
        shape: (rows, columns) of the tile, instead of the layout's own modes.
        title: instead of the layout's text.

    Raises:
        UsageError: more than 65536 cells, values that are no memory offsets.
        LayoutError: the access does not fit the tile.
    """
    seen, store = view(layout, shape), memory(element_bits, arch, base_bytes)
    if access is not None:
        report = _report(layout, access, element_bits, arch, base_bytes)
    worst = max(report.phases, key=lambda phase: phase.wavefronts, default=None) if report else None
    tones, legend = hues(range(0, store.banks, store.group_banks), "bank", store.group_name)
    panels = [_tile(seen, store, worst, tones)]
    if report:
        panels.append(_phases(report, store, tones))
    return Figure(Scene(title or seen.title, tuple(panels), legend, notes=report.notes if report else ()))


def _report(layout: Any, access: Any, element_bits: int, arch: str, base_bytes: int) -> BankReport:
    asked = access if isinstance(access, Access) else Access(access)
    return bank_conflicts(
        layout,
        asked.thread_value,
        element_bits=element_bits,
        vector_bits=asked.vector_bits,
        kind=asked.kind,
        instruction=asked.instruction,
        arch=arch,
        base_bytes=base_bytes,
    )


def _tile(seen: View, store: Memory, worst: Phase | None, tones: Any) -> Panel:
    asked = {word for words in worst.words for word in words} if worst else set()
    cells = []
    for point in seen.domain.points():
        offset = seen.at(point.flat)
        if type(offset) is not int:
            raise UsageError(f"a bank picture needs memory offsets, {seen.title} gives {offset} at {point.name}")
        bank = store.bank(offset)
        note = f"{point.name} -> {store.story(offset)}"
        cells.append(
            Cell(point.row, point.column, str(bank), tones[store.group(bank)], note, store.word(offset) in asked)
        )
    return Panel("bank of each element", seen.domain.rows, seen.domain.columns, tuple(cells))


def _phases(report: BankReport, store: Memory, tones: Any) -> Panel:
    checked(len(report.phases) * store.banks)
    cells = tuple(
        Cell(row, bank, str(len(words)), tones[store.group(bank)], _wanted(bank, words), len(words) > 1)
        if (words := phase.by_bank.get(bank, ()))
        else Cell(row, bank)
        for row, phase in enumerate(report.phases)
        for bank in range(store.banks)
    )
    verdict = "conflict-free" if report.conflict_free else f"{report.ways}-way conflict"
    title = f"words wanted from each bank: {report.wavefronts} wavefronts, ideal {report.ideal}, {verdict}"
    rows = Ruler(tuple(_phase_name(phase, report) for phase in report.phases))
    return Panel(title, rows, Ruler(tuple(map(str, range(store.banks))), "bank"), cells)


def _phase_name(phase: Phase, report: BankReport) -> str:
    last = report.phases[-1]
    instruction = f"instruction {phase.instruction} " if last.instruction else ""
    warp = f"warp {phase.warp} " if last.warp else ""
    return f"{instruction}{warp}lanes {phase.lanes[0]}-{phase.lanes[-1]}"


def _wanted(bank: int, words: tuple[int, ...]) -> str:
    return f"bank {bank}: word{'s' * (len(words) > 1)} {', '.join(map(str, words))}"
