"""What lanes tell lanes of other blocks, and what they learn of them: the clocks of a block as a `Past`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tilewright.targets.simulator.order.beyond import Handing
from tilewright.targets.simulator.order.clocks import GENERIC, Clocks, Flags, Numbers
from tilewright.targets.simulator.order.past import Past
from tilewright.targets.simulator.order.scopes import Scope


def told(clocks: Clocks, rows: Numbers, lanes: Flags) -> tuple[Numbers, list[Handing]]:
    """What these lanes, of shape (rows, lanes), know at this moment: as `released`, and of all blocks, by row."""
    known = clocks.released(rows, lanes)
    if not clocks.reaches_out:
        return known, [Handing() for _ in rows]
    pasts = [as_past(clocks, int(row), line) for row, line in zip(rows, known[GENERIC], strict=True)]
    return known, [Handing(past) | mine for past, mine in zip(pasts, _learnt(clocks, rows, lanes), strict=True)]


def told_by_fences(clocks: Clocks, rows: Numbers, lanes: Flags) -> tuple[Numbers, list[Handing]]:
    """The same of lanes that release nothing now: what they have fenced."""
    pasts, beyond = [], clocks.beyond
    for row, mine in zip(rows, lanes, strict=True):
        here = _numbers(clocks, int(row), mine)
        past = Past(made={lane: beyond.announced[lane] for lane in here if lane in beyond.announced})
        for lane in here:
            past |= beyond.fenced.of(lane).pasts[Scope.CLUSTER]
        pasts.append(Handing(past))
    return np.zeros((clocks.planes, len(rows), clocks.known.shape[3]), np.int64), pasts


def as_past(clocks: Clocks, row: int, line: Numbers) -> Past:
    """What is known of the block in a row, by column, with the actors' numbers in the launch."""
    first, actors = int(clocks.blocks[row]) * clocks.width, clocks.warps * clocks.lanes
    columns = [first + actors + engine for engine in range(clocks.engines)] + [first + lane for lane in clocks.alone]
    times = line.tolist()
    warps = {first // clocks.lanes + warp: when for warp, when in enumerate(times[: clocks.warps]) if when}
    return Past(warps, {who: when for who, when in zip(columns, times[clocks.warps :], strict=False) if when})


def hear(clocks: Clocks, rows: Numbers, lanes: Flags, pasts: Sequence[Handing]) -> None:
    """These lanes learn the past of their row; what whole warps learn is their warps'."""
    whole, single = clocks.groups(lanes)
    for number, (row, past) in enumerate(zip(rows, pasts, strict=True)):
        if past:
            clocks.beyond.teach(clocks.numbers(np.array([row]), whole[[number]]), past)
            for lane in _numbers(clocks, int(row), single[number]):
                clocks.beyond.tell(lane, past)


def meet_clusters(clocks: Clocks, active: Flags, together: int) -> None:
    """So many active blocks, one after another, see what the others did."""
    clocks.meet_blocks(active)
    for first in np.flatnonzero(active)[::together].tolist():
        rows = np.arange(first, first + together)
        warps = clocks.numbers(rows, np.ones((together, clocks.warps), bool))
        past = clocks.beyond.gathered(warps)
        for row in rows.tolist():
            past |= Handing(as_past(clocks, row, clocks.known[GENERIC, row].max(axis=0)))
        clocks.beyond.teach(warps, past)


def _learnt(clocks: Clocks, rows: Numbers, lanes: Flags) -> list[Handing]:
    """What these lanes have learnt of other blocks, fenced and seen, by row."""
    whole, single = clocks.groups(lanes)
    found = []
    for number, row in enumerate(rows.tolist()):
        past = clocks.beyond.gathered(clocks.numbers(np.array([row]), whole[[number]]))
        for lane in _numbers(clocks, row, single[number]):
            past |= clocks.beyond.of(lane)
        found.append(past)
    return found


def _numbers(clocks: Clocks, row: int, lanes: Flags) -> list[int]:
    """The numbers in the launch of these lanes of a row."""
    return [int(lane) for lane in clocks.blocks[row] * clocks.width + np.flatnonzero(lanes)]
