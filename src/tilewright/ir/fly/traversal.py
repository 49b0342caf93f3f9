"""In which order a gemm walks through its atoms: by the letters of an order, or by a layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from tilewright.errors import LayoutError
from tilewright.layout.indexing import crd2idx, idx2crd
from tilewright.layout.layout import Layout

DEFAULT = "nmk"
_SERPENTINE = "_serpentine"
Coordinates = Iterator[tuple[int, ...]]


def by_order(order: str, extents: Sequence[int]) -> Coordinates:
    """The coordinates (m, n) or (m, n, k) below the extents; the order names the fastest mode first.

    Serpentine orders turn back: a mode runs backwards in every odd round of those outside of it.

    >>> list(by_order("nmk_serpentine", (2, 2)))
    [(0, 0), (0, 1), (1, 1), (1, 0)]
    """
    letters = order.removesuffix(_SERPENTINE)
    outermost_first = ["mnk".index(letter) for letter in reversed(letters) if "mnk".index(letter) < len(extents)]
    yield from _walk(outermost_first, extents, order.endswith(_SERPENTINE), 0, {})


def _walk(
    axes: Sequence[int], extents: Sequence[int], turns: bool, rounds: int, chosen: Mapping[int, int]
) -> Coordinates:
    if not axes:
        yield tuple(chosen[axis] for axis in range(len(extents)))
        return
    axis, *inner = axes
    for i in range(extents[axis]):
        at = extents[axis] - 1 - i if turns and rounds % 2 else i
        yield from _walk(inner, extents, turns, rounds * extents[axis] + i, {**chosen, axis: at})


def by_layout(layout: Layout, extents: Sequence[int]) -> Coordinates:
    """The coordinates whose number, with m fastest, the layout gives for 0, 1, 2, ...

    Raises:
        LayoutError: it does not give every number once.

    >>> list(by_layout(Layout((2, 2), (2, 1)), (2, 2)))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    count = prod(extents)
    numbers = [crd2idx(i, layout.shape, layout.stride) for i in range(layout.size)]
    if sorted(numbers) != list(range(count)):
        raise LayoutError(f"the traversal layout {layout} does not visit each of the {count} atoms once")
    for number in numbers:
        yield tuple(idx2crd(number, tuple(extents)))
