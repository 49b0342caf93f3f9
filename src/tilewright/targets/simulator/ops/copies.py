"""The handler of copy atoms: every lane's row is read, the bits change lanes, and every lane's row is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation

from tilewright.dtypes import dtype
from tilewright.errors import CompileError, MisalignedError
from tilewright.ir.tile.atoms import CopyAtomOp, MmaAtomOp, Place
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.launch import where
from tilewright.targets.simulator.collective.moves import Moves, moves_of
from tilewright.targets.simulator.collective.packed import codes, unpacked
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.domains.moves import MoveRecorder
from tilewright.targets.simulator.memory.access import Array, Mask, Operand, out_of_bounds
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.ops.atoms import Fragment, MmaStep, Warps, by_registers, real
from tilewright.targets.simulator.ops.recorded import record_copy
from tilewright.targets.simulator.ops.tile import place_of
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site

Bytes = NDArray[np.uint8]
BYTE = dtype("uint8")
WIDENED = 16  # elements of a row that become bytes


def copy(compiler: Compiler, op: CopyAtomOp) -> Step:
    """Everything is read before anything is written."""
    atom = op.instruction
    dst, src = (_end(compiler, op, place, i) for i, place in enumerate(op.places))
    known: dict[int, Moves] = {}
    narrow = atom.widened_bits

    fragments = [end.fragment for end in (dst, src) if isinstance(end, Registers)]

    def step(frame: Frame) -> None:
        if isinstance(frame.domain, MoveRecorder):
            record_copy(frame, frame.domain, atom, dst.held, src.held)
            return
        size = 1 if atom.threads == 1 else real(frame).warp_size
        for part, _ in by_registers(frame, fragments, size) if fragments else [(frame, ())]:
            move(part)

    def move(frame: Frame) -> None:
        lanes = real(frame)
        warps = Warps.of(frame, lanes, op, atom)
        moves = known.get(warps.size) or known.setdefault(warps.size, moves_of(atom, warps.size))
        held = src.read(frame, lanes, _some(moves.reads, frame, lanes))
        held = codes(held, narrow) if narrow else held
        moved = held if moves.taken is None else warps.spread(moves(warps.gather(held)))
        dst.write(frame, lanes, _some(moves.writes, frame, lanes), moved)

    return step


def _some(flags: NDArray[np.bool_], frame: Frame, lanes: Lockstep) -> Mask:
    """Of the active lanes those whose row counts."""
    if flags.all():
        return frame.mask
    chosen = np.tile(flags, lanes.shape[1] // len(flags))[None]
    return np.broadcast_to(chosen, lanes.shape) if frame.mask is None else chosen & frame.mask


def _end(compiler: Compiler, op: CopyAtomOp, place: Place, number: int) -> Registers | Rows:
    atom, kind = op.instruction, ("store", "load")[number]
    bits = int((atom.dst_bits, atom.src_bits)[number][1].size)
    bits = place.element.bits if bits == 1 else bits
    bits = WIDENED * atom.widened_bits if number and atom.widened_bits else bits
    if place.space == LOCAL:
        return Registers.of(compiler, op, place, bits, kind)
    if place.element.bits % 8:
        raise CompileError(f"elements of {place.element.bits} bits in memory are copied as bytes\n{where(op)}")
    return Rows.of(compiler, op, place, bits, kind)


@dataclass(frozen=True, eq=False)
class Registers:
    """The end of a copy in registers."""

    fragment: Fragment

    @property
    def held(self) -> Fragment:
        """What is copied."""
        return self.fragment

    @staticmethod
    def of(compiler: Compiler, op: CopyAtomOp, place: Place, bits: int, kind: str) -> Registers:
        """So many bits a lane, from the place on."""
        return Registers(Fragment.of(compiler, op, place, place.element, bits // place.element.bits, kind))

    def read(self, frame: Frame, lanes: Lockstep, rows: Mask) -> Bytes:
        """The bytes (blocks, threads, bytes)."""
        if self.fragment.element.bits % 8:
            raise CompileError(f"elements of {self.fragment.element} are not copied from\n{where(self.fragment.op)}")
        return np.ascontiguousarray(self.fragment.read(frame, lanes, self.fragment.start(frame)).values).view(np.uint8)

    def write(self, frame: Frame, lanes: Lockstep, rows: Mask, data: Bytes) -> None:
        """Puts the bytes there."""
        element, whole = self.fragment.element, np.ascontiguousarray(data)
        elements = unpacked(whole, BYTE, element) if element.bits % 8 else whole.view(self.fragment.held(frame).dtype)
        self.fragment.write(frame, self.fragment.start(frame), lambda: elements)


class Located(NamedTuple):
    """Which elements rows are, as positions of the memory's data, and whose; `inside`: of (row, element); None: all."""

    elements: Array
    inside: Mask
    actor: Array


@dataclass(frozen=True, eq=False)
class Rows:
    """The end of a copy in memory: a row of so many elements at each lane's place, aligned to so many bytes.

    Where it `clips`, what lies outside the memory reads as 0, and is not written.
    """

    op: Operation
    buffer: int
    place: Callable[[Frame], Operand]
    site: Site
    count: int
    alignment: int
    clips: bool

    @property
    def held(self) -> Rows:
        """What is copied."""
        return self

    @staticmethod
    def of(compiler: Compiler, op: CopyAtomOp, place: Place, bits: int, kind: str) -> Rows:
        """Rows of so many bits."""
        atom, size = op.instruction, place.element.bytes
        name = atom.instruction.partition(".")[0]
        site = compiler.site(
            op, kind, place.memory, place.space, bits // 8, True, size, name if name in ("ldmatrix", "stmatrix") else ""
        )
        at = place_of(compiler, op, place.memory, place.indices, not op.clips)
        return Rows(op, compiler.slot(place.memory), at, site, bits // 8 // size, max(atom.alignment, 1), op.clips)

    def read(self, frame: Frame, lanes: Lockstep, rows: Mask) -> Bytes:
        """The bytes (blocks, threads, bytes); 0 where a lane's row does not count."""
        memory = cast("Memory", frame.memory(self.buffer))
        at = self.located(frame, lanes, rows, memory)
        present = Present(lanes.machine.clocks, at.actor)
        if at.inside is None:
            found: Array = memory.read(at.elements, lanes, present, self.site).reshape(-1, self.count)
        else:
            found = np.zeros(at.inside.shape, memory.data.dtype)
            found[at.inside] = memory.read(at.elements, lanes, present, self.site)
        if rows is None:
            return found.view(np.uint8).reshape(*lanes.shape, -1)
        full = np.zeros((*lanes.shape, self.count * found.itemsize), np.uint8)
        full[rows] = found.view(np.uint8)
        return full

    def write(self, frame: Frame, lanes: Lockstep, rows: Mask, data: Bytes) -> None:
        """Puts the bytes there."""
        memory = cast("Memory", frame.memory(self.buffer))
        at = self.located(frame, lanes, rows, memory)
        chosen = data.reshape(-1, data.shape[-1]) if rows is None else data[rows]
        values = np.ascontiguousarray(chosen).view(memory.data.dtype)
        given = values.reshape(-1) if at.inside is None else values[at.inside]
        memory.write(at.elements, given, lanes, Present(lanes.machine.clocks, at.actor), self.site)

    def located(self, frame: Frame, lanes: Lockstep, rows: Mask, memory: Memory) -> Located:
        """Where the rows lie, checked and counted."""
        index = self.place(frame)
        lanes.count(self.site, np.asarray(index, np.int64), rows)
        if rows is not None:
            return self._locate(index, lanes, rows, memory)
        size = 16 * self.count * prod(lanes.shape)
        return lanes.following(self, index, size, lambda: self._locate(index, lanes, None, memory))

    def _locate(self, index: Operand, lanes: Lockstep, rows: Mask, memory: Memory) -> Located:
        first = self._first(index, lanes, rows, memory)
        elements, inside = self._elements(first, memory, lanes, rows)
        own = np.arange(len(first)).repeat(self.count) if inside is None else np.nonzero(inside)[0]
        flat = elements.reshape(-1) if inside is None else elements[inside]
        return Located(flat, inside, lanes.present(rows).actor[own])

    def _first(self, index: Operand, lanes: Lockstep, rows: Mask, memory: Memory) -> Array:
        """The first element of each row that counts, as numbers of the memory, aligned."""
        full = np.broadcast_to(np.asarray(index, np.int64), lanes.shape)
        first = full.reshape(-1) if rows is None else full[rows]
        bytes_ = first * self.site.step_bytes + self.site.base_bytes
        wrong = bytes_ % self.alignment != 0
        if wrong.any():
            bad = int(np.argmax(wrong))
            raise MisalignedError(
                f"{self._name(lanes, rows, bad)} {self.site.does} {self.site.buffer} at byte {bytes_[bad]}, "
                f"which is no multiple of {self.alignment}\n{self.site.where}"
            )
        return first

    def _elements(self, first: Array, memory: Memory, lanes: Lockstep, rows: Mask) -> tuple[Array, Mask]:
        """Where the elements (row, element) lie in the memory's data, and which of them lie inside; None: all."""
        elements = first[:, None] + np.arange(self.count)
        whole = not first.size or (first.min() >= 0 and first.max() + self.count <= memory.size)
        inside = None if whole else (elements >= 0) & (elements < memory.size)
        if inside is not None and not self.clips:
            bad = int(np.argmin(inside.reshape(-1)))
            name = self._name(lanes, rows, bad // self.count)
            out_of_bounds(memory.size, int(elements.flat[bad]), name, self.site)
        if memory.apart:
            start = np.broadcast_to(lanes.rows[:, None] * memory.pitch, lanes.shape)
            elements += (start.reshape(-1) if rows is None else start[rows])[:, None]
        return elements, inside

    def _name(self, lanes: Lockstep, rows: Mask, number: int) -> str:
        return lanes.name(int(lanes.present(rows).actor[number]))


ATOM_HANDLERS: Mapping[type[Operation], Handler] = {MmaAtomOp: MmaStep.of, CopyAtomOp: copy}
