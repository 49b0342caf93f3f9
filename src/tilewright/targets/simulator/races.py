"""The race detector: who touched each element last, and whether a barrier lies between.

Time is the number of barriers executed so far. Each thread remembers when its warp and its block last met; an earlier
access is ordered before its own if its warp (for a thread of the same warp) or its block (for another warp) has met
since. Blocks never meet. For each element the shadow keeps the last write, and for the reads the lowest and highest
reader at three levels: thread, warp, block. A level forgets its readers once they are ordered before the next one;
two different readers at a level mean that whoever writes next, one of them is another. So nothing is missed and
nothing is reported that is ordered.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from tilewright.targets.launch import WARP

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_NOBODY = np.iinfo(np.int32).max
NEVER = -1


@dataclass(frozen=True)
class Lanes:
    """The threads of one access, one entry each: their numbers, and when their warp and block last met.

    Threads count through the whole launch, with `width` numbers for each block, a multiple of the warp.
    """

    thread: Array
    warp_met: Array
    block_met: Array
    now: int
    width: int

    @cached_property
    def warp(self) -> Array:
        """The threads' warps."""
        return np.asarray(self.thread // WARP)

    @cached_property
    def block(self) -> Array:
        """The threads' blocks."""
        return np.asarray(self.thread // self.width)

    def ordered_after(self, thread: Array, time: Array) -> Array:
        """Is an access by that thread at that time ordered before the lanes' next one?"""
        same_block = thread // self.width == self.block
        met = np.where(thread // WARP == self.warp, self.warp_met, self.block_met)
        return np.asarray((thread == self.thread) | (same_block & (met > time)))

    def __getitem__(self, mask: Array) -> Lanes:
        return Lanes(self.thread[mask], self.warp_met[mask], self.block_met[mask], self.now, self.width)


class Shadow:
    """What the detector remembers of the elements of one memory.

    `read` and `write` return, for each lane, a thread whose earlier access is not ordered before its own, or -1.
    Without `reads` the readers are not remembered: enough for a memory that the kernel only writes.
    """

    def __init__(self, elements: int, reads: bool = True) -> None:
        self.writer = np.full(elements, NEVER, np.int32)
        self.written = np.full(elements, NEVER, np.int32)
        self.read_at = np.full(elements if reads else 0, NEVER, np.int32)
        size = len(self.read_at)
        self.low = [np.full(size, _NOBODY, np.int32) for _ in range(3)]
        self.high = [np.full(size, NEVER, np.int32) for _ in range(3)]

    def read(self, at: Array, lanes: Lanes) -> Array:
        """The lanes read the elements `at`: the writers that they race with."""
        conflict = self._with_writer(at, lanes)
        if len(self.read_at):
            self._remember(at, lanes)
        return conflict

    def write(self, at: Array, lanes: Lanes) -> tuple[Array, Array]:
        """The lanes write the elements `at`: the earlier writers, and the earlier readers, that they race with."""
        writers = self._with_writer(at, lanes)
        readers = self._with_readers(at, lanes) if len(self.read_at) else np.full(len(at), NEVER, np.int32)
        self.writer[at] = lanes.thread
        self.written[at] = lanes.now
        return writers, readers

    def rivals(self, at: Array, lanes: Lanes) -> Array:
        """Right after `write`: the lane that wrote the same element in the same step, or -1."""
        last = self.writer[at]
        return np.where(last != lanes.thread, last, NEVER)

    def _with_writer(self, at: Array, lanes: Lanes) -> Array:
        writer, time = self.writer[at], self.written[at]
        safe = (writer < 0) | lanes.ordered_after(writer, time)
        return np.where(safe, NEVER, writer)

    def _levels(self, lanes: Lanes) -> tuple[tuple[Array, Any], ...]:
        return (lanes.thread, lanes.warp_met), (lanes.warp, lanes.block_met), (lanes.block, 0)

    def _with_readers(self, at: Array, lanes: Lanes) -> Array:
        time = self.read_at[at]
        found, sizes = np.full(len(at), NEVER, np.int32), (1, WARP, lanes.width)
        for (unit, met), low, high, size in zip(self._levels(lanes), self.low, self.high, sizes, strict=True):
            lowest, highest = low[at], high[at]
            other = np.where(lowest != unit, lowest, highest)
            fresh = (time >= met) & (time >= 0) & (other != unit) & (found < 0)
            found = np.where(fresh, other * size, found)
        return found

    def _remember(self, at: Array, lanes: Lanes) -> None:
        time = self.read_at[at]
        for (unit, met), low, high in zip(self._levels(lanes), self.low, self.high, strict=True):
            stale = at[time < met]
            low[stale], high[stale] = _NOBODY, NEVER
            np.minimum.at(low, at, unit)
            np.maximum.at(high, at, unit)
        self.read_at[at] = lanes.now
