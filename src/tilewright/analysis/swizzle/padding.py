"""The alternative to a swizzle: rows made longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tilewright.analysis.model.memory import IDENTITY
from tilewright.analysis.swizzle.costs import TileAccess
from tilewright.errors import counted
from tilewright.layout.inttuple import flatten, unflatten
from tilewright.layout.layout import Layout
from tilewright.tirx.tile_layout import TileLayout


@dataclass(frozen=True, slots=True)
class PaddingAdvice:
    """`pad` elements after every `row` elements of memory make every access free of conflicts.

    `layout` is the padded layout, in the notation of the plain one; `overhead` the share of memory that is added.
    TMA cannot write such rows.
    """

    row: int
    pad: int
    element_bits: int
    layout: Layout[int] | TileLayout

    @property
    def overhead(self) -> float:
        """Added memory over the memory of the plain tile."""
        return self.pad / self.row

    def to_json(self) -> dict[str, object]:
        """The advice as plain values."""
        names = ("row", "pad", "element_bits", "overhead")
        return {name: getattr(self, name) for name in names} | {"layout": str(self.layout)}

    def __str__(self) -> str:
        size = counted(self.pad * self.element_bits // 8, "byte")
        return f"rows of {self.row}+{self.pad} elements ({size} more, +{100 * self.overhead:.1f} %): {self.layout}"


def suggest_padding(layout: object, accesses: Sequence[TileAccess], line: int, vector: int) -> PaddingAdvice | None:
    """The padding that adds the least memory and makes every access conflict-free; None when there is none to add.

    Pads are multiples of `vector` elements, less than a line over all banks (`line` elements), which changes no bank.
    Rows are the strides of the layout that all longer strides are multiples of.
    """
    if not isinstance(layout, Layout) or not any(access.excess(IDENTITY) for access in accesses):
        return None
    rows = list(_rows(layout, vector))
    choices = sorted((pad / row, -row, pad) for row in rows for pad in range(vector, line, vector))
    for _, row, pad in choices:
        move = _mover(-row, pad)
        if all(access.counted_excess(move) == 0 for access in accesses):
            return PaddingAdvice(-row, pad, accesses[0].element_bits, _padded(layout, -row, pad))
    return None


def _mover(row: int, pad: int) -> Callable[[int], int]:
    return lambda offset: offset + offset // row * pad


def _rows(layout: Layout[int], vector: int) -> Iterator[int]:
    """Strides that cut the memory into rows: longer strides are their multiples, shorter ones stay within a row."""
    modes = [(extent, stride) for extent, stride in layout.flat if extent > 1]
    if any(type(stride) is not int or stride < 0 for _, stride in modes):
        return
    for row in sorted({stride for _, stride in modes if stride > 1}):
        within = sum((extent - 1) * stride for extent, stride in modes if stride < row)
        if within < row and row % vector == 0 and all(stride % row == 0 for _, stride in modes if stride >= row):
            yield row


def _padded(layout: Layout[int], row: int, pad: int) -> Layout[int]:
    strides = tuple(stride + stride // row * pad for stride in flatten(layout.stride))
    return Layout(layout.shape, unflatten(strides, layout.stride))
