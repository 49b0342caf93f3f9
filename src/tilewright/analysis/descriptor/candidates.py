"""Layouts that a tile under a descriptor may have: its own, and those made of lines as long as each mode's span."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.analysis.descriptor.demands import Placed
from tilewright.analysis.descriptor.matrix import Matrix
from tilewright.analysis.descriptor.outline import Outline, outline, restored
from tilewright.analysis.model.memory import Tile
from tilewright.atoms.shared_modes import MODES, SharedMode
from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce

LINES = 8


def candidates(
    layout: Tile, tile: Matrix, element_bits: int, capability: int, *, in_boxes: bool = False
) -> Iterator[Placed]:
    """The tile's own layout under every mode, then every mode's canonical layouts of its modes, without repeats.

    All of them start where the tile does and have its modes. Lines of a span are cut from the contiguous mode, so that
    what follows each other within a line does so in the tile; a tile that comes `in_boxes` must have such a mode.
    """
    known = outline(layout, tile)
    moves = known.has_runs or not in_boxes
    seen = set()
    for mode in (mode for mode in MODES.values() if mode.since <= capability):
        for modes in (known.modes, *(_canonical(known, mode, element_bits) if moves else ())):
            if (mode.name, modes) in seen:
                continue
            seen.add((mode.name, modes))
            try:
                plain = restored(layout, Layout(tuple(m.shape for m in modes), tuple(m.stride for m in modes)))
            except LayoutError:  # a line would run across the tile's modes
                continue
            yield Placed(plain, mode, element_bits, tile.start)


def _canonical(known: Outline, mode: SharedMode, element_bits: int) -> Iterator[tuple[Layout[int], ...]]:
    """Lines of the span one below the other, then the next columns; and 8 lines, the next columns, the next lines.

    Without a swizzle also whole rows, which TMA writes. Modes that lines do not follow lie around all of this.
    """
    along, length = known.along, known.modes[known.along].size
    for across in known.across or (None,):
        lines = [] if across is None else [(across, known.modes[across].size)]
        beyond = [(i, known.modes[i].size) for i in known.outward if i != across]
        count, width = lines[0][1] if lines else 1, mode.width(element_bits)
        if not mode.swizzled:
            yield _nested(known, [(along, length), *lines, *beyond])
        if length % width:
            continue
        line, columns = (along, width), (along, length // width)
        yield _nested(known, [line, *lines, columns, *beyond])
        if count % LINES == 0 and across is not None:
            yield _nested(known, [line, (across, LINES), columns, (across, count // LINES), *beyond])


def _nested(known: Outline, order: Sequence[tuple[int, int]]) -> tuple[Layout[int], ...]:
    """The modes where (mode, extent) after (mode, extent) is packed into memory, the first one nearest."""
    parts: list[list[tuple[int, int]]] = [[] for _ in known.modes]
    step = 1
    for mode, extent in order:
        parts[mode].append((extent, step))
        step *= extent
    return tuple(coalesce(Layout(*map(tuple, zip(*leaves, strict=True)))) for leaves in parts)
