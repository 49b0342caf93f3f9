"""What the IR asks of a layout: its text, the memory it needs, and the offset of an element as index arithmetic.

The offset comes from the layouts' own evaluation, applied to traced integers: the algebra is not written twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.ir.core.facts import Binary
from tilewright.ir.core.index import ADD, AND, DIV, MOD, MUL, OR, SHL, SHR, SUB, XOR, IndexBuilder
from tilewright.ir.core.ranges import Index
from tilewright.layout.axes import AXES, MEMORY
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.tile_layout import TileLayout

MemoryLayout: TypeAlias = TileLayout | ComposeLayout


@lru_cache(maxsize=1024)
def parse_layout(text: str) -> MemoryLayout:
    """The layout of a text.

    Raises:
        LayoutError: it is no layout of a buffer.
    """
    from tilewright.notation.parse import parse_tirx  # only a reader of IR text needs the parsers

    found = parse_tirx(text)
    if not isinstance(found, TileLayout | ComposeLayout):
        raise LayoutError(f"a buffer's layout is a TileLayout or a ComposeLayout, got {text!r}")
    return found


def layout_text(layout: MemoryLayout) -> str:
    """The text that `parse_layout` reads."""
    return layout.notation() if isinstance(layout, TileLayout) else repr(layout)


def default_layout(shape: Sequence[int]) -> TileLayout:
    """Compact row-major memory."""
    return TileLayout.row_major(shape)


@lru_cache(maxsize=1024)
def storage_elements(layout: MemoryLayout) -> int:
    """How many elements of flat memory the layout needs: its largest offset on `m`, plus one.

    Raises:
        LayoutError: it reaches below offset 0, or nobody knows how far.
    """
    tile = layout if isinstance(layout, TileLayout) else layout.tile_layout
    cells = tile.cosize(MEMORY)
    if type(cells) is not int:
        raise LayoutError(f"the memory of a buffer has a known size; the layout {layout} reaches a run-time offset")
    if cells < tile.extent(MEMORY):
        lowest = cells - tile.extent(MEMORY)
        raise LayoutError(f"the layout {layout} reaches offset {lowest}, below its buffer; add an offset of {-lowest}")
    if isinstance(layout, TileLayout):
        return int(cells)
    atom = 1 << (layout.per_element + layout.swizzle_len + (0 if layout.swizzle_inner else layout.atom_len))
    return -(-cells // atom) * atom


def shifted(layout: MemoryLayout, elements: int) -> MemoryLayout:
    """The layout with every place that many elements further on.

    Raises:
        LayoutError: a swizzle would not shift along: the distance is no multiple of its period.

    >>> shifted(default_layout((4, 8)), 3)
    TileLayout(S[(4, 8):(8, 1)] + 3)
    """
    if isinstance(layout, ComposeLayout):
        period = layout.swizzle.size()
        if elements % period:
            raise LayoutError(f"{layout} repeats after {period} elements; it cannot start {elements} further on")
        return ComposeLayout(layout.swizzle, _shifted(layout.tile_layout, elements))
    return _shifted(layout, elements)


def _shifted(tile: TileLayout, elements: int) -> TileLayout:
    memory = AXES[MEMORY]
    offset = {**tile.offset, memory: tile.offset.get(memory, 0) + elements}
    return TileLayout.from_iters(tile.shard, tile.replica, offset) if elements else tile


def offset_of(index: IndexBuilder, layout: MemoryLayout, shape: Sequence[int], coordinate: Sequence[Index]) -> Index:
    """The element's offset in flat memory, of the first copy where there are replicas.

    Raises:
        LayoutError: the layout spreads elements over threads, which is no memory.
    """
    traced = [Traced(index, position) for position in coordinate]
    place = layout.base(*traced, shape=tuple(shape))
    foreign = [axis for axis in place if axis != MEMORY]
    if foreign:
        raise LayoutError(f"the layout {layout} puts elements on {', '.join(foreign)}, which memory does not have")
    offset = place.get(MEMORY, 0)
    return offset.index if isinstance(offset, Traced) else int(offset)


class Traced:
    """An integer of the kernel, for code that computes with integers: every operation emits, or folds."""

    __slots__ = ("builder", "index")
    is_layout_leaf = True

    def __init__(self, builder: IndexBuilder, index: Index) -> None:
        self.builder = builder
        self.index = index

    def _with(self, kind: Binary, other: int | Traced, swapped: bool = False) -> Traced:
        theirs = other.index if isinstance(other, Traced) else int(other)
        left, right = (theirs, self.index) if swapped else (self.index, theirs)
        return Traced(self.builder, self.builder.binary(kind, left, right))

    def __add__(self, other: int | Traced) -> Traced:
        return self._with(ADD, other)

    def __radd__(self, other: int | Traced) -> Traced:
        return self._with(ADD, other, swapped=True)

    def __sub__(self, other: int | Traced) -> Traced:
        return self._with(SUB, other)

    def __mul__(self, other: int | Traced) -> Traced:
        return self._with(MUL, other)

    def __rmul__(self, other: int | Traced) -> Traced:
        return self._with(MUL, other, swapped=True)

    def __floordiv__(self, other: int | Traced) -> Traced:
        return self._with(DIV, other)

    def __mod__(self, other: int | Traced) -> Traced:
        return self._with(MOD, other)

    def __and__(self, other: int | Traced) -> Traced:
        return self._with(AND, other)

    def __xor__(self, other: int | Traced) -> Traced:
        return self._with(XOR, other)

    def __or__(self, other: int | Traced) -> Traced:
        return self._with(OR, other)

    def __lshift__(self, other: int | Traced) -> Traced:
        return self._with(SHL, other)

    def __rshift__(self, other: int | Traced) -> Traced:
        return self._with(SHR, other)
