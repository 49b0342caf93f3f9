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
        used = ((FIRST + at, one) for one, at in starts(func) if one.op.results[0].first_use)
        return SharedMap(tuple(sorted(used, key=lambda pair: pair[0])))

    @cached_property
    def _starts(self) -> Mapping[Operation, int]:
        return {one.op: at for at, one in self.places}

    def start(self, op: Operation) -> int:
        """The first byte of an allocation."""
        return self._starts[op]

    def find(self, address: int) -> tuple[int, Allocation] | None:
        """The allocation that a byte is in, with its first byte; of several, that which goes on farthest."""
        before = self.places[: bisect_right([at for at, _ in self.places], address)]
        return max((one for one in before if address < _end(one)), key=_end, default=None)


def _end(place: tuple[int, Allocation]) -> int:
    return place[0] + place[1].size
