"""Do different elements lie in different places?"""

from __future__ import annotations

from math import gcd, prod
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import Axis
from tilewright.layout.inttuple import MAX_INT
from tilewright.tirx import bulk
from tilewright.tirx.canonical import canonical
from tilewright.tirx.extent import extent
from tilewright.tirx.iters import Iters, Parts, size_of, terms

MAX_POINTS = 1 << 22


def is_injective(parts: Parts) -> bool:
    """Are the places of different elements disjoint, replicas included?

    Raises:
        LayoutError: run-time values, or more places than can be listed where no closed rule decides.

    >>> from tilewright.tirx.iters import Iter
    >>> is_injective(Parts((Iter(4, 1), Iter(4, 4)))), is_injective(Parts((Iter(4, 1), Iter(4, 3))))
    (True, False)
    """
    bulk.check_static(parts)
    normal = canonical(parts)
    live = tuple(it for it in (*normal.shard, *normal.replica) if it.extent != 1)
    if all(it.axis is not None for it in live):
        axes = dict.fromkeys(it.axis for it in live)
        return all(_distinct(tuple(it for it in live if it.axis is axis)) for axis in axes)
    return _distinct(live)


def is_bijective(parts: Parts) -> bool:
    """Injective, without replicas, and onto the box that its values span: every cell of it holds one element."""
    bulk.check_static(parts)
    normal = canonical(parts)
    axes = dict.fromkeys(axis for it in normal.shard for axis, _ in terms(it.stride, it.axis))
    cells = prod(extent(normal, axis) for axis in axes)
    return not normal.replica and cells == size_of(normal.shard) and is_injective(normal)


def _distinct(live: Iters) -> bool:
    if all(it.axis is not None for it in live) and _nested(live):
        return True
    if any(it.stride == 0 for it in live) or _fewer_cells(live) or _some_pair_meets(live):
        return False
    if len(live) == 2 and None not in {it.axis for it in live}:
        return True
    return _all_differ(live)


def _nested(live: Iters) -> bool:
    reached = 0
    for it in sorted(live, key=lambda it: abs(it.stride)):
        if abs(it.stride) <= reached:
            return False
        reached += (it.extent - 1) * abs(it.stride)
    return True


def _fewer_cells(live: Iters) -> bool:
    return bool(prod(extent(Parts(live), axis) for axis in _axes(live)) < size_of(live))


def _some_pair_meets(live: Iters) -> bool:
    # Two iters of one axis meet when steps of both lead equally far: s1/g steps of the second, s2/g of the first.
    plain = [(it.extent, abs(it.stride), it.axis) for it in live if it.axis is not None]
    pairs = ((a, b) for i, a in enumerate(plain) for b in plain[:i] if a[2] is b[2])
    return any(b[1] // gcd(a[1], b[1]) < a[0] and a[1] // gcd(a[1], b[1]) < b[0] for a, b in pairs)


def _all_differ(live: Iters) -> bool:
    import numpy

    size, axes = size_of(live), _axes(live)
    if size > MAX_POINTS:
        raise LayoutError(f"undecided: whether {size} places differ is found by listing up to {MAX_POINTS}")
    bulk.check_range(Parts(live))
    if prod(extent(Parts(live), axis) for axis in axes) < MAX_INT:
        numbers: Any = 0
        for axis in axes:
            numbers = numbers * extent(Parts(live), axis) + bulk.column(Parts(live), axis).reshape(-1)
        numbers.sort()
        return bool((numbers[1:] != numbers[:-1]).all())
    rows: Any = numpy.stack([bulk.column(Parts(live), axis).reshape(-1) for axis in axes])
    return bool(numpy.unique(rows, axis=1).shape[1] == rows.shape[1])


def _axes(live: Iters) -> list[Axis]:
    return list(dict.fromkeys(axis for it in live for axis, _ in terms(it.stride, it.axis)))
