"""Where + and XOR differ: two images that share a bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.layout.axes import AxisKey, components

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element

OFFSET = "offset"  # the output dimension that is memory


def first_clash(images: Sequence[Element]) -> tuple[int, int] | None:
    """The first two images that share a bit on an axis; a negative image clashes with itself.

    >>> first_clash((1, 6, 4)), first_clash((1, 2, 4))
    ((1, 2), None)
    """
    seen: dict[AxisKey, list[tuple[int, int]]] = {}
    for i, image in enumerate(images):
        for axis, value in components(image):
            if value < 0:
                return i, i
            before = seen.setdefault(axis, [])
            other = next((j for j, v in before if v & value), None)
            if other is not None:
                return other, i
            before.append((i, value))
    return None


def clash_text(images: Sequence[Element]) -> str:
    """Why integer addition and XOR differ on the images of the powers of two."""
    clash = first_clash(images)
    if clash is None:
        return "an extent is not a power of two"
    i, j = clash
    if i == j:
        return f"its value {images[i]} at input {1 << i} is negative"
    shared = next(a & b for axis, a in components(images[i]) for other, b in components(images[j]) if axis == other)
    bit = (shared & -shared).bit_length() - 1
    return f"its values {images[i]} and {images[j]} at inputs {1 << i} and {1 << j} share bit {bit}"
