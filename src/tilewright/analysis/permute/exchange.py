"""A schedule made better by chains of exchanges: for permutations whose elements share cells of the banks.

A chain takes elements of one cell from a block to another; what becomes too many there goes back the other way, and so
on (Kempe's chains, for elements that may share). It is kept when nothing is worse for it, and sometimes otherwise. The
choice is pseudo-random from a fixed seed: equal questions have equal answers.

Source: A. Kempe, 1879 (chains); N. Metropolis et al., 1953 (which chains are kept).
"""

from __future__ import annotations

import sys
from collections import Counter
from math import exp
from random import Random
from typing import TypeAlias

from tilewright.analysis.permute.occupancy import Occupancy

MOVES, MORE_MOVES, MOVES_EACH = 8_000, 30_000, 100  # at most: to the allowed costs, below others; of element and block
LOWER_MOVES = 8_000  # to lower the cost of one turn
LOOK = 16  # places of excess that are tried between two looks at where there are any
TARGETS = 12  # blocks that a chain is tried with at a time
WARMTH = 0.5
LONG, SHORT, OFTEN = 12, 3, 0.7  # the most elements of a chain, and how often it may be a long one

Move: TypeAlias = tuple[int, int, int]  # an element, and its blocks before and after


def exchange(state: Occupancy) -> None:
    """Moves elements until nothing is in excess or enough has been tried; turns may cost more in the end."""
    _attempt(state, _most(state, MOVES), Random(0))
    _make_room(state)


def lower(state: Occupancy, bound: int) -> None:
    """Lowers the costs turn by turn, down to `bound` wavefronts or until enough has been tried."""
    random, left, failed = Random(1), _most(state, MORE_MOVES), Counter[tuple[int, int]]()
    state.allow_all()
    while left > 0 and state.wavefronts > bound:
        turns = [(side, turn) for side in (0, 1) for turn, cost in enumerate(state.allowed[side]) if cost]
        side, turn = min(turns, key=lambda t: (failed[t], state.cells[t[0]][t[1]].count(state.allowed[t[0]][t[1]])))
        before = list(state.block_of)
        state.allow_less(side, turn)
        left -= _attempt(state, min(left, LOWER_MOVES), random)
        if state.excess:
            state.put_back(before)
            failed[side, turn] += 1
        state.allow_all()


def _most(state: Occupancy, moves: int) -> int:
    return min(moves, MOVES_EACH * len(state.block_of) * len(state.room))


def _attempt(state: Occupancy, moves: int, random: Random) -> int:
    """Moves elements until nothing is in excess or about so many moves have been tried; how many that were."""
    tried = 0
    while state.excess and tried < moves:
        places = state.overfull()
        for place in random.sample(places, min(LOOK, len(places))):
            tried += _improve(state, place, random)
    return tried


def _make_room(state: Occupancy) -> None:
    """Moves elements out of blocks that hold too many, wherever there is room."""
    for element, block in enumerate(state.block_of):
        if state.filled[block] > state.room[block]:
            spare = [other for other, room in enumerate(state.room) if state.filled[other] < room]
            state.move(element, min(spare, key=lambda other: _with(state, element, other)))


def _with(state: Occupancy, element: int, block: int) -> int:
    """The excess when an element is moved to a block."""
    before = state.block_of[element]
    state.move(element, block)
    excess = state.excess
    state.move(element, before)
    return excess


def _improve(state: Occupancy, place: tuple[int, int, int], random: Random) -> int:
    """Tries to move some of the elements from where there are too many; how many moves that took."""
    elements = _chosen(state, place, random)
    if not elements:
        return 1
    here, longest = state.block_of[elements[0]], LONG if random.random() < OFTEN else SHORT
    others = [block for block in random.sample(range(len(state.room)), min(TARGETS, len(state.room))) if block != here]
    least, kept = sys.maxsize, []
    tried = 1
    for block in others:
        before = state.excess
        moves = _chain(state, elements, here, block, longest, random)
        more, tried = state.excess - before, tried + len(moves)
        if more < 0:
            return tried
        for element, start, _ in reversed(moves):
            state.move(element, start)
        if more < least:
            least, kept = more, moves
    if random.random() < exp(-(least + 0.5) / WARMTH):
        for element, _, end in kept:
            state.move(element, end)
    return tried


def _chosen(state: Occupancy, place: tuple[int, int, int], random: Random) -> list[int]:
    """Elements of one cell and block that are to go from a place of excess."""
    side, where, slot = place
    if side == 2:
        crowded = state.filled[where] > state.room[where]
        return [random.choice([e for e, block in enumerate(state.block_of) if block == where])] if crowded else []
    if state.over(side, where, slot) <= 0:
        return []
    cell = random.choice([cell for cell in state.cells_of[side][slot] if state.wanted[side][where][cell]])
    there = state.there(side, where, cell)
    first = random.choice(there)
    alone = random.random() < 0.3
    return [first] if alone else [e for e in there if state.block_of[e] == state.block_of[first]]


def _chain(state: Occupancy, elements: list[int], here: int, there: int, longest: int, random: Random) -> list[Move]:
    """Takes elements from `here` to `there`, and what is too many then back."""
    moves: list[Move] = []
    waiting, known = list(elements), set(elements)
    while waiting and len(moves) < longest:
        element = waiting.pop()
        before = state.block_of[element]
        block = there if before != there else here
        state.move(element, block)
        moves.append((element, before, block))
        for side in (0, 1):
            waiting += _pushed(state, side, element, waiting, known, random)
        known.update(waiting)
    return moves


def _pushed(
    state: Occupancy, side: int, element: int, waiting: list[int], known: set[int], random: Random
) -> list[int]:
    """Elements that have to leave the slot that an element has just come to, beside those that wait to leave it."""
    turn, slot = state.blocks.turns[side][state.block_of[element]], state.slot[side][element]
    over = state.over(side, turn, slot)
    if over <= 0:
        return []
    own, wanted = state.cell[side][element], state.wanted[side][turn]
    others = [state.there(side, turn, cell) for cell in state.cells_of[side][slot] if cell != own and wanted[cell]]
    over -= sum(any(e in waiting for e in cell) for cell in others)
    free = [cell for cell in others if known.isdisjoint(cell)]
    leaving = random.sample(free, min(max(over, 0), len(free)))
    return [e for cell in leaving for e in cell]
