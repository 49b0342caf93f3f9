"""Do different elements lie in different places?"""

from __future__ import annotations

from math import prod
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import Axis
from tilewright.tirx import bulk
from tilewright.tirx.canonical import canonical
from tilewright.tirx.extent import extent
from tilewright.tirx.iters import Iters, Parts, size_of, terms

MAX_POINTS = 1 << 22


def is_injective(parts: Parts) -> bool:
    """Are the places of different elements disjoint, replicas included?

    >>> from tilewright.tirx.iters import Iter
    >>> is_injective(Parts((Iter(4, 1), Iter(4, 4)))), is_injective(Parts((Iter(4, 1), Iter(4, 3))))
    (True, False)
    """
    normal = canonical(parts)
    live = tuple(it for it in (*normal.shard, *normal.replica) if it.extent != 1)
    if all(it.axis is not None for it in live):
        axes = dict.fromkeys(it.axis for it in live)
        return all(_distinct(tuple(it for it in live if it.axis is axis)) for axis in axes)
    return _distinct(live)


def is_bijective(parts: Parts) -> bool:
    """Injective, without replicas, and onto the box that its values span: every cell of it holds one element."""
    normal = canonical(parts)
    axes = dict.fromkeys(axis for it in normal.shard for axis, _ in terms(it.stride, it.axis))
    cells = prod(extent(normal, axis) for axis in axes)
    return not normal.replica and cells == size_of(normal.shard) and is_injective(normal)


def _distinct(live: Iters) -> bool:
    if all(it.axis is not None for it in live) and _nested(live):
        return True
    if any(it.stride == 0 for it in live) or _fewer_cells(live):
        return False
    if size_of(live) > MAX_POINTS:
        raise LayoutError(f"undecided: whether {size_of(live)} places differ is found by listing up to {MAX_POINTS}")
    bulk.check_range(Parts(live))
    import numpy

    axes = dict.fromkeys(axis for it in live for axis, _ in terms(it.stride, it.axis))
    rows: Any = numpy.stack([bulk.column(Parts(live), axis).reshape(-1) for axis in axes])
    return bool(numpy.unique(rows, axis=1).shape[1] == rows.shape[1])


def _nested(live: Iters) -> bool:
    reached = 0
    for it in sorted(live, key=lambda it: abs(it.stride)):
        if abs(it.stride) <= reached:
            return False
        reached += (it.extent - 1) * abs(it.stride)
    return True


def _fewer_cells(live: Iters) -> bool:
    axes: dict[Axis, Any] = dict.fromkeys(axis for it in live for axis, _ in terms(it.stride, it.axis))
    return bool(prod(extent(Parts(live), axis) for axis in axes) < size_of(live))
