"""The bends of a sum of floors: how far it is linear, and where sums carry.

A layout beyond its domain is A~(x) = d_0 * x + the sum over its bends of jump * floor(x / size) (`exact`). Its linear
part repeats in equal steps and adds up by itself, so that what remains to be asked concerns the bends alone. x may be a
point of several parts; a bend looks at one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from itertools import product as box
from math import gcd
from operator import add

from tilewright.errors import LayoutError

Point = tuple[int, ...]
Steps = list[tuple[int, Point]]
Rate = tuple[int, int]  # a fraction in lowest terms
Rates = dict[Rate, int]

MAX_POINTS = 2**16
MAX_CARRIES = 2**14
MAX_CORNERS = 2**10


@dataclass(frozen=True)
class Bend:
    """floor(x[part] / size), which counts with weight `jump`."""

    part: int
    size: int
    jump: int


def bent(bends: Sequence[Bend], x: Point) -> int:
    """A~(x) without its linear part."""
    return sum(bend.jump * (x[bend.part] // bend.size) for bend in bends)


# ---- one arithmetic progression of points


def split(bends: Sequence[Bend], extent: int, step: Point) -> Steps | None:
    """The modes of the only coalesced layout that can equal i -> A~(i * step) on [0, extent), or None.

    Such a layout's first mode ends exactly where the function stops being linear, and the rest is the same
    question for the remaining extent. Whether the parts add up is left to `carry`.
    """
    out: Steps = []
    while extent > 1:
        run = linear_run(bends, extent, step)
        if extent % run:
            return None
        out.append((run, step))
        extent, step = extent // run, tuple(run * x for x in step)
    return out


def linear_run(bends: Sequence[Bend], extent: int, step: Point) -> int:
    """The largest r <= extent with A~(i * step) == i * A~(step) for all i < r."""
    rates = _rates(bends, step)
    for _, i in zip(range(MAX_CARRIES), _events(rates), strict=False):
        if i >= extent:
            return extent
        if sum(jump * (i * rise // run) for (rise, run), jump in rates.items()) != 0:
            return i
    if not rates:
        return extent
    raise LayoutError(f"undecided: the first {MAX_CARRIES} carries of step {step} cancel, of {extent} values")


def _rates(bends: Sequence[Bend], step: Point) -> Rates:
    # Bends with the same fractional step carry at the same points: their jumps add up, perhaps to nothing.
    rates: Rates = {}
    for bend in bends:
        rise = step[bend.part] % bend.size
        if rise:
            common = gcd(rise, bend.size)
            rate = rise // common, bend.size // common
            rates[rate] = rates.get(rate, 0) + bend.jump
    return {rate: jump for rate, jump in rates.items() if jump != 0}


def _events(rates: Rates) -> Iterator[int]:
    """The points, in order, at which some floor(i * rate) steps up."""
    i = 0
    while rates:
        # floor(i * rate) steps up next at ceil((floor(i * rate) + 1) / rate)
        i = min(-(-(i * rise // run + 1) * run // rise) for rise, run in rates)
        yield i


# ---- sums of progressions


def carry(bends: Sequence[Bend], steps: Steps) -> Point | None:
    """None if A~(sum of i_q * step_q) == sum of A~(i_q * step_q) for all i_q < extent_q, else a witness (i_q).

    A bend without a possible carry adds up by itself; with carries at one bend only, the jump shows. With
    several, carries may cancel: their corners are tried, then every sum if there are at most 2^16.
    """
    carrying = [bend for bend in bends if _may_carry(bend, steps)]
    if not carrying:
        return None
    for corner in islice(_corners(carrying, steps), MAX_CORNERS):
        if _defect(bends, corner, steps) != 0:
            return corner
    return _search(bends, carrying, steps)


def _search(bends: Sequence[Bend], carrying: list[Bend], steps: Steps) -> Point | None:
    """Every sum, mode by mode: one total may be reached in many ways, and all must be bent as the total is."""
    reached: dict[Point, tuple[int, Point]] = {(0,) * len(steps[0][1]): (0, ())}
    for done, (extent, step) in enumerate(steps, 1):
        count = min(extent, _period(step, carrying))
        if len(reached) * count > MAX_POINTS:
            raise LayoutError(f"undecided: carries at {len(carrying)} levels may cancel, in more than 2^16 sums")
        multiples = [tuple(i * x for x in step) for i in range(count)]
        added = [bent(bends, multiple) for multiple in multiples]
        found: dict[Point, tuple[int, Point]] = {}
        for (total, (so_far, point)), i in box(reached.items(), range(count)):
            there = tuple(map(add, total, multiples[i]))
            if bent(bends, there) != so_far + added[i]:
                return (*point, i, *(0,) * (len(steps) - done))
            found.setdefault(there, (so_far + added[i], (*point, i)))
        reached = found
    return None


def _defect(bends: Sequence[Bend], point: Point, steps: Steps) -> int:
    xs = [tuple(i * x for x in step) for i, (_, step) in zip(point, steps, strict=True)]
    total = tuple(map(sum, zip(*xs, strict=True)))
    return bent(bends, total) - sum(bent(bends, x) for x in xs)


def _may_carry(bend: Bend, steps: Steps) -> bool:
    residues = (max_residue(step[bend.part], bend.size, extent)[0] for extent, step in steps)
    return sum(residues) >= bend.size


def _corners(bends: list[Bend], steps: Steps) -> Iterator[Point]:
    """Points likely to tell: at each bend the largest residues, all together and in pairs; and the far corner."""
    for bend in bends:
        peaks = tuple(max_residue(step[bend.part], bend.size, extent)[1] for extent, step in steps)
        yield peaks
        for a in range(len(steps)):
            for b in range(a):
                yield tuple(p if q in (a, b) else 0 for q, p in enumerate(peaks))
    yield tuple(extent - 1 for extent, _ in steps)


def _period(step: Point, bends: list[Bend]) -> int:
    tops: dict[int, int] = {}
    for bend in bends:
        tops[bend.part] = max(tops.get(bend.part, 1), bend.size)
    period = 1
    for part, top in tops.items():
        own = top // gcd(step[part], top)
        period = period * own // gcd(period, own)
    return period


def max_residue(step: int, modulus: int, count: int) -> tuple[int, int]:
    """The largest (i * step) % modulus over 0 <= i < count, and an i that attains it.

    >>> max_residue(5, 12, 4), max_residue(5, 12, 100)
    ((10, 2), (11, 7))
    """
    # Three-distance rule: from the highest point so far, at index `high` and `gap` below the modulus, the least
    # known rise `rise`, over `stride` indices, leads to the next one; when it is too large, it shrinks by the gap.
    high, gap, stride, rise = 0, modulus, 1, step % modulus
    while rise and stride + high < count:
        if rise < gap:
            times = min((gap - 1) // rise, (count - 1 - high) // stride)
            high, gap = high + times * stride, gap - times * rise
        else:
            times = rise // gap
            stride, rise = stride + times * high, rise - times * gap
    return modulus - gap, high
