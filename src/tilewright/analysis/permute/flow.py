"""Degree-constrained subgraphs of a bipartite multigraph, by a flow with lower bounds.

Source: L. Ford and D. Fulkerson, 1956 (integral flows); A. Hoffman, 1960 (bounds from below); E. Dinic, 1970.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TypeAlias

Bounds: TypeAlias = tuple[int, int]
Ends: TypeAlias = tuple[int, int]
EVERYTHING = 1 << 60


def subgraph(
    edges: Mapping[Ends, int], left: Mapping[int, Bounds], right: Mapping[int, Bounds], size: Bounds
) -> dict[Ends, int] | None:
    """How often to take each edge, so that every vertex and the whole have degrees within bounds; None: impossible.

    Args:
        edges: how often each edge (left vertex, right vertex) is there.

    >>> subgraph({(0, 0): 2, (0, 1): 1, (1, 1): 1}, {0: (1, 1), 1: (0, 1)}, {0: (1, 2), 1: (1, 1)}, (2, 2))
    {(0, 0): 1, (0, 1): 0, (1, 1): 1}
    """
    places = {(side, vertex): n for n, (side, vertex) in enumerate([*((0, u) for u in left), *((1, v) for v in right)])}
    source, sink, over, under = range(len(places), len(places) + 4)
    net = _Net(len(places) + 4)
    bounded = [
        *((source, places[0, u], bounds) for u, bounds in left.items()),
        *((places[1, v], sink, bounds) for v, bounds in right.items()),
        (sink, source, size),
    ]
    if any(low > high for _, _, (low, high) in bounded):
        return None
    for a, b, (low, high) in bounded:  # what must flow comes from `over` and leaves by `under`
        net.add(over, b, low)
        net.add(a, under, low)
        net.add(a, b, high - low)
    taken = {(u, v): net.add(places[0, u], places[1, v], count) for (u, v), count in edges.items()}
    if net.flow(over, under) < sum(low for _, _, (low, _) in bounded):
        return None
    return {ends: net.room[arc ^ 1] for ends, arc in taken.items()}


class _Net:
    """Arcs with the room that is left on them; arc i ^ 1 is the way back of arc i."""

    def __init__(self, vertices: int) -> None:
        self.arcs: list[list[int]] = [[] for _ in range(vertices)]
        self.head: list[int] = []
        self.room: list[int] = []

    def add(self, a: int, b: int, room: int) -> int:
        """The number of the new arc from a to b."""
        for start, end, free in ((a, b, room), (b, a, 0)):
            self.arcs[start].append(len(self.head))
            self.head.append(end)
            self.room.append(free)
        return len(self.head) - 2

    def flow(self, source: int, sink: int) -> int:
        """The largest flow, left in `room`."""
        total = 0
        while (levels := self._levels(source))[sink] >= 0:
            total += self._push(source, sink, EVERYTHING, levels, [0] * len(self.arcs))
        return total

    def _levels(self, source: int) -> list[int]:
        found, queue = [-1] * len(self.arcs), deque([source])
        found[source] = 0
        while queue:
            vertex = queue.popleft()
            for arc in self.arcs[vertex]:
                if self.room[arc] and found[self.head[arc]] < 0:
                    found[self.head[arc]] = found[vertex] + 1
                    queue.append(self.head[arc])
        return found

    def _push(self, vertex: int, sink: int, most: int, levels: list[int], at: list[int]) -> int:
        """Pushes up to `most` to the sink, level by level; arcs before `at` take no more."""
        if vertex == sink:
            return most
        pushed, arcs = 0, self.arcs[vertex]
        while at[vertex] < len(arcs):
            arc = arcs[at[vertex]]
            if self.room[arc] and levels[self.head[arc]] == levels[vertex] + 1:
                moved = self._push(self.head[arc], sink, min(most - pushed, self.room[arc]), levels, at)
                self.room[arc] -= moved
                self.room[arc ^ 1] += moved
                pushed += moved
            if pushed == most:
                break
            at[vertex] += 1
        return pushed
