"""The picture of a bank report: the words that each phase of an access wants from each bank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tilewright.analysis.banks.phases import Phase
from tilewright.analysis.banks.report import BankReport, ranges
from tilewright.arch import get
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError, counted, shown
from tilewright.figures.cell import Owner
from tilewright.figures.cells import Cells
from tilewright.figures.domain import ruler
from tilewright.figures.figure import Figure
from tilewright.figures.memory import Memory, memory, serving
from tilewright.figures.scene import Legend, Panel, Ruler, Scene
from tilewright.figures.tones import hues

MOST_ROWS = 32
ROWS = "in each cell of a phase, lanes that are served together: the words of 4 bytes that they want from the bank"
MOST_RANGES = 4  # of lanes that a row names
FRAMED = "framed banks: more than one word is wanted from them in that phase"

Contents = Mapping[int, Sequence[int]]  # word -> the indices of the elements in it


class Shown(NamedTuple):
    """A phase, its number among all of them, the words it wants from each bank, and how many others want as many."""

    number: int
    phase: Phase
    wanted: Mapping[int, tuple[int, ...]]
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
    store = serving(report, memory(BANK_BYTES * 8, report.arch))
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
    shown = telling(report)
    cells = _cells(shown, store, contents, tones, get(report.arch).lanes)
    verdict = "conflict-free" if report.conflict_free else f"{report.ways}-way conflict"
    cost = counted(report.wavefronts, "wavefront")
    title = f"words wanted from each bank: {cost}, ideal {report.ideal}, {verdict}"
    if len(shown) < len(report.phases):
        title += f"; {len(shown)} of {len(report.phases)} phases"
    rows = Ruler(tuple(_phase_name(one, report) for one in shown))
    return Panel(title, rows, ruler(store.banks, "bank"), cells)


def telling(report: BankReport) -> list[Shown]:
    """All phases, or where they are many one of each kind, at most 32: those with the most wavefronts."""
    every = [Shown(number, phase, phase.by_bank, 0) for number, phase in enumerate(report.phases)]
    if len(every) <= MOST_ROWS:
        return every
    kinds: dict[tuple[tuple[int, int], ...], list[Shown]] = {}
    for one in every:
        kinds.setdefault(tuple((bank, len(words)) for bank, words in one.wanted.items()), []).append(one)
    found = [alike[0]._replace(alike=len(alike) - 1) for alike in kinds.values()]
    return sorted(sorted(found, key=lambda one: -one.phase.wavefronts)[:MOST_ROWS], key=lambda one: one.number)


def _cells(shown: Sequence[Shown], store: Memory, contents: Contents, tones: Mapping[int, int], lanes: int) -> Cells:
    """The cells of phases; `lanes` are a warp's."""
    banks = [*range(store.banks)] * len(shown)
    asked = [one.wanted.get(bank, ()) for one in shown for bank in range(store.banks)]
    groups = [group if words else None for group, words in zip(store.groups(banks), asked, strict=True)]
    return Cells(
        range(len(asked)),
        store.banks,
        label=[str(len(words)) if words else "" for words in asked],
        tone=[None if group is None else tones[group] for group in groups],
        note=[_wanted(bank, words) if words else "" for bank, words in zip(banks, asked, strict=True)],
        marked=[len(words) > 1 for words in asked],
        elements=[
            tuple(dict.fromkeys(element for word in words for element in contents.get(word, ()))) for words in asked
        ],
        owner=[owner for one in shown for owner in _owners(one.phase, lanes)],
        bank=banks,
        phase=[one.number for one in shown for _ in range(store.banks)],
        group=groups,
    )


def _owners(phase: Phase, lanes: int) -> Iterator[tuple[Owner, ...]]:
    """Bank by bank the threads that want a word of it."""
    there: dict[int, dict[Owner, None]] = {}
    for lane, words in zip(phase.lanes, phase.words, strict=True):
        for word in words:
            there.setdefault(word % phase.banks, {})[Owner(phase.warp * lanes + lane, None)] = None
    return (tuple(there.get(bank, ())) for bank in range(phase.banks))


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
