"""The elements of a permute split into groups of lanes, with the fewest wavefronts: cells that no two elements share.

Each element is an edge from its slot in the banks of the source to its slot in those of the destination. A group of
lanes that costs m wavefronts in the read and n in the write is a set of edges with at most m at a vertex on the left
and n on the right. Groups of equal cost are one subgraph, with degrees as many times that; a flow finds it, and König's
theorem splits it. So two different costs are decided exactly. Three and more are split off one after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice, permutations
from random import Random

from tilewright.analysis.permute.budget import Budget, Class, budgets
from tilewright.analysis.permute.flow import Bounds, Ends, subgraph
from tilewright.analysis.permute.side import least

Edges = Mapping[Ends, int]
ORDERS, SHUFFLES = 24, 16
WORK = 180_000  # edges of all flows


@dataclass(frozen=True, slots=True)
class Classes:
    """A budget, and the edges that the groups of each class take. No schedule takes fewer than `least` wavefronts."""

    budget: Budget
    edges: tuple[Edges, ...]
    least: int

    @property
    def cost(self) -> int:
        """The wavefronts of all groups in both phases."""
        return sum((m + n) * number for (m, n), number in self.budget)


def classes(ends: Sequence[Ends], size: int, groups: range, work: int = WORK) -> Classes:
    """The cheapest split found of elements, given by their slots, into groups of at most `size`.

    Args:
        groups: how many groups of lanes may have elements. work: how many edges the flows may have in all.

    >>> square = [(i % 4, i // 4) for i in range(16)]
    >>> classes(square, 4, range(4, 5)).budget, classes(square[:8], 4, range(2, 3)).least
    ((((1, 1), 4),), 6)
    """
    edges = Counter(ends)
    held = [[(1,) * degree for degree in _degrees(edges, side).values()] for side in (0, 1)]
    lows = {number: (least(held[0], size, number), least(held[1], size, number)) for number in groups}
    found = _cheapest(edges, lows, size, 1, work)
    if found.cost == found.least:
        return found
    other = _cheapest(edges, lows, size, SHUFFLES, work // 2)
    return replace(other, least=max(found.least, other.least)) if other.cost < found.cost else found


def _cheapest(edges: Edges, lows: Mapping[int, tuple[int, int]], size: int, shuffles: int, work: int) -> Classes:
    """The first split found, from the lower bound up."""
    bound, left = min(map(sum, lows.values())), work // len(edges)
    for total in count(bound):
        refuted = bound == total
        for budget, every in _of_total(lows, total):
            found, impossible, left = _split(edges, budget, size, shuffles, left)
            if found:
                return Classes(budget, found, bound)
            refuted = refuted and impossible and every
            if left <= 0:
                return _equal_groups(edges, lows, bound)
        bound += refuted
    raise AssertionError("groups of equal cost are always possible")


def _of_total(lows: Mapping[int, tuple[int, int]], total: int) -> Iterator[tuple[Budget, bool]]:
    """Budgets of so many wavefronts, and with each whether it is one of all that matter."""
    for number, (read, write) in lows.items():
        for more in range(total - read - write + 1):
            shares, every = budgets(number, read + more, total - read - more)
            yield from ((budget, every) for budget in shares)


def _equal_groups(edges: Edges, lows: Mapping[int, tuple[int, int]], bound: int) -> Classes:
    """As if all groups cost as much as the worst: that is always possible."""
    number, (read, write) = min(lows.items(), key=lambda low: -low[0])
    return Classes((((-(-read // number), -(-write // number)), number),), (edges,), bound)


def _split(
    edges: Edges, budget: Budget, size: int, shuffles: int, flows: int
) -> tuple[tuple[Edges, ...] | None, bool, int]:
    """The edges of every class; without an answer, whether there is none; and how many flows are left then."""
    impossible = False
    for shuffled, order in _orders(edges, len(budget), shuffles):
        taken = _taken_in_order(shuffled, [budget[i] for i in order], size)
        if len(taken) == len(budget):
            return tuple(taken[order.index(i)] for i in range(len(budget))), False, flows
        impossible, flows = not taken, flows - len(taken) - 1
        if impossible or flows <= 0:
            break
    return None, impossible, flows


def _orders(edges: Edges, count: int, shuffles: int) -> Iterator[tuple[Edges, tuple[int, ...]]]:
    """Orders of the classes; of three and more also with the edges shuffled, so that flows take others of them."""
    random, pairs = Random(0), list(edges.items())
    for _ in range(shuffles if count > 2 else 1):
        yield from ((dict(pairs), order) for order in islice(permutations(range(count)), ORDERS))
        random.shuffle(pairs)


def _taken_in_order(edges: Edges, budget: Sequence[Class], size: int) -> list[Edges]:
    """The edges of the classes, one after the other, until one finds none that leave enough to the others."""
    taken: list[Edges] = []
    for number, first in enumerate(budget[:-1]):
        part = _taken(edges, first, budget[number + 1 :], size)
        if part is None:
            return taken
        taken.append(part)
        edges = {ends: times - part[ends] for ends, times in edges.items()}
    return [*taken, edges]


def _taken(edges: Edges, first: Class, rest: Sequence[Class], size: int) -> Edges | None:
    """Edges for the first class such that the degrees and the number of the others suit the rest together."""
    costs, number = first
    bounds = []
    for side in (0, 1):
        others = sum(cost[side] * groups for cost, groups in rest)
        bounds.append({v: _within(d, number * costs[side], others) for v, d in _degrees(edges, side).items()})
    whole = _within(sum(edges.values()), number * size, size * sum(groups for _, groups in rest))
    return subgraph(edges, bounds[0], bounds[1], whole)


def _within(all_: int, most: int, others: int) -> Bounds:
    return max(0, all_ - others), min(all_, most)


def _degrees(edges: Edges, side: int) -> Counter[int]:
    found: Counter[int] = Counter()
    for ends, times in edges.items():
        found[ends[side]] += times
    return found
