"""Which lanes of a launch are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import numpy as np

from tilewright.errors import UsageError, shown
from tilewright.numerals import integer
from tilewright.targets.launch import MAX_GRID, Launch
from tilewright.targets.simulator.distinct import is_among
from tilewright.targets.simulator.memory.access import Array

Chosen: TypeAlias = int | Iterable[int] | None
KEYS = ("block", "warp", "lane", "thread")
MOST = 1 << 16  # numbers of one key
LIMIT = MAX_GRID[0] + 1


@dataclass(frozen=True)
class Selection:
    """Blocks, warps of a block, lanes of a warp and threads of a block by their numbers; None: all of them."""

    block: tuple[int, ...] | None = None
    warp: tuple[int, ...] | None = None
    lane: tuple[int, ...] | None = None
    thread: tuple[int, ...] | None = None

    @staticmethod
    def of(block: Chosen = None, warp: Chosen = None, lane: Chosen = None, thread: Chosen = None) -> Selection:
        """Each a number or several.

        Raises:
            UsageError: something else, or a number below 0.
        """
        return Selection(*(_numbers(key, value) for key, value in zip(KEYS, (block, warp, lane, thread), strict=True)))

    @staticmethod
    def parse(text: str) -> Selection:
        """The selection of a text such as `block=0,lane=0-3,lane=8`.

        Raises:
            UsageError: it is another.

        >>> Selection.parse("block=0,lane=0-2,lane=8")
        Selection(block=(0,), warp=None, lane=(0, 1, 2, 8), thread=None)
        """
        found: dict[str, list[int]] = {}
        for part in text.split(","):
            key, _, value = part.strip().partition("=")
            low, dash, high = value.partition("-")
            first = integer(low, LIMIT)
            last = integer(high, LIMIT) if dash else first
            if key not in KEYS or first is None or last is None or not 0 <= first <= last < first + MOST:
                raise UsageError(
                    f"lanes are chosen as block=0,lane=3 with {', '.join(KEYS)}, a number or a range 0-7 each; "
                    f"got {shown(part)}"
                )
            found.setdefault(key, []).extend(range(first, last + 1))
        return Selection(**{key: tuple(dict.fromkeys(numbers)) for key, numbers in found.items()})

    def check(self, launch: Launch, lanes: int) -> None:
        """Are there such blocks, warps and threads in the launch, in warps of so many lanes?

        Raises:
            UsageError: not all of them.
        """
        there = launch.blocks, launch.warps(lanes), min(lanes, launch.threads), launch.threads
        for key, chosen, count in zip(KEYS, (self.block, self.warp, self.lane, self.thread), there, strict=True):
            missing = max(chosen or (0,))
            if missing >= count:
                raise UsageError(f"{key} {missing} is to be traced; the launch has {count}, numbered from 0")

    def rows(self, blocks: Array) -> Array:
        """Where in these numbers of blocks the chosen ones are."""
        return np.flatnonzero(_among(blocks, self.block))

    def columns(self, threads: Array, lanes: int) -> Array:
        """Where in these numbers of threads the chosen ones are; a warp has so many lanes."""
        chosen = _among(threads, self.thread) & _among(threads // lanes, self.warp) & _among(threads % lanes, self.lane)
        return np.flatnonzero(chosen)


def _among(numbers: Array, chosen: tuple[int, ...] | None) -> Array:
    return np.ones(numbers.shape, bool) if chosen is None else is_among(numbers, chosen)


def _numbers(key: str, value: Chosen) -> tuple[int, ...] | None:
    if value is None:
        return None
    found = tuple(islice(value, MOST + 1)) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    if len(found) > MOST or not all(type(number) is int and 0 <= number < LIMIT for number in found):
        raise UsageError(f"{key} is a number from 0, or several, got {shown(value)}")
    return tuple(number for number in found if isinstance(number, int))
