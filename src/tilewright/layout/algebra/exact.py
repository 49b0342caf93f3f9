"""The complete decision of compositions: the layout with the function A~(B(i)) if there is one, else why not."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.algebra.chain import Chain, NoLayoutError, Point
from tilewright.layout.algebra.modes import extended_at, from_modes, rebuild
from tilewright.layout.axes import MEMORY, AxisKey, AxisSum, components
from tilewright.layout.inttuple import leaves
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element

Path = tuple[int, ...]


def compose_exactly(a: Layout, b: Layout) -> Layout:
    """A o B, where B's values may also be coordinates into A.

    Every leaf of B must give a layout by itself, which then is the only coalesced one (`Chain.split`), and all of them
    must add up (`Chain.additive`): this is all that a composition needs.
    """
    paths = _paths(b)
    points = [_point(stride, paths) for stride in leaves(b.stride)]
    chain = Chain([extended_at(a, path) for path in paths])
    try:
        found = chain.compose(list(zip(leaves(b.shape), points, strict=True)))
    except NoLayoutError as refusal:
        raise LayoutError(f"composition {a} o {b}: {refusal}") from None
    return rebuild(b.shape, (from_modes(*modes) for modes in found))


def _paths(b: Layout) -> list[Path]:
    """The positions of A into which B's values reach; () is the whole of A."""
    axes = {axis for leaf in leaves(b.stride) for axis, _ in components(leaf)}
    for axis in axes:
        if isinstance(axis, str) and axis != MEMORY:
            raise LayoutError(f"composition: the values of {b} lie on the axis {axis}, not in the domain of a layout")
    paths = sorted(axis if isinstance(axis, tuple) else () for axis in axes)
    for outer, inner in pairwise(paths):
        if inner[: len(outer)] == outer:
            raise LayoutError(f"composition: the values of {b} address position {inner} and all of {outer} at once")
    return paths or [()]


def _point(stride: Element, paths: list[Path]) -> Point:
    values: dict[AxisKey, int] = dict(stride.terms) if isinstance(stride, AxisSum) else {(): stride}
    return tuple(values.get(path, 0) for path in paths)
