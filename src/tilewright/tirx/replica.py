"""The normal form of replicas, as a function of the set of offsets alone, and the difference of two of them.

Axis by axis the offsets form a set of integers that is a sum of arithmetic progressions. It is shifted to start at 0
and written in normal form. So `R[3:1]` and `R[(2,2):(1,1)]` have one form.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from math import gcd

from tilewright.errors import LayoutError
from tilewright.layout.axes import Axis
from tilewright.tirx.iters import Iter, Iters, Terms, is_zero, make_iter
from tilewright.tirx.progressions import (
    MAX_WIDTH,
    Progression,
    cover_bits,
    normal_progressions,
    reach,
    spread,
)

MAX_COPIES = 1 << 16


@lru_cache(maxsize=1024)
def normal_replica(replica: Iters) -> tuple[Iters, Terms]:
    """The normal form of a replica and the shift that belongs to the offset.

    Iters with run-time values or with strides on several axes, and sets that are too large to search, are only sorted.

    >>> normal_replica((Iter(2, 1), Iter(2, 1)))
    ((Iter(3, 1, m),), ())
    >>> normal_replica((Iter(4, -32, "TLane"),))
    ((Iter(4, 32, TLane),), ((TLane, -96),))
    """
    plain = [it for it in replica if _is_plain(it)]
    odd = sorted((it for it in replica if not _is_plain(it)), key=repr)
    out: list[Iter] = []
    shift: list[tuple[Axis, int]] = []
    for axis, own in groupby(sorted(plain, key=_axis_name), key=lambda it: it.axis):
        assert axis is not None
        live = [(it.extent, it.stride) for it in own if it.extent > 1 and it.stride != 0]
        lowest = sum((e - 1) * s for e, s in live if s < 0)
        shift += [(axis, lowest)] if lowest else []
        out += [make_iter(e, s, axis) for e, s in normal_progressions([(e, abs(s)) for e, s in live])]
    return (*out, *odd), tuple(shift)


def replica_difference(whole: Iters, known: Iters) -> tuple[Iters, Terms] | None:
    """The replica (and shift of the offset) that together with `known` makes `whole`; None where there is none.

    Raises:
        LayoutError: the offsets reach too far to be compared.

    >>> replica_difference((Iter(4, 1),), (Iter(2, 1),))
    ((Iter(2, 2, m),), ())
    """
    left = list(whole)
    missing = [it for it in known if not _take(left, it)]
    if not missing:
        return tuple(left), ()
    (some, up), (part, down) = normal_replica(whole), normal_replica(known)
    if not all(map(_is_plain, (*some, *part))):
        return None
    out: list[Iter] = []
    for axis in dict.fromkeys(it.axis for it in (*some, *part)):
        progressions = _difference(_on(some, axis), _on(part, axis))
        if progressions is None:
            return None
        out += [make_iter(e, s, axis) for e, s in progressions]
    return tuple(out), (*up, *((axis, -value) for axis, value in down))


def _difference(whole: list[Progression], known: list[Progression]) -> list[Progression] | None:
    unit = gcd(*(stride for _, stride in (*whole, *known))) or 1
    target, block = ([(e, s // unit) for e, s in part] for part in (whole, known))
    if reach(target) < reach(block):
        return None
    if reach(target) > MAX_WIDTH:
        raise LayoutError(f"undecided: copies up to {reach(whole)} cells apart are compared up to {MAX_WIDTH * unit}")
    found = cover_bits(spread(1, target), block)
    return None if found is None else [(e, s * unit) for e, s in found]


def _on(iters: Iters, axis: Axis | None) -> list[Progression]:
    return [(it.extent, it.stride) for it in iters if it.axis is axis]


def _is_plain(it: Iter) -> bool:
    return it.axis is not None and type(it.extent) is int and (type(it.stride) is int or is_zero(it.stride))


def _axis_name(it: Iter) -> str:
    return it.axis.name if it.axis is not None else ""


def _take(iters: list[Iter], it: Iter) -> bool:
    found = it in iters
    if found:
        iters.remove(it)
    return found
