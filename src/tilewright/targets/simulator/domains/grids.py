"""Tiles of loops that are taken at once, laid together to larger matrices, and taken apart again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from tilewright.targets.simulator.memory.access import Array


@dataclass(frozen=True)
class Axes:
    """The loops, each an axis: those that only add up, those that A and B share, those of A alone, those of B alone.

    Tiles come as (loops.., groups, rows, columns).
    """

    extents: tuple[int, ...]
    added: tuple[int, ...]
    shared: tuple[int, ...]
    down: tuple[int, ...]
    across: tuple[int, ...]

    @staticmethod
    def of(trips: Sequence[int], a: Sequence[int], b: Sequence[int], d: Sequence[int]) -> Axes:
        """By the iterations of the loops, and the extents of A, B and D along them: 1 where nothing differs.

        >>> Axes.of((2, 4, 8), (2, 4, 1), (2, 1, 8), (1, 4, 8))
        Axes(extents=(2, 4, 8), added=(0,), shared=(), down=(1,), across=(2,))
        """
        kinds: tuple[list[int], ...] = ([], [], [], [])
        for axis, (mine, theirs, result) in enumerate(zip(a, b, d, strict=True)):
            alone = (mine > 1) != (theirs > 1)
            kinds[0 if result == 1 else 1 if not alone else 2 if mine > 1 else 3].append(axis)
        added, shared, down, across = map(tuple, kinds)
        return Axes(tuple(trips), added, shared, down, across)

    def rows(self, a: Array) -> Array:
        """A by (added, shared and groups, rows, k)."""
        return self._side(a, self.down)

    def columns(self, b: Array) -> Array:
        """B by (added, shared and groups, columns, k)."""
        return self._side(b, self.across)

    def _side(self, tiles: Array, along: tuple[int, ...]) -> Array:
        count = len(self.extents)
        other = [axis for axis in (*self.down, *self.across) if axis not in along]
        order = (*other, *self.added, *self.shared, count, *along, count + 1, count + 2)
        full = [1 if axis in other else extent for axis, extent in enumerate(self.extents)]
        laid = np.broadcast_to(tiles, (*full, *tiles.shape[-3:])).transpose(order)
        groups, height, depth = tiles.shape[-3:]
        return laid.reshape(self._size(self.added), self._size(self.shared) * groups, self._size(along) * height, depth)

    def sums(self, c: Array, height: int, width: int, groups: int) -> Array:
        """C or D by (shared and groups, rows, columns)."""
        full = [1 if axis in self.added else extent for axis, extent in enumerate(self.extents)]
        laid = np.broadcast_to(c, (*full, groups, height, width)).transpose(self._order)
        return laid.reshape(
            self._size(self.shared) * groups, self._size(self.down) * height, self._size(self.across) * width
        )

    def apart(self, d: Array, height: int, width: int, groups: int) -> Array:
        """The tiles that they were; undoes `sums`."""
        down, across, shared = ([self.extents[axis] for axis in axes] for axes in (self.down, self.across, self.shared))
        laid = d.reshape(*[1] * len(self.added), *shared, groups, *down, height, *across, width)
        return laid.transpose(np.argsort(self._order))

    @property
    def _order(self) -> tuple[int, ...]:
        count = len(self.extents)
        return (*self.added, *self.shared, count, *self.down, count + 1, *self.across, count + 2)

    def _size(self, axes: tuple[int, ...]) -> int:
        return prod(self.extents[axis] for axis in axes)
