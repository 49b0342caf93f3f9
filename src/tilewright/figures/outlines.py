"""The outlines of cells as lines, each edge that cells share drawn once, and as long as it goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import compress, pairwise
from operator import or_, xor

from tilewright.figures.geometry import PanelBox
from tilewright.figures.scene import Panel

Line = tuple[float, float, float, float]  # from x, y to x, y: across or down


def outlines(asked: Iterable[bool], box: PanelBox) -> list[Line]:
    """The edges of the panel's cells of which it is true."""
    return _lines(asked, box, or_)


def border(asked: Iterable[bool], box: PanelBox) -> list[Line]:
    """The edges between these cells and others."""
    return _lines(asked, box, xor)


def _lines(asked: Iterable[bool], box: PanelBox, edge: Callable[[int, int], int]) -> list[Line]:
    """The edges: where a cell and the one before it answer so."""
    marks = _marks(box.panel, asked)
    if 1 not in marks:
        return []
    width = box.panel.columns.count
    rows = [marks[begin : begin + width] for begin in range(0, len(marks), width)]
    columns = [marks[column::width] for column in range(width)]
    lines = [(box.x(first), box.y(row), box.x(end), box.y(row)) for row, first, end in _runs(rows, edge)]
    lines += [(box.x(column), box.y(first), box.x(column), box.y(end)) for column, first, end in _runs(columns, edge)]
    return lines


def _marks(panel: Panel, asked: Iterable[bool]) -> bytes:
    """1 for each cell of which it is true, 0 for others and where no cell is, row by row."""
    marks = bytearray(panel.rows.count * panel.columns.count)
    for at in compress(panel.cells.at, asked):
        marks[at] = 1
    return bytes(marks)


def _runs(tracks: list[bytes], edge: Callable[[int, int], int]) -> Iterator[tuple[int, int, int]]:
    r"""(line, first, end) of neighbouring edges on the line before each track, and after the last.

    >>> list(_runs([b"\0\1\1\0\1"], or_))
    [(0, 1, 3), (0, 4, 5), (1, 1, 3), (1, 4, 5)]
    """
    outside = bytes(len(tracks[0]))
    for line, (before, after) in enumerate(pairwise([outside, *tracks, outside])):
        edges = bytes(map(edge, before, after))
        yield from ((line, *run.span()) for run in re.finditer(b"\1+", edges))
