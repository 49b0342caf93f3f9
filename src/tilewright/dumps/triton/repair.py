"""The layout attribute under which all accesses of a buffer together take the fewest wavefronts.

Each candidate is tried as Triton would take it: the instruction of every access is chosen anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tilewright.analysis.lowering.columns import Columns
from tilewright.analysis.lowering.cost import Cost
from tilewright.dumps.finding import Finding
from tilewright.dumps.repairs import Mended
from tilewright.dumps.triton.candidates import MODES, Candidate, cross, modes, swizzles
from tilewright.dumps.triton.use import NOWHERE, TritonUse, plain_of
from tilewright.errors import LayoutError, UsageError
from tilewright.notation.ttgir_types import Tiled

# Of each use, entry b: fewer wavefronts than these no swizzle of b bits leads to.
Floors: TypeAlias = Mapping[TritonUse, tuple[int, ...]]

_UNKNOWN = (0,) * 64


def mend(accesses: Sequence[Finding]) -> Mended | str:
    """A better attribute for the buffer, or why there is none.

    Law: with the attribute in place of the buffer's the dump is counted as promised.
    """
    uses = [one.use for one in accesses if isinstance(one.use, TritonUse)]
    views = [use.memory for use in uses if use.columns is not None]
    if len(uses) < len(accesses):
        return "how one of its accesses goes under another layout is not known"
    if len({plain_of(view) for view in views}) > 1:
        return "its accesses see the buffer as tiles of different extents"
    described = any(use.described for use in uses)
    times = Counter(uses)
    floors = dict.fromkeys(times, _UNKNOWN) if described else _floors(times, views[0])
    floor = sum(count * floors[use][-1] for use, count in times.items())
    best, why, fits = None, "", False
    least = sum(one.wavefronts or 0 for one in accesses)  # a candidate is taken where it spends less
    for candidate in modes(views[0]) if described else swizzles(views[0]):
        found = _under(candidate, times, floors, least)
        why = why or (found if isinstance(found, str) else "")
        fits |= not isinstance(found, str)
        if isinstance(found, Under):
            best, least = (candidate, found.of), found.wavefronts
        if least <= floor:
            break
    if best is None:
        return _none(views[0], described) if fits else why or "a buffer of one dimension has no swizzle"
    candidate, spent = best
    return Mended(
        candidate.words(), tuple(spent[use][1].wavefronts for use in uses), tuple(spent[use][0] for use in uses)
    )


def _floors(uses: Iterable[TritonUse], memory: Tiled) -> Floors:
    """What no swizzle gets below; 0 where that is not known.

    Law: where every bit moves along one dimension, a swizzle keeps it or adds lower bits to it, so that no vector, and
    no row of a matrix, is whole and aligned that was not before: its instruction is among those of the plain tile.
    b bits spread what one bank holds for a group of lanes over at most 2^b banks, and leave its words as many, so that
    the instruction takes at least 2^-b of its wavefronts there, and those without a conflict.
    """
    row, *others = plain_of(memory).extents
    most = min([row, *others[:1]]).bit_length()
    images = [image for use in uses if use.columns for _, image in use.columns.table]
    if any(image % row and image >= row for image in images):
        return dict.fromkeys(uses, _UNKNOWN)
    try:
        costs = {use: use.plain_costs() for use in uses}
    except (LayoutError, UsageError):
        return dict.fromkeys(uses, _UNKNOWN)
    return {
        use: tuple([min(max(one.ideal, one.wavefronts >> b) for one in ways) for b in range(most)])
        for use, ways in costs.items()
    }


@dataclass(frozen=True, slots=True)
class Under:
    """What the accesses of a buffer cost under a candidate together, and each by which instruction."""

    wavefronts: int
    of: Mapping[TritonUse, tuple[str, Cost]]


def _under(candidate: Candidate, times: Mapping[TritonUse, int], floors: Floors, least: int) -> Under | str | None:
    """What the accesses cost under it, each distinct use once; why one of them cannot go through such a tile.

    None where they do not spend less than `least`, known as soon as some of them and the floors of the others do not.
    """
    known: dict[TritonUse, tuple[str, Cost]] = {}
    moved = plain = NOWHERE
    total = sum([count * floors[use][candidate.bits] for use, count in times.items()])
    try:
        for use, count in times.items():
            if total >= least:
                return None
            if use.plain != plain:  # a load and a store often lie alike
                plain = use.plain
                moved = Columns(tuple([(bit, candidate.moved(image)) for bit, image in plain.table]))
            known[use] = next(use.ways(moved))
            total += count * (known[use][1].wavefronts - floors[use][candidate.bits])
    except (LayoutError, UsageError) as error:
        return str(error).splitlines()[0]
    return Under(total, known) if total < least else None


def _none(memory: Tiled, described: bool) -> str:
    if described:
        widths = ", ".join(map(str, MODES))
        return f"a descriptor reads it, which allows swizzlingByteWidth = {widths}, and no other of them is better"
    return f"no #ttg.swizzled_shared of the {cross(memory)} tile is better"
