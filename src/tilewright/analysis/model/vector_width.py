"""The widest vector access that a pair of layouts provably allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.analysis.banks.raw import MAX_WIDTH, integer
from tilewright.analysis.model.access import Elements, check_base, check_element_bits, elements, vectors_of

if TYPE_CHECKING:
    from tilewright.analysis.model.memory import Tile
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.base import LayoutBase


def widest_vector(
    layout: Tile,
    thread_value: LayoutBase,
    *,
    element_bits: int | DTypeLike,
    base_bytes: int = 0,
    max_bytes: int = 16,
    alignment: int = 16,
) -> int:
    """The most bits that one instruction can move per thread, at every thread and value: a multiple of `element_bits`.

    A vector of n elements, a power of two of bytes, needs that every n-th value of every thread starts at a byte
    address divisible by its width (at most by `alignment`), that the n values follow each other in memory, and that n
    divides the number of values. Checked at every coordinate, so it is a proof; one element is always possible.

    Args:
        layout: the tile's coordinates -> element offsets.
        thread_value: (thread, value) -> colexicographic index of the tile's coordinate.
        element_bits: bits of one element.
        base_bytes: byte address of the tile.
        max_bytes: the widest access of the hardware.
        alignment: the strictest alignment that the hardware asks for.

    Raises:
        LayoutError: a coordinate outside the tile.
        UsageError: numbers that are none, or too large.

    >>> from tilewright.layout.layout import Layout
    >>> rows = Layout((8, 64), (64, 1))
    >>> widest_vector(rows, Layout((8, 64), (1, 8)), element_bits=16)
    128
    >>> widest_vector(rows, Layout((8, 64), (1, 8)), element_bits=16, base_bytes=4)
    32
    """
    element_bits = check_element_bits(element_bits)
    base_bytes = check_base(base_bytes)
    max_bytes, alignment = integer(max_bytes, "max_bytes", 1, MAX_WIDTH), integer(alignment, "alignment", 1, MAX_WIDTH)
    found = elements(layout, thread_value)
    return widest_of(found, element_bits, base_bytes, max_bytes, alignment)


def widest_of(found: Elements, element_bits: int, base_bytes: int, max_bytes: int, alignment: int) -> int:
    """`widest_vector` of offsets that are already known."""
    limit = max_bytes * 8 // element_bits
    lengths = [1 << k for k in range(limit.bit_length() - 1, 0, -1)] if limit else []
    fits = (n for n in lengths if _is_vector(found, n, element_bits, base_bytes, alignment))
    return element_bits * next(fits, 1)


def _is_vector(found: Elements, length: int, element_bits: int, base_bytes: int, alignment: int) -> bool:
    width_bits = length * element_bits
    if found.values % length or width_bits < 8 or width_bits & (width_bits - 1):
        return False
    first, contiguous = vectors_of(found, length)
    quantum = min(width_bits, 8 * alignment)
    return contiguous and bool(((first * element_bits + 8 * base_bytes) % quantum == 0).all())
