"""The picture of a bank report: the words that each phase of an access wants from each bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tilewright.analysis.banks.phases import Phase
from tilewright.analysis.banks.report import BankReport, ranges
from tilewright.arch import get
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError, counted, shown
from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.domain import ruler
from tilewright.figures.figure import Figure
from tilewright.figures.memory import Memory, memory
from tilewright.figures.scene import Legend, Panel, Ruler, Scene
from tilewright.figures.tones import hues

MOST_ROWS = 32
ROWS = "in each cell of a phase, lanes that are served together: the words of 4 bytes that they want from the bank"
MOST_RANGES = 4  # of lanes that a row names
FRAMED = "framed banks: more than one word is wanted from them in that phase"

Contents = Mapping[int, Sequence[int]]  # word -> the indices of the elements in it


class Shown(NamedTuple):
    """A phase with its number among all of them, and how many others want as much from every bank."""

    number: int
    phase: Phase
    alike: int


def picture(report: BankReport, *, title: str | None = None) -> Figure:
    """How many words each phase wants from each bank; a bank that more than one is wanted from is outlined.

    Args:
        report: what `bank_conflicts` answered.
        title: instead of the instruction and the architecture.

    Raises:
        UsageError: not a report.
    """
    if not isinstance(report, BankReport):
        raise UsageError(f"a phases picture needs a BankReport, got {shown(report)}")
    store = memory(BANK_BYTES * 8, report.arch)
    tones, legend = colours(store)
    name = title or f"{report.instruction}, {report.arch}"
    return Figure(Scene(name, (panel(report, store, {}, tones),), legend, notes=notes(report)))


def notes(report: BankReport) -> tuple[str, ...]:
    """What the frames of a panel of phases mean, where it has some, and what is to know of the report."""
    return (ROWS, *(() if report.conflict_free else (FRAMED,)), *report.notes)


def colours(store: Memory) -> tuple[Mapping[int, int], Legend]:
    """A colour for each group of banks."""
    return hues(range(0, store.banks, store.group_banks), "bank", store.group_name)


def panel(report: BankReport, store: Memory, contents: Contents, tones: Mapping[int, int]) -> Panel:
    """A row for each phase, a column for each bank; `contents` says which elements lie in each word.

    Of more than 32 phases those that differ are shown, the costly ones if there are still too many.
    """
    lanes = get(report.arch).lanes
    shown = telling(report)
    wanted = [one.phase.by_bank for one in shown]
    cells = tuple(
        _demand(row, bank, one, wanted[row].get(bank, ()), store, contents, tones, lanes)
        for row, one in enumerate(shown)
        for bank in range(store.banks)
    )
    verdict = "conflict-free" if report.conflict_free else f"{report.ways}-way conflict"
    cost = counted(report.wavefronts, "wavefront")
    title = f"words wanted from each bank: {cost}, ideal {report.ideal}, {verdict}"
    if len(shown) < len(report.phases):
        title += f"; {len(shown)} of {len(report.phases)} phases"
    rows = Ruler(tuple(_phase_name(one, report) for one in shown))
    return Panel(title, rows, ruler(store.banks, "bank"), cells)


def telling(report: BankReport) -> list[Shown]:
    """All phases, or where they are many one of each kind, at most 32: those with the most wavefronts."""
    if len(report.phases) <= MOST_ROWS:
        return [Shown(number, phase, 0) for number, phase in enumerate(report.phases)]
    kinds: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for number, phase in enumerate(report.phases):
        kinds.setdefault(tuple((bank, len(words)) for bank, words in phase.by_bank.items()), []).append(number)
    found = [Shown(numbers[0], report.phases[numbers[0]], len(numbers) - 1) for numbers in kinds.values()]
    return sorted(sorted(found, key=lambda one: -one.phase.wavefronts)[:MOST_ROWS])


def _demand(
    row: int,
    bank: int,
    shown: Shown,
    words: tuple[int, ...],
    store: Memory,
    contents: Contents,
    tones: Mapping[int, int],
    lanes: int,
) -> Cell:
    phase = shown.phase
    group = store.group(bank)
    if not words:
        return Cell(row, bank, key=Key(bank=bank, phase=shown.number))
    wanted = set(words)
    who = (lane for lane, asked in zip(phase.lanes, phase.words, strict=True) if not wanted.isdisjoint(asked))
    owner = tuple(Owner(phase.warp * lanes + lane, None) for lane in who)
    elements = tuple(dict.fromkeys(element for word in words for element in contents.get(word, ())))
    key = Key(elements, owner=owner, bank=bank, phase=shown.number, group=group)
    return Cell(row, bank, str(len(words)), tones[group], _wanted(bank, words), len(words) > 1, key)


def _phase_name(shown: Shown, report: BankReport) -> str:
    phase, last = shown.phase, report.phases[-1]
    instruction = f"instruction {phase.instruction} " if last.instruction else ""
    warp = f"warp {phase.warp} " if last.warp else ""
    alike = f", and {shown.alike} alike" if shown.alike else ""
    return f"{instruction}{warp}lanes {_lanes(phase.lanes)}{alike}"


def _lanes(lanes: Sequence[int]) -> str:
    """The lanes in ranges; of many ranges the first and the last lane."""
    text = ranges(lanes)
    return text if text.count(",") < MOST_RANGES else f"{lanes[0]} to {lanes[-1]}"


def _wanted(bank: int, words: tuple[int, ...]) -> str:
    return f"bank {bank}: word{'s' * (len(words) > 1)} {', '.join(map(str, words))}"
