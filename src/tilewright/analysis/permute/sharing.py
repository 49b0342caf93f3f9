"""Schedules of elements that share cells, and of lanes that are grouped differently in both phases.

Elements are bundled and exchanged. Where the outcome costs more than is known to be necessary, costs below it are
decided by trying all ways, as far as that is soon done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.analysis.permute.blocks import Blocks
from tilewright.analysis.permute.budget import Budget, all_budgets
from tilewright.analysis.permute.bundles import bundle
from tilewright.analysis.permute.decide import decide
from tilewright.analysis.permute.exchange import exchange, lower
from tilewright.analysis.permute.forms import Rows
from tilewright.analysis.permute.occupancy import Occupancy
from tilewright.analysis.permute.side import Side, least

STEPS = 60_000  # by the number of blocks


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
        yield from _decided(sides, blocks, rows, bound)


def _enter(state: Occupancy, block_of: Sequence[int]) -> None:
    for element, block in enumerate(block_of):
        state.enter(element, block)


def _exchanged(state: Occupancy, sides: Sequence[Side]) -> Rows:
    exchange(state)
    return _rows(state, sides)


def _rows(state: Occupancy, sides: Sequence[Side]) -> Rows:
    return state.blocks.rows(state.block_of, sides[0].cells)


def _decided(sides: Sequence[Side], blocks: Blocks, rows: Rows, bound: int) -> Iterator[tuple[Rows, int]]:
    """Raises the bound of a schedule as long as nothing that cheap is possible; then a schedule from what is."""
    steps = STEPS // len(blocks.places)
    while True:
        placed, possible, steps = _placed(sides, blocks, bound, steps)
        if placed:
            yield _exchanged(placed, sides), bound
        if possible:
            return
        bound += 1
        yield rows, bound


def _placed(sides: Sequence[Side], blocks: Blocks, total: int, steps: int) -> tuple[Occupancy | None, bool, int]:
    """The elements in blocks that cost so much in all; whether that may be possible; and how many steps are left."""
    count = len(blocks.places)
    read, write = (least(side.held, len(side.groups[0]), count) for side in sides)
    for more in range(total - read - write + 1):
        budgets = all_budgets(count, read + more, total - read - more)
        if budgets is None:
            return None, True, steps
        for budget in budgets:
            state = Occupancy(sides, blocks, _turn_by_turn(budget))
            placed, steps = decide(state, steps)
            if placed is not False:
                return state if placed else None, True, steps
    return None, False, steps


def _turn_by_turn(budget: Budget) -> list[list[int]]:
    return [[costs[side] for costs, groups in budget for _ in range(groups)] for side in (0, 1)]


def _allowed(side: Side, turns: Sequence[int]) -> list[int]:
    """The least wavefronts of a side, shared out as evenly as can be among its turns."""
    count = 1 + max(turns)
    low, more = divmod(least(side.held, len(side.groups[0]), count), count)
    return [low + 1] * more + [low] * (count - more)
