"""The layout attribute under which all accesses of a buffer together take the fewest wavefronts.

Each candidate is tried as Triton would take it: the instruction of every access is chosen anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tilewright.analysis.lowering.columns import columns_of
from tilewright.analysis.swizzle.space import chunk_exponent
from tilewright.dumps.finding import Finding
from tilewright.dumps.repairs import Mended
from tilewright.dumps.triton.use import TritonUse, extents_of, plain_of
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.triton import Attribute
from tilewright.notation.triton_cover import dim_names
from tilewright.notation.ttgir_types import Tiled

MODES = (128, 64, 32, 0)
_BLOCKS = ("CGALayout", "CTAsPerCGA", "CTASplitNum", "CTAOrder")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A layout of the buffer: its words, and where the bits of plain offsets go under it."""

    words: str
    images: tuple[int, ...]


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
    tried = [_under(candidate, uses) for candidate in (_modes(views[0]) if described else _swizzles(views[0]))]
    fitting = [found for found in tried if isinstance(found, Mended)]
    best = min(fitting, key=lambda found: sum(found.wavefronts), default=None)  # of equals the first
    if best is None:
        return next((why for why in tried if isinstance(why, str)), "a buffer of one dimension has no swizzle")
    return best if sum(best.wavefronts) < before else _none(views[0], described)


def _under(candidate: Candidate, uses: Sequence[TritonUse]) -> Mended | str:
    """What the accesses cost under it, or why one of them cannot go through such a tile; each distinct use once."""
    try:
        known = {use: use.under(candidate.images) for use in dict.fromkeys(uses)}
    except (LayoutError, UsageError) as error:
        return str(error).splitlines()[0]
    spent = [known[use] for use in uses]
    return Mended(candidate.words, tuple(cost.wavefronts for _, cost in spent), tuple(name for name, _ in spent))


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
        yield Candidate(_words(swizzle, memory), tuple(swizzle(1 << i) for i in range(sum(exponents))))


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
            yield Candidate(str(attribute), images)


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
