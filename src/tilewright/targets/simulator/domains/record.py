"""A recorder: runs a kernel once, for all blocks together, without data, and writes down what it would do.

The entries of the batch are the blocks, and the iterations of a loop that holds every effect of the kernel. A number
is the same for all entries, or `Affine`. What is loaded is only a name, a `Traced`. Where a kernel needs more (an index
that depends on data, a branch that depends on the block) `NotUniformError` ends the recording, and the kernel runs in
lockstep instead.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
from xdsl.ir import Attribute, Operation

from tilewright.ir.tile.types import LOCAL
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.domains.affine import affine, bounds, combined, parts
from tilewright.targets.simulator.domains.events import Access, Barrier, Compute, Event, Forget, Stretch, Traced
from tilewright.targets.simulator.domains.lockstep import coordinate
from tilewright.targets.simulator.limits import Fuel
from tilewright.targets.simulator.memory.access import (
    Array,
    Function,
    Lanes,
    Mask,
    NotUniformError,
    Number,
    Operand,
    Symbolic,
    T,
)
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.sites import Site

# A recording longer than this costs more than it saves.
MAX_EVENTS = 1 << 14
MAX_LANES = 1 << 22  # of all accesses together


@dataclass(frozen=True, eq=False)
class Recorded(Stretch):
    """A memory whose accesses are recorded."""

    recorder: Recorder = field(kw_only=True)

    def load(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> Operand:
        """Records the load."""
        return self.take(index, mask, site)

    def store(self, lanes: Lanes, index: Operand, value: Operand, mask: Mask, site: Site) -> None:
        """Records the store."""
        self.put(index, value, mask, site)

    def update(self, *_: object) -> NoReturn:
        """What lanes do to one element in turn is left to the lockstep run."""
        raise NotUniformError

    swap = observe = update

    def take(self, index: Operand, mask: Mask, site: Site, count: int = 1) -> Traced:
        """Records that each active lane loads so many elements from its index on."""
        result = self.recorder.traced()
        self.recorder.record(self.access(index, mask, site, None, result.name, count))
        return result

    def put(self, index: Operand, value: Operand, mask: Mask, site: Site, count: int = 1) -> None:
        """Records that each active lane stores so many."""
        self.recorder.record(self.access(index, mask, site, value, None, count))

    def access(
        self, index: Operand, mask: Mask, site: Site, value: Operand | None, result: int | None, count: int = 1
    ) -> Access:
        """The access of so many elements a lane."""
        found = parts(index)
        if found is None:
            raise NotUniformError
        base, rest, steps = found
        flat = self.recorder.flat(rest, mask)
        low, high = bounds(affine(base, flat, steps)) if len(flat) else (0, -count)
        known, shift = self.recorder.known(base)
        if low < 0 or high + count > self.size or (self.data is None and known is not None):
            raise NotUniformError
        lanes = None if mask is None else np.flatnonzero(mask)
        if count > 1:
            flat = (flat[:, None] + np.arange(count)).reshape(-1)
            lanes = (np.arange(self.recorder.launch.threads) if lanes is None else lanes).repeat(count)
        return Access(site, self, known, flat + shift, steps, lanes, value, result, count)


@dataclass(eq=False)
class Recorder:
    """The domain that records, but for loops. `iterations` are those of the batched loop; [0] without one."""

    launch: Launch
    fuel: Fuel
    warp_size: int
    iterations: range = range(1)
    events: list[Event] = field(default_factory=list)
    bases: list[Array] = field(default_factory=list)
    shared: dict[Operation, Recorded] = field(default_factory=dict)
    registers: list[tuple[Operation, Registers]] = field(default_factory=list)
    names: int = 0
    times: int = 1  # how often what is recorded now happens in an entry
    work: int = 0  # events and lanes so far, those of vain attempts included

    @property
    def shape(self) -> tuple[int, int]:
        """One row of lanes stands for all entries."""
        return 1, self.launch.threads

    @property
    def entries(self) -> int:
        """The size of the batch: entry = block * iterations + iteration."""
        return self.launch.blocks * len(self.iterations)

    def iteration(self) -> Operand:
        """The batched loop's counter."""
        counter = np.arange(self.iterations.start, self.iterations.stop, self.iterations.step, dtype=np.int64)
        return affine(np.tile(counter, self.launch.blocks), 0)

    def known(self, base: Array | None) -> tuple[Array | None, int]:
        """The first base that differs from this one by a constant, and the constant: equal bases become one object."""
        if base is None:
            return None, 0
        for known in self.bases:
            shift = int(base[0] - known[0])
            if known is base or (base - shift == known).all():
                return known, shift
        self.bases.append(base)
        return base, 0

    def flat(self, rest: Number, mask: Mask) -> Array:
        """The lanes' own part of an index, of the active lanes."""
        full = np.broadcast_to(np.asarray(rest, np.int64), self.shape)
        return full.reshape(-1) if mask is None else full[mask]

    def traced(self) -> Traced:
        """A new name for data."""
        self.names += 1
        return Traced(self.names - 1)

    def record(self, event: Event) -> None:
        """Adds an event."""
        self.events.append(event)
        self.work += 1
        if self.work > MAX_EVENTS or self.work * self.launch.threads > MAX_LANES:
            raise NotUniformError

    def recall(self, key: Hashable) -> None:
        """Nothing is kept: little comes twice while recording."""

    def keep(self, key: Hashable, value: Operand) -> Operand:
        """The value."""
        return value

    def following(self, what: Hashable, index: Operand, size: int, make: Callable[[], T]) -> T:
        """It is made."""
        return make()

    def one_by_one(self, count: int, op: Operation) -> None:
        """That takes no time: nobody is asked while recording."""

    def apply(self, function: Function, *values: Operand) -> Operand:
        """The function of the values."""
        numbers = [value for value in values if not isinstance(value, Symbolic)]
        if len(numbers) == len(values):
            return function(*numbers)
        found = combined(function, values)
        if found is None:
            found = self.traced()
            self.record(Compute(function, values, found.name))
        return found

    def decide(self, condition: Operand) -> Number:
        """The condition if it is the same for all entries."""
        if isinstance(condition, Symbolic):
            condition.resolve()
        return condition if isinstance(condition, int) or condition.ndim else int(condition)

    def outside(self, value: Operand, low: int, high: int, mask: Mask) -> None:
        """None where no entry's value is outside; an error is left to the lockstep run, which can name it."""
        found = parts(value)
        if found is None:
            raise NotUniformError
        base, rest, steps = found
        lanes = self.flat(rest, mask)
        least, most = bounds(affine(base, lanes, steps)) if len(lanes) else (low, low)
        if least < low or most >= high:
            raise NotUniformError

    def thread_id(self, axis: int) -> Number:
        """The lanes' thread coordinate."""
        return coordinate(np.arange(self.launch.threads, dtype=np.int64)[None], self.launch.block, axis)

    def block_id(self, axis: int) -> Operand:
        """The entries' block coordinate."""
        blocks = np.repeat(np.arange(self.launch.blocks, dtype=np.int64), len(self.iterations))
        found = coordinate(blocks, self.launch.grid, axis)
        return found if isinstance(found, int) else affine(found, 0)

    def allocate(self, op: Operation, element: Attribute, size: int, space: str) -> Recorded | Registers:
        """The op's buffer, nothing in it written."""
        dtype = numpy_type(element)
        if space == LOCAL:
            self.registers.append((op, Registers(size, dtype)))
            return self.registers[-1][1]
        if op not in self.shared:
            self.fuel.allocate(size * dtype.itemsize, op)
            self.shared[op] = Recorded(size, dtype, recorder=self)
        self.record(Forget(self.shared[op]))
        return self.shared[op]

    def barrier(self, op: Operation, scope: str, mask: Mask) -> None:
        """Records it; under a mask it is left to the lockstep run to judge."""
        if mask is not None:
            raise NotUniformError
        self.record(Barrier(op, scope))

    def together(self, op: Operation, mask: Mask) -> None:
        """Under a mask it is left to the lockstep run to judge."""
        if mask is not None:
            raise NotUniformError

    def hand_over(self, mask: Mask) -> None:
        """Whom that lets write is left to the lockstep run."""

    def burn(self, steps: int, op: Operation) -> None:
        """Uses up steps of the fuel."""
        self.fuel.burn(steps * self.times, op)

    @property
    def rows(self) -> Array:
        """As `present`."""
        raise NotUniformError

    def present(self, mask: Mask) -> Present:
        """Asked for only to describe an error, which the lockstep run will find again."""
        raise NotUniformError

    def name(self, thread: int) -> str:
        """As `present`."""
        raise NotUniformError

    def count(self, site: Site, index: Array, mask: Mask) -> None:
        """As `present`: registers are not counted."""
        raise NotUniformError
