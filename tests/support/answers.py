"""Is an answer of the layout algebra lawful? Each law by enumeration, or by samples where that is too large."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import oracle
from oracle import modes, refines, size, table, value

from tilewright import ComposedLayout, Layout

ENUMERATED = 1 << 12
SAMPLES = 1000


def lawful(operation: str, args: list[Any], answer: Any) -> bool | None:
    """Does the law of the operation hold for the answer? None where no law is written here."""
    check = LAWS.get(operation)
    return None if check is None or not _judgeable(args) else bool(check(*args, answer))


def _judgeable(args: list[Any]) -> bool:
    return all(not isinstance(a, ComposedLayout) for a in args)


def points(layout: Layout) -> list[int]:
    """All coordinates, or many of them: small ones, ends, and random ones."""
    if layout.size <= ENUMERATED:
        return list(range(layout.size))
    dice = random.Random(layout.size)
    ends, step = [0], 1
    for extent, _ in modes(layout):
        ends = [e + k * step for e in ends[:256] for k in {0, 1 % extent, extent // 2, extent - 1}]
        step *= extent
    return [*ends, *(dice.randrange(layout.size) for _ in range(SAMPLES))]


def composition(a: Layout, b: Any, r: Layout) -> bool:
    if not isinstance(b, Layout):
        tiles = b if isinstance(b, tuple) else (b,)
        return isinstance(b, int) or all(
            t is None or isinstance(t, tuple) or composition(x, t if isinstance(t, Layout) else Layout(t), y)
            for x, t, y in zip(a, tiles, r, strict=False)
        )
    return refines(r.shape, b.shape) and all(
        value(b, i) >= 0 and value(r, i) == value(a, value(b, i)) for i in points(b)
    )


def complement(a: Layout, *rest: Any) -> bool:
    r = rest[-1]
    target = size(rest[0]) if len(rest) == 2 else 1 + sum((s - 1) * abs(d) for s, d in modes(a))
    if r.size > ENUMERATED or a.size > ENUMERATED:
        return True
    if any(s < 1 or d < 0 for s, d in modes(r)) or sorted(set(table(r))) != table(r):
        return False
    image = set(table(a))
    sums = {x + y for x in image for y in table(r)}
    # Without a cotarget CuTe's size bound is what counts; a cotarget must be reached.
    enough = len(image) * r.size >= target if len(rest) == 2 else r.size >= target // len(image)
    return len(sums) == len(image) * r.size and enough


def right_inverse(a: Layout, r: Layout) -> bool:
    return all(value(a, value(r, i)) == i for i in points(r)) and max(value(r, i) for i in points(r)) < a.size


def left_inverse(a: Layout, r: Layout) -> bool:
    values = [value(a, i) for i in points(a)]
    if min(values) < 0:
        return False
    if a.size <= ENUMERATED and len(set(values)) == a.size:
        return all(value(r, v) == i for i, v in enumerate(values))
    return all(value(a, value(r, v)) == v for v in values)


def coalesce(a: Layout, *rest: Any) -> bool:
    r = rest[-1]
    return r.size == a.size and all(value(r, i) == value(a, i) for i in points(a))


def recast(a: Layout, old: int, new: int, r: Layout) -> bool:
    return a.size > ENUMERATED or oracle.bits(a, old) == oracle.bits(r, new)


def cosize(a: Layout, n: int) -> bool:
    return n == 1 + sum((s - 1) * d for s, d in modes(a) if d > 0)


def max_common_vector(a: Layout, b: Layout, n: int) -> bool:
    if n == 1:
        return True
    met = {v for c, v in enumerate(table(a)) if c < b.size and value(b, c) == v}
    return met >= set(range(n))


def product(a: Layout, t: Any, r: Layout) -> bool:
    tile = t if isinstance(t, Layout) else Layout(t)
    good = r.size == a.size * tile.size
    if good and r.size <= ENUMERATED and oracle.is_injective(a) and oracle.is_injective(tile):
        return oracle.is_injective(r)
    return good


def divide(a: Layout, t: Any, r: Layout) -> bool:
    if r.size < a.size:
        return False
    if r.size > ENUMERATED:
        return True
    lost = Counter(table(a)) - Counter(table(r))
    return not lost and (r.size > a.size or Counter(table(a)) == Counter(table(r)))


def zipped_divide(a: Layout, t: Any, r: Layout) -> bool:
    """None keeps a mode whole: it is part of the tile."""
    tiles = t if isinstance(t, tuple) else (t,)
    whole = all(part is not None or r[0][k].size == a[k].size for k, part in enumerate(tiles))
    return whole and divide(a, t, r)


def tile_to_shape(a: Layout, shape: Any, *rest: Any) -> bool:
    wanted = [size(mode) for mode in shape] if isinstance(shape, tuple) else [shape]
    return [size(mode) for mode in rest[-1].shape] == wanted


LAWS = {
    "composition": composition,
    "complement": complement,
    "right_inverse": right_inverse,
    "left_inverse": left_inverse,
    "coalesce": coalesce,
    "recast_layout": recast,
    "upcast": lambda a, n, r: recast(a, 1, n, r),
    "downcast": lambda a, n, r: recast(a, n, 1, r),
    "cosize": cosize,
    "coshape": cosize,
    "max_common_vector": max_common_vector,
    "logical_product": product,
    "zipped_product": product,
    "tiled_product": product,
    "flat_product": product,
    "blocked_product": product,
    "raked_product": product,
    "logical_divide": divide,
    "zipped_divide": zipped_divide,
    "tiled_divide": zipped_divide,
    "flat_divide": divide,
    "tile_to_shape": tile_to_shape,
}
