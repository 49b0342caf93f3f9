"""Addresses of shared memory: which byte of it is whose, for those who are given numbers and not buffers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tilewright.ir.tile.shared import POOL_ALIGNMENT, Allocation, starts

FIRST = POOL_ALIGNMENT  # what lies below is nobody's, so that 0 is no address


@dataclass(frozen=True, eq=False)
class SharedMap:
    """The allocations of a kernel in shared memory, each with its first byte, in rising order."""

    places: tuple[tuple[int, Allocation], ...]

    @staticmethod
    def of(func: FuncOp) -> SharedMap:
        """The map of a function."""
        return SharedMap(tuple(sorted(((FIRST + at, one) for one, at in starts(func)), key=lambda pair: pair[0])))

    @cached_property
    def _starts(self) -> Mapping[Operation, int]:
        return {one.op: at for at, one in self.places}

    def start(self, op: Operation) -> int:
        """The first byte of an allocation."""
        return self._starts[op]

    def find(self, address: int) -> tuple[int, Allocation] | None:
        """The allocation that a byte is in, with its first byte."""
        number = bisect_right([at for at, _ in self.places], address) - 1
        if number < 0 or address >= self.places[number][0] + self.places[number][1].size:
            return None
        return self.places[number]
