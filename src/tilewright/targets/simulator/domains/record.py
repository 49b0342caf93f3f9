"""A recorder: runs a kernel once, for all blocks together, without data, and writes down what it would do.

The entries of the batch are the blocks, and the iterations of a loop that holds every effect of the kernel. A number
is the same for all entries, or `base[entry] + rest[lane]`: a `Shifted`. What is loaded is only a name, a `Traced`.
Where a kernel needs more (an index that depends on data, a branch that depends on the block) `NotUniformError` ends the
recording, and the kernel runs in lockstep instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Attribute, Operation

from tilewright.ir.tile.types import LOCAL
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.domains.lockstep import coordinate
from tilewright.targets.simulator.limits import Fuel
from tilewright.targets.simulator.memory.access import (
    Array,
    Element,
    Function,
    Lanes,
    Mask,
    NotUniformError,
    Operand,
    Symbolic,
)
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.ops.arithmetic import addi, muli, numpy_type, subi
from tilewright.targets.simulator.order.clocks import Present
from tilewright.targets.simulator.sites import Site

# A recording longer than this costs more than it saves.
MAX_EVENTS = 1 << 14
MAX_LANES = 1 << 22  # of all accesses together


@dataclass(frozen=True, eq=False)
class Shifted(Symbolic):
    """`base[entry] + rest[lane]`; `rest` has shape (1, lanes), or is None for 0."""

    base: Array
    rest: Array | None = None


@dataclass(frozen=True, eq=False)
class Traced(Symbolic):
    """The result of the event with this number."""

    event: int


@dataclass(frozen=True, eq=False)
class Recorded:
    """A buffer of global or shared memory; `data` is a global one's storage."""

    recorder: Recorder
    size: int
    dtype: Element
    data: Array | None = None
    initialised: Array | None = None

    def load(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> Traced:
        """Records the load."""
        access = self._access(index, mask, site, None)
        if self.initialised is not None and not self.initialised[access.rest].all():
            raise NotUniformError
        return self.recorder.record(access)

    def store(self, lanes: Lanes, index: Operand, value: Operand, mask: Mask, site: Site) -> None:
        """Records the store."""
        access = self._access(index, mask, site, value)
        if self.initialised is not None:
            self.initialised[access.rest] = True
        self.recorder.record(access)

    def update(self, *_: object) -> Traced:
        """What lanes do to one element in turn is left to the lockstep run."""
        raise NotUniformError

    swap = observe = update

    def _access(self, index: Operand, mask: Mask, site: Site, value: Operand | None) -> Access:
        base, rest = (index.base, _parts(index)[1]) if isinstance(index, Shifted) else (None, index)
        lanes = None if mask is None else np.flatnonzero(mask)
        full = np.broadcast_to(np.asarray(rest, np.int64), self.recorder.shape).reshape(-1)
        rest = full if lanes is None else full[lanes]
        low, high = (0, 0) if base is None else (int(base.min()), int(base.max()))
        inside = low + int(rest.min()) >= 0 and high + int(rest.max()) < self.size
        known, shift = self.recorder.known(base)
        if not inside or (self.data is None and known is not None):
            raise NotUniformError
        return Access(site, self, known, rest + shift, lanes, value)


@dataclass(frozen=True, eq=False)
class Access:
    """A load or store of `base[entry] + rest[lane]`, by these lanes (None: all) of every entry."""

    site: Site
    memory: Recorded
    base: Array | None
    rest: Array
    lanes: Array | None
    value: Operand | None

    @property
    def is_store(self) -> bool:
        """Does it write?"""
        return self.site.kind == "store"


@dataclass(frozen=True, eq=False)
class Compute:
    """A function of values that differ between entries; its result is data."""

    function: Function
    values: tuple[Operand, ...]


@dataclass(frozen=True, eq=False)
class Barrier:
    """All threads of each warp or block meet."""

    op: Operation
    scope: str


Event: TypeAlias = Access | Compute | Barrier


@dataclass(eq=False)
class Recorder:
    """The domain that records. `iterations` are those of the batched loop; [0] without one."""

    launch: Launch
    fuel: Fuel
    warp_size: int
    iterations: range = range(1)
    events: list[Event] = field(default_factory=list)
    bases: list[Array] = field(default_factory=list)
    shared: dict[Operation, Recorded] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int]:
        """One entry stands for all."""
        return 1, self.launch.threads

    @property
    def entries(self) -> int:
        """The size of the batch: entry = block * iterations + iteration."""
        return self.launch.blocks * len(self.iterations)

    def iteration(self) -> Shifted:
        """The batched loop's counter."""
        counter = np.arange(self.iterations.start, self.iterations.stop, self.iterations.step, dtype=np.int64)
        return Shifted(np.tile(counter, self.launch.blocks))

    def known(self, base: Array | None) -> tuple[Array | None, int]:
        """The first base that differs from this one by a constant, and the constant: equal bases become one object.

        None where the base is a constant itself.
        """
        if base is None or (base == base[0]).all():
            return None, 0 if base is None else int(base[0])
        for known in self.bases:
            shift = int(base[0] - known[0])
            if known is base or (base - shift == known).all():
                return known, shift
        self.bases.append(base)
        return base, 0

    def record(self, event: Event) -> Traced:
        """Adds an event; the result is its value's name."""
        self.events.append(event)
        if len(self.events) > MAX_EVENTS or len(self.events) * self.launch.threads > MAX_LANES:
            raise NotUniformError
        return Traced(len(self.events) - 1)

    def apply(self, function: Function, *values: Operand) -> Operand:
        """The function of the values."""
        if not any(isinstance(value, Symbolic) for value in values):
            return function(*values)
        shifted = _shifted(function, values)
        return self.record(Compute(function, values)) if shifted is None else shifted

    def decide(self, condition: Any) -> Any:
        """The condition if it is the same for all entries."""
        if isinstance(condition, Shifted) and condition.rest is None and (condition.base == condition.base[0]).all():
            return condition.base[0].item()
        if isinstance(condition, Symbolic):
            raise NotUniformError
        return condition.item() if isinstance(condition, np.generic) else condition

    def outside(self, value: Operand, low: int, high: int, mask: Mask) -> None:
        """None where no entry's value is outside; an error is left to the lockstep run, which can name it."""
        base, rest = _parts(value)
        lanes = np.broadcast_to(np.asarray(rest), self.shape)
        lanes = lanes if mask is None else lanes[mask]
        if lanes.size and not (low <= np.min(base) + lanes.min() and np.max(base) + lanes.max() < high):
            raise NotUniformError

    def thread_id(self, axis: int) -> Operand:
        """The lanes' thread coordinate."""
        return coordinate(np.arange(self.launch.threads, dtype=np.int64)[None], self.launch.block, axis)

    def block_id(self, axis: int) -> Operand:
        """The entries' block coordinate."""
        blocks = np.repeat(np.arange(self.launch.blocks, dtype=np.int64), len(self.iterations))
        found = coordinate(blocks, self.launch.grid, axis)
        return found if isinstance(found, int) else Shifted(found)

    def allocate(self, op: Operation, element: Attribute, size: int, space: str) -> Recorded | Registers:
        """The op's buffer, nothing in it written."""
        dtype = numpy_type(element)
        if space == LOCAL:
            return Registers(size, dtype)
        if op not in self.shared:
            self.fuel.allocate(size * dtype.itemsize)
            self.shared[op] = Recorded(self, size, dtype, None, np.zeros(size, bool))
        self.shared[op].initialised[:] = False  # type: ignore[index]  # shared buffers have it
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

    def burn(self, steps: int, op: Operation) -> None:
        """Uses up steps of the fuel."""
        self.fuel.burn(steps, op)

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


def _shifted(function: Function, values: tuple[Any, ...]) -> Any:
    """The result where it is a sum again, or a number; None where it is not, and can only be data."""
    if any(isinstance(v, Traced) for v in values):
        return None
    if function in _RULES:
        return _RULES[function](*values)
    if any(isinstance(v, np.ndarray) or (isinstance(v, Shifted) and v.rest is not None) for v in values):
        return None
    found = function(*(v.base if isinstance(v, Shifted) else v for v in values))
    return Shifted(found) if np.ndim(found) else found


def _parts(value: Any) -> tuple[Any, Any]:
    """(base, rest) of any number, each 0 where it has none."""
    if isinstance(value, Shifted):
        return value.base, 0 if value.rest is None else value.rest
    return (0, value) if isinstance(value, np.ndarray) else (value, 0)


def _sum(a: Any, b: Any) -> Shifted:
    (base, rest), (other_base, other_rest) = _parts(a), _parts(b)
    total = rest + other_rest
    return Shifted(base + other_base, None if type(total) is int else total)


def _difference(a: Any, b: Any) -> Shifted | None:
    return _sum(a, _product(b, -1) if isinstance(b, Shifted) else -b)


def _product(a: Any, b: Any) -> Shifted | None:
    if type(a) is int:
        a, b = b, a
    if type(b) is not int:
        return None
    return Shifted(a.base * b, None if a.rest is None else a.rest * b)


_RULES: dict[Function, Callable[..., Shifted | None]] = {addi: _sum, subi: _difference, muli: _product}


def accesses(events: list[Event]) -> Iterator[Access]:
    """The accesses among the events."""
    return (event for event in events if isinstance(event, Access))
