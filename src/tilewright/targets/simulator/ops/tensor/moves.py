"""Copies between registers and tensor memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.semantics import table
from tilewright.errors import AlignmentError, SimulationError
from tilewright.ir.tile.tmem import HALVED, TmemCopyOp, register_bits
from tilewright.targets.launch import where
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.guards import Loads
from tilewright.targets.simulator.memory.runs import Run
from tilewright.targets.simulator.memory.tensor import CELLS, LANE_BITS, TOGETHER, places
from tilewright.targets.simulator.ops.atoms import Fragment
from tilewright.targets.simulator.ops.tensor.reductions import reduced
from tilewright.targets.simulator.ops.tensor.warps import QUARTER, Entries, tensor_site
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.program import Compiler, Frame
from tilewright.targets.simulator.sites import Site

HALF = 0xFFFF


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
        return distinct_values(np.concatenate([2 * self.column, 2 * self.column + 1]) if self.packed else self.column)

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

    >>> from tilewright.atoms import catalog
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
    reduced: Fragment | None = None

    @staticmethod
    def of(compiler: Compiler, op: TmemCopyOp) -> Move:
        """The step of an op."""
        (place, *to), atom = op.places, op.instruction
        if to and HALVED in atom.instruction:
            raise SimulationError(f"over which columns {atom.name} reduces is not known here\n{where(op)}")
        kind = "store" if op.loads else "load"
        fragment = Fragment.of(compiler, op, place, place.element, register_bits(atom) // place.element.bits, kind)
        site = tensor_site(op, "load" if op.loads else "store", op.address)
        reduced = [Fragment.of(compiler, op, one, one.element, 1, "store") for one in to]
        address, words = compiler.slot(op.address), words_of(atom, op.split.value.data)
        return Move(op, fragment, address, words, site, *reduced)

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
            found = words.load(tensor.words, entries.rows, lane, column)
            tensor.tickets += 1
            _load(frame, entries, self.fragment, start, found)
            if self.reduced is not None:
                value = reduced(found, self.op.reduction)[..., None]
                _load(frame, entries, self.reduced, self.reduced.start(frame), value)
            return
        held = entries.warps.gather(self.fragment.read(frame, entries.warps.lanes, start).values)
        values = np.ascontiguousarray(held).view(np.uint32)
        tensor.begin(entries.rows, entries.actor, at, entries.warps.lanes, self.site)
        words.store(tensor.words, entries.rows, lane, column, values)

    def _cells(self, entries: Entries, lane: Numbers, columns: Numbers) -> Numbers:
        halves = np.arange(self.words.lanes // TOGETHER)
        found = [places(first // TOGETHER + halves, own) for first, own in zip(lane, columns, strict=True)]
        return np.asarray(entries.rows[:, None] * CELLS + np.array(found))

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


def _load(frame: Frame, entries: Entries, fragment: Fragment, start: int, found: Array) -> None:
    """The lanes are to hold these words (entry, lane, register), once they have been waited for."""
    lanes = entries.warps.lanes
    values = entries.warps.spread(np.ascontiguousarray(found).view(fragment.register.numpy()))
    held = fragment.held(frame)
    held.put(lanes, start, Run(fragment.registers, lambda: values), frame.mask, fragment.site)
    if isinstance(held.guard, Loads):
        held.guard.load(range(start, start + fragment.registers), entries.tensor.tickets, frame.mask)
