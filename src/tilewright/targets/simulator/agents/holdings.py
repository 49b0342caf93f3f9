"""What lanes hold, as they part and join: numbers, arrays over blocks and threads, registers, memories.

An array of (blocks, threads) may have extent 1 where all agree; a number is the same for all lanes. The elements of a
vector come first, (elements, blocks, threads).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tilewright.targets.simulator.memory.access import Array, Compound, Number, Value, same
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.memory.remote import Remote

_NUMBERS = np.ndarray | np.generic | int


def part(values: Iterable[Value], rows: Array, columns: Array) -> list[Value]:
    """What the lanes in these rows and columns hold. One memory under several names stays one."""
    known: dict[int, Registers] = {}
    return [_part(value, rows, columns, known) for value in values]


def _part(value: Value, rows: Array, columns: Array, known: dict[int, Registers]) -> Value:
    if isinstance(value, Registers):
        if id(value) not in known:
            known[id(value)] = value.each(lambda cell: _part_of(cell, rows, columns))
        return known[id(value)]
    if isinstance(value, Remote):
        return value.each(lambda rank: _part_of(rank, rows, columns))
    if isinstance(value, Compound):
        return value.each(lambda inner: _part(inner, rows, columns, known))
    return _part_of(value, rows, columns) if isinstance(value, np.ndarray) else value


def _part_of(value: Number, rows: Array, columns: Array) -> Number:
    if not isinstance(value, np.ndarray) or value.ndim < 2:
        return value
    value = value if value.shape[-2] == 1 else value[..., rows, :]
    return value if value.shape[-1] == 1 else value[..., columns]


class Join:
    """Joins what two groups of lanes hold, whose shapes differ along one axis at most; `order` sorts what is joined."""

    def __init__(self, axis: int, shapes: tuple[tuple[int, int], tuple[int, int]], order: Array) -> None:
        self.axis, self.shapes, self.order = axis, shapes, order
        self.known: dict[tuple[int, int], Registers] = {}

    def __call__(self, mine: Value, theirs: Value) -> Value:
        """One value for both; None where one of them has none: nobody asks for it any more."""
        if mine is theirs and not isinstance(mine, np.ndarray | Registers | Remote | Compound):
            return mine
        if isinstance(mine, Remote) and isinstance(theirs, Remote):
            other = theirs.rank
            return mine.each(lambda rank: self.numbers(rank, other))
        if isinstance(mine, Compound) and isinstance(theirs, Compound):
            return mine.with_(theirs, self)
        if isinstance(mine, Registers) and isinstance(theirs, Registers):
            key = id(mine), id(theirs)
            if key not in self.known:
                self.known[key] = mine.with_(theirs, self.numbers)
            return self.known[key]
        if not isinstance(mine, _NUMBERS) or not isinstance(theirs, _NUMBERS):
            return None
        return self.numbers(mine, theirs)

    def numbers(self, mine: Number, theirs: Number) -> Number:
        """One number for both."""
        if np.ndim(mine) == np.ndim(theirs) == 0 and same(mine, theirs):
            return mine
        sides = [self._side(value, shape) for value, shape in zip((mine, theirs), self.shapes, strict=True)]
        along = self.axis - 2
        common = np.broadcast_shapes(*(_without(side.shape, along) for side in sides))
        target = [_with(common, along, side.shape[along]) for side in sides]
        whole = np.concatenate([np.broadcast_to(s, t) for s, t in zip(sides, target, strict=True)], axis=along)
        joined: Array = whole.take(self.order, axis=along)
        return joined

    def _side(self, value: Number, shape: tuple[int, int]) -> Array:
        """The value with its full extent along the axis."""
        array = np.asarray(value)
        array = array.reshape((1,) * (2 - array.ndim) + array.shape)
        full = list(array.shape)
        full[self.axis - 2] = shape[self.axis]
        return np.broadcast_to(array, full)


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return _with(shape, axis, 1)


def _with(shape: tuple[int, ...], axis: int, extent: int) -> tuple[int, ...]:
    return (*shape[:axis], extent, *shape[len(shape) + axis + 1 :])
