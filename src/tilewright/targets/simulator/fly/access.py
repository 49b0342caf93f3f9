"""Reading and writing where a pointer points: runs of bits of all lanes, checked and counted.

A run is so many bits behind each other, which one instruction moves; it begins wherever each lane's pointer says. A
pointer's own swizzle changes the byte address at which the run begins. In a buffer, what lies outside reads as 0 and
is not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from tilewright.errors import CompileError, MisalignedError
from tilewright.ir.fly.argument import ArgumentOp
from tilewright.ir.fly.memories import memories, memory_of, space_of
from tilewright.ir.fly.types import Pointer
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.bits import Bytes
from tilewright.targets.simulator.fly.values import Place
from tilewright.targets.simulator.memory.access import Array, Mask, Number, out_of_bounds
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.ops.atoms import real as real_lanes
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.program import Compiler, Frame
from tilewright.targets.simulator.sites import Site

BEYOND = "; make_buffer_tensor(t, max_size=False) is a buffer of the tensor's own bytes, which reads 0 beyond them"


@dataclass(frozen=True, eq=False)
class Access:
    """What an op does through a pointer, in runs of so many bits: a site for each memory that it may point into."""

    op: Operation
    pointer: Pointer
    sites: Mapping[SSAValue, Site]
    bits: int
    alignment: int

    @staticmethod
    def of(
        compiler: Compiler,
        op: Operation,
        value: SSAValue,
        kind: str,
        bits: int,
        alignment: int = 1,
        instruction: str = "",
        counted: bool = True,
    ) -> Access:
        """The access through a pointer or view.

        Args:
            kind: `load`, `store` or `atomic`.
            bits: of a run.
            alignment: the bytes of which a run's address in memory is to be a multiple.
            instruction: its row of the bank table, where that is not the kind.
            counted: is it an instruction whose cost is told?

        Raises:
            CompileError: a run is no whole number of the pieces in which the memory is kept.
        """
        pointer, found = memory_of(value.type), memories(op)
        assert pointer is not None
        space, sites = space_of(pointer), {}
        for root in found.of(value):
            unit = numpy_type(found.units[root]).itemsize * 8
            memory = _memory(root)
            if isinstance(root.owner, ArgumentOp):
                assert isinstance(memory.type, MemRefType), "what a launch gives is flat"
                unit = numpy_type(memory.type.element_type).itemsize * 8
            if bits % unit:
                text = f"{op.name} accesses {bits} bits of memory that is kept in pieces of {unit}"
                raise CompileError(f"{text}; declare it as elements of {bits} bits, or access whole ones\n{where(op)}")
            told = counted and space != LOCAL
            sites[root] = compiler.site(op, kind, memory, space, bits // 8, told, unit // 8, instruction)
        return Access(op, pointer, sites, bits, alignment if space != LOCAL else 1)

    def read(self, frame: Frame, place: Place, starts: Number, mask: Mask) -> Bytes:
        """The bytes (run, blocks, threads, byte) of runs that begin so many bits behind the place."""
        first = self._starts(frame, place, starts)
        if isinstance(place.memory, Registers):
            return self._read_registers(frame, place.memory, first, mask, self.sites[place.root])
        found = np.zeros((*first.shape, self.bits // 8), np.uint8)
        at = _Runs.of(self, frame, place, first, mask)
        data = place.memory.read(at.positions, real_lanes(frame), at.present, self.sites[place.root])
        unit = place.memory.data.dtype.itemsize
        rows = np.zeros((at.count, self.bits // 8 // unit, unit), np.uint8)
        rows[at.inside] = np.ascontiguousarray(data).view(np.uint8).reshape(-1, unit)
        found[at.active] = rows.reshape(at.count, self.bits // 8)
        return found

    def write(self, frame: Frame, place: Place, starts: Number, data: Bytes, mask: Mask) -> None:
        """Puts the bytes there."""
        first = self._starts(frame, place, starts)
        full = np.broadcast_to(data, (*first.shape, self.bits // 8))
        if isinstance(place.memory, Registers):
            self._write_registers(frame, place.memory, first, full, mask, self.sites[place.root])
            return
        at = _Runs.of(self, frame, place, first, mask)
        kind = place.memory.data.dtype
        values = np.ascontiguousarray(full[at.active]).view(kind)[at.inside]
        place.memory.write(at.positions, values, real_lanes(frame), at.present, self.sites[place.root])

    def targets(
        self, frame: Frame, place: Place, starts: Number, data: Bytes, mask: Mask
    ) -> tuple[Memory, Array, Array]:
        """Of active lanes, an entry each: the memory, the positions in it to write, and their new elements."""
        first = self._starts(frame, place, starts)
        at, memory = _Runs.of(self, frame, place, first, mask), cast("Memory", place.memory)
        full = np.broadcast_to(data, (*first.shape, self.bits // 8))
        values = np.ascontiguousarray(full[at.active]).view(memory.data.dtype)
        return memory, at.positions.reshape(values.shape), values

    def located(self, frame: Frame, place: Place, starts: Number) -> Number:
        """The numbers of the elements of the memory at which runs of one element begin."""
        first = self._starts(frame, place, starts)
        return np.asarray(first[0] // (8 * cast("Memory", place.memory).data.dtype.itemsize))

    def _starts(self, frame: Frame, place: Place, starts: Number) -> Array:
        """The first bit of each run (run, blocks, threads)."""
        at = np.asarray(place.at + starts, np.int64)
        at = at.reshape((1,) * (3 - at.ndim) + at.shape)
        if self.pointer.swizzle is not None:
            at = np.asarray(self.pointer.swizzle(at // 8)) * 8 + at % 8
        return np.broadcast_to(at, (len(at), *frame.domain.shape))

    # ---- registers

    def anything(self, frame: Frame, place: Place, starts: Number) -> Array | None:
        """Which registers (run, cell, blocks, threads) hold what a machine leaves undefined; None: none of them."""
        held = place.memory
        if not isinstance(held, Registers) or not held.anything:
            return None
        first, unit = self._starts(frame, place, starts), 8 * held.dtype.itemsize
        cells = (first[:, None] // unit) + np.arange(self.bits // unit)[:, None, None]
        found = np.zeros(cells.shape, bool)
        for cell, flags in held.anything.items():
            found |= (cells == cell) & flags
        return found if found.any() else None

    def leave(self, frame: Frame, place: Place, starts: Number, flags: Array, mask: Mask) -> None:
        """Says the same of registers (run, cell, ..) at places in which all lanes agree."""
        held = place.memory
        assert isinstance(held, Registers), "of a lane alone"
        first, unit = self._starts(frame, place, starts), 8 * held.dtype.itemsize
        full = np.broadcast_to(flags, (len(first), self.bits // unit, *first.shape[1:]))
        for run in range(len(first)):
            start = self._cell(first[run], unit)
            if isinstance(start, int):
                for number in range(self.bits // unit):
                    held.leave(start + number, full[run, number], mask)

    def _read_registers(self, frame: Frame, held: Registers, first: Array, mask: Mask, site: Site) -> Bytes:
        unit = 8 * held.dtype.itemsize
        shape = first.shape
        cells = np.empty((shape[0], self.bits // unit, *shape[1:]), held.dtype)
        for run in range(shape[0]):
            start = self._cell(first[run], unit)
            for number in range(self.bits // unit):
                cells[run, number] = held.load(frame.domain, start + number, mask, site)
        return np.ascontiguousarray(np.moveaxis(cells, 1, -1)).view(np.uint8)

    def _write_registers(
        self, frame: Frame, held: Registers, first: Array, data: Bytes, mask: Mask, site: Site
    ) -> None:
        unit = 8 * held.dtype.itemsize
        cells = np.ascontiguousarray(data).view(held.dtype)
        for run in range(first.shape[0]):
            start = self._cell(first[run], unit)
            for number in range(self.bits // unit):
                held.store(frame.domain, start + number, cells[run, ..., number].copy(), mask, site)

    def _cell(self, first: Array, unit: int) -> Number:
        """The number of a register, an integer where lanes agree."""
        if (first % unit).any():
            raise CompileError(f"{self.op.name} accesses registers at bit {int(first.max())}\n{where(self.op)}")
        low = int(first.flat[0])
        return low // unit if (first == low).all() else first // unit


@dataclass(frozen=True, eq=False)
class _Runs:
    """The runs of active lanes in a memory: `active` of (run, blocks, threads), `inside` of (active run, unit)."""

    active: Array
    count: int
    inside: Array
    positions: Array
    present: Present

    @staticmethod
    def of(access: Access, frame: Frame, place: Place, first: Array, mask: Mask) -> _Runs:
        """Checked: aligned, and within the memory, or clipped to a buffer."""
        lanes, memory, site = real_lanes(frame), cast("Memory", place.memory), access.sites[place.root]
        unit = 8 * memory.data.dtype.itemsize
        active = np.broadcast_to(True if mask is None else mask, first.shape)
        begin = first[active]
        actor = np.broadcast_to(lanes.actor, first.shape)[active]
        _check_aligned(access, begin, unit, actor, frame, site)
        for number in range(len(first)):
            lanes.count(site, first[number] // unit, mask) if site.counted else None
        elements = (begin // unit)[:, None] + np.arange(access.bits // unit)
        inside = np.ones(elements.shape, bool)
        if place.window is not None:
            low, size = (np.broadcast_to(np.asarray(x, np.int64), first.shape)[active] for x in place.window)
            behind = (elements * unit - low[:, None]) // 8
            inside = (behind >= 0) & (behind + unit // 8 <= size[:, None])
        wrong = inside & ((elements < 0) | (elements >= memory.size))
        if wrong.any():
            row, column = (int(x[0]) for x in np.nonzero(wrong))
            advice = "" if place.window is None else BEYOND
            out_of_bounds(memory.size, int(elements[row, column]), lanes.name(int(actor[row])), site, advice)
        if memory.apart:
            row_of = np.broadcast_to(lanes.rows[:, None], first.shape)[active]
            elements = elements + row_of[:, None] * memory.pitch
        owner = np.nonzero(inside)[0]
        return _Runs(active, len(begin), inside, elements[inside], Present(lanes.machine.clocks, actor[owner]))


def _check_aligned(access: Access, begin: Array, unit: int, actor: Array, frame: Frame, site: Site) -> None:
    bits = max(8 * access.alignment, unit)
    wrong = begin % bits != 0
    if wrong.any():
        bad = int(np.argmax(wrong))
        who, byte = real_lanes(frame).name(int(actor[bad])), int(begin[bad]) // 8
        text = f"{who} {site.does} {site.buffer} at byte {byte}, which is no multiple of {bits // 8}"
        raise MisalignedError(f"{text}\n{site.where}")


def _memory(root: SSAValue) -> SSAValue:
    """What reports know the memory by: the argument, or the allocation."""
    owner = root.owner
    return owner.memory if isinstance(owner, ArgumentOp) and owner.memory is not None else root
