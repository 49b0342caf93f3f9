"""Python's slices and `...` in the index of a tensor: the same memory under a layout of the chosen elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.operations import composition, make_layout
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from tilewright.layout.view import Seen
    from tilewright.tensor.addressing import Addresses

STILL = Swizzle(0, 0, 0)


def spread(key: object, rank: int) -> object:
    """An index with as many `:` in the place of `...` as make it one of all modes.

    Raises:
        UsageError: `...` twice, or no mode for it and more coordinates than modes.

    >>> spread((..., 3), 3), spread((2, ...), 2)
    ((slice(None, None, None), slice(None, None, None), 3), (2, slice(None, None, None)))
    """
    items = key if isinstance(key, tuple) else (key,)
    at = [i for i, item in enumerate(items) if item is Ellipsis]
    if not at:
        return key
    if len(at) > 1 or len(items) - 1 > rank:
        raise UsageError(f"`...` stands once, for the modes that {shown(key)} does not name of {rank}")
    return (*items[: at[0]], *[slice(None)] * (rank - len(items) + 1), *items[at[0] + 1 :])


def chosen(tensor: Seen, key: object) -> tuple[Seen, object]:
    """The tensor of the elements that the slices of an index choose, and the index with None in their place.

    Raises:
        UsageError: slices of other than whole modes, with steps below 1, or of no elements.
        LayoutError: elements that no layout has: they end inside of a mode's inner modes.
    """
    rank = len(tensor.shape) if isinstance(tensor.shape, tuple) else 1
    items = key if isinstance(key, tuple) else (key,)
    if all(not isinstance(item, slice) or item == slice(None) for item in items):
        return tensor, key
    if len(items) != rank:
        raise UsageError(f"slices stand in an index with a place for each of {rank} modes, got {shown(key)}")
    found = tensor.over_layout(lambda layout: _cut(layout, items))
    rest = tuple(None if isinstance(item, slice) else item for item in items)
    return found, rest if isinstance(key, tuple) else None


def _cut(layout: Addresses, items: Sequence[object]) -> ComposedLayout[int]:
    """The layout of the chosen elements; where they begin stays inside."""
    if isinstance(layout, ComposedLayout):
        return layout.over_inner(lambda inner: _cut(inner, items))
    parts = [_part(mode, item) for mode, item in zip(layout, items, strict=True)]
    modes = [mode for mode, _ in parts]
    whole = modes[0] if not isinstance(layout.shape, tuple) else make_layout(*modes)
    return ComposedLayout(STILL, sum(start for _, start in parts), whole)


def _part(mode: Layout[int], item: object) -> tuple[Layout[int], int]:
    """A mode's chosen elements as a layout, and the value of the first."""
    if not isinstance(item, slice) or item == slice(None):
        return mode, 0
    import numpy as np

    wanted = _range(item, int(mode.size))
    first = int(mode(wanted.start))
    if len(wanted) == 1:
        return Layout(1, 0), first
    found = _stepping(mode, wanted)
    if found is None or not np.array_equal(found(np.arange(len(wanted))) + first, mode(np.array(wanted))):
        raise LayoutError(f"the elements {wanted.start}, {wanted[1]}, .. {wanted[-1]} of the mode {mode} are no layout")
    return found, first


def _stepping(mode: Layout[int], wanted: range) -> Layout[int] | None:
    """As many elements as are wanted, in their steps, from the mode's first one on."""
    try:
        found: Layout[int] = composition(mode, Layout(len(wanted), wanted.step))
    except LayoutError:
        return None
    return found


def _range(item: slice, size: int) -> range:
    try:
        found = range(size)[item]
    except (TypeError, ValueError):
        raise UsageError(f"a slice has integers, got {shown(item)}") from None
    if found.step < 1 or not found:
        raise UsageError(f"{shown(item)} of a mode of {size} elements: a tensor is cut to one element or more, upwards")
    return found
