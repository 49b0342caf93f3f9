"""Where a swizzle alone leaves conflicts: the tile placed anew, as it would be under a descriptor."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.analysis.descriptor.candidates import candidates
from tilewright.analysis.descriptor.matrix import matrix
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile, as_given
from tilewright.analysis.swizzle.advice import Proof, SwizzleAdvice
from tilewright.analysis.swizzle.costs import least_alignment
from tilewright.analysis.swizzle.descriptor import check_tile
from tilewright.analysis.swizzle.placements import priced
from tilewright.arch import ArchSpec
from tilewright.errors import LayoutError, UsageError

EVERYWHERE = 90  # modes that need no later hardware are plain XORs, which any program can do


def retiled(
    layout: Tile, lanes: Sequence[Access], element_bits: int, spec: ArchSpec, excess: int
) -> SwizzleAdvice | None:
    """The placement of a tile on which accesses have the fewest wavefronts above the ideal, if fewer than `excess`.

    Of those with as few, the one with the fewest swizzle bits. The modes of the tile and its contiguous one are kept.
    """
    try:
        tile = matrix(layout)
        check_tile(layout, tile, element_bits, spec)
        tried = list(candidates(layout, tile, element_bits, EVERYWHERE))
        found = priced(layout, tried, lanes, element_bits, spec)
    except (LayoutError, UsageError):  # a tile that nothing but its own layout describes
        return None
    best = min(found, key=lambda one: (one.excess, one.placed.mode.swizzle(element_bits).b))
    if best.excess >= excess:
        return None
    end = "it is free of conflicts" if best.excess == 0 else "none has fewer wavefronts"
    ideal, placed = sum(one.ideal for one in best.tiles), best.placed
    return SwizzleAdvice(
        placed.mode.swizzle(element_bits),
        element_bits,
        placed.mode.name,
        as_given(layout, placed.layout),
        ideal + best.excess,
        ideal,
        Proof("every mode", 0, len(tried), f"Of {len(tried)} placements, every mode on every canonical layout: {end}."),
        None,
        tuple(lanes),
        spec,
        least_alignment=least_alignment(best.tiles, spec),
        shape=(tile.rows, tile.columns),
    )
