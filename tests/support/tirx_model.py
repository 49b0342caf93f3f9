"""The definition of TIRx layouts, by enumeration: L(x) = { D(x) + r + O }. Shares nothing with the package but data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

Place = frozenset[tuple[str, int]]
Vector = dict[str, int]


def digits(flat: int, extents: Sequence[int]) -> list[int]:
    """Row-major digits; the first takes what is left."""
    out = []
    for i in range(len(extents)):
        weight = prod(extents[i + 1 :])
        out.append(flat // weight)
        flat %= weight
    return out


def flatten(coord: Sequence[int], shape: Sequence[int]) -> int:
    return sum(c * prod(shape[i + 1 :]) for i, c in enumerate(coord))


def step(it: Any) -> Vector:
    """The stride of an iter as a vector over axes."""
    return {it.axis.name: it.stride} if it.axis is not None else dict(it.stride.terms)


def add(*vectors: Vector) -> Vector:
    total: Vector = {}
    for vector in vectors:
        for axis, value in vector.items():
            total[axis] = total.get(axis, 0) + value
    return total


def scaled(vector: Vector, factor: int) -> Vector:
    return {axis: factor * value for axis, value in vector.items()}


def walk(iters: Sequence[Any], counts: Sequence[int]) -> Vector:
    return add(*(scaled(step(it), n) for it, n in zip(iters, counts, strict=True)))


def fixed(layout: Any) -> Vector:
    return {axis.name: value for axis, value in layout.offset.items()}


def base(layout: Any, flat: int) -> Vector:
    """D(x) + O."""
    return add(walk(layout.shard, digits(flat, [it.extent for it in layout.shard])), fixed(layout))


def place(vector: Vector) -> Place:
    """A vector without its zeros."""
    return frozenset((axis, value) for axis, value in vector.items() if value)


def copies(layout: Any) -> list[Vector]:
    counts = product(*(range(it.extent) for it in layout.replica))
    return [walk(layout.replica, count) for count in counts]


def places(layout: Any, flat: int) -> frozenset[Place]:
    """The set L(x); of a composed layout, with its addresses permuted."""
    tile = getattr(layout, "tile_layout", layout)
    here = base(tile, flat)
    found = [add(here, copy) for copy in copies(tile)]
    if tile is not layout:
        found = [{"m": swizzled(layout, v.get("m", 0))} for v in found]
    return frozenset(map(place, found))


def swizzled(layout: Any, address: int) -> int:
    low, x = address % (1 << layout.per_element), address >> layout.per_element
    mask = (1 << layout.swizzle_len) - 1
    x ^= (x >> layout.atom_len) & mask if layout.swizzle_inner else (x & mask) << layout.atom_len
    return (x << layout.per_element) + low


def size(layout: Any) -> int:
    return prod(it.extent for it in getattr(layout, "tile_layout", layout).shard)


def table(layout: Any) -> list[frozenset[Place]]:
    return [places(layout, x) for x in range(size(layout))]


def points(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return product(*map(range, shape))


def region_table(layout: Any, shape: Sequence[int], region: Sequence[Sequence[int]]) -> list[frozenset[Place]]:
    """The places of the elements of a box, in row-major order."""
    extents = [end - begin for begin, end in region]
    corners = [begin for begin, _ in region]
    return [
        places(layout, flatten([c + b for c, b in zip(point, corners, strict=True)], shape))
        for point in points(extents)
    ]


def fits(values: Sequence[Vector]) -> bool:
    """Is values - values[0] the table of some iters? Complete: it tries every length of the fastest one."""
    axes = sorted({axis for vector in values for axis in vector})
    rows = [tuple(v.get(axis, 0) - values[0].get(axis, 0) for axis in axes) for v in values]

    def search(rows: list[tuple[int, ...]]) -> bool:
        if len(rows) == 1:
            return True
        for extent in range(2, len(rows) + 1):
            if len(rows) % extent == 0 and _additive(rows, extent) and search(rows[::extent]):
                return True
        return False

    return search(rows)


def _additive(rows: list[tuple[int, ...]], extent: int) -> bool:
    def expected(start: int, j: int) -> tuple[int, ...]:
        return tuple(s + j * d for s, d in zip(rows[start], rows[1], strict=True))

    starts = range(0, len(rows), extent)
    return all(rows[start + j] == expected(start, j) for start in starts for j in range(extent))


# Every thread axis counts so many threads; warps have 32, warpgroups 128.
THREADS = {"tx": 1, "laneid": 1, "tid_in_wg": 1, "warpid": 32, "wid_in_wg": 32, "wgid": 128}


def threads(points: frozenset[Place]) -> frozenset[Place]:
    """Places with all thread axes of a cta folded into one thread number."""
    out = []
    for point in points:
        number = sum(value * THREADS[axis] for axis, value in point if axis in THREADS)
        rest = {axis: value for axis, value in point if axis not in THREADS}
        out.append(place({**rest, "thread": number}))
    return frozenset(out)
