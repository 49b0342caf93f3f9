"""The outlines of cells as lines of a path, each edge that cells share drawn once, and as long as it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.figures.geometry import PanelBox, number


def outlines(cells: set[tuple[int, int]], box: PanelBox) -> str:
    """The edges of the cells at these rows and columns."""
    across = {(edge, column) for row, column in cells for edge in (row, row + 1)}
    down = {(edge, row) for row, column in cells for edge in (column, column + 1)}
    lines = [f"M{number(box.x(first))} {number(box.y(row))}H{number(box.x(end))}" for row, first, end in _runs(across)]
    lines += [f"M{number(box.x(edge))} {number(box.y(first))}V{number(box.y(end))}" for edge, first, end in _runs(down)]
    return "".join(lines)


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
