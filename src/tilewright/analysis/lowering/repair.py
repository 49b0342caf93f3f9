"""A tensor's access to a plain tile, as a search for swizzles takes it, and swizzles in Triton's words."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.analysis.lowering.columns import Columns
from tilewright.analysis.lowering.issue import Issue
from tilewright.analysis.swizzle.joint import Asked
from tilewright.layout.linear import f2
from tilewright.layout.swizzle import Swizzle


def asked_of(plain: Columns, issue: Issue) -> Asked:
    """What one instruction of one warp, which stands for all, asks of the tile without any swizzle."""
    images = plain.at(issue.lanes)
    offsets = tuple(f2.apply(images, lane) for lane in range(1 << len(images)))
    return Asked((offsets,), 1 << len(issue.vector), issue.kind, issue.counted, 1 << len(issue.rest))


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
