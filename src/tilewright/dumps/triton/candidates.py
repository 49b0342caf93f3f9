"""The layouts that a buffer of a Triton dump may have instead of its own, and how Triton writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from tilewright.analysis.lowering.columns import columns_of
from tilewright.analysis.swizzle.space import chunk_exponent
from tilewright.dumps.triton.use import extents_of, plain_of
from tilewright.errors import LayoutError
from tilewright.layout.linear import f2
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.triton_attribute import Attribute
from tilewright.notation.triton_cover import dim_names
from tilewright.notation.ttgir_types import Tiled

MODES = (128, 64, 32, 0)
_BLOCKS = ("CGALayout", "CTAsPerCGA", "CTASplitNum", "CTAOrder")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A layout of the buffer.

    Attributes:
        moved: where a plain offset goes under it.
        words: asked for where it is taken.
        bits: of its swizzle.
    """

    moved: Callable[[int], int]
    words: Callable[[], str]
    bits: int = 0


def cross(memory: Tiled) -> str:
    """The extents of a view's allocation, as `64x32`."""
    return "x".join(map(str, extents_of(memory)))


# ---- what anyone may lay out


def swizzles(memory: Tiled) -> Iterator[Candidate]:
    """Every `#ttg.swizzled_shared` of the tile, those with the fewest bits first, near 16 bytes before others."""
    plain = plain_of(memory)
    exponents = [extent.bit_length() - 1 for extent in plain.extents]
    if len(exponents) > 1:
        for swizzle in _all_swizzles(exponents[0], exponents[1], chunk_exponent(plain.bits)):
            yield Candidate(swizzle, partial(_words, swizzle, memory), swizzle.b)


@lru_cache(1 << 8)
def _all_swizzles(columns: int, rows: int, chunk: int) -> tuple[Swizzle, ...]:
    every = [
        Swizzle(b, m, s)
        for b in range(1, min(columns, rows) + 1)
        for m in range(columns - b + 1)
        for s in range(columns - m, columns + rows - b - m + 1)
    ]
    return Swizzle(0, 0, columns), *sorted(every, key=lambda one: (one.b, abs(one.m - chunk), one.s))


def _words(swizzle: Swizzle, memory: Tiled) -> str:
    what = f"{swizzle} in elements of the plain {cross(memory)} tile" if swizzle.b else "no swizzle"
    return f"{what}, {attribute_of(swizzle, memory)}"


def attribute_of(swizzle: Swizzle, memory: Tiled) -> Attribute:
    """Triton's attribute for a swizzle of a view's plain tile that XORs bits of the row into bits of the column."""
    row = extents_of(memory)[memory.order[0]]
    vec, per_phase, phases = 1 << swizzle.m, (1 << swizzle.m + swizzle.s) // row, 1 << swizzle.b
    fields = (("vec", vec), ("perPhase", per_phase), ("maxPhase", phases), ("order", memory.order))
    blocks = tuple(field for field in memory.attribute.fields if field[0] in _BLOCKS)
    return Attribute("swizzled_shared", (*fields, *blocks))


# ---- what descriptors know


def modes(memory: Tiled) -> Iterator[Candidate]:
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
