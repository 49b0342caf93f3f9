"""Large panels that repeat: one period of them, and how often it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.errors import UsageError, shown
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel

FEW = 1024  # so many cells are drawn as they are
Look = tuple[str, int | None]


def fold(figure: Figure) -> Figure:
    """The figure with every panel of more than 1024 cells cut to its first period in rows and columns.

    Cells repeat in what is written on them and in their colour; framed cells are kept. The title says what is left out.

    Raises:
        UsageError: no figure.

    >>> from tilewright import Layout, draw
    >>> whole = draw(Layout((64, 128), (128, 1)), kind="banks", element_bits=16, whole=True)
    >>> fold(whole).scene.panels[0].title
    'bank of each element: 1 x 64 of 64 x 128, which repeats 64 x 2 times'
    """
    if not isinstance(figure, Figure):
        raise UsageError(f"fold takes a figure, got {shown(figure)}")
    return Figure(replace(figure.scene, panels=tuple(map(folded, figure.scene.panels))))


def folded(panel: Panel) -> Panel:
    """The panel as it is, or its first period where it has more than 1024 cells and all of them."""
    rows, columns = panel.rows.count, panel.columns.count
    if len(panel.cells) <= FEW or len(panel.cells) != rows * columns:
        return panel
    cells = panel.cells
    numbers: dict[Look, int] = {}
    looks = [numbers.setdefault(look, len(numbers)) for look in zip(cells.label, cells.tone, strict=True)]
    marked = [at for at, marked in zip(cells.at, cells.marked, strict=True) if marked]
    down = [looks[row * columns : (row + 1) * columns] for row in range(rows)]
    across = [looks[column::columns] for column in range(columns)]
    high = _period(down, max((at // columns for at in marked), default=0))
    wide = _period(across, max((at % columns for at in marked), default=0))
    if (high, wide) == (rows, columns):
        return panel
    times = f"{rows // high} x {columns // wide} times"
    return panel.corner(high, wide, f"{panel.title}: {high} x {wide} of {rows} x {columns}, which repeats {times}")


def _period(lines: Sequence[Sequence[int]], last: int) -> int:
    """The fewest first lines that all lines repeat, and that reach beyond line `last`."""
    count = len(lines)
    return next(n for n in range(1, count + 1) if count % n == 0 and n > last and lines[n:] == lines[: count - n])
