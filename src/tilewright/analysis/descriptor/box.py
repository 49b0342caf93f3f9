"""The box of a tensor map: what one TMA instruction moves of a tile."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from tilewright.analysis.descriptor.matrix import matrix
from tilewright.analysis.descriptor.outline import outline
from tilewright.analysis.model.memory import Tile
from tilewright.atoms.shared_modes import CHUNK_BITS, SharedMode, shared_mode
from tilewright.errors import LayoutError, typed_fields

MAX_EXTENT = 256
ELEMENT_BITS = (4, 8, 16, 32, 64)
DESTINATION_BYTES = 128  # what TMA's addresses in shared memory are multiples of


@dataclass(frozen=True, slots=True)
@typed_fields
class TensorMapBox:
    """`extents`, in elements and the contiguous one first, are the tensor map's `boxDim`.

    `copies` instructions move the whole tile. `swizzle` is the tensor map's `CUtensorMapSwizzle`.

    Raises:
        UsageError: a field of another type.

    >>> print(TensorMapBox((64, 64), 2, "CU_TENSOR_MAP_SWIZZLE_128B"))
    box {64, 64} 2 times, CU_TENSOR_MAP_SWIZZLE_128B
    """

    extents: tuple[int, int]
    copies: int
    swizzle: str

    def to_json(self) -> dict[str, object]:
        """The box as plain values."""
        return {"extents": list(self.extents), "copies": self.copies, "swizzle": self.swizzle}

    def __str__(self) -> str:
        times = f"{self.copies} times" if self.copies > 1 else "once"
        return f"box {{{self.extents[0]}, {self.extents[1]}}} {times}, {self.swizzle}"


def box_of(layout: Tile, mode: str, element_bits: int, shape: tuple[int, int] | None = None) -> TensorMapBox:
    """The largest box of two dimensions that writes the tile piece by piece.

    Rows of a box follow each other without a gap. A swizzled mode has rows as long as its span: no wider, as the
    hardware demands, and no narrower, as canonical layouts are; without one a row has at most 256 elements.

    Raises:
        LayoutError: TMA does not write the tile in this mode; the message says why.

    >>> from tilewright.layout.layout import Layout
    >>> print(box_of(Layout((64, (64, 2)), (64, (1, 4096))), "128B", 16))
    box {64, 64} 2 times, CU_TENSOR_MAP_SWIZZLE_128B
    """
    seen, known = outline(layout, matrix(layout, shape)), shared_mode(mode)
    (length, unit), *within = seen.modes[seen.along].flat
    others = [seen.modes[i].flat for i in seen.outward if seen.modes[i].size > 1]
    length = length if unit == 1 else 1
    if not others and known.swizzled and length % known.width(element_bits) == 0:
        within = [(length // known.width(element_bits), known.width(element_bits)), *within]
        length = known.width(element_bits)  # one line: nothing keeps its spans apart
    _check_row(length, known, element_bits)
    below = next((mode for mode in others if mode[0][1] == length), None)
    if others and below is None:
        step = others[0][0][1]
        raise LayoutError(f"rows of {length} elements start {step} apart, and a box leaves no gap between rows")
    lines, step = below[0] if below else (1, 0)
    beyond = [leaf for mode in others for leaf in mode[mode is below :]]
    line = 8 * DESTINATION_BYTES // element_bits
    width = _part(length, 1, line)
    high = _part(lines, width, line) if width == length else 1
    rest = [(length // width, width), *within, (lines // high, step * high), *beyond]
    loose = [stride for extent, stride in rest if extent > 1 and stride % line]
    if loose:
        raise LayoutError(f"a box would start {loose[0]} elements into the tile, which is no multiple of 128 bytes")
    return TensorMapBox((width, high), prod(extent for extent, _ in rest), known.tensor_map)


def _check_row(length: int, mode: SharedMode, bits: int) -> None:
    if bits not in ELEMENT_BITS:
        known = ", ".join(map(str, ELEMENT_BITS))
        raise LayoutError(f"tensor maps have elements of {known} bits, not of {bits}; see the tile in other elements")
    if length * bits % CHUNK_BITS:
        raise LayoutError(f"rows of {length} elements of {bits} bits are no multiple of 16 bytes, which TMA moves")
    if mode.swizzled and length != mode.width(bits):
        word = "wider" if length > mode.width(bits) else "narrower"
        raise LayoutError(f"rows of {length} elements are {word} than the {mode.span} bytes of mode {mode.name}")


def _part(extent: int, unit: int, line: int) -> int:
    """The largest part of an extent that a box may have: a divisor up to 256 that ends with a line where it cuts."""
    parts = (n for n in range(min(extent, MAX_EXTENT), 0, -1) if extent % n == 0)
    return next((n for n in parts if n == extent or n * unit % line == 0), 1)
