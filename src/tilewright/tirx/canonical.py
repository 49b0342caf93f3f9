"""The canonical form: one text for one map.

`tidy` is TVM's canonicalisation: no unit iters, no zero offsets, neighbours fused. It leaves freedom in three places,
which `canonical` removes: stride-0 iters lie on `m`, a layout of one element is `S[1:1]`, and the replica is the
normal form of its set of offsets.
"""

from __future__ import annotations

from tilewright.tirx.iters import Iter, Iters, M, Parts, Terms, add_terms, is_zero, make_iter
from tilewright.tirx.replica import normal_replica

UNIT = make_iter(1, 1, M)


def canonical(parts: Parts) -> Parts:
    """The unique form of the map x -> { D(x) + r + O }: equal maps have equal canonical forms."""
    shard = tuple(make_iter(it.extent, 0, M) if is_zero(it.stride) else it for it in _without_units(parts.shard))
    replica, shift = normal_replica(parts.replica)
    return Parts(fuse_neighbours(shard) or (UNIT,), replica, without_zeros(add_terms(parts.offset, shift)))


def tidy(parts: Parts) -> Parts:
    """The same map without unit iters and zero offsets, neighbours fused; the replica as it is."""
    return Parts(fuse_neighbours(_some(parts.shard)), parts.replica, without_zeros(parts.offset))


def without_zeros(offset: Terms) -> Terms:
    """The offset without the axes on which it is 0."""
    return tuple(item for item in offset if not is_zero(item[1]))


def fuse_neighbours(shard: Iters) -> Iters:
    """Merges neighbours on one axis that walk on: (e1, e2*s) (e2, s) is (e1*e2, s).

    >>> fuse_neighbours((Iter(4, 8), Iter(8, 1)))
    (Iter(32, 1, m),)
    """
    out: list[Iter] = []
    for it in shard:
        if out and out[-1].axis is it.axis and out[-1].stride == it.extent * it.stride:
            out[-1] = make_iter(out[-1].extent * it.extent, it.stride, it.axis)
        else:
            out.append(it)
    return tuple(out)


def _without_units(shard: Iters) -> Iters:
    return tuple(it for it in shard if it.extent != 1)


def _some(shard: Iters) -> Iters:
    # One element stays one iter, on the axis that was written first.
    return _without_units(shard) or tuple(make_iter(1, 1, it.axis or M) for it in shard[:1])
