"""The permutation of a tiled MMA: for M, N and K which element of the tile comes where."""

from __future__ import annotations

from typing import TypeAlias

from tilewright.atoms.coverage import owners
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.algebra.tiler import as_tiler
from tilewright.layout.layout import Layout

Own: TypeAlias = int | Layout[int]


def as_permutation(value: object) -> tuple[Own | None, Own | None, Own | None]:
    """For each of M, N, K: None, a positive integer, or a layout.

    Raises:
        UsageError: the value is none of these.
        LayoutError: an integer that is not positive.
    """
    modes = as_tiler(value) if value is not None else ()
    if not isinstance(modes, tuple) or len(modes) > 3:
        raise UsageError(f"a permutation is a tiler for M, N and K, got {shown(value)}")
    for mode in modes:
        if isinstance(mode, tuple):
            raise UsageError(f"a permutation's modes are None, a positive integer or a layout, got {shown(mode)}")
    padded: list[Own | None] = [*(mode for mode in modes if not isinstance(mode, tuple)), None, None, None]
    return padded[0], padded[1], padded[2]


def check_permutation(name: str, own: Own, covered: int) -> None:
    """A mode is whole atoms, and a layout takes every element of it once.

    Raises:
        LayoutError: it is not, or does not.

    >>> check_permutation("M", Layout((16, 4), (4, 1)), 32)
    >>> check_permutation("M", Layout(16, 2), 16)
    Traceback (most recent call last):
        ...
    tilewright.errors.LayoutError: permutation of M: 16:2 does not take each of the elements 0 .. 15 once
    """
    size = own.size if isinstance(own, Layout) else own
    if size % covered:
        raise LayoutError(
            f"permutation of {name}: {own} has {size} elements, which is no multiple of the {covered} that the atoms"
            " cover"
        )
    if isinstance(own, Layout) and not _permutes(own):
        raise LayoutError(f"permutation of {name}: {own} does not take each of the elements 0 .. {size - 1} once")


def _permutes(layout: Layout[int]) -> bool:
    if not all(type(stride) is int for _, stride in layout.flat):  # on axes
        return False
    try:
        owners(layout, layout.size)  # as many as there are elements, so that each has one
    except LayoutError:
        return False
    return True
