"""Patterns of a warp's addresses that tell the rules of banks and sectors apart."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gpu_probes import LANES, PROBES, Probe

Cells = list[int]  # a lane's place, in units of the width


@dataclass(frozen=True)
class Pattern:
    """A probe at byte addresses, -1 where a lane takes no part."""

    probe: Probe
    family: str
    addresses: tuple[int, ...]


def strided(rng: random.Random) -> Cells:
    stride = rng.choice([0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 64, 128])
    base = rng.randrange(64)
    return [base + stride * lane for lane in range(LANES)]


def swizzled(rng: random.Random) -> Cells:
    stride, mask, shift = rng.choice([1, 4, 8, 16, 32]), rng.randrange(1, 32), rng.randrange(3)
    return [(stride * lane) ^ (lane >> shift & mask) for lane in range(LANES)]


def paired(rng: random.Random) -> Cells:
    """Lanes i and i ^ 1, or i and i ^ 2, at one place: where wide accesses merge."""
    other, span = rng.choice([1, 2]), rng.choice([8, 64, 1024])
    places = [rng.randrange(span) for _ in range(LANES)]
    return [places[lane & ~other] for lane in range(LANES)]


def half_paired(rng: random.Random) -> Cells:
    """The lower half pairs by 1, the upper one by 2: the condition holds for no whole warp."""
    places = [rng.randrange(256) for _ in range(LANES)]
    return [places[lane & ~(1 if lane < LANES // 2 else 2)] for lane in range(LANES)]


def few(rng: random.Random) -> Cells:
    """Many lanes at few places: broadcasts, and for narrow widths parts of one word."""
    places = [rng.randrange(128) for _ in range(rng.randrange(1, 9))]
    return [rng.choice(places) for _ in range(LANES)]


def crowded(rng: random.Random) -> Cells:
    """Neighbouring places in any order, some of them wanted by several lanes."""
    return [rng.randrange(LANES) for _ in range(LANES)]


def scattered(rng: random.Random) -> Cells:
    return [rng.randrange(1 << 12) for _ in range(LANES)]


def columns(rng: random.Random) -> Cells:
    """Rows of 128 bytes or a little more, all lanes near one column."""
    row, wide = rng.choice([8, 16, 32, 64, 128]), rng.choice([1, 2, 4, 8])
    return [row * (lane // wide) + lane % wide for lane in range(LANES)]


FAMILIES: Mapping[str, Callable[[random.Random], Cells]] = {
    made.__name__: made for made in (strided, swizzled, paired, half_paired, few, crowded, scattered, columns)
}


def patterns(each: int, seed: int = 0) -> Iterator[Pattern]:
    """`each` patterns of every family for every probe; half of those that may have holes do."""
    for number, probe in enumerate(PROBES):
        for family, made in FAMILIES.items():
            rng = random.Random(f"{seed} {number} {family}")
            for turn in range(each):
                cells = [probe.width * cell % probe.memory_bytes for cell in made(rng)]
                holes = rng.choice([0.1, 0.5, 0.9]) if turn % 2 and not probe.rows else 0.0
                row = tuple(-1 if rng.random() < holes else cell for cell in cells)
                yield Pattern(probe, f"{family}, holes" if holes else family, row if max(row) >= 0 else tuple(cells))
