"""The law of each operation, as a judge of one answer to one recorded question: by enumeration."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from tirx_model import add, base, copies, fits, flatten, place, points, region_table, scaled, size, table, threads
from tirx_rows import Row, build


def holds(row: Row, answer: Any) -> bool:
    """Does the answer obey the law of the row's operation?"""
    return bool(LAWS[row["op"].removeprefix("compose_")](row, answer))


def _canonicalize(row: Row, answer: Any) -> bool:
    layout = build(row["layout"])
    return [threads(p) for p in table(answer)] == [threads(p) for p in table(layout)]


def _slice(row: Row, answer: Any) -> bool:
    layout, shape, region = build(row["layout"]), row["shape"], row["region"]
    if answer is not None:
        return table(answer) == region_table(layout, shape, region)
    tile = getattr(layout, "tile_layout", layout)
    corner = [begin for begin, _ in region]
    box = points([end - begin for begin, end in region])
    flat = [flatten([c + b for c, b in zip(p, corner, strict=True)], shape) for p in box]
    return not fits([base(tile, x) for x in flat])


def _span(row: Row, answer: Any) -> bool:
    layout = build(row["layout"])
    tile = getattr(layout, "tile_layout", layout)
    axis = row.get("axis")
    if axis is None:
        axes = {it.axis.name for it in (*tile.shard, *tile.replica) if it.axis.is_memory()}
        axes |= {a.name for a in tile.offset if a.is_memory()}
        return answer == 1 + sum(_reach(tile, name) for name in axes)
    return answer == 1 + _reach(tile, axis)


def _reach(tile: Any, axis: str) -> int:
    image = [add(base(tile, x), c).get(axis, 0) for x in range(size(tile)) for c in copies(tile)]
    steps = [it.stride for it in (*tile.shard, *tile.replica) if it.axis.name == axis and it.extent > 1]
    return max(image) - min(image) if min(steps, default=0) < 0 else max(image)


def _widened(layout: Any, num: int) -> list[Any]:
    """The places of num * L(x) + j, before a swizzle."""
    return [
        frozenset(place(add(scaled(add(base(layout, x), c), num), {"m": j})) for c in copies(layout))
        for x in range(size(layout))
        for j in range(num)
    ]


def _unpack(row: Row, answer: Any) -> bool:
    layout = build(row["layout"])
    tile, found = getattr(layout, "tile_layout", layout), getattr(answer, "tile_layout", answer)
    return table(found) == _widened(tile, row["num"])


def _pack(row: Row, answer: Any) -> bool:
    layout = build(row["layout"])
    tile, found = getattr(layout, "tile_layout", layout), getattr(answer, "tile_layout", answer)
    return _widened(found, row["num"]) == table(tile)


def _is_tile_inner(row: Row, answer: Any) -> bool:
    inner, tiled = build(row["layout"]), build(row["tiled"])
    outer_shape = [a // b for a, b in zip(row["tiled_shape"], row["inner_shape"], strict=True)]
    return answer is not None and table(inner.tile(answer, outer_shape, row["inner_shape"])) == table(tiled)


def _is_tile_outer(row: Row, answer: Any) -> bool:
    outer, tiled = build(row["layout"]), build(row["tiled"])
    inner_shape = [a // b for a, b in zip(row["tiled_shape"], row["outer_shape"], strict=True)]
    return answer is not None and table(answer.tile(outer, row["outer_shape"], inner_shape)) == table(tiled)


def _is_direct_sum_right(row: Row, answer: Any) -> bool:
    right, total = build(row["layout"]), build(row["sum"])
    return answer is not None and table(
        right.direct_sum(answer, row["interleaved"][0::2], row["right_shape"])
    ) == table(total)


def _is_direct_sum_left(row: Row, answer: Any) -> bool:
    left, total = build(row["layout"]), build(row["sum"])
    return answer is not None and table(answer.direct_sum(left, row["left_shape"], row["interleaved"][1::2])) == table(
        total
    )


def _mma_shared_layout(row: Row, answer: Any) -> bool:
    return size(answer) == prod(row["shape"])


def _apply(row: Row, answer: Any) -> bool:
    layout = build(row["layout"])
    shape = row["shape"]
    flat = row["coord"][0] if len(row["coord"]) == 1 else flatten(row["coord"], shape or layout.tile_layout.shape)
    return frozenset([place(answer)]) == frozenset([place(layout.base(flat))]) <= table(layout)[flat]


def _is_trivial(row: Row, answer: Any) -> bool:
    layout = build(row["layout"])
    axes = {it.axis for it in layout.shard} | set(layout.offset)
    one = len(axes) == 1 and next(iter(axes)).is_memory() and not layout.replica
    return bool(
        answer == (one and [sum(base(layout, x).values()) for x in range(size(layout))] == [*range(size(layout))])
    )


LAWS: dict[str, Callable[[Row, Any], bool]] = {
    "apply": _apply,
    "canonicalize": _canonicalize,
    "slice": _slice,
    "span": _span,
    "unpack": _unpack,
    "pack": _pack,
    "is_trivial": _is_trivial,
    "is_tile_inner": _is_tile_inner,
    "is_tile_outer": _is_tile_outer,
    "is_direct_sum_left": _is_direct_sum_left,
    "is_direct_sum_right": _is_direct_sum_right,
    "mma_shared_layout": _mma_shared_layout,
}
