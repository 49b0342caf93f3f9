"""Sums of arithmetic progressions {0, s, .., (e-1)s}, as sets of integers: their normal form, and finding them.

A set of naturals is an integer here whose bit x tells whether x is a member, so that a whole set moves in one shift.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd

Progression = tuple[int, int]  # extent, stride

MAX_WIDTH = 1 << 22  # the largest member of a set that is searched
MAX_WORK = 1 << 31  # the bits that a search may move


def spread(members: int, progressions: Iterable[Progression]) -> int:
    """Every sum of a member and one of each progression.

    >>> bin(spread(0b1, [(3, 2)])), bin(spread(0b11, [(2, 2)]))
    ('0b10101', '0b1111')
    """
    for extent, stride in progressions:
        have = 1
        while have < extent:
            step = min(have, extent - have)
            members |= members << step * stride
            have += step
    return members


def shrink(members: int, progressions: Iterable[Progression]) -> int:
    """The x for which x + p is a member for every sum p of the progressions.

    >>> bin(shrink(0b1111, [(2, 2)]))
    '0b11'
    """
    for extent, stride in progressions:
        have = 1
        while have < extent and members:
            step = min(have, extent - have)
            members &= members >> step * stride
            have += step
    return members


def reach(progressions: Iterable[Progression]) -> int:
    """The largest sum."""
    return sum((extent - 1) * stride for extent, stride in progressions)


def normal_progressions(progressions: Iterable[Progression]) -> list[Progression]:
    """The normal form of a sum of progressions with positive strides: a function of the set of sums alone.

    Strides ascend; each time the largest stride, and the longest run of it, with which the rest can still be completed.
    A set that is too large to search keeps its progressions, sorted.

    >>> normal_progressions([(2, 2), (4, 1)]), normal_progressions([(4, 32), (2, 3)])
    ([(6, 1)], [(2, 3), (4, 32)])
    """
    out: list[Progression] = []
    for part in _scales(sorted(progressions, key=lambda p: (p[1], p[0]))):
        unit = gcd(*(stride for _, stride in part))
        out += [(extent, stride * unit) for extent, stride in _normal([(e, s // unit) for e, s in part])]
    return out


def cover(members: Iterable[int]) -> list[Progression] | None:
    """The progressions, in normal form, whose sums are exactly these naturals; None when none are found.

    >>> cover({0, 1, 3, 4, 5, 7, 8}), cover({0, 1, 3})
    ([(2, 1), (2, 3), (2, 4)], None)
    """
    found = set(members)
    unit = gcd(*found) or 1
    if max(found) // unit > MAX_WIDTH:
        return None
    bits = bytearray(max(found) // unit // 8 + 1)
    for member in found:
        bits[member // unit // 8] |= 1 << member // unit % 8
    covered = cover_bits(int.from_bytes(bits, "little"))
    return covered and [(extent, stride * unit) for extent, stride in covered]


def cover_bits(target: int, known: Sequence[Progression] = ()) -> list[Progression] | None:
    """The progressions that together with those known have exactly the target's members as sums; None without any.

    After some progressions are chosen, `rest` is the largest set that may still be added to their sums, and the sums
    of both must be the target: this rules out a wrong choice at once.

    >>> cover_bits(0b1111, [(2, 1)])
    [(2, 2)]
    """
    work = 0

    def search(chosen: tuple[Progression, ...], rest: int, least: int) -> list[Progression] | None:
        missing = target & ~spread(1, chosen)
        if not missing:
            return list(chosen[len(known) :])
        # The next stride is at most the smallest member that is missing, as strides to come are part of it.
        for stride in _descending(rest, least, _lowest(missing)):
            for extent in range(longest(chosen, rest, stride), 1, -1):
                found = search((*chosen, (extent, stride)), shrink(rest, [(extent, stride)]), stride)
                if found is not None or work > MAX_WORK:
                    return found
        return None

    def longest(chosen: tuple[Progression, ...], rest: int, stride: int) -> int:
        # Whatever is possible with an extent is possible with every smaller one.
        low, high = 1, 2
        while possible(chosen, rest, high, stride):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if possible(chosen, rest, middle, stride) else (low, middle)
        return low

    def possible(chosen: tuple[Progression, ...], rest: int, extent: int, stride: int) -> bool:
        nonlocal work
        work += target.bit_length() + (1 << 12)
        left = shrink(rest, [(extent, stride)])
        return bool(left & 1) and work <= MAX_WORK and spread(left, [*chosen, (extent, stride)]) == target

    rest = shrink(target, known)
    return search(tuple(known), rest, 1) if spread(rest, known) == target else None


def _scales(ascending: list[Progression]) -> Iterator[list[Progression]]:
    # Where all larger strides are multiples of more than twice what the smaller ones reach, sums carry nothing, and
    # every way to write the set falls apart at the same place.
    begin = reached = 0
    for k, (extent, stride) in enumerate(ascending):
        if k > begin and stride > 2 * reached and gcd(*(s for _, s in ascending[k:])) > 2 * reached:
            yield ascending[begin:k]
            begin = k
        reached += (extent - 1) * stride
    if ascending:
        yield ascending[begin:]


def _normal(ascending: list[Progression]) -> list[Progression]:
    if _nested(ascending):
        return _chained(ascending)
    if reach(ascending) > MAX_WIDTH:
        return ascending
    return cover_bits(spread(1, ascending)) or ascending


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


def _descending(members: int, least: int, most: int) -> Iterator[int]:
    window = (members & ((2 << most) - 1)) >> least
    while window:
        top = window.bit_length() - 1
        yield least + top
        window ^= 1 << top


def _lowest(members: int) -> int:
    return (members & -members).bit_length() - 1
