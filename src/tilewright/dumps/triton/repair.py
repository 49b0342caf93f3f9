"""The layout attribute under which all accesses of a buffer together take the fewest wavefronts.

Each candidate is tried as Triton would take it: the instruction of every access is chosen anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tilewright.analysis.lowering.columns import columns_of
from tilewright.analysis.lowering.cost import Cost
from tilewright.analysis.swizzle.space import chunk_exponent
from tilewright.dumps.finding import Finding
from tilewright.dumps.repairs import Mended
from tilewright.dumps.triton.use import TritonUse, extents_of, plain_of
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.linear import f2
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.triton import Attribute
from tilewright.notation.triton_cover import dim_names
from tilewright.notation.ttgir_types import Tiled

MODES = (128, 64, 32, 0)
_BLOCKS = ("CGALayout", "CTAsPerCGA", "CTASplitNum", "CTAOrder")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A layout of the buffer: where a plain offset goes under it, and its words, asked for where it is taken."""

    moved: Callable[[int], int]
    words: Callable[[], str]


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
    before = sum(one.wavefronts or 0 for one in accesses)
    best, why, fits = None, "", False
    least, floor = before, 0 if described else _floor(uses, views[0])  # a candidate is taken where it spends less
    for candidate in _modes(views[0]) if described else _swizzles(views[0]):
        if least <= floor:
            break
        found = _under(candidate, uses, least)
        why = why or (found if isinstance(found, str) else "")
        fits |= not isinstance(found, str)
        if isinstance(found, Under):
            best, least = (candidate, found), sum(found.wavefronts)
    if best is not None:
        return Mended(best[0].words(), best[1].wavefronts, best[1].instructions)
    return _none(views[0], described) if fits else why or "a buffer of one dimension has no swizzle"


def _floor(uses: Sequence[TritonUse], memory: Tiled) -> int:
    """Fewer wavefronts than these no swizzle leads to: those without a conflict, by the instructions of the plain tile.

    Law: where every bit moves along one dimension, a swizzle keeps it or adds lower bits to it, so that no vector, and
    no row of a matrix, is whole and aligned that was not before. 0 where one moves along several.
    """
    row = plain_of(memory).extents[0]
    images = [image for use in uses if use.columns for _, image in use.columns.table]
    if any(image % row and image >= row for image in images):
        return 0
    try:
        return sum(use.under(int)[1].ideal for use in uses)
    except (LayoutError, UsageError):
        return 0


@dataclass(frozen=True, slots=True)
class Under:
    """What the accesses of a buffer cost under a candidate, one by one, and by which instructions."""

    wavefronts: tuple[int, ...]
    instructions: tuple[str, ...]


def _under(candidate: Candidate, uses: Sequence[TritonUse], least: int) -> Under | str | None:
    """What the accesses cost under it, each distinct use once; why one of them cannot go through such a tile.

    None where they do not spend less than `least`, known as soon as some of them do not.
    """
    known: dict[TritonUse, tuple[str, Cost]] = {}
    total = 0
    try:
        for use, times in Counter(uses).items():
            known[use] = use.under(candidate.moved)
            total += times * known[use][1].wavefronts
            if total >= least:
                return None
    except (LayoutError, UsageError) as error:
        return str(error).splitlines()[0]
    spent = [known[use] for use in uses]
    return Under(tuple(cost.wavefronts for _, cost in spent), tuple(name for name, _ in spent))


def _none(memory: Tiled, described: bool) -> str:
    if described:
        modes = ", ".join(map(str, MODES))
        return f"a descriptor reads it, which allows swizzlingByteWidth = {modes}, and no other of them is better"
    return f"no #ttg.swizzled_shared of the {_cross(memory)} tile is better"


def _cross(memory: Tiled) -> str:
    return "x".join(map(str, extents_of(memory)))


# ---- what anyone may lay out


def _swizzles(memory: Tiled) -> Iterator[Candidate]:
    """Every `#ttg.swizzled_shared` of the tile, those with the fewest bits first, near 16 bytes before others."""
    plain = plain_of(memory)
    exponents = [extent.bit_length() - 1 for extent in plain.extents]
    if len(exponents) < 2:
        return
    columns, both = exponents[0], exponents[0] + exponents[1]
    chunk = chunk_exponent(plain.bits)
    every = [
        Swizzle(b, m, s)
        for b in range(1, min(columns, exponents[1]) + 1)
        for m in range(columns - b + 1)
        for s in range(columns - m, both - b - m + 1)
    ]
    for swizzle in [Swizzle(0, 0, columns), *sorted(every, key=lambda one: (one.b, abs(one.m - chunk), one.s))]:
        yield Candidate(swizzle, partial(_words, swizzle, memory))


def _words(swizzle: Swizzle, memory: Tiled) -> str:
    what = f"{swizzle} in elements of the plain {_cross(memory)} tile" if swizzle.b else "no swizzle"
    return f"{what}, {attribute_of(swizzle, memory)}"


def attribute_of(swizzle: Swizzle, memory: Tiled) -> Attribute:
    """Triton's attribute for a swizzle of a view's plain tile that XORs bits of the row into bits of the column."""
    row = extents_of(memory)[memory.order[0]]
    vec, per_phase, phases = 1 << swizzle.m, (1 << swizzle.m + swizzle.s) // row, 1 << swizzle.b
    fields = (("vec", vec), ("perPhase", per_phase), ("maxPhase", phases), ("order", memory.order))
    blocks = tuple(field for field in memory.attribute.fields if field[0] in _BLOCKS)
    return Attribute("swizzled_shared", (*fields, *blocks))


# ---- what descriptors know


def _modes(memory: Tiled) -> Iterator[Candidate]:
    """`#ttg.nvmma_shared` of every width that the tile has room for, the widest first, as Triton takes it."""
    for width in MODES:
        fields = tuple((key, width if key == "swizzlingByteWidth" else value) for key, value in memory.attribute.fields)
        attribute = Attribute(memory.attribute.kind, fields)
        images = _images(replace(memory, encoding=attribute))
        if images is not None:
            yield Candidate(partial(f2.apply, images), attribute.__str__)


def _images(memory: Tiled) -> tuple[int, ...] | None:
    """Where the bits of plain offsets lie; None where the tile is too small for its layout."""
    extents = extents_of(memory)
    units = [
        [1 << i if d == e else 0 for e in range(len(extents))]
        for d in memory.order
        for i in range(extents[d].bit_length() - 1)
    ]
    whole = memory.whole[-len(extents) :]
    owner = LinearLayout.from_bases({"lane": units}, dim_names(len(whole)), whole, require_surjective=False)
    try:
        return tuple(image for _, image in columns_of(owner, memory.layout).table)
    except LayoutError:
        return None
