"""Elements that share cells, put into groups of lanes slot by slot: a start for `exchange`.

A slot that holds more elements than there are wavefronts must have several of a cell go together. So its cells are cut
into as many bundles as there are wavefronts, and a matching gives each bundle a group of lanes where its elements are
in nobody's way on the other side either.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from tilewright.analysis.permute.occupancy import Occupancy

FREE = -1


def bundle(state: Occupancy, side: int) -> None:
    """Puts all elements into blocks, slot by slot of a side."""
    slots = [_bundles(state, side, slot) for slot in range(len(state.cells_of[side]))]
    for bundles in sorted(slots, key=lambda bundles: (-len(bundles), -sum(map(len, bundles)))):
        _place(state, side, bundles)


def _bundles(state: Occupancy, side: int, slot: int) -> list[list[int]]:
    """The elements of a slot in as many bundles as it may cost wavefronts, each of one cell."""
    cells = [state.members[side][cell] for cell in state.cells_of[side][slot]]
    parts = [1] * len(cells)
    for _ in range(sum(state.allowed[side]) - len(cells)):
        fullest = max(range(len(cells)), key=lambda i: len(cells[i]) / parts[i])
        if parts[fullest] == len(cells[fullest]):
            break
        parts[fullest] += 1
    return [bundle for cell, count in zip(cells, parts, strict=True) for bundle in _cut(state, 1 - side, cell, count)]


def _cut(state: Occupancy, other: int, elements: Sequence[int], count: int) -> list[list[int]]:
    """Elements in `count` bundles, those apart that are in each other's way on the other side."""
    slot, cell = state.slot[other], state.cell[other]
    bundles: list[list[int]] = [[] for _ in range(count)]
    for element in sorted(elements, key=lambda e: (slot[e], cell[e])):
        clash = [any(slot[e] == slot[element] and cell[e] != cell[element] for e in b) for b in bundles]
        bundles[min(range(count), key=lambda i: (clash[i], len(bundles[i])))].append(element)
    return bundles


def _place(state: Occupancy, side: int, bundles: list[list[int]]) -> None:
    """Gives every bundle of one slot a block, without excess as far as a matching does."""
    order = sorted(range(len(bundles)), key=lambda i: -len(bundles[i]))
    seats = [block for block, turn in enumerate(state.blocks.turns[side]) for _ in range(state.allowed[side][turn])]
    seats.sort(key=lambda block: state.filled[block])
    excess = [[_excess(state, 1 - side, bundles[i], block) for block in range(len(state.room))] for i in order]
    chosen = matched([[seat for seat, block in enumerate(seats) if not row[block]] for row in excess], len(seats))
    left = sorted(set(range(len(seats))).difference(chosen))
    for i, row, seat in zip(order, excess, chosen, strict=True):
        if seat == FREE:
            seat = min(left, key=lambda seat: (row[seats[seat]], state.filled[seats[seat]]))
            left.remove(seat)
        for element in bundles[i]:
            state.enter(element, seats[seat])


def _excess(state: Occupancy, other: int, elements: Sequence[int], block: int) -> int:
    """How many elements too many a bundle is for a block, by its room and the other side."""
    crowd = state.filled[block] + len(elements) - state.room[block]
    return max(0, crowd) + sum(not state.suits(element, block, other) for element in elements)


def matched(options: Sequence[Sequence[int]], seats: int) -> list[int]:
    """A seat for each row from its options, no seat twice, for as many rows as can be; `FREE` for the others.

    >>> matched([[0, 1], [0], [0]], 2)
    [1, 0, -1]
    """
    row_in, found = [FREE] * seats, [FREE] * len(options)
    for start in range(len(options)):
        came_from: dict[int, int] = {}  # the row through which a seat was reached
        queue, end = deque([start]), FREE
        while queue and end == FREE:
            row = queue.popleft()
            for seat in options[row]:
                if seat not in came_from:
                    came_from[seat] = row
                    if row_in[seat] == FREE:
                        end = seat
                        break
                    queue.append(row_in[seat])
        while end != FREE:
            row = came_from[end]
            row_in[end], found[row], end = row, end, found[row]
    return found
