"""Addresses as operands of a step: which lanes give one, where they point, and whether they may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.errors import AlignmentError
from tilewright.ir.core.pool import pool_offset
from tilewright.ir.tile.address import AddressOp, AddressType, address_of
from tilewright.ir.tile.asynchronous import sized_copies
from tilewright.ir.tile.ops import root
from tilewright.ir.tile.shared import ARRAY_ALIGNMENT
from tilewright.ir.tile.types import GLOBAL
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array, NotUniformError, Number, out_of_bounds
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.remote import Remote
from tilewright.targets.simulator.ops.tile import place_of
from tilewright.targets.simulator.order.clocks import Flags, Numbers
from tilewright.targets.simulator.program import Compiler, Frame, Step
from tilewright.targets.simulator.sites import Site


def address(compiler: Compiler, op: AddressOp) -> Step:
    """The handler of an address: its slot holds the element's number in its memory.

    Copies that may read nothing there look themselves whether it lies inside.
    """
    result, place = compiler.slot(op.result), place_of(compiler, op, op.memory, op.indices, not sized_copies(op))

    def step(frame: Frame) -> None:
        frame.values[result] = place(frame)

    return step


@dataclass(frozen=True, eq=False)
class Active:
    """The active lanes of a step, an entry each: where they stand among the lanes, and in the machine."""

    lanes: Lockstep
    at: tuple[Array, Array]
    rows: Numbers
    threads: Numbers
    actor: Numbers

    @staticmethod
    def of(frame: Frame) -> Active:
        """Those of a frame; a recorder leaves them to real lanes."""
        lanes = frame.domain
        if not isinstance(lanes, Lockstep):
            raise NotUniformError
        at = np.nonzero(np.ones(lanes.shape, bool) if frame.mask is None else frame.mask)
        return Active(lanes, (at[0], at[1]), lanes.rows[at[0]], lanes.threads[at[1]], lanes.actor[at])

    def number(self, frame: Frame, slot: int) -> Numbers:
        """What each of them holds there."""
        return self.spread(frame.number(slot))

    def spread(self, value: Number) -> Numbers:
        """The number of each of them, of what all lanes hold."""
        return np.asarray(np.broadcast_to(np.asarray(value), self.lanes.shape)[self.at])

    def __getitem__(self, chosen: Flags) -> Active:
        """Some of them."""
        at = self.at[0][chosen], self.at[1][chosen]
        return Active(self.lanes, at, self.rows[chosen], self.threads[chosen], self.actor[chosen])

    def name(self, entry: int) -> str:
        """One of them as a person names it."""
        return self.lanes.name(int(self.actor[entry]))

    def among(self, entries: Flags) -> tuple[Numbers, Flags, Numbers]:
        """Of these entries: the rows, in each the lanes as flags, and how many they are."""
        rows, first = np.unique(self.rows[entries], return_inverse=True)
        clocks = self.lanes.machine.clocks
        lanes = np.zeros((len(rows), clocks.warps * clocks.lanes), bool)
        lanes[first, self.threads[entries]] = True
        return rows, lanes, lanes.sum(axis=1)

    def flags(self) -> Flags:
        """All of them, by row of the machine and lane."""
        clocks = self.lanes.machine.clocks
        found = np.zeros((len(clocks.blocks), clocks.warps * clocks.lanes), bool)
        found[self.rows, self.threads] = True
        return found


@dataclass(frozen=True, eq=False)
class Operand:
    """An address that an op takes."""

    memory: int
    slot: int
    site: Site
    bits: int
    origin: SSAValue

    @staticmethod
    def of(compiler: Compiler, op: Operation, value: SSAValue, kind: str, moved: int = 0, by: str = "") -> Operand:
        """The address, at which the op does what `kind` says.

        Its cost is told where bytes are `moved`: so many a lane, by an instruction which banks may have rules of.
        """
        found, described = address_of(value), cast(AddressType, value.type)
        size = described.dtype.bytes
        site = compiler.site(op, kind, found.memory, described.scope, moved or size, moved > 0, size, by)
        bits = described.dtype.bits
        return Operand(compiler.slot(found.memory), compiler.slot(value), site, bits, root(found.memory))

    def span(self, frame: Frame, active: Active, first: Numbers, count: int) -> Numbers:
        """Positions of so many elements from each first one on, by (entry, element).

        Raises:
            OutOfBoundsError: they leave the memory.
        """
        memory = self.held(frame)
        outside = (first < 0) | (first + count > memory.size)
        if outside.any():
            bad = int(np.argmax(outside))
            wrong = int(first[bad]) if first[bad] < 0 else max(int(first[bad]), memory.size)
            out_of_bounds(memory.size, wrong, active.name(bad), self.site)
        return np.asarray(self.start(frame, active)[:, None] + first[:, None] + np.arange(count))

    def start(self, frame: Frame, active: Active) -> Numbers:
        """Where each entry's copy of the memory begins."""
        memory = self.held(frame)
        return np.asarray(self.rows(frame, active) * (memory.pitch if memory.apart else 0))

    def rows(self, frame: Frame, active: Active) -> Numbers:
        """In which row each entry's copy lies: its own, or that of a block of its cluster."""
        found = frame.values[self.memory]
        if not isinstance(found, Remote):
            return active.rows
        return found.rows(active.rows, active.spread(found.rank), active.actor, active.lanes.name, self.site)

    def held(self, frame: Frame) -> Memory:
        """The memory."""
        found = frame.values[self.memory]
        return found.memory if isinstance(found, Remote) else cast(Memory, found)

    def align(self, active: Active, first: Numbers, count: int) -> None:
        """Raises `AlignmentError` where an element's address is no multiple of so many bytes."""
        sure = self._sure
        wrong = (self.site.base_bytes + first * self.bits // 8) % count != 0
        if wrong.any() or sure % count:
            bad = int(np.argmax(wrong))
            byte = self.site.base_bytes + int(first[bad]) * self.bits // 8
            text = f"{active.name(bad)} gives byte {byte} of {self.site.buffer}, which is to be a multiple of {count}"
            known = f"; an array is aligned to {sure} bytes, T.SMEMPool() gives more with alloc(.., align={count})"
            hint = known if sure % count else ""
            raise AlignmentError(f"{text}{hint}\n{self.site.where}")

    @property
    def _sure(self) -> int:
        """The bytes to which the memory is known to be aligned."""
        made = self.origin.owner
        pooled = isinstance(made, Operation) and pool_offset(made) is not None
        return 1 << 20 if self.site.space == GLOBAL or pooled else ARRAY_ALIGNMENT
