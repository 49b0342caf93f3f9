"""Do different elements lie in different places?"""

from __future__ import annotations

from math import gcd, prod

from tilewright.errors import LayoutError
from tilewright.layout.axes import Axis
from tilewright.tirx import bulk
from tilewright.tirx.canonical import canonical
from tilewright.tirx.extent import extent
from tilewright.tirx.iters import Iters, Parts, size_of, terms

MAX_POINTS = 1 << 20


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
    shard = tuple(it for it in normal.shard if it.extent != 1)
    live = (*shard, *normal.replica)
    if any(it.axis is None for it in live):
        return _disjoint(shard, normal.replica)
    axes = dict.fromkeys(it.axis for it in live)
    return all(_disjoint(*(tuple(it for it in own if it.axis is a) for own in (shard, normal.replica))) for a in axes)


def is_bijective(parts: Parts) -> bool:
    """Injective, without replicas, and onto the box that its values span: every cell of it holds one element."""
    bulk.check_static(parts)
    normal = canonical(parts)
    axes = dict.fromkeys(axis for it in normal.shard for axis, _ in terms(it.stride, it.axis))
    cells = prod(extent(normal, axis) for axis in axes)
    return not normal.replica and cells == size_of(normal.shard) and is_injective(normal)


def _disjoint(shard: Iters, copies: Iters) -> bool:
    """Do the elements of the shard share no place? Copies of one element may meet each other."""
    live = (*shard, *copies)
    plain = all(it.axis is not None for it in live)
    if not shard or (plain and _nested(live)):
        return True
    if any(it.stride == 0 for it in shard) or _fewer_cells(live, size_of(shard)) or _some_pair_meets(shard, copies):
        return False
    return (plain and len(live) == 2) or _all_differ(shard, copies)


def _nested(live: Iters) -> bool:
    reached = 0
    for it in sorted(live, key=lambda it: abs(it.stride)):
        if abs(it.stride) <= reached:
            return False
        reached += (it.extent - 1) * abs(it.stride)
    return True


def _fewer_cells(live: Iters, elements: int) -> bool:
    return bool(prod(extent(Parts(live), axis) for axis in _axes(live)) < elements)


def _some_pair_meets(shard: Iters, copies: Iters) -> bool:
    # Two iters of one axis meet when steps of both lead equally far: s1/g steps of the second, s2/g of the first.
    plain = [(it.extent, abs(it.stride), it.axis) for it in (*shard, *copies) if it.axis is not None]
    pairs = ((a, b) for i, a in enumerate(plain[: len(shard)]) for b in plain[i + 1 :] if a[2] is b[2])
    return any(b[1] // gcd(a[1], b[1]) < a[0] and a[1] // gcd(a[1], b[1]) < b[0] for a, b in pairs)


def _all_differ(shard: Iters, copies: Iters) -> bool:
    import numpy

    live = Parts((*shard, *copies))
    if size_of(live.shard) > MAX_POINTS:
        raise LayoutError(
            f"undecided: whether {size_of(live.shard)} places differ is found by listing up to {MAX_POINTS}"
        )
    bulk.check_range(live)
    axes = _axes(live.shard)
    steps = numpy.unique(numpy.stack([bulk.column(Parts(copies), axis).reshape(-1) for axis in axes]), axis=1)
    numbers = numpy.zeros(1, numpy.int64)
    for axis, step in zip(axes, steps, strict=True):
        values = (bulk.column(Parts(shard), axis).reshape(-1, 1) + step).reshape(-1)
        ranks = numpy.unique(values, return_inverse=True)[1]
        numbers = numpy.unique(numbers * values.size + ranks, return_inverse=True)[1]
    return bool(numbers.max() + 1 == numbers.size)


def _axes(live: Iters) -> list[Axis]:
    return list(dict.fromkeys(axis for it in live for axis, _ in terms(it.stride, it.axis)))
