"""Handlers of the instructions of the atom table: a matrix product is one step of all warps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

import numpy as np
from xdsl.ir import Operation

from tilewright.atoms.available import has_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import Container, container_of, registers_for
from tilewright.dtypes import DType
from tilewright.errors import BarrierError, SimulationError
from tilewright.ir.tile.atoms import MmaAtomOp, Place, element_of, fragment_size
from tilewright.ir.tile.scaled import ScaledMmaOp
from tilewright.ir.tile.sparse import SparseMmaOp
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.launch import where
from tilewright.targets.simulator.admission import not_of
from tilewright.targets.simulator.collective.operands import Operand, Operands, operands_of
from tilewright.targets.simulator.collective.packed import packed, unpacked
from tilewright.targets.simulator.collective.products import Matrices, Product
from tilewright.targets.simulator.distinct import distinct_rows, distinct_values
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.domains.moves import MoveRecorder
from tilewright.targets.simulator.memory.access import Array, NotUniformError
from tilewright.targets.simulator.memory.access import Operand as Index
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.memory.runs import Run
from tilewright.targets.simulator.ops.recorded import record_product
from tilewright.targets.simulator.ops.tile import place_of
from tilewright.targets.simulator.program import Compiler, Frame
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
    room: Container

    @property
    def count(self) -> int:
        """The registers."""
        return self.registers

    @property
    def alignment(self) -> int:
        """Registers have no addresses."""
        return 1

    @staticmethod
    def of(
        compiler: Compiler,
        op: Operation,
        place: Place,
        element: DType,
        count: int,
        kind: str,
        room: Container | None = None,
    ) -> Fragment:
        """The fragment of so many elements from a place on."""
        room = room or Container(element.bits)
        site = compiler.site(op, kind, place.memory, LOCAL, place.element.numpy().itemsize, False)
        registers = registers_for(place.element, element, count, room.bits)
        assert registers is not None, "verified"
        start = place_of(compiler, op, place.memory, place.indices)
        return Fragment(op, compiler.slot(place.memory), start, site, place.element, element, registers, room)

    @staticmethod
    def operand(compiler: Compiler, op: Operation, place: Place, atom: MmaAtom, letter: str) -> Fragment:
        """The fragment of D, A, B or C of a product."""
        kind = "store" if letter == "D" else "load"
        element, count, room = element_of(atom, letter), fragment_size(atom, letter), container_of(atom, letter)
        return Fragment.of(compiler, op, place, element, count, kind, room)

    def read(self, frame: Frame, lanes: Lockstep, start: int) -> Run:
        """The registers from `start` on."""
        return self.held(frame).run(lanes, start, self.registers, frame.mask, self.site)

    def held(self, frame: Frame) -> Registers:
        """The memory that the registers are in."""
        return cast("Registers", frame.memory(self.buffer))

    def elements(self, run: Run) -> Array:
        """The elements (block, thread, element) in the registers of a run."""
        return unpacked(run.values, self.register, self.element, self.room)

    def write(self, frame: Frame, start: int, make: Callable[[], Array]) -> Run:
        """Puts elements there, to be made when somebody looks."""
        run = Run(self.registers, lambda: packed(make(), self.element, self.register))
        self.held(frame).put(frame.domain, start, run, frame.mask, self.site)
        return run

    def start(self, frame: Frame) -> int:
        """The number of the first register, on which the lanes agree."""
        found = self.place(frame)
        if type(found) is int:
            return found
        full = np.broadcast_to(np.asarray(found), frame.domain.shape)
        active = full.reshape(-1) if frame.mask is None else full[frame.mask]
        if (active != active[:1]).any():
            numbers = ", ".join(map(str, distinct_values(active)[:4]))
            raise SimulationError(f"lanes name different registers: {self.site.buffer} at {numbers}\n{where(self.op)}")
        return int(active[0]) if len(active) else 0


Alike: TypeAlias = tuple[Frame, tuple[int, ...]]


def by_registers(frame: Frame, fragments: Sequence[Fragment], size: int) -> list[Alike]:
    """The frame and the first registers that it names; its parts, where warps, of so many lanes, name different ones.

    Raises:
        SimulationError: lanes of one warp name different ones.
    """
    found = [fragment.place(frame) for fragment in fragments]
    if all(type(one) is int for one in found):
        return [(frame, cast("tuple[int, ...]", tuple(found)))]
    shape = frame.domain.shape
    names = np.stack([np.broadcast_to(np.asarray(one, np.int64), shape) for one in found])
    active = np.broadcast_to(True if frame.mask is None else frame.mask, shape)
    each = distinct_rows(names[:, active].T)
    if len(each) < 2:
        return [(frame, tuple(map(int, each[0])) if len(each) else (0,) * len(found))]
    _refuse_torn(fragments, names, active, size)
    parts = [Frame(frame.values, frame.domain) for _ in each]
    for part, name in zip(parts, each, strict=True):
        part.mask = active & (names == name[:, None, None]).all(axis=0)
    return [(part, tuple(map(int, name))) for part, name in zip(parts, each, strict=True)]


def _refuse_torn(fragments: Sequence[Fragment], names: Array, active: Array, size: int) -> None:
    starts = np.arange(0, active.shape[1], size)
    low = np.minimum.reduceat(np.where(active, names, np.iinfo(np.int64).max), starts, axis=2)
    high = np.maximum.reduceat(np.where(active, names, np.iinfo(np.int64).min), starts, axis=2)
    torn = high > low
    if torn.any():
        which, block, warp = (int(at[0]) for at in np.nonzero(torn))
        fragment, lanes = fragments[which], slice(int(starts[warp]), int(starts[warp]) + size)
        numbers = ", ".join(map(str, distinct_values(names[which, block, lanes][active[block, lanes]])[:4]))
        text = f"lanes of a warp name different registers: {fragment.site.buffer} at {numbers}"
        raise SimulationError(f"{text}\n{where(fragment.op)}")


@dataclass(frozen=True, eq=False)
class MmaStep:
    """The products of all warps that take part; `known` are the operands by the size of a warp."""

    op: MmaAtomOp | SparseMmaOp | ScaledMmaOp
    atom: MmaAtom
    d: Fragment
    a: Fragment
    b: Fragment
    c: Fragment | None
    known: dict[int, Operands] = field(default_factory=dict)

    @staticmethod
    def of(compiler: Compiler, op: MmaAtomOp | SparseMmaOp | ScaledMmaOp) -> MmaStep:
        """The step of an op."""
        atom = op.instruction
        d, a, b, *c = (Fragment.operand(compiler, op, place, atom, x) for x, place in op.fragments())
        return MmaStep(op, atom, d, a, b, c[0] if c else None)

    def starts(self, frame: Frame) -> tuple[int, ...]:
        """The first registers of D, A, B and, where there is one, C."""
        return tuple(fragment.start(frame) for fragment in (self.d, self.a, self.b, self.c) if fragment is not None)

    def __call__(self, frame: Frame) -> None:
        """One product of each warp."""
        if isinstance(frame.domain, MoveRecorder):
            record_product(frame, frame.domain, self.atom, self.d, self.a, self.b, self.c)
            return
        fragments = [fragment for fragment in (self.d, self.a, self.b, self.c) if fragment is not None]
        for part, starts in by_registers(frame, fragments, real(frame).warp_size):
            self._multiply(part, *starts)

    def _multiply(self, frame: Frame, d: int, a: int, b: int, *c: int) -> None:
        warps, held = self._warps(frame)
        left, right = self.left(frame, warps, held, a), warps.matrices(frame, self.b, held.b, b)
        product = warps.lanes.machine.waiting(self.atom).add(left, right, self._added(frame, warps, held, c))
        self._put(frame, warps, held, d, product)

    def left(self, frame: Frame, warps: Warps, held: Operands, start: int) -> Matrices:
        """A."""
        return warps.matrices(frame, self.a, held.a, start)

    def together(self, frame: Frame, calls: Sequence[tuple[int, ...]]) -> None:
        """Many products of all lanes, one after the other: D is C's registers, and not among those of A and B."""
        warps, held = self._warps(frame)
        waiting = warps.lanes.machine.waiting(self.atom)
        left = {n: warps.matrices(frame, self.a, held.a, n) for n in dict.fromkeys(call[1] for call in calls)}
        right = {n: warps.matrices(frame, self.b, held.b, n) for n in dict.fromkeys(call[2] for call in calls)}
        found: dict[int, Product] = {}
        for d, a, b, *c in calls:
            added = found[d] if c and d in found else self._added(frame, warps, held, c)
            found[d] = waiting.add(left[a], right[b], added)
        for d, product in found.items():
            self._put(frame, warps, held, d, product)

    def _warps(self, frame: Frame) -> tuple[Warps, Operands]:
        warps = Warps.of(frame, real(frame), self.op, self.atom)
        return warps, self.known.get(warps.size) or self.known.setdefault(
            warps.size, operands_of(self.atom, warps.size)
        )

    def _added(self, frame: Frame, warps: Warps, held: Operands, start: Sequence[int]) -> Matrices:
        if self.c is None:
            return Matrices(lambda: warps.zeros(held.c, self.atom))
        return warps.matrices(frame, self.c, held.c, start[0])

    def _put(self, frame: Frame, warps: Warps, held: Operands, start: int, product: Product) -> None:
        run = self.d.write(frame, start, lambda: warps.spread(held.c.fragments(product.made)))
        run.seen[held.c] = product


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
                raise SimulationError(not_of(op, atom, spec))
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

    def name(self, warp: int, lane: int = 0) -> str:
        """What a person calls a lane of one of the active warps."""
        number = warp if self.active is None else int(np.flatnonzero(self.active)[warp])
        row, inside = divmod(number, self.lanes.shape[1] // self.size)
        return self.lanes.name(int(self.lanes.actor[row, inside * self.size + lane]))

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

    def matrices(self, frame: Frame, fragment: Fragment, operand: Operand, start: int) -> Matrices:
        """The matrices that lanes hold from a register on.

        Raises:
            SimulationError: lanes that must hold the same elements do not.
        """
        run = fragment.read(frame, self.lanes, start)
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
        names = [self.name(warp, lane) for lane in (one, other)]
        text = f"{names[0]} and {names[1]} hold different values of one element of {fragment.site.buffer}"
        raise SimulationError(f"{text}\n{where(self.op)}")
