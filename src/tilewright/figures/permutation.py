"""The pictures of permutations: who owns which element of a mode for one R or for every R, and of a whole tile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tilewright.analysis.permutation.choices import PermutationChoice, PermutationChoices
from tilewright.analysis.permutation.explained import PermutationExplanation
from tilewright.errors import UsageError, counted, shown
from tilewright.figures import thread_value
from tilewright.figures.cell import Owner
from tilewright.figures.domain import Domain, checked, column_major, ruler
from tilewright.figures.figure import Figure
from tilewright.figures.owners import distinct, firsts, owners
from tilewright.figures.scene import Panel, Scene
from tilewright.figures.series import words
from tilewright.figures.thread_value import CAPTION
from tilewright.figures.tones import hues
from tilewright.figures.values import TOLD, shortened

GROUPS = "heavy lines stand between the groups of R neighbours"
MOST_COLUMNS = 64  # of a period's row; a longer period takes several
MOST_CELLS = 4096  # of a tile; of a larger one a step is drawn


def picture(
    choice: PermutationChoice | PermutationChoices | PermutationExplanation, *, title: str | None = None
) -> Figure:
    """One R or all of them: a row is a period, or a part of a long one, in it the thread that owns each element.
    Or the owners in a whole tile.

    Heavy lines stand between the groups of neighbours that a thread takes at a time, in a tile between its steps.

    Args:
        choice: a `PermutationChoice`, all that `permutation_choices` gives, or what `explain_permutation` does.
        title: instead of the numbers.

    Raises:
        UsageError: none of these, or more than 65536 elements.
    """
    if isinstance(choice, PermutationExplanation):
        return _tile(choice, title)
    if isinstance(choice, PermutationChoice):
        return _choices([choice], f"{_numbers(choice)}, R = {choice.group}" if title is None else title, _chain(choice))
    if isinstance(choice, PermutationChoices):
        return _choices(choice, title or _numbers(choice[0]), (choice.reason,))
    raise UsageError(f"a permutation picture needs a choice of R or an explanation, got {shown(choice)}")


def _numbers(choice: PermutationChoice) -> str:
    return f"{choice.atoms} atoms along a block of {choice.block} elements of {choice.element_bits} bits"


def _chain(choice: PermutationChoice) -> tuple[str, ...]:
    """What follows from F and R, in order."""
    runs = (f"{group[0]}-{group[-1]}" if len(group) > 1 else str(group[0]) for group in choice.elements()[:TOLD])
    return (
        f"period = F R = {choice.atoms} * {choice.group} = {choice.period}",
        f"repetitions = block / period = {choice.block} / {choice.period} = {choice.repetitions}",
        f"thread 0 has {choice.group * choice.repetitions} elements, (R, repetitions) = {choice.shape}:"
        f" {shortened(runs, choice.repetitions, ' ')}",
    )


def _choices(choices: Iterable[PermutationChoice], title: str, notes: tuple[str, ...]) -> Figure:
    every = list(choices)
    checked(sum(choice.block for choice in every))
    tones, legend = hues(range(every[0].atoms), "thread")
    panels = tuple(_periods(choice, tones) for choice in every)
    return Figure(Scene(title, panels, legend, notes=(f"{CAPTION}; {GROUPS}", *map(_cost, every), *notes)))


def _cost(choice: PermutationChoice) -> str:
    stores = counted(choice.instructions, "store")
    used = f"{100 * choice.report.efficiency:.0f} % of the sectors' bytes"
    return f"R = {choice.group}: {stores} of {choice.vector_bits} bits a thread, which use {used}"


def _periods(choice: PermutationChoice, tones: Mapping[int, int]) -> Panel:
    found = owners(choice.thread_value, lambda element, _: int(element))
    width, every = _row(choice), range(choice.block)
    period = choice.period // width if choice.period > width else 0
    starts = tuple(str(first) for first in range(0, choice.block, width))
    rows = replace(ruler(len(starts), "first element", period), labels=starts)
    title = f"R = {choice.group}, permutation {choice.permutation}"
    domain = Domain(rows, ruler(width, "element of the row", choice.group), every, every, words(len(every), every))
    return _panel(title, domain, found.of(every), tones)


def _row(choice: PermutationChoice) -> int:
    """How many elements a row has: a period, of a long one the largest part that is at most 64 and has whole groups."""
    fits = (choice.period // n for n in range(1, choice.period + 1) if choice.period % n == 0)
    return next((n for n in fits if n <= MOST_COLUMNS and n % choice.group == 0), choice.period)


def _panel(title: str, domain: Domain, who: Sequence[tuple[Owner, ...]], tones: Mapping[int, int]) -> Panel:
    cells = thread_value.cells(domain, range(domain.size), who, tones, firsts(who, 0))
    return Panel(title, domain.rows, domain.columns, cells)


def _tile(found: PermutationExplanation, title: str | None) -> Figure:
    """The whole tile, or where it is large its first step."""
    (m, n), whole = found.tiled_mma.tile("C"), found.tile[:2]
    small = whole[0] * whole[1] <= MOST_CELLS
    rows, columns = whole if small else (m, n)
    checked(rows * columns)
    within = owners(found.tiled_mma.tiled_tv_layout("C"), lambda element, _: int(element))
    tones, legend = hues(distinct(within.who, 0), "thread")
    who = within.of([row % m + m * (column % n) for row in range(rows) for column in range(columns)])
    steps = "{} x {}".format(*found.steps)
    name = f"C of the tile, {steps} steps" if small else f"C of the first step; {steps} of them make the tile"
    domain = replace(column_major((rows, columns)), rows=ruler(rows, "m", m), columns=ruler(columns, "n", n))
    panel = _panel(name, domain, who, tones)
    return Figure(Scene(title or str(found.tiled_mma), (panel,), legend, notes=(CAPTION, *str(found).splitlines()[1:])))
