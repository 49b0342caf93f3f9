"""The outlines of cells as lines, each edge that cells share drawn once, and as long as it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.figures.geometry import PanelBox

Line = tuple[float, float, float, float]  # from x, y to x, y: across or down
Edges = set[tuple[int, int]]  # the line that an edge is on, and its place there


def outlines(cells: set[tuple[int, int]], box: PanelBox) -> list[Line]:
    """The edges of the cells at these rows and columns."""
    return _lines(cells | _below(cells), _turned(cells) | _below(_turned(cells)), box)


def border(cells: set[tuple[int, int]], box: PanelBox) -> list[Line]:
    """The edges between these cells and others."""
    return _lines(cells ^ _below(cells), _turned(cells) ^ _below(_turned(cells)), box)


def _below(cells: Edges) -> Edges:
    return {(row + 1, column) for row, column in cells}


def _turned(cells: Edges) -> Edges:
    return {(column, row) for row, column in cells}


def _lines(across: Edges, down: Edges, box: PanelBox) -> list[Line]:
    lines = [(box.x(first), box.y(row), box.x(end), box.y(row)) for row, first, end in _runs(across)]
    lines += [(box.x(column), box.y(first), box.x(column), box.y(end)) for column, first, end in _runs(down)]
    return lines


def _runs(edges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """(line, first, end) of neighbours on one line.

    >>> list(_runs({(0, 1), (0, 2), (0, 4), (1, 3)}))
    [(0, 1, 3), (0, 4, 5), (1, 3, 4)]
    """
    start: tuple[int, int] | None = None
    last = (-1, -1)
    for edge in sorted(edges):
        if start is not None and edge != (last[0], last[1] + 1):
            yield (*start, last[1] + 1)
            start = None
        start, last = start or edge, edge
    if start is not None:
        yield (*start, last[1] + 1)
