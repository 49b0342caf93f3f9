"""The normal form of replicas, as a function of the set of offsets alone.

Axis by axis the offsets form a set of integers that is a sum of arithmetic progressions. It is shifted to start at 0
and written with ascending strides: each time the largest stride, and the longest run of it, with which the rest can
still be completed. So `R[3:1]` and `R[(2,2):(1,1)]` have one form.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any

from tilewright.layout.axes import Axis
from tilewright.tirx.iters import Iter, Iters, Terms, is_zero, make_iter

MAX_COPIES = 1 << 16
MAX_WORK = 1 << 21  # members of sets that a search may build

Progression = tuple[int, int]  # extent, stride


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
    shift: list[tuple[Axis, Any]] = []
    for axis, own in groupby(sorted(plain, key=_axis_name), key=lambda it: it.axis):
        assert axis is not None
        live = [(it.extent, it.stride) for it in own if it.extent > 1 and it.stride != 0]
        lowest = sum((e - 1) * s for e, s in live if s < 0)
        shift += [(axis, lowest)] if lowest else []
        out += [make_iter(e, s, axis) for e, s in normal_progressions([(e, abs(s)) for e, s in live])]
    return (*out, *odd), tuple(shift)


def normal_progressions(progressions: list[Progression]) -> list[Progression]:
    """The normal form of a sum of progressions {0, s, .., (e-1)s} with positive strides.

    >>> normal_progressions([(2, 2), (4, 1)]), normal_progressions([(4, 32), (2, 3)])
    ([(6, 1)], [(2, 3), (4, 32)])
    """
    ascending = sorted(progressions, key=lambda p: (p[1], p[0]))
    if _nested(ascending):
        return _chained(ascending)
    copies = 1
    for extent, _ in ascending:
        copies *= extent
    if copies > MAX_COPIES:
        return ascending
    found = cover(sums(ascending))
    return ascending if found is None else found


def sums(progressions: list[Progression]) -> frozenset[int]:
    """Every sum of one member of each progression."""
    reached = {0}
    for extent, stride in progressions:
        reached = {a + k * stride for a in reached for k in range(extent)}
    return frozenset(reached)


def cover(target: frozenset[int]) -> list[Progression] | None:
    """The first list of progressions, strides ascending, whose sums are exactly `target`; None when none is found.

    >>> cover(frozenset({0, 1, 3, 4, 5, 7, 8}))
    [(2, 1), (2, 3), (2, 4)]
    """
    work = 0

    def search(reached: frozenset[int], least: int) -> list[Progression] | None:
        if reached == target:
            return []
        # The next stride is at most the smallest member not yet reached, which is a sum of strides to come.
        missing = min(target - reached)
        for stride in sorted((s for s in target if least <= s <= missing), reverse=True):
            for extent, grown in longest_first(reached, stride):
                rest = search(grown, stride)
                if rest is not None:
                    return [(extent, stride), *rest]
            if work > MAX_WORK:
                return None
        return None

    def longest_first(reached: frozenset[int], stride: int) -> Iterator[tuple[int, frozenset[int]]]:
        nonlocal work
        grown = [reached]
        while (step := frozenset(a + len(grown) * stride for a in reached)) <= target and work <= MAX_WORK:
            grown.append(grown[-1] | step)
            work += len(grown[-1])
        work += 1
        return ((k, grown[k - 1]) for k in range(len(grown), 1, -1) if grown[k - 1] != reached)

    return search(frozenset({0}), 1)


def _nested(ascending: list[Progression]) -> bool:
    # Each stride reaches beyond all sums before it: the sum is direct, and only chains can be merged.
    reached = 0
    for extent, stride in ascending:
        if stride <= reached:
            return False
        reached += (extent - 1) * stride
    return True


def _chained(ascending: list[Progression]) -> list[Progression]:
    out: list[Progression] = []
    for extent, stride in ascending:
        if out and out[-1][0] * out[-1][1] == stride:
            out[-1] = (out[-1][0] * extent, out[-1][1])
        else:
            out.append((extent, stride))
    return out


def _is_plain(it: Iter) -> bool:
    return it.axis is not None and type(it.extent) is int and (type(it.stride) is int or is_zero(it.stride))


def _axis_name(it: Iter) -> str:
    return it.axis.name if it.axis is not None else ""


def replica_difference(whole: Iters, known: Iters) -> tuple[Iters, Terms] | None:
    """The replica (and shift of the offset) that together with `known` makes `whole`; None where there is none.

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
        target, block = _sums_on(some, axis), _sums_on(part, axis)
        progressions = _complement(target, block)
        if progressions is None:
            return None
        out += [make_iter(e, s, axis) for e, s in progressions]
    return tuple(out), (*up, *((axis, -value) for axis, value in down))


def _complement(target: frozenset[int], block: frozenset[int]) -> list[Progression] | None:
    """Progressions X with X + block = target: the disjoint one if there is one, else the largest."""
    disjoint, open_ = [], set(target)
    while open_ and {(first := min(open_)) + b for b in block} <= open_:
        disjoint.append(first)
        open_ -= {first + b for b in block}
    largest = frozenset(x for x in target if all(x + b in target for b in block))
    for rest in ([frozenset(disjoint)] if not open_ else []) + [largest]:
        if frozenset(x + b for x in rest for b in block) == target and (found := cover(rest)) is not None:
            return found
    return None


def _take(iters: list[Iter], it: Iter) -> bool:
    found = it in iters
    if found:
        iters.remove(it)
    return found


def _sums_on(iters: Iters, axis: Axis | None) -> frozenset[int]:
    return sums([(it.extent, it.stride) for it in iters if it.axis is axis])
