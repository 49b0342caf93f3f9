"""Edges in sets of equal cost, by König's theorem: a bipartite multigraph of degree k splits into k matchings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

FREE = -1


def matchings(ends: Sequence[tuple[int, int]], count: int, size: int) -> list[list[int]]:
    """The edges, by their numbers, in `count` sets of at most `size`, those of each vertex spread evenly.

    A vertex is cut into parts of `count` edges, and edges that are none of ours (`FREE`) make up the number. Further
    vertices take what room the parts have left: just so many that each matching of all has `size` of the given edges.

    >>> matchings([(0, 0), (0, 1), (1, 0), (1, 1)], 2, 2), matchings([(0, 0), (0, 1), (0, 2)], 2, 2)
    ([[1, 2], [0, 3]], [[1], [0, 2]])
    """
    all_ends = [*ends, *[(FREE, FREE)] * (count * size - len(ends))]
    left, right = (_cut(side, count) for side in zip(*all_ends, strict=True))
    edges = [*zip(left, right, strict=True), *_filling(left, right, count, size)]
    edges += [(u, v) for v, u in _filling(right, left, count, size)]
    found: list[list[int]] = [[] for _ in range(count)]
    for edge, colour in zip(range(len(ends)), colour_edges(edges, count), strict=False):
        found[colour].append(edge)
    return found


def _cut(vertices: Sequence[int], degree: int) -> list[int]:
    """New vertices of at most `degree` edges, numbered from 0."""
    seen: Counter[int] = Counter()
    numbers: dict[tuple[int, int], int] = {}
    found = []
    for vertex in vertices:
        found.append(numbers.setdefault((vertex, seen[vertex] // degree), len(numbers)))
        seen[vertex] += 1
    return found


def _filling(side: Sequence[int], other: Sequence[int], degree: int, size: int) -> list[tuple[int, int]]:
    """Edges from where vertices of a side have room to further vertices of the other."""
    degrees = Counter(side)
    room = [vertex for vertex, edges in degrees.items() for _ in range(degree - edges)]
    more = range(max(other) + 1, max(other) + 1 + len(degrees) - size)
    return list(zip(room, [v for v in more for _ in range(degree)], strict=True))


def colour_edges(edges: Sequence[tuple[int, int]], colours: int) -> list[int]:
    """A colour for every edge of a bipartite multigraph, so that no two edges of a vertex share one.

    Each vertex has at most `colours` edges. An edge whose ends have no free colour in common gets one after the
    colours along an alternating path have been exchanged; that path has at most every vertex once.

    Source: D. König, 1916; the proof by alternating paths.

    >>> colour_edges([(0, 0), (0, 1), (1, 0), (1, 1)], 2)
    [1, 0, 0, 1]
    """
    at: list[list[list[int]]] = [[[FREE] * colours for _ in range(1 + max(side))] for side in zip(*edges, strict=True)]
    found = [FREE] * len(edges)
    for edge, (u, v) in enumerate(edges):
        a, b = at[0][u].index(FREE), at[1][v].index(FREE)
        if a != b:
            _exchange(at, edges, found, v, a, b)
        found[edge] = a
        at[0][u][a] = at[1][v][a] = edge
    return found


def _exchange(
    at: list[list[list[int]]], edges: Sequence[tuple[int, int]], found: list[int], v: int, a: int, b: int
) -> None:
    """Exchanges the colours a and b along the path that starts at the right vertex v with colour a."""
    path, side, vertex, colour = [], 1, v, a
    while (edge := at[side][vertex][colour]) != FREE:
        path.append(edge)
        side, colour = 1 - side, a + b - colour
        vertex = edges[edge][side]
    for edge in path:
        for side, vertex in enumerate(edges[edge]):
            at[side][vertex][found[edge]] = FREE
    for edge in path:
        found[edge] = a + b - found[edge]
        for side, vertex in enumerate(edges[edge]):
            at[side][vertex][found[edge]] = edge
