"""The swizzle of a row-major tile that has fewer wavefronts than a given access, in Triton's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from tilewright.analysis.lowering.columns import Bit, Columns
from tilewright.analysis.lowering.issue import Issue
from tilewright.analysis.model.access import Access
from tilewright.analysis.swizzle.search import suggest_swizzle
from tilewright.arch import ArchSpec
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle


@dataclass(frozen=True)
class Repair:
    """A swizzle in elements, and the wavefronts of one instruction of one warp under it."""

    swizzle: Swizzle
    wavefronts: int


def repair(plain: Columns, issue: Issue, extents: Sequence[int], element_bits: int, spec: ArchSpec) -> Repair | None:
    """The best swizzle for an access to a plain tile; None where no swizzle can be searched for.

    `plain` holds the images in the tile without any swizzle. One instruction of one warp stands for all.
    """
    threads, values = _mode(plain, issue.lanes), _mode(plain, issue.vector)
    if threads is None or values is None:
        return None
    access = Access(
        Layout(*threads) if issue.counted.startswith(("ldmatrix", "stmatrix")) else _joined(threads, values),
        None if issue.counted.startswith(("ldmatrix", "stmatrix")) else max(8, element_bits << len(issue.vector)),
        issue.kind,
        issue.counted,
    )
    try:
        best = suggest_swizzle(Layout(prod(extents)), access, element_bits=element_bits, arch=spec)[0]
    except (LayoutError, UsageError):  # no swizzle moves such elements or vectors
        return None
    return Repair(best.swizzle, best.wavefronts)


Mode = tuple[tuple[int, ...], tuple[int, ...]]


def _mode(plain: Columns, bits: Sequence[Bit]) -> Mode | None:
    """Extents of 2 and their strides; None where adding is not what XOR does."""
    images = plain.at(bits)
    total = 0
    for image in images:
        if image & total:
            return None
        total |= image
    return (2,) * len(images) or (1,), tuple(images) or (0,)


def _joined(threads: Mode, values: Mode) -> Layout:
    return Layout((threads[0], values[0]), (threads[1], values[1]))


def in_triton(swizzle: Swizzle, row: int, order: Sequence[int]) -> str | None:
    """The attribute of a tile whose rows have so many elements; None where Triton has no such one.

    >>> print(in_triton(Swizzle(3, 3, 3), 64, (1, 0)))
    #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    """
    above = 1 << swizzle.m + swizzle.s
    if swizzle.s < 0 or above < row or 1 << swizzle.b + swizzle.m > row:
        return None
    fields = f"vec = {1 << swizzle.m}, perPhase = {above // row}, maxPhase = {1 << swizzle.b}, order = {list(order)}"
    return f"#ttg.swizzled_shared<{{{fields}}}>"
