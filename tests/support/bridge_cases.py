"""Laws 56 to 58 as checks of one random case each: conversions between the CuTe, TIRx and F2 views."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AXES, MEMORY, from_terms, term
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import flatten, unflatten
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation import to_cute, to_linear, to_tirx
from tilewright.tirx.layout import ComposeLayout, CoordSet, Iter, SwizzleLayout, TileLayout

AXIS_NAMES = sorted(AXES)
POINTS = 64


def place(value: Any) -> dict[str, Any]:
    """A value of any view as {axis: value} without zeros."""
    point = value if isinstance(value, Mapping) else {MEMORY: value}
    return {axis: v for axis, v in point.items() if v}


def random_shape(rng: random.Random, powers: bool = False) -> Any:
    """A nested shape of at most 4,096 elements."""
    while True:
        leaves = tuple(2 ** rng.randint(0, 3) if powers else rng.randint(1, 6) for _ in range(rng.randint(1, 5)))
        profiles: list[Any] = [leaves, (leaves[0], leaves[1:]) if len(leaves) > 2 else leaves, (leaves,)]
        shape = rng.choice(profiles) if len(leaves) > 1 or rng.random() < 0.7 else leaves[0]
        if Layout(shape).size <= 4096:
            return shape


def random_layout(rng: random.Random) -> Layout:
    """Strides on memory, on one named axis each, or sums of two axes."""
    shape = random_shape(rng)
    kinds = [
        lambda: rng.randint(-20, 99),
        lambda: term(rng.randint(-9, 9), rng.choice(AXIS_NAMES)),
        lambda: from_terms([(rng.choice(AXIS_NAMES), rng.randint(-9, 9)) for _ in range(2)]),
    ]
    allowed = kinds[: rng.choice([1, 2, 3])]
    return Layout(shape, unflatten(tuple(rng.choice(allowed)() for _ in flatten(shape)), shape))


def random_cute(rng: random.Random) -> Any:
    """A layout, a swizzle, or a swizzled layout with an offset."""
    kind = rng.randrange(4)
    if kind < 2:
        return random_layout(rng)
    b = rng.randint(0, 3)
    swizzle = Swizzle(b, rng.randint(0, 4), rng.choice([1, -1]) * (b + rng.randint(0, 2)))
    shape = random_shape(rng)
    strides = unflatten(tuple(rng.randint(0, 99) for _ in flatten(shape)), shape)
    return swizzle if kind == 2 else ComposedLayout(swizzle, rng.choice([0, 0, 5, 64]), Layout(shape, strides))


def random_tirx(rng: random.Random) -> Any:
    """A tile, a swizzle, or a swizzle on a tile."""
    kind = rng.randrange(4)
    b = rng.randint(0, 3)
    swizzle = SwizzleLayout(rng.randint(0, 4), b, b + rng.randint(0, 2), rng.random() < 0.7)
    if kind == 2:
        return swizzle
    on_memory = kind == 3 or rng.random() < 0.5
    low, axes = (0, [MEMORY]) if kind == 3 else (-20, [MEMORY] if on_memory else AXIS_NAMES)
    shard = [Iter(rng.randint(1, 6), rng.randint(low, 99), rng.choice(axes)) for _ in range(rng.randint(1, 5))]
    offset = {rng.choice(axes): rng.randint(0, 99)} if rng.random() < 0.5 else None
    copies = [Iter(1, rng.randint(-9, 9), rng.choice(axes)), Iter(2, 0, rng.choice(axes))] if rng.random() < 0.1 else []
    tile = TileLayout.from_iters(shard, copies, offset)
    return ComposeLayout(swizzle, tile) if kind == 3 else tile


def size_of(x: Any) -> int:
    if isinstance(x, Swizzle):
        return 1 << (x.m + x.b + abs(x.s))
    return int(x.size() if callable(x.size) else x.size)


def value_of(x: Any, i: int) -> dict[str, Any]:
    value = x.apply(i) if hasattr(x, "apply") else x(i)
    return place(value.base() if isinstance(value, CoordSet) and len(value) == 1 else value)


def same_table(rng: random.Random, x: Any, y: Any) -> bool:
    """Equal sizes, and equal values at the corners and at random flat coordinates."""
    size = size_of(x)
    points = range(size) if size <= POINTS else [0, size - 1, *(rng.randrange(size) for _ in range(POINTS))]
    return size == size_of(y) and all(value_of(x, i) == value_of(y, i) for i in points)


def flat(x: Any) -> Any:
    """The CuTe object with its modes flattened."""
    if isinstance(x, ComposedLayout):
        return ComposedLayout(x.outer, x.offset, flat(x.inner))
    return Layout(flatten(x.shape), flatten(x.stride)) if isinstance(x, Layout) else x


def cute_there_and_back(rng: random.Random) -> bool:
    """CuTe -> TIRx keeps the table; back again keeps the leaves."""
    x = random_cute(rng)
    y = to_tirx(x)
    back = to_cute(y)
    if isinstance(x, Swizzle) and x.b == 0:
        return same_table(rng, x, y) and back.b == 0
    return same_table(rng, x, y) and flat(back) == flat(x)


def tirx_there_and_back(rng: random.Random) -> bool:
    """TIRx -> CuTe keeps the table; back again is the same layout, up to the axis of zero strides and offsets."""
    x = random_tirx(rng)
    y = to_cute(x)
    back = to_tirx(y)
    return same_table(rng, x, y) and (back == x or back.equivalent(x))


def is_xor_linear(values: list[int]) -> bool:
    """Is the table of length 2^n linear under XOR? Compared point by point."""
    images = [values[1 << k] for k in range(len(values).bit_length() - 1)]
    expected = [0]
    for image in images:
        expected += [value ^ image for value in expected]
    return expected == values


def linear_or_refused(rng: random.Random) -> bool:
    """to_linear answers exactly where the table is linear under XOR, with the same values, and back again."""
    shape = random_shape(rng, powers=True)
    strides = tuple(rng.choice([0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512]) for _ in flatten(shape))
    x: Any = Layout(shape, unflatten(strides, shape))
    if rng.random() < 0.4:
        x = ComposedLayout(Swizzle(b := rng.randint(0, 3), rng.randint(0, 3), b + rng.randint(0, 2)), 0, x)
    values = [x(i) for i in range(x.size)]
    try:
        y = to_linear(to_tirx(x) if rng.random() < 0.5 else x)
    except LayoutError:
        return not is_xor_linear(values)
    return is_xor_linear(values) and [y(i) for i in range(x.size)] == values and recovered(y, values)


def recovered(y: Any, values: list[int]) -> bool:
    """The way back from F2, straight and through TIRx, has the same table; or it is no layout and no one swizzle."""
    try:
        backs = [to_cute(y), to_cute(to_tirx(y))]
    except LayoutError:
        return False
    return all([back(i) for i in range(len(values))] == values for back in backs)


CHECKS = {
    "CuTe -> TIRx -> CuTe (56)": cute_there_and_back,
    "TIRx -> CuTe -> TIRx (56)": tirx_there_and_back,
    "CuTe -> TIRx -> F2 -> CuTe (57, 58)": linear_or_refused,
}
