"""Handlers of tensor memory: allocation, copies to and from registers, waits and fences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.semantics import table
from tilewright.errors import AlignmentError, SimulationError
from tilewright.ir.tile.tmem import HALVED, TmemAllocOp, TmemCopyOp, TmemDeallocOp, TmemSyncOp, register_bits
from tilewright.targets.launch import where
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.guards import Loads
from tilewright.targets.simulator.memory.runs import Run
from tilewright.targets.simulator.memory.tensor import CELLS, LANE_BITS, TOGETHER, TensorMemory, places
from tilewright.targets.simulator.ops.addressed import Active, Operand
from tilewright.targets.simulator.ops.atoms import Fragment, Warps, real
from tilewright.targets.simulator.ops.guarded import guarded, guards
from tilewright.targets.simulator.order.clocks import TENSOR, TENSOR_SENT, Numbers, Present
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site

_LIKE = "SM100_TMEM_LOAD_32dp32b1x"  # who has this has the others
QUARTER = 32  # lanes of tensor memory that a warp reaches
SUBPARTITIONS = 4
HALF = 0xFFFF


def tensor_site(op: Operation, kind: str, value: SSAValue) -> Site:
    """Where an op accesses tensor memory; `value` is what it has of it."""
    return Site(op, kind, value, "tensor memory", "tmem", 4, counted=False)


@dataclass(frozen=True, eq=False)
class Entries:
    """The warps that execute an op, an entry each: their rows among the lanes, and their numbers among the columns."""

    warps: Warps
    row: Numbers
    number: Numbers

    @staticmethod
    def of(frame: Frame, op: Operation, atom: str = _LIKE) -> Entries:
        """Those of a frame.

        Raises:
            SimulationError: the architecture has no tensor memory.
            BarrierError: lanes of a warp are missing.
        """
        lanes = real(frame)
        warps = Warps.of(frame, lanes, op, catalog.copy(atom))
        full = np.ones((lanes.shape[0], lanes.shape[1] // warps.size), bool)
        row, number = np.nonzero(full if warps.active is None else warps.active & full)
        return Entries(warps, row, number)

    @property
    def tensor(self) -> TensorMemory:
        """The memory."""
        return self.warps.lanes.machine.tensor

    @property
    def rows(self) -> Numbers:
        """Their rows in the machine."""
        return np.asarray(self.warps.lanes.rows[self.row])

    @property
    def actor(self) -> Numbers:
        """Their first lanes."""
        return np.asarray(self.warps.lanes.actor[self.row, self.number * self.warps.size])

    @property
    def quarter(self) -> Numbers:
        """The first lane of tensor memory that each reaches."""
        threads = self.warps.lanes.threads[self.number * self.warps.size]
        return np.asarray(threads // self.warps.size % SUBPARTITIONS * QUARTER)

    def names(self) -> Iterator[str]:
        """What a person calls their first lanes."""
        return (self.name(entry) for entry in range(len(self.row)))

    def name(self, entry: int) -> str:
        """What a person calls that of one of them."""
        return self.warps.lanes.name(int(self.actor[entry]))

    def agreed(self, frame: Frame, slot: int, what: str) -> Numbers:
        """The number on which the lanes of each agree.

        Raises:
            SimulationError: two of them do not.
        """
        lanes = self.warps.lanes
        full = np.broadcast_to(np.asarray(frame.number(slot)), lanes.shape).reshape(
            len(lanes.rows), -1, self.warps.size
        )
        given = full[self.row, self.number].astype(np.int64)
        wrong = (given != given[:, :1]).any(axis=1)
        if wrong.any():
            bad = int(np.argmax(wrong))
            numbers = ", ".join(f"{x:#x}" for x in np.unique(given[bad])[:4].tolist())
            raise SimulationError(
                f"lanes of the warp of {self.name(bad)} give {what} {numbers}\n{where(self.warps.op)}"
            )
        return np.asarray(given[:, 0])


# ---- allocation


def _alloc(compiler: Compiler, op: TmemAllocOp) -> Step:
    target, count = Operand.of(compiler, op, op.target, "store"), op.columns.value.data

    def step(frame: Frame) -> None:
        entries, active = Entries.of(frame, op), Active.of(frame)
        lanes = active.lanes
        first = np.zeros(lanes.shape, bool)
        first[entries.row, entries.number * entries.warps.size] = True
        chosen = np.flatnonzero(first[active.at])
        at = target.span(frame, active, active.number(frame, target.slot), 1)[chosen, 0]
        rows, actor, tensor = entries.rows, entries.actor, entries.tensor
        made = [tensor.allocate(int(row), count, entries.name(i), where(op)) for i, row in enumerate(rows)]
        target.held(frame).write(
            at, np.array(made, np.uint32), lanes, Present(lanes.machine.clocks, actor), target.site
        )

    return step


def _dealloc(compiler: Compiler, op: TmemDeallocOp) -> Step:
    slot, count, site = compiler.slot(op.address), op.columns.value.data, tensor_site(op, "store", op.address)

    def step(frame: Frame) -> None:
        entries = Entries.of(frame, op)
        addresses, tensor, lanes = entries.agreed(frame, slot, "the addresses"), entries.tensor, entries.warps.lanes
        for row, actor, address in zip(entries.rows, entries.actor, addresses, strict=True):
            tensor.release(int(row), int(address), count, lanes, int(actor), site)

    return step


# ---- copies


@dataclass(frozen=True, eq=False)
class Words:
    """The words of a copy, by (lane of the warp, register): which lane of the warp's, and which column."""

    lanes: int
    row: Numbers
    column: Numbers
    packed: bool

    @property
    def columns(self) -> Numbers:
        """The columns, one after another, that it takes; those of the upper lanes apart where there is a split."""
        return np.unique(np.concatenate([2 * self.column, 2 * self.column + 1]) if self.packed else self.column)

    def load(self, words: Array, rows: Numbers, lane: Numbers, column: Numbers) -> Array:
        """The words (entry, lane, register)."""
        row, found = rows[:, None, None], lane[:, None, None] + self.row
        if not self.packed:
            return np.asarray(words[row, found, column[:, None, None] + self.column])
        low, high = (words[row, found, column[:, None, None] + 2 * self.column + i] & HALF for i in (0, 1))
        return np.asarray(low | high << 16)

    def store(self, words: Array, rows: Numbers, lane: Numbers, column: Numbers, values: Array) -> None:
        """Puts them there; undoes `load`."""
        row, found = rows[:, None, None], lane[:, None, None] + self.row
        if not self.packed:
            words[row, found, column[:, None, None] + self.column] = values
            return
        for i, part in enumerate((values & HALF, values >> 16)):
            words[row, found, column[:, None, None] + 2 * self.column + i] = part


@cache
def words_of(atom: CopyAtom, split: int) -> Words:
    """The words of a copy; of split atoms the upper lanes are so many columns further on.

    >>> found = words_of(catalog.copy("SM100_TMEM_LOAD_16dp256b1x"), 0)
    >>> found.row[5].tolist(), found.column[5].tolist()
    ([1, 1, 9, 9], [2, 3, 2, 3])
    """
    held = table(atom.src_bits if atom.spaces[0] == "register" else atom.dst_bits)
    numbers = held[:, ::32] // 32
    lanes = 32 if "32x32b" in atom.instruction else 16
    width = (int(numbers.max()) + 1) // lanes
    row, column = np.divmod(numbers, width)
    if HALVED in atom.instruction:
        upper, column = np.divmod(column, width // 2)
        column = column + upper * split
    packed = "pack::16b" in atom.instruction
    return Words(lanes, row, column, packed)


@dataclass(frozen=True, eq=False)
class Move:
    """The copies that warps begin."""

    op: TmemCopyOp
    fragment: Fragment
    address: int
    words: Words
    site: Site

    @staticmethod
    def of(compiler: Compiler, op: TmemCopyOp) -> Move:
        """The step of an op."""
        (place,), atom = op.places, op.instruction
        kind = "store" if op.loads else "load"
        fragment = Fragment.of(compiler, op, place, place.element, register_bits(atom) // place.element.bits, kind)
        site = tensor_site(op, "load" if op.loads else "store", op.address)
        return Move(op, fragment, compiler.slot(op.address), words_of(atom, op.split.value.data), site)

    def __call__(self, frame: Frame) -> None:
        """Begins them."""
        entries = Entries.of(frame, self.op, self.op.atom.data)
        if not len(entries.row):
            return
        lane, column = np.divmod(entries.agreed(frame, self.address, "the addresses"), 1 << LANE_BITS)
        self._check_lanes(entries, lane)
        start, tensor, words = self.fragment.start(frame), entries.tensor, self.words
        columns = column[:, None] + words.columns
        tensor.check(entries.rows, columns, entries.names(), self.site)
        at = self._cells(entries, lane, columns)
        if self.op.loads:
            tensor.begin(entries.rows, entries.actor, at, entries.warps.lanes, self.site)
            self._load(frame, entries, start, words.load(tensor.words, entries.rows, lane, column))
            return
        held = entries.warps.gather(self.fragment.read(frame, entries.warps.lanes, start).values)
        values = np.ascontiguousarray(held).view(np.uint32)
        tensor.begin(entries.rows, entries.actor, at, entries.warps.lanes, self.site)
        words.store(tensor.words, entries.rows, lane, column, values)

    def _cells(self, entries: Entries, lane: Numbers, columns: Numbers) -> Numbers:
        halves = np.arange(self.words.lanes // TOGETHER)
        found = [places(first // TOGETHER + halves, own) for first, own in zip(lane, columns, strict=True)]
        return np.asarray(entries.rows[:, None] * CELLS + np.array(found))

    def _load(self, frame: Frame, entries: Entries, start: int, found: Array) -> None:
        fragment, lanes = self.fragment, entries.warps.lanes
        values = entries.warps.spread(np.ascontiguousarray(found).view(fragment.register.numpy()))
        held = fragment.held(frame)
        held.put(lanes, start, Run(fragment.registers, lambda: values), frame.mask, fragment.site)
        entries.tensor.tickets += 1
        if isinstance(held.guard, Loads):
            held.guard.load(range(start, start + fragment.registers), entries.tensor.tickets, frame.mask)

    def _check_lanes(self, entries: Entries, lane: Numbers) -> None:
        own = entries.quarter
        foreign, askew = lane // QUARTER * QUARTER != own, lane % self.words.lanes != 0
        if foreign.any():
            bad = int(np.argmax(foreign))
            reach = f"lanes {own[bad]} to {own[bad] + QUARTER - 1} of tensor memory"
            raise SimulationError(
                f"the warp of {entries.name(bad)} reaches {reach}, not lane {lane[bad]}\n{where(self.op)}"
            )
        if askew.any():
            bad = int(np.argmax(askew))
            text = f"{entries.name(bad)} gives lane {lane[bad]} of tensor memory"
            raise AlignmentError(f"{text}, which is to be a multiple of {self.words.lanes}\n{where(self.op)}")


# ---- order


def _sync(compiler: Compiler, op: TmemSyncOp) -> Step:
    kind = op.kind.data
    if kind.startswith("fence."):
        return lambda frame: _fence(frame, kind)
    registers = guarded(compiler, op, TmemCopyOp)

    def step(frame: Frame) -> None:
        entries = Entries.of(frame, op)
        tensor = entries.tensor
        if kind == "relinquish":
            tensor.relinquished[entries.rows] = True
            return
        tensor.wait("load" if kind == "wait.ld" else "store", entries.actor)
        for guard in guards(frame, registers) if kind == "wait.ld" else ():
            guard.finish(tensor.tickets if frame.mask is None else np.where(frame.mask, tensor.tickets, 0))

    return step


def _fence(frame: Frame, kind: str) -> None:
    active = Active.of(frame)
    rows, lanes, _ = active.among(np.ones(len(active.rows), bool))
    clocks = active.lanes.machine.clocks
    if kind == "fence.before":
        clocks.fence(rows, lanes, (TENSOR_SENT,))
    else:
        clocks.admit(rows, lanes, TENSOR_SENT, TENSOR)


TMEM_HANDLERS: Mapping[type[Operation], Handler] = {
    TmemAllocOp: _alloc,
    TmemDeallocOp: _dealloc,
    TmemCopyOp: Move.of,
    TmemSyncOp: _sync,
}
