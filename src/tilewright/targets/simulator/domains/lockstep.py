"""All lanes of some blocks, step by step together, with every access checked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from xdsl.ir import Attribute, Operation

from tilewright.atoms.mma import MmaAtom
from tilewright.errors import BarrierError
from tilewright.ir.tile.shared import Union
from tilewright.ir.tile.together import BarOp, BlockVoteOp, SyncOp
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.launch import Launch, where
from tilewright.targets.simulator.agents.ending import finish, refuse_visits
from tilewright.targets.simulator.agents.engine import Engine
from tilewright.targets.simulator.agents.names import Names
from tilewright.targets.simulator.agents.order import Order
from tilewright.targets.simulator.agents.products import Facts, Products
from tilewright.targets.simulator.collective.products import Waiting
from tilewright.targets.simulator.domains.kept import Kept
from tilewright.targets.simulator.limits import LANES, Fuel
from tilewright.targets.simulator.memory.access import Array, Element, Function, Mask, Number, Operand, Symbolic, T
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.guards import Guard
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.memory.tensor import TensorMemory
from tilewright.targets.simulator.memory.views import pitch, views
from tilewright.targets.simulator.notes import Notes
from tilewright.targets.simulator.observers.heard import Hearing
from tilewright.targets.simulator.observers.patterns import INACTIVE
from tilewright.targets.simulator.observers.tally import Accesses, Tally
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.options import Mma
from tilewright.targets.simulator.order.barriers import Barrier, Meeting
from tilewright.targets.simulator.order.clocks import Clocks
from tilewright.targets.simulator.order.clusters import ClusterBarrier
from tilewright.targets.simulator.order.gathering import Gathering
from tilewright.targets.simulator.order.mbarriers import NO_ENGINES, Engines, Mbarriers
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.order.visits import Visits
from tilewright.targets.simulator.order.votes import Votes
from tilewright.targets.simulator.program import Frame, Loop
from tilewright.targets.simulator.sites import Site

_BARRIERS = (SyncOp, BarOp, BlockVoteOp)


@dataclass(eq=False)
class Machine:
    """The blocks with these numbers: their clocks and shared memory, and what is counted of them."""

    launch: Launch
    blocks: Array
    tally: Tally
    fuel: Fuel
    notes: Notes = field(default_factory=Notes)
    order: Order = field(default_factory=Order)
    mma: Mma = "exact"
    engines: Engines = NO_ENGINES
    checks: bool = True  # for races, and for reads of what nothing has written
    facts: Facts | None = None  # of warpgroup products
    unions: Mapping[Operation, Union] = field(default_factory=dict)  # of what overlaps in the pool
    clocks: Clocks = field(init=False)
    engine: Engine = field(init=False)
    visits: Visits = field(init=False)
    units: Products = field(init=False)
    mbarriers: dict[Operation, Mbarriers] = field(default_factory=dict, init=False)
    shared: dict[Operation, Memory] = field(default_factory=dict, init=False)
    meetings: dict[Operation, Meeting] = field(default_factory=dict, init=False)
    gatherings: dict[Operation, Gathering] = field(default_factory=dict, init=False)
    voted: dict[Operation, Votes] = field(default_factory=dict, init=False)
    barriers: dict[int, Barrier] = field(default_factory=dict, init=False)
    admitted: set[Operation] = field(default_factory=set, init=False)  # instructions that the architecture has
    products: dict[str, Waiting] = field(default_factory=dict, init=False)
    hearing: Hearing | None = field(default=None, init=False)  # where somebody looks on

    def __post_init__(self) -> None:
        warps, engines = self.launch.warps(self.warp_size), self.engines
        threads = self.launch.threads
        if engines.count:
            self.fuel.allocate(8 * engines.planes * len(self.blocks) * warps * (warps + engines.count))
        lanes, cluster = self.warp_size, self.launch.cluster
        self.clocks = Clocks(self.blocks, warps, lanes, engines.count, engines.planes, threads, cluster)
        self.visits = Visits(self.clocks)
        self.engine = Engine(self.clocks, self.order, self.visits, Names(self.launch, self.clocks, engines.products))
        self.units = Products(self.clocks, self.engine, engines.products)

    @property
    def warp_size(self) -> int:
        """The lanes of a warp."""
        return self.tally.spec.lanes

    def finish(self) -> None:
        """The blocks end: nothing may be on its way any more but what is written to global memory."""
        self.units.finish()
        finish(self.engine, self.notes, self.name)
        if self.checks:
            refuse_visits(self.visits, self.name, self.launch.cluster)
        if "tensor" in vars(self):
            self.tensor.finish()
        self.engine.forget()

    def name(self, thread: int) -> str:
        """`block (x,y,z) thread (x,y,z)`, or what an engine is."""
        return self.engine.names(thread)

    def lanes(self) -> Lockstep:
        """All lanes of all blocks."""
        return Lockstep(self, np.arange(len(self.blocks)), np.arange(self.launch.threads))

    def meeting(self, op: Operation, scope: str) -> Meeting:
        """The op's meeting of the lanes of each warp, block or cluster."""
        together = self.launch.cluster if scope == "cluster" else 1
        return self.meetings.setdefault(op, Meeting(self.clocks, self.launch.threads, scope == "warp", together))

    def votes(self, op: Operation) -> Votes:
        """What the threads of all blocks show at the op."""
        return self.voted.setdefault(op, Votes.of(len(self.blocks), self.launch.threads))

    def gathering(self, op: Operation, size: int) -> Gathering:
        """Where the lanes of all blocks come to the op, by so many."""
        return self.gatherings.setdefault(op, Gathering.of(len(self.blocks), self.launch.threads, size))

    def waiting(self, atom: MmaAtom) -> Waiting:
        """The atom's products that wait for somebody to look."""
        return self.products.get(atom.name) or self.products.setdefault(atom.name, Waiting(atom, self.mma == "fast"))

    def barrier(self, number: int) -> Barrier:
        """The barrier with this number."""
        return self.barriers.setdefault(number, Barrier(self.clocks))

    def guard(self, op: Operation, size: int) -> Guard | None:
        """What is known of so many registers in which others work; None where nobody does, or nobody looks."""
        kind = self.facts.guarded.get(op) if self.checks and self.facts is not None else None
        return None if kind is None else kind(size)

    @cached_property
    def cluster_barrier(self) -> ClusterBarrier:
        """The barrier of each cluster."""
        return ClusterBarrier(self.clocks, self.launch.threads, self.launch.cluster)

    @cached_property
    def tensor(self) -> TensorMemory:
        """The tensor memory of these blocks, there from when it is first asked for."""
        self.fuel.allocate(TensorMemory.bytes(len(self.blocks)))
        return TensorMemory.of(self.clocks, self.checks)

    def words(self, op: Operation) -> Mbarriers:
        """The mbarriers in an allocation, whose memory there is by now."""
        if op not in self.mbarriers:
            memory = self.shared[op]
            self.mbarriers[op] = Mbarriers(self.clocks, self.engines.first[op], memory.size)
            memory.live = self.mbarriers[op].live.reshape(-1)
        return self.mbarriers[op]

    def holds(self, element: Attribute) -> Element:
        """What a memory of such elements is made of."""
        return numpy_type(element)

    def memory(self, op: Operation, element: Attribute, size: int) -> Memory:
        """The op's shared memory, the same whenever it is reached."""
        if op in self.unions and op not in self.shared:
            self.shared.update(self._views(self.unions[op], op))
        elif op not in self.shared:
            dtype, blocks = self.holds(element), len(self.blocks)
            self.fuel.allocate(size * blocks * dtype.itemsize, op)
            shadow = self._shadow(size * blocks)
            self.shared[op] = Memory(np.zeros(size * blocks, dtype), size, shadow, True, self.notes.agreed)
        return self.shared[op]

    def _views(self, union: Union, op: Operation) -> Mapping[Operation, Memory]:
        blocks, size = len(self.blocks), pitch(union)
        self.fuel.allocate(size * blocks, op)
        elements = [self.holds(one.kind.element_type) for one in union.members]
        shadow = self._shadow(size * blocks // union.unit)
        return views(union, elements, blocks, shadow, self.notes.agreed, self.engine)

    def _shadow(self, elements: int) -> Shadow | None:
        cluster = self.launch.cluster > 1
        made = partial(Shadow, elements, self.clocks.width, apart=not cluster, edges=cluster, scoped=cluster)
        return made() if self.checks else None


@dataclass(eq=False)
class Lockstep:
    """Lanes that execute together: those of the threads with these numbers, in each of these rows of the machine."""

    machine: Machine
    rows: Array
    threads: Array

    def __post_init__(self) -> None:
        self.blocks = self.machine.blocks[self.rows]
        self.kept = Kept()
        self._all: tuple[int, Present] | None = None  # until time goes on
        self.actor = np.ascontiguousarray(self.blocks[:, None] * self.machine.clocks.width + self.threads)

    @property
    def launch(self) -> Launch:
        """What was launched."""
        return self.machine.launch

    @property
    def shape(self) -> tuple[int, int]:
        """Blocks and threads."""
        return len(self.rows), len(self.threads)

    def recall(self, key: Hashable) -> Number | None:
        """What has been kept; None where nothing has."""
        return self.kept.numbers.get(key)

    def keep(self, key: Hashable, value: Operand) -> Number:
        """The value, as long as there is room."""
        assert not isinstance(value, Symbolic), "lanes hold numbers"
        return self.kept.number(key, value)

    def apply(self, function: Function, *values: Operand) -> Number:
        """The function of the values."""
        return function(*values)

    def decide(self, condition: Operand) -> Number:
        """A Python value where all lanes agree by construction, else the array."""
        if isinstance(condition, int):
            return condition
        found = np.asarray(condition)
        return int(found) if found.ndim == 0 else found

    def outside(self, value: Operand, low: int, high: int, mask: Mask) -> tuple[int, str] | None:
        """The first active lane's value that is not in [low, high), and the name of its thread."""
        if mask is None:
            return self.following((low, high), value, 0, lambda: self._outside(value, low, high, None))
        return self._outside(value, low, high, mask)

    def _outside(self, value: Operand, low: int, high: int, mask: Mask) -> tuple[int, str] | None:
        found = np.asarray(value)
        if not found.size or (found.min() >= low and found.max() < high):
            return None
        wrong = (found < low) | (found >= high)
        if mask is not None:
            wrong = wrong & mask
        if not wrong.any():
            return None
        at = int(np.argmax(np.broadcast_to(wrong, self.shape)))
        return int(np.broadcast_to(found, self.shape).flat[at]), self.name(int(self.actor.flat[at]))

    def thread_id(self, axis: int) -> Number:
        """The lanes' thread coordinate, of shape (1, threads); an integer where there is only one."""
        return coordinate(self.threads[None], self.launch.block, axis)

    def block_id(self, axis: int) -> Number:
        """The lanes' block coordinate, of shape (blocks, 1); an integer where there is only one."""
        return coordinate(self.blocks[:, None], self.launch.grid, axis)

    def allocate(self, op: Operation, element: Attribute, size: int, space: str) -> Memory | Registers:
        """The op's buffer, nothing in it written."""
        if space == LOCAL:
            dtype, (blocks, threads) = self.machine.holds(element), self.shape
            self.machine.fuel.allocate(size * blocks * threads * dtype.itemsize, op)
            guard = self.machine.guard(op, size)
            return Registers(size, dtype, written=not self.machine.checks, guard=guard)
        fresh = op not in self.machine.shared
        memory = self.machine.memory(op, element, size)
        if not fresh and self.shape[1] == self.launch.threads:  # else some may be in what they had there
            memory.forget(self.rows)
        return memory

    def repeat(self, loop: Loop, frame: Frame, trips: range) -> None:
        """One turn after the other, where they cannot be one step."""
        if loop.nest is not None and loop.nest(frame):
            return
        for counter in trips:
            loop.turn(frame, counter)

    def barrier(self, op: Operation, scope: str, mask: Mask) -> None:
        """The threads of each warp or block meet; none of them may be missing."""
        clocks = self.machine.clocks
        meet = clocks.meet_warps if scope == "warp" else clocks.meet_blocks
        meet(None if mask is None and self.complete else self._groups(op, scope, mask))

    @property
    def complete(self) -> bool:
        """Are these all lanes of the machine?"""
        return self.shape == (len(self.machine.blocks), self.launch.threads)

    def _groups(self, op: Operation, scope: str, mask: Mask) -> Array:
        """Which warps of (blocks, warps), or which blocks, take part: with all their threads."""
        active = np.zeros((len(self.rows), self.launch.threads), bool)
        active[:, self.threads] = True if mask is None else mask
        size = self.machine.warp_size if scope == "warp" else self.launch.threads
        starts = np.arange(0, self.launch.threads, size)
        some, all_ = np.logical_or.reduceat(active, starts, axis=1), np.logical_and.reduceat(active, starts, axis=1)
        torn = some & ~all_
        if torn.any():
            block, group = (int(at[0]) for at in np.nonzero(torn))
            missing = int(starts[group]) + int(np.argmin(active[block, starts[group] :]))
            name = self.name(int(self.blocks[block]) * self.machine.clocks.width + missing)
            what = f"a barrier of its {scope}" if isinstance(op, _BARRIERS) else "an instruction of its warp"
            raise BarrierError(f"{name} does not reach {what} that others wait at\n{where(op)}")
        groups = np.zeros((len(self.machine.blocks), len(starts)), bool)
        groups[self.rows] = some
        return groups if scope == "warp" else groups[:, 0]

    @property
    def warp_size(self) -> int:
        """The lanes of a warp."""
        return self.machine.warp_size

    def together(self, op: Operation, mask: Mask) -> None:
        """Raises `BarrierError` where the active lanes are no whole warps, which the op is for."""
        if mask is not None or not self.complete:
            self._groups(op, "warp", mask)

    def hand_over(self, mask: Mask) -> None:
        """The lanes of each active warp, which are all there, give each other values."""
        everyone = mask is None and self.complete
        active = None
        if not everyone:
            active = np.zeros((len(self.machine.blocks), self.machine.clocks.warps), bool)
            lanes = np.broadcast_to(True if mask is None else mask, self.shape)
            rows, threads = np.nonzero(lanes)
            active[self.rows[rows], self.threads[threads] // self.machine.warp_size] = True
        self.machine.clocks.hand_over(active)

    def whole_warps(self, op: Operation) -> Array:
        """The warps of (blocks, warps) that these lanes are.

        Raises:
            BarrierError: lanes of a warp are missing.
        """
        return self._groups(op, "warp", None)[self.rows]

    def burn(self, steps: int, op: Operation) -> None:
        """Uses up steps of the fuel, in proportion to the lanes."""
        self.machine.fuel.burn(steps * max(1, len(self.rows) * len(self.threads) // LANES), op)

    def one_by_one(self, count: int, op: Operation) -> None:
        """Uses up the steps of so many lanes that were asked one after the other."""
        self.machine.fuel.burn(count, op)

    def present(self, mask: Mask) -> Present:
        """The active lanes, flat."""
        clocks = self.machine.clocks
        if mask is not None:
            return Present(clocks, self.actor[mask])
        if self._all is None or self._all[0] != clocks.now:
            self._all = clocks.now, Present(clocks, self.actor.reshape(-1))
        return self._all[1]

    def name(self, thread: int) -> str:
        """`block (x,y,z) thread (x,y,z)`."""
        return self.machine.name(thread)

    def following(self, what: Hashable, index: Operand, size: int, make: Callable[[], T]) -> T:
        """What `make` gives, of so many bytes; made once where the index is one that lanes come back to."""
        return self.kept.following(what, index, size, make)

    def count(self, site: Site, index: Array, mask: Mask) -> None:
        """Adds one access to the tally: that of one block where all are alike."""
        tally, hearing = self.machine.tally, self.machine.hearing
        if hearing is not None:
            hearing.note(site, index, mask)
        if mask is None:
            tally.count(*self.following((site, "costs"), index, 0, lambda: self._accesses(site, index, None)))
        else:
            tally.count(*self._accesses(site, index, mask))

    def _accesses(self, site: Site, index: Array, mask: Mask) -> tuple[Accesses, int]:
        index = index.reshape((1,) * (2 - index.ndim) + index.shape)
        alike = len(index) == 1 and mask is None
        blocks, threads = self.shape
        rows = np.broadcast_to(index, (1 if alike else blocks, threads))
        rows = rows if mask is None else np.where(mask, rows, INACTIVE)
        if threads < self.launch.threads:
            rows, some = np.full((len(rows), self.launch.threads), INACTIVE, np.int64), rows
            rows[:, self.threads] = some
        everybody = mask is None and threads == self.launch.threads
        return self.machine.tally.accesses(site, rows, everybody), blocks if alike else 1


def coordinate(number: Array, extents: tuple[int, int, int], axis: int) -> Number:
    """The coordinate along an axis of numbers that count x fastest; the integer 0 along an axis of one.

    >>> coordinate(np.arange(6), (2, 3, 1), 1).tolist(), coordinate(np.arange(6), (2, 3, 1), 2)
    ([0, 0, 1, 1, 2, 2], 0)
    """
    if extents[axis] == 1:
        return 0
    below = int(np.prod(extents[:axis], dtype=np.int64))
    found: Array = number // below % extents[axis]
    return found
