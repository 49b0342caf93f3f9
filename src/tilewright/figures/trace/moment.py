"""One scene of a moment: who acts, the words of shared memory, what banks are asked for, the sectors of arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tilewright.analysis.banks.report import BankReport, ranges
from tilewright.arch.spec import BANK_BYTES
from tilewright.figures import memory as stores
from tilewright.figures import phases
from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.domain import ruler
from tilewright.figures.scene import Legend, Panel, Ruler, Scene, Swatch
from tilewright.figures.trace.accesses import SHARED, Access, Memory, accesses, memory
from tilewright.figures.trace.film import ELSEWHERE, OTHER, TONES, Film, Grain, doing, grain, is_refused, tone
from tilewright.figures.trace.model import Event, Moment, Op, Value
from tilewright.figures.trace.replay import shown

MOST_ROWS = 48
CAPTION = "in each cell: the value that a thread moves, the threads that access a word, or the words wanted from a bank"
NAMED = 6  # ranges of threads, and elements, that a note names


def scene(film: Film) -> Scene:
    """The panels of the moment; cells are numbered by their thread, word or sector."""
    found = film.conflicts
    panels = [_lanes(film)]
    for one in film.memories:
        contended = _contended(report for op, report in found if memory(op) == one)
        panels.append(_memory(film, one, contended | _refused(film, one)))
        panels += [_banks(op, report) for op, report in found if memory(op) == one]
    used = {cell.tone for panel in panels for cell in panel.cells}
    swatches = tuple(Swatch(tone, text) for tone, text in TONES.items() if tone in used)
    title = f"{film.trace.kernel}, step {film.chosen.step}: {doing(film.chosen)}"
    framed = ("framed words: their bank is asked for more than one at once",)
    refused = ("framed words: what the accesses that end the run are about",)
    notes = (
        CAPTION,
        *(framed if any(not report.conflict_free for _, report in found) else ()),
        *(refused if any(map(is_refused, film.chosen.ops)) else ()),
    )
    return Scene(title, tuple(panels), Legend("", swatches), notes=notes)


def marks(film: Film, drawn: Scene, moment: Moment) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The cells of the scene that a moment concerns: panels, and the numbers of cells in each."""
    wanted = {"thread": frozenset(moment.threads)}
    for access in accesses(moment):
        own = grain(access.op.space, film.spec)
        subject = _subject(memory(access.op), own)
        wanted[subject] = wanted.get(subject, frozenset()) | frozenset(access.units(own.size))
    return tuple(
        (number, tuple(i for i, cell in enumerate(panel.cells) if cell.key.elements[0] in wanted[panel.subject]))
        for number, panel in enumerate(drawn.panels)
        if panel.subject in wanted
    )


def _subject(one: Memory, own: Grain) -> str:
    return f"{own.name} of {one.buffer}"


# ---- who acts


def _lanes(film: Film) -> Panel:
    lanes = film.trace.lanes
    seen = sorted({thread for moment in film.moments for thread in moment.threads})
    warps = sorted({thread // lanes for thread in seen})
    acting: dict[int, list[Event]] = {}
    for event in film.chosen.events:
        acting.setdefault(event.thread, []).append(event)
    cells = tuple(_lane(thread, warps.index(thread // lanes), lanes, acting.get(thread, ())) for thread in seen)
    rows = Ruler(tuple(f"warp {warp}" for warp in warps))
    return Panel("threads, with the values that they move", rows, ruler(lanes, "lane"), cells, subject="thread")


def _lane(thread: int, row: int, lanes: int, events: Sequence[Event]) -> Cell:
    key = Key((thread,), owner=(Owner(thread, None),))
    name = f"thread {thread}, lane {thread % lanes}"
    if not events:
        return Cell(row, thread % lanes, "", ELSEWHERE, f"{name}: nothing at this step", key=key)
    values = [shown(event.value) for event in events if event.value is not None]
    note = f"{name}: {'; '.join(_deed(event) for event in events[:NAMED])}"
    return Cell(row, thread % lanes, values[0] if values else "·", tone(events[0].op), note, key=key)


def _deed(event: Event) -> str:
    at = f"[{', '.join(map(str, event.coordinate))}]" if event.coordinate else ""
    where = f" element {event.element}, byte {event.address}" if event.element is not None else ""
    size = f", {event.bytes} bytes" if event.bytes is not None else ""
    value = f" = {shown(event.value)}" if event.value is not None else ""
    return f"{event.op.kind} {event.op.buffer}{at}{where}{size}{value}".strip()


# ---- what they access


def _memory(film: Film, one: Memory, contended: frozenset[int]) -> Panel:
    own = grain(one.space, film.spec)
    users = _users(film.chosen, one, own)
    seen = {unit for moment in film.moments for unit in _users(moment, one, own)}
    first = _rows({unit // own.across for unit in seen}, {unit // own.across for unit in users})
    rows = {number: row for row, number in enumerate(first)}
    held = _held(film, one, own)
    cells = tuple(
        _unit(rows[unit // own.across], unit, one, own, users.get(unit, ()), held.get(unit, ()), unit in contended)
        for unit in seen
        if unit // own.across in rows
    )
    title = f"{one.space} {one.buffer}: threads that access each {own.name} at this step"
    return Panel(title, _down(one, own, first), _across(one, own), cells, subject=_subject(one, own))


def _refused(film: Film, one: Memory) -> frozenset[int]:
    """The units of accesses that ended the run."""
    size = grain(one.space, film.spec).size
    own = (access for access in accesses(film.chosen) if is_refused(access.op) and memory(access.op) == one)
    return frozenset(unit for access in own for unit in access.units(size))


def _users(moment: Moment, one: Memory, own: Grain) -> dict[int, list[Access]]:
    """unit -> the accesses to it."""
    found: dict[int, list[Access]] = {}
    for access in accesses(moment):
        for unit in access.units(own.size) if memory(access.op) == one else ():
            found.setdefault(unit, []).append(access)
    return found


def _rows(seen: set[int], now: set[int]) -> list[int]:
    """At most 48 rows: those of the moment first."""
    return sorted([*sorted(now), *sorted(seen - now)][:MOST_ROWS])


def _down(one: Memory, own: Grain, rows: Sequence[int]) -> Ruler:
    if one.space == SHARED:
        return Ruler(tuple(map(str, rows)), "line")
    return Ruler(tuple(str(row * own.across * own.size) for row in rows), "byte")


def _across(one: Memory, own: Grain) -> Ruler:
    if one.space == SHARED:
        return ruler(own.across, "bank")
    title = f"sector of {own.size} bytes, lines of {own.line * own.size} bytes between the rules"
    return Ruler(tuple(map(str, range(own.across))), title, tuple(range(own.line, own.across, own.line)))


def _unit(
    row: int, unit: int, one: Memory, own: Grain, users: Sequence[Access], held: Sequence[str], contended: bool
) -> Cell:
    threads = sorted({access.thread for access in users})
    tones = {tone(access.op) for access in users} or {ELSEWHERE}
    bank = unit % own.across if one.space == SHARED else None
    key = Key(
        (unit,),
        owner=tuple(Owner(thread, None) for thread in threads),
        byte=unit * own.size,
        bank=bank,
        line=unit // own.line,
    )
    place = f", bank {bank}" if bank is not None else ""
    who = f": threads {_few(ranges(threads).split(','))}" if threads else ": not at this step"
    holds = f"; holds {_few(held)}" if held else ""
    note = f"{own.name} {unit}{place}, byte {unit * own.size}{who}{holds}"
    return Cell(row, unit % own.across, _label(threads), min(tones) if len(tones) == 1 else OTHER, note, contended, key)


def _label(threads: Sequence[int]) -> str:
    found = ranges(threads).split(",") if threads else [""]
    return found[0] if len(found) == 1 else f"{found[0]} +{len(threads) - len(ranges_of(found[0]))}"


def ranges_of(text: str) -> range:
    """The numbers of one range, as `ranges` writes it."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _few(texts: Sequence[str]) -> str:
    more = len(texts) - NAMED
    return ", ".join(texts[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _held(film: Film, one: Memory, own: Grain) -> Mapping[int, list[str]]:
    """unit -> the elements that are known to be there."""
    ops = [
        op for moment in film.moments for op in moment.ops if memory(op) == one and not op.kind.startswith("mbarrier")
    ]
    found: dict[int, list[str]] = {}
    if not ops:
        return found
    known: Mapping[int, Value] = film.known.get(one, {})
    for element, value in sorted(known.items()):
        access = Access(ops[0], 0, ops[0].base_bytes + element * ops[0].width_bytes, ops[0].width_bytes)
        for unit in access.units(own.size):
            found.setdefault(unit, []).append(f"[{element}] = {shown(value)}")
    return found


# ---- what banks are asked for


def _contended(reports: Iterable[BankReport]) -> frozenset[int]:
    """The words whose bank is asked for another one in the same phase."""
    return frozenset(
        word
        for report in reports
        for phase in report.phases
        for words in phase.by_bank.values()
        if len(words) > 1
        for word in words
    )


def _banks(op: Op, report: BankReport) -> Panel:
    store = stores.serving(report, stores.memory(BANK_BYTES * 8, report.arch))
    tones = dict.fromkeys(range(0, store.banks, store.group_banks), tone(op))
    return phases.panel(report, store, {}, tones)
