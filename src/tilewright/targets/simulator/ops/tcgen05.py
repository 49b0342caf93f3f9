"""Handlers of products in tensor memory, and of the commits by which their completion is waited for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.ir import Operation

from tilewright.atoms.available import has_atom
from tilewright.atoms.descriptors import TCGEN05
from tilewright.atoms.instruction_descriptors import InstructionDescriptor
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import dtype
from tilewright.errors import AlignmentError, LayoutError, SimulationError, UsageError
from tilewright.ir.tile.tcgen05 import CP_SHAPES, Tcgen05CommitOp, Tcgen05CpOp, Tcgen05MmaOp
from tilewright.ir.tile.tmem import LANES
from tilewright.ir.tile.types import SHARED
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.engine import Side
from tilewright.targets.simulator.agents.pipeline import Begun, Commit
from tilewright.targets.simulator.collective.described import Described
from tilewright.targets.simulator.collective.products import Matrices
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.tensor import CELLS, LANE_BITS, TOGETHER, TensorMemory, places
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.ops.mbarrier import Word
from tilewright.targets.simulator.ops.tmem import tensor_site
from tilewright.targets.simulator.order.clocks import MBARRIERS, SHARED_PROXY, Flags, Numbers, Present
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site


@dataclass(frozen=True, eq=False)
class Issued:
    """Threads that begin one product each, of blocks of their own, with the same operands."""

    active: Active
    entries: Numbers

    @property
    def rows(self) -> Numbers:
        """Their rows in the machine."""
        return np.asarray(self.active.rows[self.entries])

    @property
    def actor(self) -> Numbers:
        """Who they are."""
        return np.asarray(self.active.actor[self.entries])

    @property
    def name(self) -> str:
        """The first of them as a person names it."""
        return self.active.name(int(self.entries[0]))

    def names(self) -> Iterator[str]:
        """All of them."""
        return (self.active.name(int(entry)) for entry in self.entries)

    @property
    def tensor(self) -> TensorMemory:
        """Their tensor memory."""
        return self.active.lanes.machine.tensor


def issues(frame: Frame, op: Operation, slots: Sequence[int]) -> Iterator[tuple[Issued, list[int]]]:
    """The threads of a step that begin one thing each, together where their operands are the same.

    Raises:
        SimulationError: two are of one warp.
    """
    active = Active.of(frame)
    warps = np.stack([active.rows, active.threads // active.lanes.warp_size], axis=1)
    _, first, counts = np.unique(warps, axis=0, return_index=True, return_counts=True)
    if (counts > 1).any():
        entry, count = int(first[np.argmax(counts > 1)]), int(counts.max())
        raise SimulationError(
            f"{active.name(entry)} and {count - 1} more lanes of its warp begin a product each; "
            f"one thread is to: T.cuda.elect_sync()\n{where(op)}"
        )
    given = np.stack([active.number(frame, slot).astype(np.uint64) for slot in slots], axis=1)
    order = np.lexsort((active.threads, active.rows))
    turn = np.arange(len(order)) - np.searchsorted(active.rows[order], active.rows[order])
    for number in range(int(turn.max(initial=-1)) + 1):
        those = order[turn == number]
        for operands in np.unique(given[those], axis=0):
            same = those[(given[those] == operands).all(axis=1)]
            yield Issued(active, same), [int(x) for x in operands]


def shared(op: Operation, issued: Issued, described: Described, what: str, bits: int) -> tuple[Array, Side]:
    """The matrices in shared memory that a descriptor gives, and what is read for them.

    Raises:
        SimulationError: it gives none, or they may not be read now.
    """
    machine = issued.active.lanes.machine
    assert machine.facts is not None, "the kernel has tensor memory"
    who = f"{issued.name} gives {what} by the descriptor {bits:#x}"
    try:
        allocation, elements = described.place(bits, machine.facts.shared)
    except SimulationError as error:
        raise type(error)(f"{who}, {error}\n{where(op)}") from None
    memory = machine.shared.get(allocation.op)
    if memory is None:
        raise SimulationError(f"{who} of {allocation.name}, which is not there yet\n{where(op)}")
    site = Site(op, "load", allocation.op.results[0], allocation.name, SHARED, 16, False, 0, 0, "")
    at = issued.rows[:, None] * memory.size + elements
    present = Present(machine.clocks, issued.actor.repeat(at.shape[1]), SHARED_PROXY)
    machine.engine.pending_of(memory)
    memory.begin(at.reshape(-1), issued.active.lanes, present, site)
    return described.matrices(memory.data.take(at)), Side(memory, at, site)


def send(issued: Issued, parts: Sequence[Side]) -> None:
    """What has been begun is on its way."""
    tensor, machine = issued.tensor, issued.active.lanes.machine
    if machine.checks:
        begun = Begun(issued.rows, issued.actor, parts)
        tensor.begun = [*(one for one in tensor.begun if one.open.any()), begun]
        machine.engine.readers = [*(one for one in machine.engine.readers if one.open.any()), begun]


@dataclass(frozen=True)
class Tile:
    """A matrix in tensor memory: its lanes, and so many columns from the first on."""

    lanes: Numbers
    first: int
    count: int

    def cells(self, rows: Numbers) -> Numbers:
        """Its cells, by (entry, cell)."""
        own = places(np.unique(self.lanes // TOGETHER), self.first + np.arange(self.count))
        return np.asarray(rows[:, None] * CELLS + own)

    def check(self, issued: Issued, site: Site) -> None:
        """Raises `OutOfBoundsError` where its columns are not there, or not the block's."""
        columns = np.broadcast_to(self.first + np.arange(self.count), (len(issued.entries), self.count))
        issued.tensor.check(issued.rows, columns, issued.names(), site)

    def at(self, rows: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Where its words are, by (entry, lane, column)."""
        return rows[:, None, None], self.lanes[:, None], self.first + np.arange(self.count)


@dataclass(frozen=True, eq=False)
class MmaStep:
    """The products that threads begin; `known` are the instructions of the descriptors that were met."""

    op: Tcgen05MmaOp
    slots: tuple[int, ...]
    writes: Site
    adds: Site
    reads: Site
    known: dict[int, tuple[InstructionDescriptor, MmaAtom]] = field(default_factory=dict)

    @staticmethod
    def of(compiler: Compiler, op: Tcgen05MmaOp) -> MmaStep:
        """The step of an op."""
        slots = tuple(compiler.slot(value) for value in (op.d, op.a, op.b, op.told, op.scale_d))
        writes, adds = (tensor_site(op, kind, op.d) for kind in ("store", "load"))
        return MmaStep(op, slots, writes, adds, tensor_site(op, "load", op.a))

    def __call__(self, frame: Frame) -> None:
        """Begins them."""
        for issued, operands in issues(frame, self.op, self.slots):
            self._begin(issued, *operands)

    def _begin(self, issued: Issued, d: int, a: int, b: int, told: int, scale: int) -> None:
        """One product of each thread."""
        instruction, atom = self._instruction(issued, told)
        m, n, _ = atom.shape_mnk
        tile = Tile(self._lanes(issued, d, m), d % (1 << LANE_BITS), n)
        tile.check(issued, self.writes)
        parts = []
        if self.op.source == "SS":
            left, part = self._shared(issued, atom, "A", a, instruction)
        else:
            left, part = self._tensor(issued, atom, a)
        right, other = self._shared(issued, atom, "B", b, instruction)
        cells, tensor, lanes = tile.cells(issued.rows), issued.tensor, issued.active.lanes
        if scale:
            tensor.follow(issued.actor, cells, lanes, self.adds)
        tensor.follow(issued.actor, cells, lanes, self.writes)
        parts = [part, other, Side(tensor.cells, cells, self.writes)]
        send(issued, parts)
        left, right = (-x if flag else x for x, flag in ((left, instruction.negate_a), (right, instruction.negate_b)))
        before = self._accumulators(tensor, tile, issued.rows, atom, bool(scale))
        waiting = lanes.machine.waiting(atom)
        operands = [Matrices(lambda x=x: x) for x in (left, right, before)]  # type: ignore[misc]  # bound at once
        self._put(tensor, tile, issued.rows, waiting.add(*operands).made)

    def _instruction(self, issued: Issued, told: int) -> tuple[InstructionDescriptor, MmaAtom]:
        if told not in self.known:
            try:
                found = InstructionDescriptor.decode(told, self.op.kind.data)
                atom = found.atom(self.op.source)
            except (LayoutError, UsageError) as error:
                raise SimulationError(f"{issued.name} tells a product {told:#x}: {error}\n{where(self.op)}") from error
            spec = issued.active.lanes.machine.tally.spec
            if not has_atom(spec, atom):
                raise SimulationError(f"tcgen05 is of {atom.arch}, not of {spec.name}\n{where(self.op)}")
            self.known[told] = found, atom
        return self.known[told]

    def _lanes(self, issued: Issued, address: int, rows: int) -> Numbers:
        """The lanes of tensor memory on which so many rows lie."""
        lane, known = address >> LANE_BITS, np.arange(rows)
        if lane and not (rows < LANES and lane == TOGETHER):
            raise AlignmentError(
                f"{issued.name} gives lane {lane} of tensor memory for a matrix of {rows} rows, which begins at lane 0"
                f"{' or 16' * (rows < LANES)}\n{where(self.op)}"
            )
        return known if rows == LANES else known // TOGETHER * 2 * TOGETHER + known % TOGETHER + lane

    def _shared(
        self, issued: Issued, atom: MmaAtom, letter: str, bits: int, told: InstructionDescriptor
    ) -> tuple[Array, Side]:
        """An operand in shared memory, and what is read for it."""
        number, (rows, columns) = "AB".index(letter), atom.tile(letter)
        described = Described(TCGEN05, rows, columns, atom.dtypes[1 + number], told.majors[number])
        return shared(self.op, issued, described, letter, bits)

    def _tensor(self, issued: Issued, atom: MmaAtom, address: int) -> tuple[Array, Side]:
        """A in tensor memory, elements packed into its words, and what is read for it."""
        rows, columns = atom.tile("A")
        element = atom.dtypes[1]
        tile = Tile(self._lanes(issued, address, rows), address % (1 << LANE_BITS), columns * element.bits // 32)
        tile.check(issued, self.reads)
        cells = tile.cells(issued.rows)
        issued.tensor.follow(issued.actor, cells, issued.active.lanes, self.reads)
        words = issued.tensor.words[tile.at(issued.rows)]
        found = Described(TCGEN05, rows, columns, element, "K").matrices(words.reshape(len(words), -1))
        return found, Side(issued.tensor.cells, cells, self.reads)

    def _accumulators(self, tensor: TensorMemory, tile: Tile, rows: Numbers, atom: MmaAtom, scale: bool) -> Array:
        """What the products are added to."""
        kind, shape = atom.dtypes[0].numpy(), (len(rows), len(tile.lanes), tile.count)
        if not scale:
            return np.zeros(shape, kind)
        words = np.ascontiguousarray(tensor.words[tile.at(rows)])
        return words.view(kind) if kind.itemsize == 4 else words.astype(np.uint16).view(kind)

    def _put(self, tensor: TensorMemory, tile: Tile, rows: Numbers, made: Array) -> None:
        whole = np.ascontiguousarray(made)
        tensor.words[tile.at(rows)] = whole.view(np.uint32 if whole.itemsize == 4 else np.uint16)


# ---- copies

# The row of the source that a lane gets.
_ROWS: Mapping[str, Numbers] = {
    "128x256b": np.arange(LANES),
    "128x128b": np.arange(LANES),
    "64x128b.warpx2::02_13": np.arange(LANES) % 64,
    "64x128b.warpx2::01_23": np.arange(LANES) // 64 * 32 + np.arange(LANES) % 32,
    "32x128b.warpx4": np.arange(LANES) % 32,
}


def _cp(compiler: Compiler, op: Tcgen05CpOp) -> Step:
    slots, site = [compiler.slot(value) for value in (op.target, op.source)], tensor_site(op, "store", op.target)
    (size, rows), taken = CP_SHAPES[op.shape.data], _ROWS[op.shape.data]
    described = Described(TCGEN05, rows, size, dtype("uint8"), "K")

    def step(frame: Frame) -> None:
        for issued, (address, bits) in issues(frame, op, slots):
            lane, column = divmod(address, 1 << LANE_BITS)
            if lane:
                text = f"{issued.name} copies to lane {lane} of tensor memory, which begins at lane 0"
                raise AlignmentError(f"{text}\n{where(op)}")
            tile = Tile(np.arange(LANES), column, size // 4)
            tile.check(issued, site)
            found, read = shared(op, issued, described, "the source", bits)
            cells, tensor = tile.cells(issued.rows), issued.tensor
            tensor.follow(issued.actor, cells, issued.active.lanes, site)
            send(issued, [read, Side(tensor.cells, cells, site)])
            tensor.words[tile.at(issued.rows)] = np.ascontiguousarray(found[:, taken]).view(np.uint32)

    return step


def _commit(compiler: Compiler, op: Tcgen05CommitOp) -> Step:
    word = Word.of(compiler, op, op.barrier)

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        barriers, words = word.used(frame, active, MBARRIERS)
        machine = active.lanes.machine
        before = [begun for begun in machine.tensor.begun if _some(begun.open)]
        rows, lanes, _ = active.among(np.ones(len(active.rows), bool))
        known = machine.clocks.released(rows, lanes)
        machine.engine.waiting.append(
            Commit(active.rows, active.actor, barriers, words, before, rows, known, machine.tensor.stamped)
        )

    return step


def _some(flags: Flags) -> bool:
    return bool(flags.any())


TCGEN05_HANDLERS: Mapping[type[Operation], Handler] = {
    Tcgen05MmaOp: MmaStep.of,
    Tcgen05CpOp: _cp,
    Tcgen05CommitOp: _commit,
}
