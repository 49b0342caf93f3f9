"""The swizzle that serves all accesses of a buffer together, each given by the offsets that its lanes ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilewright.analysis.banks.instructions import parse_instruction
from tilewright.analysis.banks.raw import raw_addresses
from tilewright.analysis.model.access import Access, check_alignment, into_warps
from tilewright.analysis.model.participants import Participants
from tilewright.analysis.swizzle.costs import TileAccess
from tilewright.analysis.swizzle.ranking import best
from tilewright.arch import ArchSpec
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.swizzle import Swizzle

MOST_ADDRESSES = 1 << 18


@dataclass(frozen=True, slots=True)
class Asked:
    """What lanes ask of a tile that is not swizzled.

    Attributes:
        rows: offsets in elements, a row an instruction of one or more whole warps; -1 where a lane is inactive.
        length: the elements that one offset stands for.
        kind, instruction: as for `bank_conflicts`.
        times: how often each row is issued.
    """

    rows: tuple[tuple[int, ...], ...]
    length: int
    kind: str
    instruction: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Served:
    """A swizzle in elements, and the wavefronts of each access under it.

    `grows` is how many elements the accesses reach further than without it, where all of them are given.
    """

    swizzle: Swizzle
    wavefronts: tuple[int, ...]
    grows: int = 0


def serve(asked: Sequence[Asked], element_bits: int, spec: ArchSpec, modes_only: bool = False) -> Served | None:
    """The swizzle under which all accesses together take the fewest wavefronts; None where there is none to search for.

    Args:
        asked: the accesses of one tile.
        element_bits: bits of one element.
        spec: the architecture.
        modes_only: take only modes of the hardware, which descriptors know.

    >>> from tilewright.arch import get
    >>> column = Asked((tuple(64 * lane for lane in range(32)),), 1, "load", "auto")
    >>> row = Asked((tuple(range(32)),), 1, "store", "auto")
    >>> found = serve([column, row], 32, get("sm_90"))
    >>> print(found.swizzle, found.wavefronts)
    Sw<5,0,6> (1, 1)
    """
    if sum(len(one.rows) * len(one.rows[0]) for one in asked) > MOST_ADDRESSES:
        return None
    try:
        fewer = {replace(one, times=1): 0 for one in asked}
        for one in asked:
            fewer[replace(one, times=1)] += one.times
        tiles = [_tile(one, element_bits, spec) for one in fewer]
        chosen = best(tiles, element_bits, list(fewer.values()), modes_only)
    except (LayoutError, UsageError):  # no swizzle moves such elements or vectors
        return None
    if chosen is None:
        return None
    spent = {one: tile.ideal + tile.excess(chosen) for one, tile in zip(fewer, tiles, strict=True)}
    wavefronts = tuple(spent[replace(one, times=1)] * one.times for one in asked)
    return Served(chosen, wavefronts, _growth(asked, chosen) if all(one.times == 1 for one in asked) else 0)


def _growth(asked: Sequence[Asked], swizzle: Swizzle) -> int:
    """How many elements further accesses reach that are given whole."""
    live = [(offset, one.length) for one in asked for row in one.rows for offset in row if offset >= 0]
    before, after = (max(place(offset) + length for offset, length in live) for place in (int, swizzle))
    return max(0, after - before)


def _tile(asked: Asked, element_bits: int, spec: ArchSpec) -> TileAccess:
    known = parse_instruction(asked.instruction, asked.kind, spec)
    width = max(1, asked.length * element_bits // 8)
    xp, offsets, threads = raw_addresses(asked.rows, 0)
    requests = into_warps(xp, offsets, threads, Participants(spec.lanes, known.lanes), width)
    if asked.length & (asked.length - 1):
        raise UsageError(f"a swizzle moves powers of two, a vector of {asked.length} elements would be cut")
    check_alignment(requests, asked.length, f"{asked.instruction} of {asked.length} elements", "element")
    return TileAccess(
        Access(kind=asked.kind, instruction=asked.instruction),
        spec.rule(known.row, width),
        requests,
        element_bits,
        asked.length,
    )
