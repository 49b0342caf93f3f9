"""Permute schedules as tables, for any permutation: the bank graph split into perfect matchings.

Each element is an edge from its slot in the banks of the source to its slot in those of the destination. When all slots
hold equally many elements the graph is regular, and a regular bipartite graph splits into perfect matchings (König):
each of them is a group of lanes that meets in no bank, on either side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count

from tilewright.analysis.permute.forms import TableForm
from tilewright.analysis.permute.side import Side

FREE = -1


def table_form(source: Side, destination: Side) -> TableForm:
    """A table that is free of conflicts when all slots hold equally many elements; else slots are split and filled up.

    Lanes are grouped as the source's side groups them; those that no element is left for are idle.
    """
    size, turns = len(source.groups[0]), source.turns
    ends = [bins(side, size, turns) for side in (source, destination)]
    colours = colour_edges(list(zip(*ends, strict=True)), turns)
    matchings: list[list[int]] = [[] for _ in range(turns)]
    for element, colour in enumerate(colours):
        matchings[colour].append(element)
    ordered = sorted(sorted(matching, key=lambda e: (source.cells[e] % source.slots, e)) for matching in matchings)
    return TableForm(_rows(ordered, source))


def bins(side: Side, count: int, size: int) -> list[int]:
    """Elements put into `count` bins of `size`: the bin of every element. A slot takes as few bins as it can.

    A matching takes one element of each bin, so two elements of a slot meet only where it takes several bins.
    """
    members: dict[int, list[int]] = defaultdict(list)
    for element in sorted(range(len(side.cells)), key=lambda e: side.cells[e]):
        members[side.cells[element] % side.slots].append(element)
    whole = [m[i : i + size] for m in members.values() for i in range(0, len(m) - size + 1, size)]
    rest = sorted((m[len(m) // size * size :] for m in members.values()), key=len, reverse=True)
    filled = whole + [[] for _ in range(count - len(whole))]
    for part in rest:
        _pour(part, filled, size)
    found = [0] * len(side.cells)
    for number, elements in enumerate(filled):
        for element in elements:
            found[element] = number
    return found


def _pour(part: list[int], filled: list[list[int]], size: int) -> None:
    """Puts elements into the fullest bin that takes them all, or into several."""
    room = [elements for elements in filled if len(elements) < size]
    fitting = [elements for elements in room if len(elements) + len(part) <= size]
    if fitting:
        max(fitting, key=len).extend(part)
    elif part:
        target = min(room, key=len)
        space = size - len(target)
        target.extend(part[:space])
        _pour(part[space:], filled, size)


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


def _rows(matchings: Sequence[Sequence[int]], side: Side) -> tuple[tuple[int, ...], ...]:
    """Matchings laid on the groups of lanes, register after register."""
    groups = side.groups
    idle = count(len(side.cells))
    rows = []
    for start in range(0, len(matchings), len(groups)):
        row: dict[int, int] = {}
        for group, matching in zip(groups, matchings[start : start + len(groups)], strict=False):
            row |= dict(zip(group, matching, strict=False))
        rows.append(tuple(row[lane] if lane in row else next(idle) for lane in range(side.lanes)))
    return tuple(rows)
