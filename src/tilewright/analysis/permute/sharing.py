"""Schedules of elements that share cells, and of lanes that are grouped differently in both phases.

Elements are bundled and exchanged. Where the outcome costs more than is known to be necessary, costs below it are
decided by trying all ways, as far as that is soon done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.analysis.permute.blocks import Blocks
from tilewright.analysis.permute.budget import Costs, all_budgets
from tilewright.analysis.permute.bundles import bundle
from tilewright.analysis.permute.decide import decide
from tilewright.analysis.permute.exchange import exchange, lower
from tilewright.analysis.permute.forms import Rows
from tilewright.analysis.permute.occupancy import Occupancy
from tilewright.analysis.permute.puzzle import Puzzle, Turn
from tilewright.analysis.permute.side import Side, least

WORK, WORK_EACH = 1_250_000, 900  # elements and cells that are looked at, and how many less for each element
MOST, HALF, LITTLE = 0.85, 0.5, 0.2  # of the work, for one question
EVERYTHING = 1 << 40


def shared_schedules(sides: Sequence[Side], blocks: Blocks, start: Rows, bound: int) -> Iterator[tuple[Rows, int]]:
    """Schedules, and with each the wavefronts that are proved to be the least."""
    first, second = (_allowed(side, turns) for side, turns in zip(sides, blocks.turns, strict=True))
    allowed = first, second[::-1]  # turns that may cost more are the first of one side and the last of the other
    states = []
    for side in (0, 1) if blocks.alike else (0,):
        state = Occupancy(sides, blocks, allowed)
        if blocks.alike:
            bundle(state, side)
        else:
            _enter(state, blocks.block_of(start, len(state.block_of)))
        yield _exchanged(state, sides), bound
        states.append(state)
    best = min(states, key=lambda state: state.wavefronts)
    lower(best, bound)
    rows = _rows(best, sides)
    yield rows, bound
    if blocks.alike and len(sides[0].group_counts) == 1:  # no block may stay empty
        yield from _decided(sides, blocks, rows, bound, best.wavefronts)


def _enter(state: Occupancy, block_of: Sequence[int]) -> None:
    for element, block in enumerate(block_of):
        state.enter(element, block)


def _exchanged(state: Occupancy, sides: Sequence[Side]) -> Rows:
    exchange(state)
    return _rows(state, sides)


def _rows(state: Occupancy, sides: Sequence[Side]) -> Rows:
    return state.blocks.rows(state.block_of, sides[0].cells)


def _decided(sides: Sequence[Side], blocks: Blocks, rows: Rows, bound: int, cost: int) -> Iterator[tuple[Rows, int]]:
    """Raises the bound of a schedule as long as nothing that cheap is possible; then a schedule from what is.

    Args:
        cost: the wavefronts of the schedule.
    """
    groups, work = len(blocks.places), WORK - WORK_EACH * len(sides[0].cells)
    bound = max(bound, 3 * groups - cheapest_groups(sides, groups, 3 * groups - cost + 1, int(LITTLE * work)))
    yield rows, bound
    for total in range(bound, cost) if work > 0 else ():
        found, refuted, work = _of_cost(sides, groups, total, work)
        if found:
            yield blocks.rows(found, sides[0].cells), bound
            return
        if refuted and bound == total:
            bound = total + 1
            yield rows, bound
        if work <= 0:
            return


def cheapest_groups(sides: Sequence[Side], groups: int, needed: int, work: int) -> int:
    """How many of the groups may cost only one wavefront on either side, as far as is known: at most so many.

    All others are taken as one that may cost anything. One group is tried, and as many as are `needed`.
    """
    for number in (1, needed):
        if 1 <= number <= groups:
            others = _turn(sides, groups, (EVERYTHING, EVERYTHING), groups - number)
            turns = [_turn(sides, groups, (1, 1))] * number + [others] * (number < groups)
            if decide(Puzzle(sides, turns), work) is False:
                return number - 1
    return groups


def _turn(sides: Sequence[Side], groups: int, costs: Costs, times: int = 1) -> Turn:
    """So many of all groups as one turn, with the elements that are more than all others can take."""
    elements, size = len(sides[0].cells), len(sides[0].groups[0])
    return Turn(*costs, elements - (groups - times) * size, times * size)


def _of_cost(sides: Sequence[Side], groups: int, total: int, work: int) -> tuple[list[int] | None, bool, int]:
    """The turns of elements that cost so much in all; without, whether there are none; and how much work is left."""
    read, write = (least(side.held, len(side.groups[0]), groups) for side in sides)
    shares = [all_budgets(groups, read + more, total - read - more) for more in range(total - read - write + 1)]
    refuted, every = None not in shares, [budget for budgets in shares for budget in budgets or ()]
    for budget in every:
        puzzle = Puzzle(sides, [_turn(sides, groups, costs) for costs, times in budget for _ in range(times)])
        possible = decide(puzzle, int((MOST if len(every) == 1 else HALF) * work))
        work -= puzzle.work
        if possible:
            return puzzle.turns_of_elements, False, work
        if work <= 0:
            return None, False, work
        refuted = refuted and possible is False
    return None, refuted, work


def _allowed(side: Side, turns: Sequence[int]) -> list[int]:
    """The least wavefronts of a side, shared out as evenly as can be among its turns."""
    count = 1 + max(turns)
    low, more = divmod(least(side.held, len(side.groups[0]), count), count)
    return [low + 1] * more + [low] * (count - more)
