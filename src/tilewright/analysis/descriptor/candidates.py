"""Layouts that a tile under a descriptor may have: its own, and those made of lines as long as each mode's span."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.analysis.descriptor.demands import Placed
from tilewright.analysis.descriptor.matrix import Matrix
from tilewright.atoms.shared_modes import MODES, SharedMode
from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce

LINES = 8


def candidates(tile: Matrix, element_bits: int, capability: int) -> Iterator[Placed]:
    """The tile's own layout under every mode, then every mode's canonical layouts of its extents, without repeats.

    All of them start where the tile does.
    """
    modes = [mode for mode in MODES.values() if mode.since <= capability]
    own = _own(tile)
    seen = set()
    for mode in modes:
        for plain in (*own, *_canonical(tile, mode, element_bits)):
            if (mode.name, plain) not in seen:
                seen.add((mode.name, plain))
                yield Placed(plain, mode, element_bits, tile.start)


def _own(tile: Matrix) -> tuple[Layout, ...]:
    try:
        return (tile.arranged(*tile.plain(Layout(tile.rows), Layout(tile.columns))),)
    except LayoutError:
        return ()


def _canonical(tile: Matrix, mode: SharedMode, element_bits: int) -> Iterator[Layout]:
    """Lines of the span one below the other, then the next columns; and 8 lines, the next columns, the next lines.

    Without a swizzle also whole rows, which TMA writes.
    """
    width = mode.width(element_bits)
    along, across = (tile.columns, tile.rows) if tile.by_row else (tile.rows, tile.columns)
    if not mode.swizzled:
        yield _oriented(tile, Layout(across, along), Layout(along))
    if along % width:
        return
    yield _oriented(tile, Layout(across, width), Layout((width, along // width), (1, width * across)))
    if across % LINES == 0:
        block = LINES * width
        steps = Layout((LINES, across // LINES), (width, block * (along // width)))
        yield _oriented(tile, steps, Layout((width, along // width), (1, block)))


def _oriented(tile: Matrix, across: Layout[int], along: Layout[int]) -> Layout[int]:
    modes = (across, along) if tile.by_row else (along, across)
    return tile.arranged(*map(coalesce, modes))
