"""Handlers of the instructions of the atom table: a matrix product is one step of all warps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.ir import Operation

from tilewright.atoms.available import has_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import registers_for
from tilewright.dtypes import DType
from tilewright.errors import BarrierError, SimulationError
from tilewright.ir.tile.atoms import MmaAtomOp, Place, element_of, fragment_size
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.launch import where
from tilewright.targets.simulator.collective.operands import Operand, Operands, operands_of
from tilewright.targets.simulator.collective.packed import packed, unpacked
from tilewright.targets.simulator.collective.products import Matrices
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array, NotUniformError
from tilewright.targets.simulator.memory.access import Operand as Index
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.memory.runs import Run
from tilewright.targets.simulator.ops.tile import place_of
from tilewright.targets.simulator.program import Compiler, Frame, Step
from tilewright.targets.simulator.sites import Site


@dataclass(frozen=True, eq=False)
class Fragment:
    """An operand in registers: where it is, and how many registers of which type hold how many elements."""

    op: Operation
    buffer: int
    place: Callable[[Frame], Index]
    site: Site
    register: DType
    element: DType
    registers: int

    @staticmethod
    def of(compiler: Compiler, op: Operation, place: Place, element: DType, count: int, kind: str) -> Fragment:
        """The fragment of so many elements from a place on."""
        site = compiler.site(op, kind, place.memory, LOCAL, place.element.numpy().itemsize, False)
        registers = registers_for(place.element, element, count)
        assert registers is not None, "verified"
        start = place_of(compiler, op, place.memory, place.indices)
        return Fragment(op, compiler.slot(place.memory), start, site, place.element, element, registers)

    def read(self, frame: Frame, lanes: Lockstep) -> Run:
        """The registers."""
        held = cast("Registers", frame.memory(self.buffer))
        return held.run(lanes, self._start(frame), self.registers, frame.mask, self.site)

    def elements(self, run: Run) -> Array:
        """The elements (block, thread, element) in the registers of a run."""
        return unpacked(run.values, self.register, self.element)

    def write(self, frame: Frame, make: Callable[[], Array]) -> Run:
        """Puts elements there, to be made when somebody looks."""
        run = Run(self.registers, lambda: packed(make(), self.element, self.register))
        cast("Registers", frame.memory(self.buffer)).put(frame.domain, self._start(frame), run, frame.mask, self.site)
        return run

    def _start(self, frame: Frame) -> int:
        found = self.place(frame)
        if type(found) is int:
            return found
        full = np.broadcast_to(np.asarray(found), frame.domain.shape)
        active = full.reshape(-1) if frame.mask is None else full[frame.mask]
        if (active != active[:1]).any():
            numbers = ", ".join(map(str, np.unique(active)[:4]))
            raise SimulationError(f"lanes name different registers: {self.site.buffer} at {numbers}\n{where(self.op)}")
        return int(active[0]) if len(active) else 0


def mma(compiler: Compiler, op: MmaAtomOp) -> Step:
    """The products of all warps that take part."""
    atom = op.instruction
    d, a, b, *c = (
        Fragment.of(compiler, op, place, element_of(atom, x), fragment_size(atom, x), "store" if x == "D" else "load")
        for x, place in op.fragments()
    )

    known: dict[int, Operands] = {}

    def step(frame: Frame) -> None:
        lanes = real(frame)
        warps = Warps.of(frame, lanes, op, atom)
        held = known.get(warps.size) or known.setdefault(warps.size, operands_of(atom, warps.size))
        left, right = warps.matrices(frame, a, held.a), warps.matrices(frame, b, held.b)
        start = warps.matrices(frame, c[0], held.c) if c else Matrices(lambda: warps.zeros(held.c, atom))
        product = lanes.machine.waiting(atom).add(left, right, start)
        run = d.write(frame, lambda: warps.spread(held.c.fragments(product.made)))
        if warps.active is None:
            run.seen[held.c] = product

    return step


def real(frame: Frame) -> Lockstep:
    """The lanes of a frame; what only records learns nothing from an atom."""
    if not isinstance(frame.domain, Lockstep):
        raise NotUniformError
    return frame.domain


@dataclass(frozen=True, eq=False)
class Warps:
    """The warps that execute an atom together, of so many lanes each; an atom of one thread is each lane's own.

    `active` are those that do, by (block, warp); None: all.
    """

    op: Operation
    lanes: Lockstep
    size: int
    active: Array | None

    @staticmethod
    def of(frame: Frame, lanes: Lockstep, op: Operation, atom: MmaAtom | CopyAtom) -> Warps:
        """The warps of a frame.

        Raises:
            SimulationError: the architecture has no such instruction.
            BarrierError: lanes of a warp are missing.
        """
        spec = lanes.machine.tally.spec
        if op not in lanes.machine.admitted:
            if not has_atom(spec, atom):
                raise SimulationError(f"{atom.name} is an instruction of {atom.arch}, not of {spec.name}\n{where(op)}")
            lanes.machine.admitted.add(op)
        if atom.threads == 1:
            return Warps(op, lanes, 1, frame.mask)
        lanes.together(op, frame.mask)
        size, rest = spec.lanes, lanes.launch.threads % spec.lanes
        if rest and int(lanes.threads[-1]) >= lanes.launch.threads - rest:
            raise BarrierError(f"the last warp has {rest} lanes, {atom.name} is for {size}\n{where(op)}")
        return Warps(op, lanes, size, None if frame.mask is None else frame.mask[:, ::size])

    def gather(self, values: Array) -> Array:
        """What active warps hold, by (warp, lane, value)."""
        blocks, threads, count = values.shape
        split = values.reshape(blocks, threads // self.size, self.size, count)
        return split.reshape(-1, self.size, count) if self.active is None else split[self.active]

    def spread(self, found: Array) -> Array:
        """By (block, thread, value) what active warps are to hold; undoes `gather`."""
        blocks, threads = self.lanes.shape
        if self.active is None:
            return found.reshape(blocks, threads, -1)
        full = np.zeros((*self.active.shape, self.size, found.shape[-1]), found.dtype)
        full[self.active] = found
        return full.reshape(blocks, threads, -1)

    def zeros(self, operand: Operand, atom: MmaAtom) -> Array:
        """Matrices of zeros."""
        groups, (blocks, threads) = len(operand.places), self.lanes.shape
        count = blocks * threads // self.size if self.active is None else int(self.active.sum())
        return np.zeros((count * groups, *operand.shape), atom.dtypes[3].numpy())

    def matrices(self, frame: Frame, fragment: Fragment, operand: Operand) -> Matrices:
        """The matrices that lanes hold.

        Raises:
            SimulationError: lanes that must hold the same elements do not.
        """
        run = fragment.read(frame, self.lanes)
        if self.active is not None:
            return Matrices(lambda: self._matrices(fragment, operand, run))
        if operand not in run.seen:
            run.seen[operand] = Matrices(lambda: self._matrices(fragment, operand, run))
            if operand.copies > 1:
                self._check_copies(fragment, operand, run)
        return run.seen[operand]

    def _matrices(self, fragment: Fragment, operand: Operand, run: Run) -> Array:
        return operand.matrices(self.gather(fragment.elements(run)))

    def _check_copies(self, fragment: Fragment, operand: Operand, run: Run) -> None:
        wrong = operand.disagreement(self.gather(fragment.elements(run)))
        if wrong is None:
            return
        warp, one, other = wrong
        number = warp if self.active is None else int(np.flatnonzero(self.active)[warp])
        row, inside = divmod(number, self.lanes.shape[1] // self.size)
        names = [self.lanes.name(int(self.lanes.actor[row, inside * self.size + lane])) for lane in (one, other)]
        text = f"{names[0]} and {names[1]} hold different values of one element of {fragment.site.buffer}"
        raise SimulationError(f"{text}\n{where(self.op)}")
