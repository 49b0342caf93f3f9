"""What a recording is made of: accesses, and what data becomes, in order; a loop is one event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from xdsl.ir import Operation

from tilewright.atoms.mma import MmaAtom
from tilewright.targets.simulator.collective.moves import Moves
from tilewright.targets.simulator.collective.operands import Operands
from tilewright.targets.simulator.domains.affine import Counter, Steps
from tilewright.targets.simulator.memory.access import Array, Element, Function, Operand, Symbolic
from tilewright.targets.simulator.sites import Site


@dataclass(frozen=True, eq=False)
class Traced(Symbolic):
    """The data with this number."""

    name: int


@dataclass(frozen=True, eq=False)
class Stretch:
    """A memory: a global one has its storage as `data`, every block has its own of the others.

    Registers are one memory of so many `lanes`: register r of lane t is element r * lanes + t. Others have 0.
    """

    size: int
    dtype: Element
    data: Array | None = None
    lanes: int = 0

    @property
    def private(self) -> bool:
        """Are they registers?"""
        return self.lanes > 0

    @property
    def elements(self) -> int:
        """All that there are; `size` is what a lane sees."""
        return self.size * (self.lanes or 1)

    @property
    def storage(self) -> object:
        """What tells it from others: two global ones may be one array."""
        return self if self.data is None else self.data


@dataclass(frozen=True, eq=False)
class Access:
    """A load or store of `base[entry] + rest[lane] + steps`, by these lanes (None: all) of every entry.

    Each lane takes `count` elements, one after the other in `rest` and `lanes`. What is loaded gets the name `result`.
    """

    site: Site
    memory: Stretch
    base: Array | None
    rest: Array
    steps: Steps
    lanes: Array | None
    value: Operand | None
    result: int | None
    count: int = 1

    @property
    def is_store(self) -> bool:
        """Does it write?"""
        return self.result is None

    @property
    def first(self) -> int:
        """The base of the first entry."""
        return 0 if self.base is None else int(self.base[0])

    @property
    def active(self) -> Array | slice:
        """The lanes, each once."""
        return slice(None) if self.lanes is None else self.lanes[:: self.count]

    def reach(self, turns: Mapping[Counter, int] | None = None) -> tuple[int, int]:
        """The least and the greatest element of the first entry, in so many iterations; None: in all."""
        moves = [step * (turns.get(c, 1) if turns is not None else c.trips) - step for c, step in self.steps.items()]
        low = int(self.rest.min()) + self.first + sum(min(0, move) for move in moves)
        return low, int(self.rest.max()) + self.first + sum(max(0, move) for move in moves)

    @property
    def uses(self) -> Sequence[Operand]:
        """The data that it needs."""
        return () if self.value is None else (self.value,)


@dataclass(frozen=True, eq=False)
class Compute:
    """A function of values that differ between entries; what it gives is data."""

    function: Function
    uses: tuple[Operand, ...]
    result: int


@dataclass(frozen=True, eq=False)
class Shift:
    """What every lane holds changes lanes as a copy atom says."""

    moves: Moves
    value: int
    result: int


@dataclass(frozen=True, eq=False)
class Product:
    """D = A B + C of an atom, for every warp; A and B are data, C and D are in registers, no C is 0."""

    atom: MmaAtom
    held: Operands
    a: int
    b: int
    start: Access | None
    target: Access


@dataclass(frozen=True, eq=False)
class Barrier:
    """All threads of each warp or block meet."""

    op: Operation
    scope: str


@dataclass(frozen=True, eq=False)
class Forget:
    """The values of a memory that is not global count as unwritten."""

    memory: Stretch


@dataclass(frozen=True, eq=False)
class Carried:
    """Data that an iteration gives to the next: before the first it is `initial`, after each it becomes `following`."""

    name: int
    initial: Operand
    following: Operand


@dataclass(frozen=True, eq=False)
class Repeat:
    """The events of an iteration, as often as the counter says."""

    counter: Counter
    body: tuple[Event, ...]
    carried: tuple[Carried, ...]

    @property
    def uses(self) -> Sequence[Operand]:
        """The data that is carried along."""
        return [value for carried in self.carried for value in (carried.initial, carried.following)]


Event: TypeAlias = Access | Compute | Shift | Product | Barrier | Forget | Repeat


def walked(events: Sequence[Event], around: tuple[Counter, ...] = ()) -> Iterator[tuple[Event, tuple[Counter, ...]]]:
    """All events, those of loops included, with the counters around them."""
    for event in events:
        yield event, around
        if isinstance(event, Repeat):
            yield from walked(event.body, (*around, event.counter))


def accesses(events: Sequence[Event]) -> Iterator[tuple[Access, tuple[Counter, ...]]]:
    """The accesses of memory that lanes share among them."""
    found = ((event, around) for event, around in walked(events) if isinstance(event, Access))
    return ((event, around) for event, around in found if not event.memory.private)


def used(event: Event) -> Iterator[int]:
    """The names of the data that an event needs."""
    if isinstance(event, Repeat):
        yield from chain.from_iterable(map(used, event.body))
    values = event.uses if isinstance(event, Access | Compute | Repeat) else ()
    yield from (value.name for value in values if isinstance(value, Traced))
