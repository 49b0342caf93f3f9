"""Random layouts and their parts, from one source of choices: hypothesis in tests, `random` in the long fuzz.

A `Chooser` picks; everything drawn is small enough to enumerate, unless it says otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from hypothesis import strategies as st
from oracle import leaves, size

from tilewright import ComposedLayout, Layout, Swizzle, term

KINDS = ("compact", "compact", "permuted", "permuted", "gapped", "random", "random", "zero", "negative")
MOST = 48


class Chooser(Protocol):
    """Where choices come from."""

    def integer(self, low: int, high: int) -> int: ...
    def one(self, options: Sequence[Any]) -> Any: ...


class Dice:
    """Choices from a seed: fast."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return low + int(self.random.random() * (high - low + 1))

    def one(self, options: Sequence[Any]) -> Any:
        return options[int(self.random.random() * len(options))]


class Drawn:
    """Choices by hypothesis: they shrink."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def integer(self, low: int, high: int) -> int:
        return int(self.data.draw(st.integers(low, high)))

    def one(self, options: Sequence[Any]) -> Any:
        return self.data.draw(st.sampled_from(options))


def shape(pick: Chooser, most: int = MOST, levels: int = 2) -> Any:
    """A shape of at most `most` elements."""
    modes = pick.integer(0 if levels == 2 else 1, 3)
    if modes == 0 or levels == 0:
        return min(pick.integer(1, 8), most)
    out: list[Any] = []
    for _ in range(modes):
        nested = levels > 1 and pick.integer(0, 3) == 0
        out.append(shape(pick, most, levels - 1) if nested else min(pick.integer(1, 8), max(1, most)))
        most //= size(out[-1])
    return tuple(out)


def like(profile: Any, flat: Sequence[Any]) -> Any:
    """The tree with the leaves of `flat`."""
    it = iter(flat)

    def walk(node: Any) -> Any:
        return tuple(map(walk, node)) if isinstance(node, tuple) else next(it)

    return walk(profile)


def strides(pick: Chooser, extents: Sequence[int], kind: str) -> list[int]:
    """Strides of one kind for the extents."""
    if kind in ("random", "zero", "negative"):
        low = -12 if kind == "negative" else 0
        return [0 if kind == "zero" and pick.integer(0, 1) else pick.integer(low, 24) for _ in extents]
    order = list(range(len(extents)))
    if kind != "compact":
        order = [order.pop(pick.integer(0, len(order) - 1)) for _ in extents]
    reach, out = 1, [0] * len(extents)
    for k in order:
        out[k] = reach
        reach *= extents[k] * (pick.integer(1, 3) if kind == "gapped" else 1)
    return out


def layout(pick: Chooser, most: int = MOST, kind: str = "") -> Layout:
    """A layout of at most `most` elements, of a kind: compact, permuted, gapped, random, zero, negative."""
    drawn = shape(pick, most)
    flat = leaves(drawn)
    return Layout(drawn, like(drawn, strides(pick, flat, kind or pick.one(KINDS))))


def injective(pick: Chooser, most: int = MOST) -> Layout:
    """A layout whose strides chain, so that it is injective."""
    return layout(pick, most, pick.one(("compact", "permuted", "gapped")))


def inside(pick: Chooser, a: Layout, most: int = MOST) -> Layout:
    """A layout B to compose A with: often with steps that suit A, seldom beyond its domain."""
    reach = [1]
    for extent in leaves(a.shape):
        reach += [reach[-1] * d for d in range(2, extent + 1) if extent % d == 0]
    drawn = shape(pick, most)
    steps = [pick.one(reach) if pick.integer(0, 3) else pick.integer(0, 2 * a.size) for _ in leaves(drawn)]
    return Layout(drawn, like(drawn, steps))


def on_axes(pick: Chooser, axes: Sequence[Any] = ("laneid", "m", (0,)), most: int = MOST) -> Layout:
    """A layout whose strides lie on axes, sometimes on several at once."""
    drawn = shape(pick, most)
    flat = leaves(drawn)
    parts = {axis: strides(pick, flat, pick.one(KINDS)) for axis in axes}
    rows = range(len(flat))
    where = [pick.one([[axis] for axis in axes] * 3 + [list(axes)]) for _ in rows]
    return Layout(drawn, like(drawn, [sum((term(parts[a][k], a) for a in where[k]), 0) for k in rows]))


def coordinates(pick: Chooser, target: Layout, most: int = MOST) -> Layout:
    """A layout whose values are coordinates of `target`, which has several modes."""
    drawn = shape(pick, most)
    steps = []
    for _ in leaves(drawn):
        k = pick.integer(0, target.rank - 1)
        mode = size(target.shape[k])
        steps.append(term(pick.one([0, 1, *(d for d in range(2, mode + 1) if mode % d == 0)]), (k,)))
        if not pick.integer(0, 5):
            steps[-1] = steps[-1] + term(pick.integer(0, 2), (pick.integer(0, target.rank - 1),))
    return Layout(drawn, like(drawn, steps))


def huge(pick: Chooser) -> Layout:
    """A layout of up to 2^62 elements with strides that chain in some order."""
    extents, left = [], 62
    for _ in range(pick.integer(1, 4)):
        bits = pick.integer(0, left)
        extents.append(max(1, 1 << bits if pick.integer(0, 1) else (1 << bits) - pick.integer(0, (1 << bits) // 2)))
        left -= bits
    return Layout(tuple(extents), tuple(strides(pick, extents, pick.one(("compact", "permuted")))))


def tile(pick: Chooser, extent: int) -> Any:
    """A tile of one mode: an integer, a layout, or None."""
    kind = pick.integer(0, 5)
    divisors = [d for d in range(1, extent + 1) if extent % d == 0]
    if kind == 0:
        return None
    if kind <= 2:
        return pick.one(divisors) if kind == 1 else pick.integer(1, extent + 2)
    count = pick.one(divisors)
    return Layout(count, pick.one([d for d in range(1, extent // count + 1) if (extent // count) % d == 0]))


def tiler(pick: Chooser, a: Layout) -> Any:
    """A tiler of A: a layout, or a tuple of tiles."""
    if pick.integer(0, 1) or not isinstance(a.shape, tuple):
        return inside(pick, a, max(1, a.size))
    return tuple(tile(pick, size(mode)) for mode in a.shape[: pick.integer(1, len(a.shape))])


def coordinate(pick: Chooser, drawn: Any) -> Any:
    """A coordinate inside a shape, of any coarser profile."""
    if isinstance(drawn, tuple) and pick.integer(0, 3):
        return tuple(coordinate(pick, item) for item in drawn)
    return pick.integer(0, size(drawn) - 1)


def ending_early(pick: Chooser, coord: Any) -> Any:
    """The coordinate without some of the last items of its tuples."""
    if not isinstance(coord, tuple):
        return coord
    return tuple(ending_early(pick, item) for item in coord[: pick.integer(0, len(coord))])


def as_arrays(coord: Any) -> Any:
    """The coordinate with every integer twice, as an array."""
    return tuple(map(as_arrays, coord)) if isinstance(coord, tuple) else np.array([coord, coord])


def with_none(pick: Chooser, drawn: Any) -> Any:
    """A coordinate that keeps at least one mode."""
    if not isinstance(drawn, tuple):
        return None
    kept = pick.integer(0, len(drawn) - 1)
    return tuple(
        with_none(pick, item)
        if i == kept and isinstance(item, tuple) and pick.integer(0, 1)
        else None
        if i == kept or not pick.integer(0, 2)
        else coordinate(pick, item)
        for i, item in enumerate(drawn)
    )


def swizzle(pick: Chooser) -> Swizzle:
    """A swizzle with B, M <= 4 and |S| <= 6."""
    b = pick.integer(0, 4)
    s = pick.integer(b, 6) * pick.one((1, -1))
    return Swizzle(b, pick.integer(0, 4), s)


def swizzled(pick: Chooser) -> ComposedLayout:
    """A swizzled layout of a power-of-two kind, or any, with an offset."""
    inner = layout(pick, 64, pick.one(("compact", "permuted", "gapped")))
    if pick.integer(0, 1):
        extents = [1 << pick.integer(0, 3) for _ in range(pick.integer(1, 3))]
        inner = Layout(tuple(extents), tuple(strides(pick, extents, "permuted")))
    return ComposedLayout(swizzle(pick), pick.one((0, 0, pick.integer(0, 64))), inner)


def int_tuple(pick: Chooser, low: int = 0, high: int = 24) -> Any:
    """An int tuple of any profile."""
    drawn = shape(pick)
    return like(drawn, [pick.integer(low, high) for _ in leaves(drawn)])
