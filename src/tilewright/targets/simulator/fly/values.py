"""What slots hold of `fly`: the numbers of run-time leaves, where a pointer points, the state of an atom; and vectors.

An integer of a leaf is a Python integer where all lanes agree, else an array of int64 over (blocks, threads). A vector
is an array (elements, blocks, threads), of which some elements may never have been given a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.errors import SimulationError
from tilewright.ir.fly.leaves import mapped
from tilewright.ir.fly.types import Value as FlyValue
from tilewright.layout.symbolic.operators import as_int
from tilewright.targets.simulator.memory.access import Array, Compound, Number, Value
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.registers import Registers

Change: TypeAlias = Callable[[Value], Value]
Join: TypeAlias = Callable[[Value, Value], Value]


@dataclass(frozen=True, eq=False)
class Place:
    """Where a pointer points: so many bits behind the beginning of a memory, which `root` stands for in the kernel.

    A pointer into a buffer has its `window`: the first bit, and how many bytes it has; what lies outside reads as 0.
    """

    memory: Memory | Registers
    root: SSAValue
    at: Number
    window: tuple[Number, Number] | None = None

    def moved(self, bits: Number) -> Place:
        """So many bits further on."""
        return self if isinstance(bits, int) and bits == 0 else replace(self, at=self.at + bits)


@dataclass(frozen=True, eq=False)
class Held(Compound):
    """A value of a type of fly: the integers of its run-time leaves, from the left; where it points; its state."""

    numbers: tuple[Number, ...] = ()
    place: Place | None = None
    state: Mapping[str, Number] = field(default_factory=dict)

    def each(self, change: Change) -> Held:
        """The same of the changed values."""
        return self._of(change, lambda mine, _: change(mine), self)

    def with_(self, other: Compound, join: Join) -> Held:
        """These of some lanes and those of others.

        Raises:
            SimulationError: they point into different memories.
        """
        theirs = cast("Held", other)
        if (self.place and self.place.root) is not (theirs.place and theirs.place.root):
            raise SimulationError("some lanes point into one memory, others into another one; branch around them")
        return self._of(None, join, theirs)

    def _of(self, change: Change | None, join: Join, other: Held) -> Held:
        numbers = tuple(cast("Number", join(a, b)) for a, b in zip(self.numbers, other.numbers, strict=True))
        state = {name: cast("Number", join(self.state[name], other.state[name])) for name in self.state}
        if self.place is None or other.place is None:
            return Held(numbers, None, state)
        mine, theirs = self.place, other.place
        memory = cast("Memory | Registers", join(mine.memory, theirs.memory))
        window = mine.window
        if window is not None and theirs.window is not None:
            first, size = (cast("Number", join(a, b)) for a, b in zip(window, theirs.window, strict=True))
            window = first, size
        return Held(numbers, Place(memory, mine.root, cast("Number", join(mine.at, theirs.at)), window), state)


NOTHING = Held()


@dataclass(frozen=True, eq=False)
class Vector(Compound):
    """A vector: its elements (.., blocks, threads), of which those have a value that are `known`; None: all have.

    Those that are `anything` have one that a machine leaves undefined: they may be worked with, and not be stored.
    """

    values: Array
    known: Array | None = None
    anything: Array | None = None

    def each(self, change: Change) -> Vector:
        """The same of the changed values."""
        known, anything = (None if x is None else cast("Array", change(x)) for x in (self.known, self.anything))
        return Vector(cast("Array", change(self.values)), known, anything)

    def with_(self, other: Compound, join: Join) -> Vector:
        """These of some lanes and those of others."""
        theirs = cast("Vector", other)
        values = cast("Array", join(self.values, theirs.values))
        known = _joined(join, self.known, theirs.known, True)
        return Vector(values, known, _joined(join, self.anything, theirs.anything, False))


def _joined(join: Join, mine: Array | None, theirs: Array | None, usual: bool) -> Array | None:
    """Flags of some lanes and those of others; None are as usual."""
    if mine is None and theirs is None:
        return None
    both = (np.full((1, 1, 1), usual) if x is None else x for x in (mine, theirs))
    return cast("Array", join(*both))


def filled(value: FlyValue, numbers: Sequence[Number]) -> FlyValue:
    """The value of a type with these numbers for its run-time leaves."""
    rest = iter(numbers)
    return mapped(value, lambda _: as_int(cast("int", next(rest)))) if numbers else value


def integer(number: Value) -> Number:
    """An integer or index of another dialect as the integer of a leaf."""
    if isinstance(number, int):
        return number
    found = np.asarray(number)
    return int(found) if found.ndim == 0 else found.astype(np.int64, copy=False)


def held(values: Sequence[Value], slot: int) -> Held:
    """What the slot of a value of fly holds."""
    found = values[slot]
    assert isinstance(found, Held)
    return found


def place_in(values: Sequence[Value], slot: int, op: Operation) -> Place:
    """Where the pointer or view of a slot points."""
    found = held(values, slot).place
    assert found is not None, op.name
    return found
