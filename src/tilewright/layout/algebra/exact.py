"""The complete decision of compositions: the layout with the function A~(B(i)) if there is one, else why not.

With S_k the product of the first k extents of a flat layout, and A~ the layout with its last mode unbounded,

    A~(x) = d_0 * x + sum over k >= 1 of g_k * floor(x / S_k),   g_k = d_k - s_(k-1) * d_(k-1)

so A~ bends only at the levels S_k. Where B's values are coordinates of A, x has a part for every position of A that
they reach, and each part goes to the flat layout there. `bends` decides about such sums; here they are made and read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.algebra.bends import Bend, Point, Steps, bent, carry, split
from tilewright.layout.algebra.modes import Modes, extended_at, from_modes, is_known, is_static, rebuild
from tilewright.layout.algebra.walk import step_beyond
from tilewright.layout.axes import MEMORY, AxisKey, AxisSum, components
from tilewright.layout.inttuple import leaves
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element

Path = tuple[int, ...]


def compose_exactly(a: Layout, b: Layout) -> Layout | None:
    """A o B, where B's values may also be coordinates into A; None where run time tells what B is, or where A bends.

    Every leaf of B must give a layout by itself, which then is the only coalesced one (`split`), and all of them
    must add up (`carry`): this is all that a composition needs.

    Raises:
        LayoutError: no layout has this function; the message says where it breaks.
    """
    if not is_known(b) or not all(is_static(extent) for extent, _ in a.flat):
        return None
    paths = _paths(b)
    points = [_point(stride, paths) for stride in leaves(b.stride)]
    floors = SumOfFloors([extended_at(a, path) for path in paths])
    try:
        found = floors.compose(list(zip(leaves(b.shape), points, strict=True)))
    except _NoLayoutError as refusal:
        raise LayoutError(f"composition {a} o {b}: {refusal}") from None
    return rebuild(b.shape, (from_modes(*modes) for modes in found))


class SumOfFloors:
    """The function A~ of points: by slopes, one a part, and bends."""

    def __init__(self, parts: Sequence[Modes]) -> None:
        self.parts = parts
        self.slopes = [strides[0] for _, strides in parts]
        self.bends = [bend for i, (shapes, strides) in enumerate(parts) for bend in _bends(i, shapes, strides)]

    def value(self, x: Point) -> int:
        """A~(x)."""
        return sum(a * b for a, b in zip(self.slopes, x, strict=True)) + bent(self.bends, x)

    def compose(self, leaves: Sequence[tuple[int, Point]]) -> list[Modes]:
        """For each leaf (extent, step) the modes of the layout i -> A~(i * step), where the leaves also add up."""
        modes = [self._split(extent, step) for extent, step in leaves]
        self._require_sum([mode for leaf in modes for mode in leaf])
        return [self._modes(leaf, step) for leaf, (_, step) in zip(modes, leaves, strict=True)]

    def _split(self, extent: int, step: Point) -> Steps:
        if extent > 1 and min(step) < 0:
            raise _NoLayoutError("B takes negative values, which are outside the domain of A")
        found = split(self.bends, extent, step)
        if found is None:
            shown = ", ".join(_text(i, step) for i in range(min(extent, 4)))
            raise _NoLayoutError(
                f"no layout has this function: B's mode {extent}:{_text(1, step)} asks for A at "
                f"{shown}{', ..' if extent > 4 else ''}, and these values do not repeat in equal steps"
            )
        return found

    def _require_sum(self, modes: Steps) -> None:
        witness = carry(self.bends, modes)
        if witness is None:
            return
        used = [(i, step) for i, (_, step) in zip(witness, modes, strict=True) if i]
        xs = [tuple(i * x for x in step) for i, step in used]
        total = tuple(map(sum, zip(*xs, strict=True)))
        raise _NoLayoutError(
            f"no layout has this function, because B's modes do not add up under A: "
            f"{' + '.join(f'A({_text(i, step)})' for i, step in used)} = {sum(map(self.value, xs))}, "
            f"but A({_text(1, total)}) = {self.value(total)}"
        )

    def _modes(self, leaf: Steps, step: Point) -> Modes:
        if leaf:
            return [extent for extent, _ in leaf], [self.value(x) for _, x in leaf]
        beyond = (step_beyond(e[:-1], x) * d[-1] for (e, d), x in zip(self.parts, step, strict=True) if x)
        return [1], [sum(beyond)]


class _NoLayoutError(LayoutError):
    """No layout is the composition."""


def _bends(part: int, shapes: Sequence[int], strides: Sequence[int]) -> Iterator[Bend]:
    size = 1
    for k in range(1, len(shapes)):
        size *= shapes[k - 1]
        jump = strides[k] - shapes[k - 1] * strides[k - 1]
        if jump != 0:
            yield Bend(part, size, jump)


def _text(i: int, step: Point) -> str:
    return str(i * step[0] if len(step) == 1 else tuple(i * x for x in step))


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
