"""A layout as a sum of floors, the form in which compositions are decided exactly.

With S_k the product of the first k extents of a flat layout, and A~ the layout with its last mode unbounded,

    A~(x) = d_0 * x + sum over k >= 1 of g_k * floor(x / S_k),   g_k = d_k - s_(k-1) * d_(k-1)

so A~ bends only at the levels S_k, and bends nowhere else. x may also be a coordinate whose parts go to several flat
layouts; a `Chain` holds them all, and a point is the tuple of the parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from itertools import product as box
from math import gcd
from operator import add

from tilewright.errors import LayoutError
from tilewright.layout.algebra.modes import Modes, step_beyond

Point = tuple[int, ...]
Steps = list[tuple[int, Point]]
Rate = tuple[int, int]  # a fraction in lowest terms
Rates = dict[Rate, int]

MAX_POINTS = 2**16
MAX_CARRIES = 2**14
MAX_CORNERS = 2**10


@dataclass(frozen=True)
class Level:
    """One bend: floor(x[part] / size) counts with weight `jump`."""

    part: int
    size: int
    jump: int


class NoLayoutError(LayoutError):
    """No layout is the composition."""


class Chain:
    """The function A~ of points, by slopes (one a part) and bends."""

    def __init__(self, parts: Sequence[Modes]) -> None:
        self.parts = parts
        self.slopes = [strides[0] for _, strides in parts]
        self.levels = [level for i, (shapes, strides) in enumerate(parts) for level in _levels(i, shapes, strides)]

    def value(self, x: Point) -> int:
        """A~(x)."""
        line = sum(a * b for a, b in zip(self.slopes, x, strict=True))
        return line + self.bend(x)

    def bend(self, x: Point) -> int:
        """A~(x) without its linear part."""
        return sum(level.jump * (x[level.part] // level.size) for level in self.levels)

    # ---- the decision

    def compose(self, leaves: Sequence[tuple[int, Point]]) -> list[Modes]:
        """For each leaf (extent, step) the modes of the layout i -> A~(i * step), where the leaves also add up.

        Raises:
            NoLayoutError: no layout has this function; the message says where it breaks.
        """
        split = [self._required_split(extent, step) for extent, step in leaves]
        self._require_sum([mode for leaf in split for mode in leaf])
        return [self._modes(leaf, step) for leaf, (_, step) in zip(split, leaves, strict=True)]

    def _required_split(self, extent: int, step: Point) -> Steps:
        if extent > 1 and min(step) < 0:
            raise NoLayoutError("B takes negative values, which are outside the domain of A")
        found = self.split(extent, step)
        if found is None:
            shown = ", ".join(_text(i, step) for i in range(min(extent, 4)))
            raise NoLayoutError(
                f"no layout has this function: B's mode {extent}:{_text(1, step)} asks for A at "
                f"{shown}{', ..' if extent > 4 else ''}, and these values do not repeat in equal steps"
            )
        return found

    def _require_sum(self, modes: Steps) -> None:
        witness = self.additive(modes)
        if witness is None:
            return
        used = [(i, step) for i, (_, step) in zip(witness, modes, strict=True) if i]
        xs = [tuple(i * x for x in step) for i, step in used]
        total = tuple(map(sum, zip(*xs, strict=True)))
        raise NoLayoutError(
            f"no layout has this function, because B's modes do not add up under A: "
            f"{' + '.join(f'A({_text(i, step)})' for i, step in used)} = {sum(map(self.value, xs))}, "
            f"but A({_text(1, total)}) = {self.value(total)}"
        )

    def _modes(self, leaf: Steps, step: Point) -> Modes:
        if leaf:
            return [extent for extent, _ in leaf], [self.value(x) for _, x in leaf]
        beyond = (step_beyond(e, x) * d[-1] for (e, d), x in zip(self.parts, step, strict=True) if x)
        return [1], [sum(beyond)]

    # ---- one arithmetic progression of points

    def split(self, extent: int, step: Point) -> Steps | None:
        """The modes of the only coalesced layout that can equal i -> A~(i * step) on [0, extent), or None.

        Such a layout's first mode ends exactly where the function stops being linear, and the rest is the same
        question for the remaining extent. Whether the parts add up is left to `additive`.
        """
        out: Steps = []
        while extent > 1:
            run = self.run(extent, step)
            if extent % run:
                return None
            out.append((run, step))
            extent, step = extent // run, tuple(run * x for x in step)
        return out

    def run(self, extent: int, step: Point) -> int:
        """The largest r <= extent with A~(i * step) == i * A~(step) for all i < r."""
        rates = self._rates(step)
        for _, i in zip(range(MAX_CARRIES), _events(rates), strict=False):
            if i >= extent:
                return extent
            if sum(jump * (i * rise // run) for (rise, run), jump in rates.items()) != 0:
                return i
        if not rates:
            return extent
        raise LayoutError(f"undecided: the first {MAX_CARRIES} carries of step {step} cancel, of {extent} values")

    def _rates(self, step: Point) -> Rates:
        # Bends with the same fractional step carry at the same points: their jumps add up, perhaps to nothing.
        rates: Rates = {}
        for level in self.levels:
            rise = step[level.part] % level.size
            if rise:
                common = gcd(rise, level.size)
                rate = rise // common, level.size // common
                rates[rate] = rates.get(rate, 0) + level.jump
        return {rate: jump for rate, jump in rates.items() if jump != 0}

    # ---- sums of progressions

    def additive(self, steps: Steps) -> Point | None:
        """None if A~(sum of i_q * step_q) == sum of A~(i_q * step_q) for all i_q < extent_q, else a witness (i_q).

        A level without a possible carry adds up by itself; with carries at one level only, the jump shows. With
        several, carries may cancel: their corners are tried, then every sum if there are at most 2^16.
        """
        carrying = [level for level in self.levels if _may_carry(level, steps)]
        if not carrying:
            return None
        for corner in islice(_corners(carrying, steps), MAX_CORNERS):
            if self._defect(corner, steps) != 0:
                return corner
        return self._search(carrying, steps)

    def _search(self, levels: list[Level], steps: Steps) -> Point | None:
        """Every sum, mode by mode: one total may be reached in many ways, and all must have the bend of the total."""
        reached: dict[Point, tuple[int, Point]] = {(0,) * len(self.slopes): (0, ())}
        for done, (extent, step) in enumerate(steps, 1):
            count = min(extent, _period(step, levels))
            if len(reached) * count > MAX_POINTS:
                raise LayoutError(f"undecided: carries at {len(levels)} levels may cancel, in more than 2^16 sums")
            multiples = [tuple(i * x for x in step) for i in range(count)]
            bends = [self.bend(multiple) for multiple in multiples]
            found: dict[Point, tuple[int, Point]] = {}
            for (total, (bend, point)), i in box(reached.items(), range(count)):
                there = tuple(map(add, total, multiples[i]))
                if self.bend(there) != bend + bends[i]:
                    return (*point, i, *(0,) * (len(steps) - done))
                found.setdefault(there, (bend + bends[i], (*point, i)))
            reached = found
        return None

    def _defect(self, point: Point, steps: Steps) -> int:
        xs = [tuple(i * x for x in step) for i, (_, step) in zip(point, steps, strict=True)]
        total = tuple(map(sum, zip(*xs, strict=True)))
        return self.bend(total) - sum(map(self.bend, xs))


def _text(i: int, step: Point) -> str:
    return str(i * step[0] if len(step) == 1 else tuple(i * x for x in step))


def _levels(part: int, shapes: Sequence[int], strides: Sequence[int]) -> Iterator[Level]:
    size = 1
    for k in range(1, len(shapes)):
        size *= shapes[k - 1]
        jump = strides[k] - shapes[k - 1] * strides[k - 1]
        if jump != 0:
            yield Level(part, size, jump)


def _events(rates: Rates) -> Iterator[int]:
    """The points, in order, at which some floor(i * rate) steps up."""
    i = 0
    while rates:
        # floor(i * rate) steps up next at ceil((floor(i * rate) + 1) / rate)
        i = min(-(-(i * rise // run + 1) * run // rise) for rise, run in rates)
        yield i


def _may_carry(level: Level, steps: Steps) -> bool:
    residues = (max_residue(step[level.part], level.size, extent)[0] for extent, step in steps)
    return sum(residues) >= level.size


def _corners(levels: list[Level], steps: Steps) -> Iterator[Point]:
    """Points likely to tell: at each level the largest residues, all together and in pairs; and the far corner."""
    for level in levels:
        peaks = tuple(max_residue(step[level.part], level.size, extent)[1] for extent, step in steps)
        yield peaks
        for a in range(len(steps)):
            for b in range(a):
                yield tuple(p if q in (a, b) else 0 for q, p in enumerate(peaks))
    yield tuple(extent - 1 for extent, _ in steps)


def _period(step: Point, levels: list[Level]) -> int:
    tops: dict[int, int] = {}
    for level in levels:
        tops[level.part] = max(tops.get(level.part, 1), level.size)
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
