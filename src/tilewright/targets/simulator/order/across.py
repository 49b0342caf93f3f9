"""What lanes tell lanes of other blocks, and what they learn of them: the clocks of a block as a `Past`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tilewright.targets.simulator.order.clocks import GENERIC, Clocks, Flags, Numbers
from tilewright.targets.simulator.order.pasts import Lore, Past
from tilewright.targets.simulator.order.times import Times


def told(clocks: Clocks, rows: Numbers, lanes: Flags) -> tuple[Numbers, list[Lore]]:
    """What these lanes, of shape (rows, lanes), know at this moment: as `released`, and of all blocks, by row."""
    known = clocks.released(rows, lanes)
    if not clocks.reaches_out:
        return known, [Lore() for _ in rows]
    lore = [Lore(as_past(clocks, int(row), line)) for row, line in zip(rows, known[GENERIC], strict=True)]
    for one, mine in zip(lore, _learnt(clocks, rows, lanes), strict=True):
        one.learn(mine)
    return known, lore


def told_by_fences(clocks: Clocks, rows: Numbers, lanes: Flags) -> tuple[Numbers, list[Lore]]:
    """The same of lanes that release nothing now: what they have fenced."""
    found, beyond = [], clocks.beyond
    for row, mine in zip(rows, lanes, strict=True):
        past = Past()
        for lane in _numbers(clocks, int(row), mine):
            past.learn(beyond.fenced_by(lane)[0])
            if lane in beyond.announced:
                past.learn(Past(made=Times.of({lane: beyond.announced[lane]})))
        found.append(Lore(past))
    return np.zeros((clocks.planes, len(rows), clocks.known.shape[3]), np.int64), found


def as_past(clocks: Clocks, row: int, line: Numbers) -> Past:
    """What is known of the block in a row, by column, with the actors' numbers in the launch."""
    first, actors = int(clocks.blocks[row]) * clocks.width, clocks.warps * clocks.lanes
    columns = [first + actors + engine for engine in range(clocks.engines)] + [first + lane for lane in clocks.alone]
    times = line.tolist()
    warps = {first // clocks.lanes + warp: when for warp, when in enumerate(times[: clocks.warps]) if when}
    single = {who: when for who, when in zip(columns, times[clocks.warps :], strict=False) if when}
    return Past(Times.of(warps), Times.of(single))


def hear(clocks: Clocks, rows: Numbers, lanes: Flags, told: Sequence[Lore]) -> None:
    """These lanes learn what their row is told; what whole warps learn is their warps'."""
    whole, single = clocks.groups(lanes)
    for number, (row, lore) in enumerate(zip(rows, told, strict=True)):
        if lore:
            clocks.beyond.teach(clocks.numbers(np.array([row]), whole[[number]]), lore)
            for lane in _numbers(clocks, int(row), single[number]):
                clocks.beyond.acquire(lane, lore)


def meet_clusters(clocks: Clocks, active: Flags, together: int) -> None:
    """So many active blocks, one after another, see what the others did."""
    clocks.meet_blocks(active)
    for first in np.flatnonzero(active)[::together].tolist():
        rows = np.arange(first, first + together)
        lore = Lore()
        for row in rows.tolist():
            lore.past.learn(as_past(clocks, row, clocks.known[GENERIC, row].max(axis=0)))
        whole = np.ones((together, clocks.warps), bool)
        warps = clocks.numbers(rows, whole)
        lore.learn(clocks.beyond.gathered(warps))
        clocks.beyond.teach(warps, lore)


def _learnt(clocks: Clocks, rows: Numbers, lanes: Flags) -> list[Lore]:
    """What these lanes have learnt of other blocks, by row."""
    whole, single = clocks.groups(lanes)
    found = []
    for number, row in enumerate(rows.tolist()):
        lore = clocks.beyond.gathered(clocks.numbers(np.array([row]), whole[[number]]))
        for lane in _numbers(clocks, row, single[number]):
            lore.learn(clocks.beyond.lore_of(lane))
        found.append(lore)
    return found


def _numbers(clocks: Clocks, row: int, lanes: Flags) -> list[int]:
    """The numbers in the launch of these lanes of a row."""
    return [int(lane) for lane in clocks.blocks[row] * clocks.width + np.flatnonzero(lanes)]
