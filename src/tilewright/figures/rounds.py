"""The picture of a permute schedule, round by round: which lane touches which bank, with it and in order.

A turn is what lanes that are served together touch in one round. Turns of a schedule and of a trace have one picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tilewright.analysis.permute.schedule import PermuteSchedule, permute_schedule
from tilewright.analysis.permute.side import Side
from tilewright.arch import PhaseRule
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError, counted, shown
from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.domain import ruler
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Legend, Panel, Ruler, Scene
from tilewright.figures.tones import hues

MOST_ROUNDS = 16
NAMED = 4  # lanes that a note names
FRAMED = "framed: lanes that are served together want different words of one bank there; 3+7 are lane 3 and seven more"
Tones = Mapping[int, int]


class Touch(NamedTuple):
    """A lane moves an element through a register, from or to a byte."""

    lane: int
    register: int
    element: int
    byte: int


class Turn(NamedTuple):
    """What lanes that are served together touch in one round."""

    name: str
    touches: tuple[Touch, ...]

    def by_slot(self, width: int, slots: int) -> dict[int, list[Touch]]:
        """The touches of each word-wide slot of the banks; a slot of wide elements has several banks."""
        found: dict[int, list[Touch]] = {}
        for touch in self.touches:
            found.setdefault(_cell(touch, width) % slots, []).append(touch)
        return found


def picture(schedule: PermuteSchedule, *, plain: bool = True, title: str | None = None) -> Figure:
    """The element in each register, and for reads and writes a row a round, a column a bank: the lane that is there.

    An element has one colour everywhere: that of the round in which it moves without the schedule.

    Args:
        schedule: what `permute_schedule` gives.
        plain: draw the elements in order beside it, with what that costs.
        title: instead of the schedule's form.

    Raises:
        UsageError: no schedule.

    >>> from tilewright.analysis.permute.schedule import permute_schedule
    >>> from tilewright.tirx.layout import S, TileLayout
    >>> schedule = permute_schedule(TileLayout(S[(4, 32) : (32, 1)]), TileLayout(S[(4, 32) : (1, 4)]), element_bytes=4)
    >>> [panel.title for panel in picture(schedule).scene.panels if "write" in panel.title]
    ['write in order: 16 wavefronts, ideal 4', 'write: 4 wavefronts, ideal 4']
    """
    if not isinstance(schedule, PermuteSchedule):
        raise UsageError(f"a permute picture needs what permute_schedule gives, got {shown(schedule)}")
    before = _in_order(schedule) if plain else None
    tones, legend = _tones(schedule)
    panels = [*(_column(before, 0, " in order", tones) if before else ()), *_column(schedule, 1, "", tones)]
    left = schedule.registers - MOST_ROUNDS
    notes = (
        "in each cell: the element that a lane moves, or the lanes that want a word of the bank",
        f"register r of a lane holds element {schedule.form}",
        *((FRAMED,) if any(cell.marked for panel in panels for cell in panel.cells) else ()),
        *((f"left out: {counted(left, 'more round')}",) if left > 0 else ()),
    )
    size = f"{len(schedule.source.offsets)} elements of {counted(schedule.element_bytes, 'byte')}"
    name = title or f"{size}, moved by the {schedule.lanes} lanes of a warp in {counted(schedule.registers, 'round')}"
    return Figure(Scene(name, tuple(panels), legend, notes=notes))


def _in_order(schedule: PermuteSchedule) -> PermuteSchedule | None:
    """The elements in order; None where they are."""
    both = schedule.source.offsets, schedule.destination.offsets
    found = permute_schedule(*both, element_bytes=schedule.element_bytes, arch=schedule.arch, in_order=True)
    return None if found.rows == schedule.rows else found


def _tones(schedule: PermuteSchedule) -> tuple[Tones, Legend]:
    return hues(range(schedule.registers), f"element // {schedule.lanes}")


def _column(schedule: PermuteSchedule, column: int, name: str, tones: Tones) -> Iterator[Panel]:
    yield _registers(schedule, column, name, tones)
    sides = ("read", schedule.source, schedule.read), ("write", schedule.destination, schedule.write)
    for row, (what, side, cost) in enumerate(sides, 1):
        title = f"{what}{name}: {counted(cost.wavefronts, 'wavefront')}, ideal {cost.ideal}"
        every = turns(schedule_touches(schedule, side), side.rule)
        yield panel(title, every, side.width, side.slots, tones, schedule.lanes, (row, column))


def _registers(schedule: PermuteSchedule, column: int, name: str, tones: Tones) -> Panel:
    cells = tuple(
        Cell(
            register,
            lane,
            str(element),
            tones[element // schedule.lanes],
            f"lane {lane} moves element {element} in round {register}",
            key=Key((element,), owner=(Owner(lane, register),), group=element // schedule.lanes),
        )
        for register, row in enumerate(schedule.rows[:MOST_ROUNDS])
        for lane, element in enumerate(row)
        if element < len(schedule.source.offsets)
    )
    rounds = min(schedule.registers, MOST_ROUNDS)
    title = f"the element that a lane moves in each round{name and ',' + name}"
    return Panel(title, ruler(rounds, "round"), ruler(schedule.lanes, "lane"), cells, (0, column))


def schedule_touches(schedule: PermuteSchedule, side: Side) -> list[list[Touch]]:
    """What the lanes touch on a side, round by round."""
    offsets, width = side.offsets, side.width
    return [
        [
            Touch(lane, register, element, offsets[element] * width)
            for lane, element in enumerate(row)
            if element < len(offsets)
        ]
        for register, row in enumerate(schedule.rows)
    ]


def turns(rounds: Sequence[Sequence[Touch]], rule: PhaseRule) -> list[Turn]:
    """The rounds, each in the groups of lanes that are served together."""
    found = []
    for number, touches in enumerate(rounds):
        for group in rule.groups:
            served = tuple(touch for touch in touches if touch.lane in group)
            name = str(number) if len(rule.groups) == 1 else f"{number}, lanes {group[0]}-{group[-1]}"
            if served:
                found.append(Turn(name, served))
    return found


def panel(
    title: str, every: Sequence[Turn], width: int, slots: int, tones: Tones, lanes: int, place: tuple[int, int] | None
) -> Panel:
    """A row a turn, a column a bank or the banks of a wide element; lanes that want different words are framed."""
    seen = [turn for turn in every if turn.touches[0].register < MOST_ROUNDS]
    cells = tuple(
        _touched(row, slot, touches, width, tones, lanes)
        for row, turn in enumerate(seen)
        for slot, touches in sorted(turn.by_slot(width, slots).items())
    )
    rows = Ruler(tuple(map(_name, seen, (wavefronts(turn, width, slots) for turn in seen))), "round")
    banks = max(BANK_BYTES, width) // BANK_BYTES
    across = Ruler(
        tuple(str(slot * banks) for slot in range(slots)), "bank" if banks == 1 else f"first of {banks} banks"
    )
    return Panel(title, rows, across, cells, place)


def _name(turn: Turn, count: int) -> str:
    return turn.name if count == 1 else f"{turn.name}: {count} wavefronts"


def wavefronts(turn: Turn, width: int, slots: int) -> int:
    """The most words that one bank is asked for."""
    return max(len({_cell(touch, width) for touch in found}) for found in turn.by_slot(width, slots).values())


def _cell(touch: Touch, width: int) -> int:
    """The word of the touch; of wide elements the element's own place."""
    return touch.byte // max(BANK_BYTES, width)


def _touched(row: int, slot: int, touches: Sequence[Touch], width: int, tones: Tones, lanes: int) -> Cell:
    first, words = touches[0], {_cell(touch, width) for touch in touches}
    label = f"{first.lane}+{len(touches) - 1}" if len(touches) > 1 else str(first.lane)
    banks = max(BANK_BYTES, width) // BANK_BYTES
    key = Key(
        tuple(dict.fromkeys(touch.element for touch in touches)),
        owner=tuple(Owner(touch.lane, touch.register) for touch in touches),
        byte=first.byte,
        bank=slot * banks,
        phase=row,
        group=first.element // lanes,
    )
    note = f"bank {slot * banks}: {'; '.join(_deeds(touches))}"
    return Cell(row, slot, label, tones.get(first.element // lanes), note, len(words) > 1, key)


def _deeds(touches: Sequence[Touch]) -> Iterable[str]:
    yield from (f"lane {touch.lane} element {touch.element}, byte {touch.byte}" for touch in touches[:NAMED])
    if len(touches) > NAMED:
        yield f"and {len(touches) - NAMED} more"
