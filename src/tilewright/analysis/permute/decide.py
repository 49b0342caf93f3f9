"""Whether elements that share cells can be put into turns at some cost: by trying all ways, the hardest elements first.

The element with the fewest turns left is put next, counted less the more trouble there was in its slots. After some
steps all is begun again, in another order and with what is known of trouble by then. Turns that are alike and empty are
tried once. Equal questions have equal answers.

Source: F. Boussemart et al., 2004 (trouble as weights); C. Gomes et al., 1998 (beginning again).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tilewright.analysis.permute.puzzle import Puzzle, bits

STEPS, MORE = 30, 1.4  # elements that are put before the first beginning, and by which factor more each time


def decide(puzzle: Puzzle, work: int) -> bool | None:
    """Puts all elements into turns, if that is possible; None: not decided by so much work."""
    if not puzzle.start():
        return False
    steps, seed = float(STEPS), 0
    while puzzle.work < work:
        found = _search(puzzle, Random(seed), int(steps), work)
        if found is not None:
            return found
        steps, seed = steps * MORE, seed + 1
    return None


def _search(puzzle: Puzzle, random: Random, steps: int, work: int) -> bool | None:
    start, order = puzzle.mark, list(range(len(puzzle.domain)))
    if steps > STEPS:
        random.shuffle(order)
    ways: list[tuple[int, int, Iterator[int]]] = []
    while (element := _hardest(puzzle, order)) is not None:
        ways.append((puzzle.mark, element, _turns(puzzle, element, random)))
        while ways:
            mark, element, turns = ways[-1]
            puzzle.undo(mark)
            turn = next(turns, None)
            if turn is None:
                ways.pop()
            elif not steps or puzzle.work > work:
                puzzle.undo(start)
                return None
            else:
                steps -= 1
                if puzzle.put(element, turn):
                    break
        else:
            return False
    return True


def _offered(puzzle: Puzzle) -> int:
    """The turns to try: of those that are alike and empty only one."""
    offered = puzzle.used[0]
    for alike in puzzle.alike:
        empty = alike & ~puzzle.used[0]
        offered |= empty & -empty
    return offered


def _hardest(puzzle: Puzzle, order: list[int]) -> int | None:
    offered, trouble, slot_of = _offered(puzzle), puzzle.trouble, puzzle.slot_of
    hardest, least = None, 0.0
    puzzle.work += len(order) // 2
    for element in order:
        if not puzzle.placed[element]:
            first, second = puzzle.cells_of[element]
            weight = trouble[slot_of[first]] + trouble[slot_of[second]]
            few = (puzzle.domain[element] & offered).bit_count() / weight
            if hardest is None or few < least:
                hardest, least = element, few
    return hardest


def _turns(puzzle: Puzzle, element: int, random: Random) -> Iterator[int]:
    """The turns left to an element, the emptiest first."""
    turns = list(bits(puzzle.domain[element] & _offered(puzzle)))
    random.shuffle(turns)
    return iter(sorted(turns, key=lambda turn: -puzzle.room[turn]))
