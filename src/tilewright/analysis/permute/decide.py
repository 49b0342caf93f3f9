"""Whether elements that share cells can be put into groups of lanes at some cost: by trying all ways.

Elements are put one after the other where they cost no more than is allowed, next to those that they share a slot with.
A slot has no more cells at a time than wavefronts, so that cells which nothing has been put of must not outnumber the
wavefronts that are left: where there are as many cells as wavefronts, each cell has to go at once. What shares no slot
with the rest is tried on its own, and how many elements a block takes is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.analysis.permute.occupancy import NOWHERE, Occupancy


def decide(state: Occupancy, steps: int) -> tuple[bool | None, int]:
    """Puts all elements into blocks without too many cells anywhere, if that is possible; None: not decided.

    Args:
        state: without elements. steps: how many places may be tried; returned is how many are left.
    """
    for elements in _parts(state):
        placed, steps = _place(state, elements, steps)
        if not placed:
            return placed, steps
    return True, steps


def _place(state: Occupancy, elements: Sequence[int], steps: int) -> tuple[bool | None, int]:
    ways = [_ways(state, elements, 0)]
    while ways:
        element = elements[len(ways) - 1]
        if state.block_of[element] != NOWHERE:
            state.leave(element)
        block = next(ways[-1], None)
        if block is None:
            ways.pop()
            continue
        if not steps:
            return None, 0
        steps -= 1
        state.enter(element, block)
        if _enough(state, element):
            if len(ways) == len(elements):
                return True, steps
            ways.append(_ways(state, elements, len(ways)))
    return False, steps


def _ways(state: Occupancy, elements: Sequence[int], number: int) -> Iterator[int]:
    """The blocks that cost nothing more for an element, the emptiest first; of those alike to its part only one."""
    used = {state.block_of[element] for element in elements[:number]}
    seen = set()
    for block in sorted(range(len(state.room)), key=lambda block: state.filled[block]):
        kind = None if block in used else tuple(state.allowed[s][state.blocks.turns[s][block]] for s in (0, 1))
        if kind in seen:
            continue
        if kind:
            seen.add(kind)
        if all(state.suits(elements[number], block, side) for side in (0, 1)):
            yield block


def _enough(state: Occupancy, element: int) -> bool:
    """Is there a wavefront for each cell in the slots of an element that nothing has been put of?"""
    for side in (0, 1):
        slot, wanted = state.slot[side][element], state.wanted[side]
        left = sum(state.allowed[side]) - sum(cells[slot] for cells in state.cells[side])
        if sum(not any(turn[cell] for turn in wanted) for cell in state.cells_of[side][slot]) > left:
            return False
    return True


def _parts(state: Occupancy) -> Iterator[list[int]]:
    """The elements in parts that share no slot with each other, neighbours one after the other."""
    in_slot: list[list[list[int]]] = [[[] for _ in slots] for slots in state.cells_of]
    for side in (0, 1):
        for element, slot in enumerate(state.slot[side]):
            in_slot[side][slot].append(element)
    known: set[int] = set()
    for start in range(len(state.block_of)):
        if start not in known:
            part = [start]
            known.add(start)
            for element in part:
                cells = [e for side in (0, 1) for e in state.members[side][state.cell[side][element]]]
                slots = [e for side in (0, 1) for e in in_slot[side][state.slot[side][element]]]
                more = [e for e in dict.fromkeys([*cells, *slots]) if e not in known]
                known.update(more)
                part += more
            yield part
