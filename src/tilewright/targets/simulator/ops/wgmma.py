"""Handlers of warpgroup products, of what orders them, and of the descriptors of their operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.atoms.descriptors import WGMMA
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.sparsity import chunks_of
from tilewright.errors import RaceError, SimulationError
from tilewright.ir.tile.atoms import Place
from tilewright.ir.tile.descriptors import MatrixDescriptorOp
from tilewright.ir.tile.shared import Allocation
from tilewright.ir.tile.types import SHARED
from tilewright.ir.tile.wgmma import NEGATED, WARPGROUP, WgmmaOp, WgmmaSyncOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.products import Read
from tilewright.targets.simulator.collective.described import Described
from tilewright.targets.simulator.collective.metadata import gathered
from tilewright.targets.simulator.collective.operands import Operand
from tilewright.targets.simulator.collective.packed import packed
from tilewright.targets.simulator.collective.products import Matrices
from tilewright.targets.simulator.collective.sparse import pattern_of
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.domains.lockstep import Machine
from tilewright.targets.simulator.memory.access import Array, Mask
from tilewright.targets.simulator.memory.guards import FACTOR
from tilewright.targets.simulator.memory.runs import Run
from tilewright.targets.simulator.ops.atoms import Fragment
from tilewright.targets.simulator.ops.guarded import guarded, guards
from tilewright.targets.simulator.ops.matrix_descriptors import descriptor, facts_of
from tilewright.targets.simulator.ops.warpgroups import Warpgroups
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site

# ---- order


def _sync(compiler: Compiler, op: WgmmaSyncOp) -> Step:
    kind, pending = op.kind.data, op.pending.value.data
    registers = guarded(compiler, op, WgmmaOp)

    def step(frame: Frame) -> None:
        groups = Warpgroups.all_of(frame, op)
        units, (rows, numbers) = groups.lanes.machine.units, (groups.rows, groups.group)
        if kind == "commit":
            units.committed[rows, numbers] += 1
            return
        done = groups.by_lane(units.wait(rows, numbers, pending)) if kind == "wait" else 0
        if kind == "fence":
            units.fenced[rows, numbers] = True
        for guard in guards(frame, registers):
            if kind == "fence":
                guard.fence(frame.mask)
            else:
                guard.finish(done)

    return step


# ---- products


@dataclass(frozen=True, eq=False)
class Held:
    """An operand in registers, which a product works in by itself."""

    fragment: Fragment
    operand: Operand
    accumulates: bool

    @staticmethod
    def of(compiler: Compiler, op: WgmmaOp, letter: str, place: Place) -> Held:
        """That of an op."""
        atom, name = op.instruction, "C" if letter == "D" else letter
        fragment = Fragment.operand(compiler, op, place, atom, letter)
        operand = Operand.of(atom.stored_layout(name), atom.stored(name), atom.thr_layout, WARPGROUP)
        return Held(fragment, operand, letter == "D")

    def begin(self, frame: Frame, atom: MmaAtom, start: int, ticket: int) -> None:
        """Raises where the registers may not be worked in now."""
        guard, count = self.fragment.held(frame).guard, self.fragment.registers
        kind = 1 + start * 4096 + atom.shape_mnk[1] * 8 + atom.dtypes[0].bits // 8 if self.accumulates else FACTOR
        if guard is not None:
            cells = range(start, min(start + count, self.fragment.held(frame).size))
            guard.begin(frame.domain, cells, kind, ticket, frame.mask, self.fragment.site)

    def matrices(self, frame: Frame, groups: Warpgroups, start: int, mask: Mask) -> Matrices:
        """The matrices that lanes hold; those of the mask have to be there."""
        run = self.fragment.held(frame).taken(groups.lanes, start, self.fragment.registers, mask, self.fragment.site)
        known = run.seen.get(self.operand)
        if groups.active is None and known is not None:
            return known
        made = Matrices(lambda: self.operand.matrices(groups.gather(self.fragment.elements(run))))
        if groups.active is None:
            run.seen[self.operand] = made
        return made

    def put(self, frame: Frame, groups: Warpgroups, start: int, product: Matrices) -> None:
        """Lanes are to hold the product, to be made when somebody looks."""
        fragment = self.fragment
        made = Run(
            fragment.registers,
            lambda: packed(groups.spread(self.operand.fragments(product.made)), fragment.element, fragment.register),
        )
        fragment.held(frame).placed(groups.lanes, start, made, frame.mask, fragment.site)
        if groups.active is None:
            made.seen[self.operand] = product


@dataclass(frozen=True, eq=False)
class Shared:
    """An operand in shared memory, by its descriptor; `known` are the places of those that were met."""

    letter: str
    slot: int
    described: Described
    op: WgmmaOp
    sites: dict[Allocation, Site] = field(default_factory=dict)
    known: dict[int, tuple[Allocation, Numbers]] = field(default_factory=dict)

    @staticmethod
    def of(compiler: Compiler, op: WgmmaOp, letter: str, value: SSAValue) -> Shared:
        """That of an op."""
        atom, number = op.instruction, "AB".index(letter)
        rows, columns = atom.stored(letter)
        described = Described(WGMMA, rows, columns, atom.dtypes[1 + number], op.majors()[number])
        return Shared(letter, compiler.slot(value), described, op)

    def reads(self, frame: Frame, groups: Warpgroups) -> list[Read]:
        """What is read."""
        given = groups.agreed(frame.number(self.slot), f"the descriptor of {self.letter}")
        machine, found = groups.lanes.machine, []
        for bits in distinct_values(given).tolist():
            entries = np.flatnonzero(given == bits)
            allocation, elements = self._place(int(bits), machine, groups, int(entries[0]))
            memory = machine.shared.get(allocation.op)
            if memory is None:
                who = self._who(groups, int(entries[0]), int(bits))
                raise SimulationError(f"{who} of {allocation.name}, which is not there yet\n{where(self.op)}")
            found.append(Read(entries, memory, groups.rows[entries], elements, self._site(allocation)))
        return found

    def _place(self, bits: int, machine: Machine, groups: Warpgroups, entry: int) -> tuple[Allocation, Numbers]:
        if bits not in self.known:
            try:
                self.known[bits] = self.described.place(bits, facts_of(machine).shared)
            except SimulationError as error:
                text = f"{self._who(groups, entry, bits)}, {error}\n{where(self.op)}"
                raise type(error)(text) from None
        return self.known[bits]

    def _who(self, groups: Warpgroups, entry: int, bits: int) -> str:
        return f"{groups.name(entry)} gives {self.letter} by the descriptor {bits:#x}"

    def _site(self, allocation: Allocation) -> Site:
        memory = allocation.op.results[0]
        return self.sites.setdefault(
            allocation, Site(self.op, "load", memory, allocation.name, SHARED, 16, False, 0, 0, "")
        )

    def matrices(self, read: Sequence[tuple[Read, Array]], count: int) -> Matrices:
        """The matrices of what has been read."""
        if len(read) == 1:
            return Matrices(lambda: self.described.matrices(read[0][1]))
        return Matrices(lambda: self._joined(read, count))

    def _joined(self, read: Sequence[tuple[Read, Array]], count: int) -> Array:
        made = [(part.entries, self.described.matrices(data)) for part, data in read]
        found = np.empty((count, *made[0][1].shape[1:]), made[0][1].dtype)
        for entries, matrices in made:
            found[entries] = matrices
        return found


@dataclass(frozen=True, eq=False)
class WgmmaStep:
    """The products that all warpgroups which take part begin."""

    op: WgmmaOp
    atom: MmaAtom
    d: Held
    a: Held | Shared
    b: Shared
    scale: int
    metadata: int | None

    @staticmethod
    def of(compiler: Compiler, op: WgmmaOp) -> WgmmaStep:
        """The step of an op."""
        held = [Held.of(compiler, op, letter, place) for letter, place in op.register_operands]
        shared = [Shared.of(compiler, op, letter, value) for letter, value in op.shared_operands]
        a = held[1] if len(held) > 1 else shared[0]
        metadata = next(map(compiler.slot, op.metadata), None)
        return WgmmaStep(op, op.instruction, held[0], a, shared[-1], compiler.slot(op.scale_d), metadata)

    def __call__(self, frame: Frame) -> None:
        """Begins them."""
        groups = Warpgroups.all_of(frame, self.op, self.atom)
        if not len(groups.row):
            return
        machine = groups.lanes.machine
        self._check_fenced(groups)
        ticket, start = machine.units.ticket(), self.d.fragment.start(frame)
        self.d.begin(frame, self.atom, start, ticket)
        left, right = self._left(frame, groups, ticket), self._read(frame, groups, self.b)
        added = self._added(frame, groups, start)
        a, b = (self._negated(x, word) for x, word in zip((left[0], right[0]), NEGATED, strict=True))
        if machine.checks:
            machine.units.begin(ticket, groups.rows, groups.group, [*left[1], *right[1]])
        self.d.put(frame, groups, start, machine.waiting(self.atom).add(a, b, added))

    def _check_fenced(self, groups: Warpgroups) -> None:
        machine = groups.lanes.machine
        fenced = machine.units.fenced[groups.rows, groups.group]
        if machine.checks and not fenced.all():
            who = groups.name(int(np.argmin(fenced)))
            raise RaceError(f"{who} begins a product with no wgmma.fence before the first one\n{where(self.op)}")

    def _left(self, frame: Frame, groups: Warpgroups, ticket: int) -> tuple[Matrices, list[Read]]:
        stored, read = self._stored(frame, groups, ticket)
        return (stored if self.metadata is None else self._spread(frame, groups, stored, self.metadata)), read

    def _stored(self, frame: Frame, groups: Warpgroups, ticket: int) -> tuple[Matrices, list[Read]]:
        if isinstance(self.a, Shared):
            return self._read(frame, groups, self.a)
        start = self.a.fragment.start(frame)
        self.a.begin(frame, self.atom, start, ticket)
        return self.a.matrices(frame, groups, start, frame.mask), []

    def _spread(self, frame: Frame, groups: Warpgroups, stored: Matrices, slot: int) -> Matrices:
        """A with all its elements, of those that are stored.

        Raises:
            SimulationError: the metadata of a chunk says no places.
        """
        pattern = pattern_of(self.atom.dtypes[1].bits)
        words = np.broadcast_to(np.asarray(frame.number(slot), np.uint32), groups.lanes.shape)
        metadata = gathered(groups.gather(words[..., None])[..., 0], chunks_of(self.atom), self.op.selector)
        found = pattern.where(metadata)
        if (wrong := pattern.unsaid(metadata)) is not None:
            entry, text = wrong
            raise SimulationError(f"{groups.name(entry)} and its warpgroup give {text}\n{where(self.op)}")
        return Matrices(lambda: pattern.spread(stored.made, found))

    def _read(self, frame: Frame, groups: Warpgroups, operand: Shared) -> tuple[Matrices, list[Read]]:
        parts, read = operand.reads(frame, groups), []
        for part in parts:
            at = part.at()
            groups.lanes.machine.units.read(groups.group[part.entries], part, at, groups.lanes)
            read.append((part, part.memory.data.take(at)))
        return operand.matrices(read, len(groups.row)), parts

    def _added(self, frame: Frame, groups: Warpgroups, start: int) -> Matrices:
        """What the products are added to: D, or nothing."""
        scale = groups.agreed(frame.number(self.scale), "scale-d").astype(bool)
        zeros = Matrices(lambda: groups.zeros(self.d.operand, self.atom))
        if not scale.any():
            return zeros
        if scale.all():
            return self.d.matrices(frame, groups, start, frame.mask)
        some = np.asarray(groups.by_lane(scale), bool)
        held = self.d.matrices(frame, groups, start, some)
        return Matrices(lambda: np.where(scale[:, None, None], held.made, zeros.made))

    def _negated(self, operand: Matrices, word: str) -> Matrices:
        return Matrices(lambda: np.asarray(-operand.made)) if word in self.op.words else operand


WGMMA_HANDLERS: Mapping[type[Operation], Handler] = {
    MatrixDescriptorOp: descriptor,
    WgmmaOp: WgmmaStep.of,
    WgmmaSyncOp: _sync,
}
